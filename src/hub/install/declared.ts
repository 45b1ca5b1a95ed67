// What a skill says that it needs, and what its files would use: for the person who is asked to let it in.
//
//   files of a skill -> Declared { tools, capabilities, programs, variables, hints … } and Used { scripts, commands, hosts }
//
// Commands are read from shell scripts and from fenced shell blocks: the first word of every line and of what follows a pipe
// or `&&`; and from programs, where a call names one. That is a list to look at, not an analysis; the findings of the guard are that.
import { decodeUtf8 } from '../../base/utf8.ts';
import { parseHead } from '../../skill/parse-head.ts';
import type { SkillHead } from '../../skill/types.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import type { TreeFile } from '../stage/tree.ts';

export interface Declared {
  readonly description: string;
  readonly form: SkillHead['form'];
  readonly tools: readonly string[];
  readonly capabilities: readonly string[];
  readonly risk: string | null;
  /** Programs that must be there. */
  readonly programs: readonly string[];
  /** Environment variables that it reads. */
  readonly variables: readonly string[];
  /** Its whole body goes into every prompt. */
  readonly always: boolean;
  /** How its author would install what it needs; techne never runs them. */
  readonly installHints: readonly string[];
}

export interface Used {
  /** Scripts, and files that are executable. */
  readonly scripts: readonly string[];
  readonly commands: readonly string[];
  /** Hosts of the addresses in its files. */
  readonly hosts: readonly string[];
}

/** Of a skill whose SKILL.md cannot be read. */
const nothingDeclared: Declared = {
  description: '',
  form: 'instructions',
  tools: [],
  capabilities: [],
  risk: null,
  programs: [],
  variables: [],
  always: false,
  installHints: [],
};

export function readDeclared(name: string, files: readonly TreeFile[], parseFull: ParseFull): Declared {
  const main = files.find(({ path }) => path === 'SKILL.md');
  if (main === undefined) return nothingDeclared;
  const entries = files
    .filter(({ path }) => !path.includes('/'))
    .map(({ path }) => ({ name: path, kind: 'file' as const }));
  const { text } = decodeUtf8(main.bytes);
  const context = { folderName: name, entries, complete: true, fileBytes: main.bytes.length, parseFull };
  // What is wrong with it is told by `techne check`, and by the snapshot once it is installed.
  const head = parseHead(text, context, () => undefined);
  if (head === 'more') return nothingDeclared;
  const { requires } = head;
  return {
    description: head.description,
    form: head.form,
    tools: unique([...(head.allowedTools ?? []), ...(head.tools ?? []), ...(requires?.tools ?? [])]),
    capabilities: unique(head.capabilities ?? []),
    risk: head.risk,
    programs: unique([...(requires?.bins ?? []), ...(requires?.anyBins ?? []).flat()]),
    variables: unique([...(requires?.env ?? []), ...(requires?.anyEnv ?? []).flat()]),
    always: head.invocation.always,
    installHints: requires?.installHints ?? [],
  };
}

const scriptName = /\.(?:sh|bash|zsh|fish|py|js|mjs|cjs|ts|rb|pl|php|ps1|psm1|bat|cmd|lua|star)$/i;
const shellName = /\.(?:sh|bash|zsh)$/i;
const fence =
  /^ {0,3}(?:`{3,}|~{3,})[ \t]*(?:sh|bash|zsh|shell|console|terminal)\b[^\n]*\n([\s\S]*?)^ {0,3}(?:`{3,}|~{3,})/gim;
const address = /\bhttps?:\/\/([a-z0-9][a-z0-9.-]{0,252})/gi;
/** Of one file, and of all of a kind: what a person can look at. */
const most = 200;

export function readUsed(files: readonly TreeFile[]): Used {
  const scripts = new Set<string>();
  const commands = new Set<string>();
  const hosts = new Set<string>();
  for (const { path, bytes, executable } of files) {
    const { text, valid } = decodeUtf8(bytes);
    const first = text.slice(0, 200).split('\n', 1)[0] ?? '';
    const isShell = shellName.test(path) || /^#!.*\b(?:ba|z|da|k)?sh\b/.test(first);
    if (executable || scriptName.test(path) || first.startsWith('#!')) scripts.add(path);
    if (!valid) continue;
    for (const [, host = ''] of text.matchAll(address)) hosts.add(host.toLowerCase().replace(/\.$/, ''));
    if (isShell) addCommands(text, commands);
    else if (path.endsWith('.star'))
      for (const [, double, single] of text.matchAll(programCommand)) commands.add(double ?? single ?? '');
    else if (/\.md$/i.test(path))
      for (const [, block = ''] of text.matchAll(fence)) addCommands(block, commands);
  }
  return { scripts: bounded(scripts), commands: bounded(commands), hosts: bounded(hosts) };
}

/** `command(["git", …])` of a program. */
const programCommand = /\bcommand\(\s*(?:argv\s*=\s*)?\[\s*(?:"([^"\\\n]{1,80})"|'([^'\\\n]{1,80})')/g;

const shellWords: ReadonlySet<string> = new Set(
  'if then else elif fi for while until do done case esac in function select time return exit local export set unset shift echo cd test true false break continue read eval exec source trap wait'.split(
    ' ',
  ),
);

function addCommands(text: string, into: Set<string>): void {
  for (const line of text.split('\n')) {
    if (/^\s*#/.test(line)) continue;
    for (const part of line.replace(/^\s*\$\s+/, '').split(/\|\|?|&&|;|\$\(/)) {
      const word = /^\s*(?:[A-Za-z_]\w*=\S*\s+)*(?:sudo\s+)?([A-Za-z0-9_./~-][\w./+@~-]{0,80})/.exec(
        part,
      )?.[1];
      if (word !== undefined && /[a-z]/i.test(word) && !shellWords.has(word) && !word.endsWith('='))
        into.add(word);
      // What is evaluated or handed over is worth seeing, though the shell does it itself.
      const own = /^\s*(eval|exec|source)\b/.exec(part)?.[1];
      if (own !== undefined) into.add(own);
    }
  }
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)];
}

function bounded(items: ReadonlySet<string>): readonly string[] {
  return [...items].sort().slice(0, most);
}
