// Judges what shell commands do: flows to the network or into execution, and commands that install, destroy or unprotect.
//
//   shell scripts and shell code inside Markdown -> facts (code/shell/) -> findings
import type {
  Detector,
  Language,
  RawFinding,
  ReportFinding,
  ScannedSkill,
  ScannedText,
  View,
  Work,
} from '../detector.ts';
import type { RunCommand } from '../code/facts.ts';
import { followShell } from '../code/shell/follow-shell.ts';
import { findInCommand } from './judge-command.ts';
import { hostsIn, hostsOf } from './hosts.ts';
import { judgeFlow } from './judge-flow.ts';
import { isAboutSecurity, shownAs } from './topic.ts';
import type { World } from '../code/script/follow-script.ts';
import { createWorld, followScript } from '../code/script/follow-script.ts';

/** A piece of code and how its offsets lead to the raw text. */
interface Piece {
  readonly language: Language;
  readonly text: string;
  readonly rawOffset: (offset: number) => number;
  readonly hiddenBy: readonly string[];
  readonly isScript: boolean;
}

export const commandDetector: Detector = {
  name: 'commands',
  findInText(text, skill, report, work) {
    inHosts(text, skill, report);
    for (const piece of piecesOf(text)) {
      if (piece.language === 'shell') inShell(piece, text, skill, report, work);
      else if (piece.language !== 'markdown') inScript(piece, text, skill, report, work);
    }
  },
  findInSkill: inAllShell,
};

/** All shell code of the skill as one script: what one block or file keeps in a variable or a file, another can send. */
function inAllShell(skill: ScannedSkill, report: ReportFinding, work: Work): void {
  const parts: { readonly start: number; readonly piece: Pick<Piece, 'rawOffset'>; readonly path: string }[] =
    [];
  let all = '';
  const add = (code: string, rawOffset: Piece['rawOffset'], path: string): void => {
    parts.push({ start: all.length, piece: { rawOffset }, path });
    all += `${code}\n`;
  };
  const isMain = ({ path }: ScannedText): boolean => path.toLowerCase() === 'skill.md';
  const sourced = sourcedNames(skill);
  const isSourced = ({ path }: ScannedText): boolean => sourced.has(path.split('/').at(-1) as string);
  const rest = skill.texts.filter((one) => !isMain(one));
  for (const text of [
    ...skill.texts.filter(isMain),
    ...rest.filter(isSourced),
    ...rest.filter((one) => !isSourced(one)),
  ]) {
    if (text.language === 'shell') add(text.raw, (offset) => offset, text.path);
    for (const { language, text: code, rawOffset, hiddenBy } of text.embedded)
      if (language === 'shell' && hiddenBy.length === 0) add(code, rawOffset, text.path);
  }
  if (parts.length < 2) return;
  for (const flow of followShell(all, work).flows) {
    const judged = judgeFlow(flow, skill, true);
    if (judged?.rule !== 'EXFIL_SECRET' || judged.severity === 'low') continue;
    const part = parts.findLast(({ start }) => start <= flow.start);
    if (part === undefined) continue;
    const { start, piece, path } = part;
    report({
      ...judged,
      path,
      start: piece.rawOffset(flow.start - start),
      end: piece.rawOffset(flow.end - start),
      decoded: null,
      hiddenBy: [],
    });
  }
}

/** Last names of the files that scripts read with `source` or `.`: what they set is set before. */
function sourcedNames(skill: ScannedSkill): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { language, raw } of skill.texts)
    if (language === 'shell')
      for (const [, path] of raw.matchAll(/(?:^|[\s;&|(])(?:source|\.)[ \t]{1,4}["']?([^\s"';&|]{1,200})/gm))
        names.add((path as string).split('/').at(-1) as string);
  return names;
}

const scripts = new Set<Language>(['python', 'javascript', 'powershell', 'ruby', 'perl', 'php', 'starlark']);

function* piecesOf(text: ScannedText): Generator<Piece> {
  for (const view of text.views) {
    if (view.kind === 'joined') continue;
    if (view.language === 'markdown' || view.language === 'text') yield* bareLinesOf(view);
    if (view.language === 'json' || view.language === 'yaml' || view.language === 'toml')
      yield* commandsIn(view.text, (offset) => view.rawOffset(offset), view.hiddenBy, true);
    if (view.language === 'powershell')
      yield {
        language: 'shell',
        text: view.text,
        rawOffset: (offset) => view.rawOffset(offset),
        hiddenBy: view.hiddenBy,
        isScript: text.language !== 'markdown',
      };
    if (view.language === 'shell' || scripts.has(view.language))
      yield {
        language: view.language,
        text: view.text,
        rawOffset: (offset) => view.rawOffset(offset),
        hiddenBy: view.hiddenBy,
        isScript: text.language !== 'markdown',
      };
    else if (view.kind === 'fragment')
      yield {
        language: 'shell',
        text: view.text,
        rawOffset: (offset) => view.rawOffset(offset),
        hiddenBy: view.hiddenBy,
        isScript: true,
      };
  }
  for (const { language, text: code, rawOffset, hiddenBy } of text.embedded) {
    if (hiddenBy.includes('split-lines') || hiddenBy.includes('split-literals')) continue;
    if (language === 'powershell')
      yield { language: 'shell', text: code, rawOffset, hiddenBy, isScript: false };
    if (language === 'shell' || (language === 'text' && looksLikeShell(code)))
      yield { language: 'shell', text: code, rawOffset, hiddenBy, isScript: false };
    else if (scripts.has(language)) yield { language, text: code, rawOffset, hiddenBy, isScript: false };
    else if (language === 'json' || language === 'yaml') yield* commandsIn(code, rawOffset, hiddenBy, false);
  }
}

/** A line of Markdown that is a command, though nothing marks it as code. */
const bareLine =
  /^[ \t>*-]{0,6}(?:\$ )?((?:curl|wget|sudo|bash|sh|powershell|pwsh|iwr|irm|nc|python3?|node|eval|echo)[ \t][^\n]{0,300}(?:\||\$\(| -)[^\n]{0,20000})$/gm;

function* bareLinesOf(view: View): Generator<Piece> {
  for (const match of view.text.matchAll(bareLine)) {
    const text = match[1] as string;
    const start = match.index + match[0].length - text.length;
    yield {
      language: 'shell',
      text,
      rawOffset: (offset) => view.rawOffset(start + offset),
      hiddenBy: view.hiddenBy,
      isScript: false,
    };
  }
}

/** `"command": "…"`, `run: …`: a command inside of data. */
const commandLine =
  /"?(?:command|run|cmd|script|exec|shell|preinstall|postinstall|prepare)"?[ \t]{0,4}:[ \t]{0,4}(?:"((?:[^"\\\n]|\\.){4,20000})"|([^\n"|>{[]{4,20000}))/g;

function* commandsIn(
  code: string,
  rawOffset: (offset: number) => number,
  hiddenBy: readonly string[],
  isScript: boolean,
): Generator<Piece> {
  for (const match of code.matchAll(commandLine)) {
    const line = (match[1]?.replace(/\\(.)/g, '$1') ?? match[2] ?? '').trim();
    const start = match.index;
    yield {
      language: 'shell',
      text: line,
      rawOffset: (offset) => rawOffset(start + Math.min(offset, match[0].length)),
      hiddenBy,
      isScript,
    };
  }
}

function looksLikeShell(code: string): boolean {
  return /(?:^|\n)\s{0,8}(?:\$ |sudo |curl |wget |mshta |certutil |bash |sh |echo |cat |chmod |rm |powershell|iwr |irm |git |npm |pip |python3? )/.test(
    code,
  );
}

/** Request catchers and tunnels in scripts and configuration; texts for people name them for other reasons. */
function inHosts(text: ScannedText, skill: ScannedSkill, report: ReportFinding): void {
  if (
    !scripts.has(text.language) &&
    text.language !== 'shell' &&
    text.language !== 'json' &&
    text.language !== 'yaml' &&
    text.language !== 'toml'
  )
    return;
  const { kindOf } = hostsOf(skill);
  for (const { host, start, end } of hostsIn(text.raw))
    if (kindOf(host) === 'catcher')
      report({ rule: 'SEND_TO_CATCHER', path: text.path, start, end, decoded: null, hiddenBy: [] });
}

const shownRules: ReadonlySet<string> = new Set([
  'PERSISTENCE_COMMAND',
  'DESTRUCTIVE_COMMAND',
  'CREDENTIAL_ACCESS',
]);

/** Commands that a skill about security shows in its text are examples; a script beside it is not. */
function asExample(judged: Judged, piece: Piece, skill: ScannedSkill): Judged {
  const isShown = !piece.isScript && piece.hiddenBy.length === 0 && shownRules.has(judged.rule);
  return isShown && isAboutSecurity(skill) ? { ...judged, severity: shownAs(judged.rule) } : judged;
}

const worlds = new WeakMap<ScannedSkill, World>();

/** What the functions of all scripts do: read once, so that a function of one file is known in the others. */
function worldOf(skill: ScannedSkill, work: Work): World {
  const made = worlds.get(skill);
  if (made !== undefined) return made;
  const world = createWorld();
  worlds.set(skill, world);
  const files = skill.texts.filter(({ language }) => scripts.has(language));
  if (files.length > 1)
    for (const { raw, language, path } of files) followScript(raw, language, work, world, path);
  return world;
}

function inShell(
  piece: Piece,
  text: ScannedText,
  skill: ScannedSkill,
  report: ReportFinding,
  work: Work,
): void {
  const facts = followShell(piece.text, work);
  const tell = reporter(piece, text, report);
  for (const flow of facts.flows) {
    const judged = judgeFlow(flow, skill, piece.isScript);
    if (judged !== null) tell(judged, flow.start, flow.end);
  }
  for (const command of facts.commands)
    for (const judged of findInCommand(command, skill))
      tell(asExample(judged, piece, skill), command.start, command.end);
  for (const inner of facts.inner) {
    const start = piece.rawOffset(inner.start);
    inScript(
      { ...piece, language: inner.language, text: inner.text, rawOffset: () => start },
      text,
      skill,
      report,
      work,
      piece.rawOffset(inner.end),
    );
  }
}

function inScript(
  piece: Piece,
  text: ScannedText,
  skill: ScannedSkill,
  report: ReportFinding,
  work: Work,
  end?: number,
): void {
  const facts = followScript(
    piece.text,
    piece.language,
    work,
    piece.isScript ? worldOf(skill, work) : createWorld(),
  );
  const tell = reporter(
    end === undefined
      ? piece
      : { ...piece, rawOffset: (offset) => (offset === 0 ? piece.rawOffset(0) : end) },
    text,
    report,
  );
  const places = (fact: { start: number; end: number }): readonly [number, number] =>
    end === undefined ? [fact.start, fact.end] : [0, 1];
  for (const flow of facts.flows) {
    const judged = judgeFlow(flow, skill, piece.isScript);
    if (judged !== null) tell(judged, ...places(flow));
  }
  for (const command of facts.commands)
    for (const judged of findInCommand(command, skill)) tell(judged, ...places(command));
  if (end !== undefined) return;
  for (const inner of facts.inner) {
    const from = piece.rawOffset(inner.start);
    const to = piece.rawOffset(inner.end);
    const shell = followShell(inner.text, work);
    const place = reporter({ ...piece, rawOffset: (offset) => (offset === 0 ? from : to) }, text, report);
    for (const flow of shell.flows) {
      const judged = judgeFlow(flow, skill, piece.isScript);
      if (judged !== null) place(judged, 0, 1);
    }
    for (const command of shell.commands)
      for (const judged of findInCommand(command as RunCommand, skill)) place(judged, 0, 1);
  }
}

type Judged = Pick<RawFinding, 'rule' | 'severity' | 'message'>;

function reporter(
  piece: Piece,
  text: ScannedText,
  report: ReportFinding,
): (judged: Judged, start: number, end: number) => void {
  return (judged, start, end) => {
    report({
      ...judged,
      path: text.path,
      start: piece.rawOffset(start),
      end: piece.rawOffset(end),
      decoded: piece.hiddenBy.length === 0 ? null : piece.text.slice(start, end),
      hiddenBy: piece.hiddenBy,
    });
  };
}
