// allowed-tools, disallowed-tools, or the `tools` of an ask -> names -> what a nested agent may use.
//
//   read_file command skill_load         our names
//   Read Bash(git diff:*) Edit(src/**)   the names that skills are written with
//
// null is no fence; an empty list allows nothing. A name that maps to no tool of ours allows nothing. `Bash(…)` limits
// commands to words of argv: `git diff:*` and `git diff *` are these words and anything after them, `npm test` is exactly
// that; a `*` within a word stands for any part of one argument. Commas separate patterns. `Read(…)`, `Write(…)` and
// `Edit(…)` limit paths: `*` within a folder, `**` through folders, relative to the working folder. A limit that cannot
// be enforced (an absolute path, a search) allows nothing, and disallows the whole tool. The time is at most proportional to pattern × text.
import { wildcardFits, wordsFit } from '../../base/match-words.ts';
import type { Report } from '../../base/diagnostic.ts';
import { readText } from '../fields/read-value.ts';
import type { YamlNode, YamlScalar } from '../yaml/node.ts';
import { nearest } from '../../base/nearest.ts';
import { ownToolName } from '../../base/own-tool-name.ts';
import { printableLine } from '../../base/printable.ts';
import { guessLimit } from '../fields/spelling.ts';

export const agentToolNames = [
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search_files',
  'command',
  'skill_search',
  'skill_load',
  'skill_read',
  'run_metaskill',
] as const;
export type AgentToolName = (typeof agentToolNames)[number];

/** Tool -> patterns, of which one must fit; null is no limit. */
export type ToolFence = ReadonlyMap<AgentToolName, readonly string[] | null>;

const aliases: { readonly [name: string]: readonly AgentToolName[] } = {
  read: ['read_file'],
  view: ['read_file'],
  readfile: ['read_file'],
  notebookread: ['read_file'],
  write: ['write_file'],
  create: ['write_file'],
  writefile: ['write_file'],
  edit: ['edit_file'],
  multiedit: ['edit_file'],
  editfile: ['edit_file'],
  str_replace: ['edit_file'],
  glob: ['list_files'],
  ls: ['list_files'],
  list: ['list_files'],
  list_dir: ['list_files'],
  grep: ['search_files'],
  search: ['search_files'],
  bash: ['command'],
  exec_command: ['command'],
  shell: ['command'],
  run_command: ['command'],
  execute: ['command'],
  terminal: ['command'],
  skill: ['skill_search', 'skill_load', 'skill_read'],
  use_skill: ['skill_search', 'skill_load', 'skill_read'],
  '*': agentToolNames,
};

/** Tools whose limit is a path or a command; the others have none. */
const limited: ReadonlySet<AgentToolName> = new Set(['read_file', 'write_file', 'edit_file', 'command']);

/** What a list does with the tools that it names. */
type FenceUse = 'allow' | 'disallow';

export function parseFence(tools: readonly string[], use?: FenceUse): ToolFence;
export function parseFence(tools: readonly string[] | null): ToolFence | null;
export function parseFence(tools: readonly string[] | null, use: FenceUse = 'allow'): ToolFence | null {
  if (tools === null) return null;
  const fence = new Map<AgentToolName, readonly string[] | null>();
  for (const tool of tools) {
    const [, word = use === 'disallow' ? toolWord(tool) : '', inside] =
      /^\s*([^\s()]+)\s*(?:\(([^]*)\))?\s*$/.exec(tool) ?? [];
    for (const name of namesOf(word, use)) {
      const patterns = inside === undefined || isEverything(inside) ? null : patternsOf(name, inside, use);
      const before = fence.get(name);
      if (patterns === null || before === null) fence.set(name, null);
      else if (patterns.length > 0) fence.set(name, [...(before ?? []), ...patterns]);
    }
  }
  return fence;
}

/** The name at the beginning of an item of a list, without what follows it. */
export function toolWord(tool: string): string {
  return /^\s*([^\s()]+)/.exec(tool)?.[1] ?? tool;
}

/** Whether a word in a list of tools stands for one of ours. */
function isAgentTool(word: string): boolean {
  return namesOf(word, 'allow').length > 0;
}

/** Our own names allow only as they are written. */
function namesOf(word: string, use: FenceUse): readonly AgentToolName[] {
  const lower = word.toLowerCase();
  const written = ownToolName(use === 'disallow' ? lower : word);
  const own = agentToolNames.find((name) => name === written);
  if (own !== undefined) return [own];
  return Object.hasOwn(aliases, lower) ? (aliases[lower] as readonly AgentToolName[]) : [];
}

function isEverything(inside: string): boolean {
  return /^\s*(?::?\*|\*\*|\.\/\*\*|\*\*\/\*)\s*$/.test(inside);
}

/** `null`: no limit, where one that cannot be enforced must not let anything through. */
function patternsOf(name: AgentToolName, inside: string, use: FenceUse): readonly string[] | null {
  const parts = inside
    .split(',')
    .map((part) => part.trim().replace(name === 'command' ? '' : /^\.\//, ''))
    .filter((part) => part !== '');
  const enforced = limited.has(name)
    ? parts.filter((part) => name === 'command' || isInWorkFolder(part))
    : [];
  return use === 'disallow' && (enforced.length === 0 || enforced.length < parts.length) ? null : enforced;
}

/** Of a pattern or path: that it names nothing above the working folder. */
export function isInWorkFolder(pattern: string): boolean {
  return !/^[/~\\]|^[A-Za-z]:|(?:^|\/)\.\.(?:\/|$)/.test(pattern);
}

/** Whether the tool may be used at all. */
export function allowsTool(fence: ToolFence | null, name: AgentToolName): boolean {
  return fence === null || fence.has(name);
}

/**
 * Whether a tool of an MCP server may be used: by its name (`server__tool`, also with `mcp__` before it), by the name of its
 * server (`mcp__server`), or by a pattern with `*`.
 */
export function allowsHostTool(tools: readonly string[] | null, name: string): boolean {
  if (tools === null) return true;
  const server = name.slice(0, Math.max(0, name.indexOf('__')));
  return tools.some((tool) => {
    const word = tool.trim();
    if (word === '*') return true;
    if (!word.includes('__')) return false;
    const bare = word.startsWith('mcp__') ? word.slice(5) : word;
    return wildcardFits(bare, name) || (word.startsWith('mcp__') && bare === server);
  });
}

/**
 * Whether a host that offers these tools has the one that a skill needs: by its name in any spelling, or by another name of it.
 * `server__*` offers all tools of a server, `*` every plain name: for a host that cannot list them.
 */
export function offersTool(offered: readonly string[], wanted: string): boolean {
  const bare = wanted.replace(/^mcp__/, '');
  if (bare !== wanted || bare.includes('__'))
    return offered
      .filter((tool) => tool.includes('__'))
      .map((tool) => tool.replace(/^mcp__/, ''))
      .some((tool) => wildcardFits(tool, bare) || tool.slice(0, tool.indexOf('__')) === bare);
  const names = namesOf(wanted, 'disallow');
  return offered.some(
    (tool) =>
      tool === '*' ||
      plain(tool) === plain(wanted) ||
      namesOf(tool, 'disallow').some((name) => names.includes(name)),
  );
}

export function allowsCommand(fence: ToolFence | null, argv: readonly string[]): boolean {
  const patterns = fence === null ? null : fence.get('command');
  if (patterns === null) return true;
  return patterns !== undefined && patterns.some((pattern) => commandFits(pattern, argv));
}

/** `path` is relative to the working folder, with `/`, links resolved. */
export function allowsPath(fence: ToolFence | null, name: AgentToolName, path: string): boolean {
  const patterns = fence === null ? null : fence.get(name);
  if (patterns === null) return true;
  return patterns !== undefined && patterns.some((pattern) => pathFits(pattern, path));
}

function commandFits(pattern: string, argv: readonly string[]): boolean {
  const open = /(?::\*|\s\*)$/.test(pattern);
  const words = (open ? pattern.replace(/(?::\*|\s+\*)$/, '') : pattern)
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.length > 0 && wordsFit({ words, openEnded: open }, argv);
}

/** `*` is any part of one segment, `**` any number of segments. */
export function pathFits(pattern: string, path: string): boolean {
  return segmentsFit(pattern.split('/'), path.split('/'));
}

function segmentsFit(pattern: readonly string[], path: readonly string[]): boolean {
  // reach[j]: the pattern so far fits the first j segments.
  let reach: boolean[] = [true, ...path.map(() => false)];
  for (const part of pattern) {
    const next: boolean[] = path.map(() => false);
    next.unshift(part === '**' && reach[0] === true);
    for (let at = 1; at <= path.length; at += 1) {
      next[at] =
        part === '**'
          ? next[at - 1] === true || reach[at] === true
          : reach[at - 1] === true && wildcardFits(part, path[at - 1] as string);
    }
    reach = next;
  }
  return reach[path.length] === true;
}

/** Those of `asked` that `allowed` grants whole: what a program asks for cannot widen what its skill is fenced to. */
export function narrowTools(asked: readonly string[], allowed: readonly string[]): readonly string[] {
  const outer = parseFence(allowed);
  return asked.filter((tool) => {
    if (
      allowed.includes(tool) ||
      (tool.includes('__') && allowsHostTool(allowed, tool.replace(/^mcp__/, '')))
    )
      return true;
    const inner = parseFence([tool]);
    return (
      inner !== null &&
      inner.size > 0 &&
      [...inner].every(([name, patterns]) => grants(outer, name, patterns))
    );
  });
}

function grants(outer: ToolFence | null, name: AgentToolName, patterns: readonly string[] | null): boolean {
  const own = outer === null ? null : outer.get(name);
  if (own === undefined) return false;
  return own === null || (patterns !== null && patterns.every((pattern) => own.includes(pattern)));
}

// The names of a field, in the three ways people write them.
//
//   Read Grep Bash(git:*)          spaces
//   Read, Grep, Bash(git *, npm *) commas
//   [Read, "Bash(git *)"]          a list
//
// What is inside parentheses belongs to the tool before them.

/** Names in `text`, split at commas (and spaces, unless `commasOnly`) outside parentheses. */
function splitTools(
  text: string,
  commasOnly: boolean,
): { readonly names: string[]; readonly balanced: boolean } {
  const names: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 40 /* ( */) depth += 1;
    else if (unit === 41 /* ) */) depth = Math.max(0, depth - 1);
    const splits =
      at === text.length || (depth === 0 && (unit === 44 /* , */ || (!commasOnly && isSpace(unit))));
    if (!splits) continue;
    // Most spaces follow another separator.
    const name = at === start ? '' : text.slice(start, at).trim();
    if (name !== '') names.push(name);
    start = at + 1;
  }
  return { names, balanced: depth === 0 };
}

function isSpace(unit: number): boolean {
  if (unit <= 32) return unit === 32 || (unit >= 9 && unit <= 13);
  return unit > 126 && /\s/.test(String.fromCharCode(unit));
}

/**
 * `null` when not given; an empty list when declared as none. What cannot be read narrows: it allows nothing, and disallows
 * everything that it may have meant.
 */
export function readToolList(label: string, node: YamlNode, report: Report): readonly string[] | null {
  if (node.kind === 'scalar' && node.value === null) return null;
  const denies = label === 'disallowed-tools';
  if (node.kind === 'map') {
    report(
      'FIELD_TYPE',
      node.span,
      `${label} must be names, not a mapping`,
      `write ${label}: Read Grep "Bash(git *)"`,
    );
    return denies ? ['*'] : [];
  }
  const names: string[] = [];
  for (const item of node.kind === 'seq' ? node.items : [node]) {
    const text = readText(node.kind === 'seq' ? `an item of ${label}` : label, item, report);
    if (text === null) {
      if (denies) names.push('*');
      continue;
    }
    const split = splitTools(text, node.kind === 'seq');
    if (!split.balanced) report('FIELD_VALUE', item.span, `a parenthesis in ${label} is never closed`);
    // One by one: a call takes only so many arguments.
    for (const name of split.names) names.push(denies && !split.balanced ? name.replace(/\(.*$/, '') : name);
  }
  return names;
}

// Names that look misspelt.
//
// Hosts have tools of their own, so an unknown name is fine. Only a name one letter away from a known one (or with two
// neighbours swapped) is reported, since it allows, or forbids, nothing. Case, `_`, `-` and a plural are not misspellings:
// other hosts write their tools that way. In a short name only swapped and doubled letters count: "Exit" is a word of its
// own, not "Edit".

/** As skills are written: ours, and those that other hosts have besides. */
const known: readonly string[] = [
  'Read',
  'Write',
  'Edit',
  'MultiEdit',
  'Glob',
  'Grep',
  'Bash',
  'Skill',
  ...agentToolNames,
  'WebFetch',
  'WebSearch',
  'Task',
  'Agent',
  'TodoRead',
  'TodoWrite',
  'NotebookRead',
  'NotebookEdit',
  'BashOutput',
  'KillShell',
  'PowerShell',
  'AskUserQuestion',
  'SlashCommand',
  'EnterPlanMode',
  'ExitPlanMode',
];

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
const byPlainName: ReadonlyMap<string, string> = new Map(known.map((name) => [plain(name), name]));

/** `text` is the file that the places are in. */
export function reportMisspeltTools(label: string, node: YamlNode, text: string, report: Report): void {
  const guessed = new Set<string>();
  for (const item of node.kind === 'seq' ? node.items : [node]) {
    if (item.kind !== 'scalar' || typeof item.value !== 'string') continue;
    for (const tool of splitTools(item.value, node.kind === 'seq').names) {
      const word = /^[\w-]{4,40}(?=\s*(?:\(|$))/.exec(tool)?.[0] ?? null;
      if (
        word === null ||
        word.includes('__') ||
        isAgentTool(word) ||
        guessed.has(word) ||
        guessed.size >= guessLimit
      )
        continue;
      guessed.add(word);
      const meant = meantBy(plain(word));
      if (meant !== null)
        report(
          'TOOL_MISSPELT',
          placeOf(word, item, text),
          `"${printableLine(word)}" in ${label} is not a tool that techne knows, and has no effect`,
          `did you mean "${meant}"?`,
        );
    }
  }
}

function meantBy(word: string): string | null {
  if (byPlainName.has(word) || byPlainName.has(word.replace(/s$/, ''))) return null;
  const close = nearest(word, byPlainName.keys(), 1);
  return close === null || !isSlip(word, close) ? null : (byPlainName.get(close) as string);
}

/** In a short name only swapped and doubled letters count. */
function isSlip(word: string, meant: string): boolean {
  const letters = (of: string): string => of.split('').sort().join('');
  return meant.length > 5 || letters(word) === letters(meant) || word.replace(/(.)\1/, '$1') === meant;
}

/** The word itself, or the whole value where it is not written as it is read. */
function placeOf(word: string, { span }: YamlScalar, text: string): YamlScalar['span'] {
  const inside =
    new RegExp(`(?<![\\w-])${word}(?![\\w-])`).exec(text.slice(span.start, span.end))?.index ?? null;
  return inside === null ? span : { start: span.start + inside, end: span.start + inside + word.length };
}
