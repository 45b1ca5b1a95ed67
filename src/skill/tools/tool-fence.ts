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
import { ownToolName } from '../../base/own-tool-name.ts';

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
export function isAgentTool(word: string): boolean {
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
      plainToolName(tool) === plainToolName(wanted) ||
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

/** Without case, `_` and `-`: hosts write one name in several ways. */
export function plainToolName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
