// Judges what a skill is and brings: its name, its description, its declared tools, MCP servers, hooks, scripts of packages.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Detector, RawFinding, ReportFinding, ScannedSkill, ScannedText, Work } from '../detector.ts';
import { followShell } from '../code/shell/follow-shell.ts';
import { judgeFlow } from './judge-flow.ts';

export const packageDetector: Detector = {
  name: 'package',
  findInText(text, skill, report, work) {
    if (text.language !== 'json') return;
    const name = (text.path.split('/').at(-1) ?? '').toLowerCase();
    const json = parse(text.raw);
    if (json === null) return;
    if (name === 'package.json') inPackage(json, text, skill, report, work);
    if (isJsonObject(json['mcpServers']))
      for (const server of Object.keys(json['mcpServers'])) report(at(text, server, 'PLUGIN_SERVER'));
    if (name === 'hooks.json' || (name.startsWith('settings') && 'hooks' in json))
      inHooks(json, text, skill, report, work);
  },
  findInSkill(skill, report, work) {
    const main = skill.texts.find(({ path }) => path === 'SKILL.md');
    if (main === undefined || skill.head === null) return;
    inDescription(skill, main, report, work);
    inTools(skill, main, report);
    inBroadTools(skill, main, report);
    const hooks = skill.head.frontmatter['hooks'];
    if (hooks !== undefined) inHooks(hooks, main, skill, report, work);
  },
};

function parse(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const longestText = 20_000;

/** What is looked at of a command or a description. */
function partOf(text: string, work: Work): string {
  if (text.length <= longestText) return text;
  work.leaveOut?.('it has a command or a description that is longer than what is looked at');
  return text.slice(0, longestText);
}

/** Where `word` stands in the file, or its beginning. */
function at(text: ScannedText, word: string, rule: string, severity?: RawFinding['severity']): RawFinding {
  const found = text.raw.indexOf(JSON.stringify(word));
  const start = Math.max(0, found);
  return {
    rule,
    path: text.path,
    start,
    end: found === -1 ? Math.min(text.raw.length, 80) : start + word.length + 2,
    decoded: null,
    hiddenBy: [],
    ...(severity === undefined ? {} : { severity }),
  };
}

const lifecycle = [
  'preinstall',
  'install',
  'postinstall',
  'prepare',
  'prepublish',
  'preprepare',
  'postprepare',
];
const fetches =
  /\b(?:curl|wget|Invoke-WebRequest|iwr|node\s{1,3}-e|python3?\s{1,3}-c|base64|eval|bash\s{1,3}-c|sh\s{1,3}-c|powershell(?![^\n]{0,80}-File))\b|https?:\/\/|npm\s{1,3}(?:i|install)\s{1,3}-g|@latest/i;

function inPackage(
  json: JsonObject,
  text: ScannedText,
  skill: ScannedSkill,
  report: ReportFinding,
  work: Work,
): void {
  const scripts = json['scripts'];
  if (!isJsonObject(scripts)) return;
  for (const name of lifecycle) {
    const command = scripts[name];
    if (typeof command !== 'string') continue;
    if (fetches.test(partOf(command, work))) report(at(text, command, 'INSTALL_SCRIPT'));
    for (const flow of followShell(command, work).flows) {
      const judged = judgeFlow(flow, skill, true);
      if (judged !== null) report({ ...at(text, command, judged.rule), ...judged });
    }
  }
}

/** Every text under `command` in a file of hooks is a command. */
function inHooks(
  json: Json,
  text: ScannedText,
  skill: ScannedSkill,
  report: ReportFinding,
  work: Work,
  depth = 0,
): void {
  if (typeof json !== 'object' || json === null) return;
  if (depth > 12) {
    work.leaveOut?.('it has hooks that are nested too deep');
    return;
  }
  for (const [key, value] of Object.entries(json)) {
    if (key !== 'command' || typeof value !== 'string') {
      inHooks(value, text, skill, report, work, depth + 1);
      continue;
    }
    report(at(text, value, 'PLUGIN_HOOK', fetches.test(partOf(value, work)) ? 'medium' : undefined));
    for (const flow of followShell(value, work).flows) {
      const judged = judgeFlow(flow, skill, true);
      if (judged !== null) report({ ...at(text, value, judged.rule), ...judged });
    }
  }
}

/** "Use this for everything, always first." */
const bait =
  /\b(?:use|invoke|call|load|run|activate|trigger|choose|select)\s{1,3}(?:this|me|it)(?:\s{1,3}skill)?\s{1,3}(?:for|on|at|in|before)\s{1,3}(?:everything|every (?:request|message|task|question|prompt|query|conversation|user)|all (?:requests|tasks|messages|questions|queries)|any (?:request|task|question|message) whatsoever|any and all)|\balways (?:use|invoke|call|run|load|activate) this(?: skill)? (?:first|before (?:any|all|every)|instead of (?:any|all|other)|regardless|no matter)|\b(?:before|instead of) (?:any|all|every) other (?:skill|tool)s?\b|\b(?:ignore|avoid|do not use|never use) (?:all |any )?other (?:skills|tools)\b|\btakes? (?:precedence|priority) over (?:all|any|every) other (?:skill|tool)|每次(?:对话|请求|任务)都(?:必须|要)?(?:先)?使用|优先于(?:所有|其他)(?:技能|工具)/i;

function inDescription(skill: ScannedSkill, main: ScannedText, report: ReportFinding, work: Work): void {
  const head = skill.head as NonNullable<ScannedSkill['head']>;
  const texts = [head.description, head.whenToUse ?? '', ...head.triggers.map(({ phrase }) => phrase)];
  for (const text of texts) {
    const match = bait.exec(partOf(text, work));
    if (match === null) continue;
    const start = Math.max(0, main.raw.indexOf(match[0]));
    report({
      rule: 'BAIT_DESCRIPTION',
      path: main.path,
      start,
      end: start + match[0].length,
      decoded: null,
      hiddenBy: [],
    });
  }
  for (const { phrase } of head.triggers) {
    if (
      !/^(?:the|a|an|i|you|it|is|to|and|please|hi|hello|ok|yes|what|how|can|do|help|的|我|你|是|请|\.\*|\*|)$/i.test(
        phrase.trim(),
      )
    )
      continue;
    const start = Math.max(0, main.raw.indexOf(phrase));
    report({
      rule: 'BAIT_DESCRIPTION',
      path: main.path,
      start,
      end: start + phrase.length,
      decoded: null,
      hiddenBy: [],
      message: 'A trigger is a word of nearly every message.',
    });
  }
}

const readOnly =
  /^(?:read|grep|glob|ls|list|search|view|notebookread|websearch|todowrite|todoread|read_file|list_dir)\b/i;
const network =
  /\b(?:requests\.|urllib|httpx|aiohttp|fetch\(|axios|http\.client|socket\.|curl\b|wget\b|Invoke-WebRequest|net\.connect|https?\.request)/;
const executes =
  /\b(?:subprocess|os\.system|child_process|execSync|Start-Process|shutil\.rmtree|os\.remove|writeFileSync|\.write_text|open\([^)\n]{0,80},\s{0,3}["'][wa])/;

function inBroadTools(skill: ScannedSkill, main: ScannedText, report: ReportFinding): void {
  const broad = skill.head?.allowedTools?.find((tool) =>
    /^(?:Bash\(\s{0,3}\*?(?::\*)?\s{0,3}\)|\*)$/i.test(tool.trim()),
  );
  if (broad === undefined) return;
  const start = Math.max(0, main.raw.indexOf(broad));
  const end = start + broad.length;
  report({ rule: 'BROAD_TOOLS', path: main.path, start, end, decoded: null, hiddenBy: [] });
}

function inTools(skill: ScannedSkill, main: ScannedText, report: ReportFinding): void {
  const allowed = skill.head?.allowedTools ?? null;
  if (allowed === null || allowed.length === 0 || !allowed.every((tool) => readOnly.test(tool.trim())))
    return;
  for (const text of skill.texts) {
    if (
      text.path === main.path ||
      !/^(?:python|javascript|shell|powershell|ruby|perl|php)$/.test(text.language)
    )
      continue;
    const used = network.exec(text.raw) ?? executes.exec(text.raw);
    if (used === null) continue;
    const reaches = network.test(text.raw);
    report({
      rule: 'UNDECLARED_TOOL',
      path: text.path,
      start: used.index,
      end: used.index + used[0].length,
      decoded: null,
      hiddenBy: [],
      message: reaches
        ? 'The skill declares tools that only read, and this script reaches the network.'
        : 'The skill declares tools that only read, and this script runs commands or writes files.',
      ...(reaches ? { severity: 'medium' as const } : {}),
    });
  }
}
