// Questions to the git of this machine about the repository around a folder.
//
// A repository may come from others with its configuration. Nothing is fetched, also where objects are missing, and no program that it
// names is started: no external differences, no text conversion, no file system monitor, no filters. A folder that merely looks like
// a repository is none. Without filters a file can count as changed that is not: it is looked at once more.
import { execFile } from 'node:child_process';
import { relative, sep } from 'node:path';
import { isInside } from '../../base/is-inside.ts';

const settings = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.quotePath=false',
  '-c',
  'safe.bareRepository=explicit',
];
const apart = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // Of no protocol, for versions of git that do not know the line above.
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
};
const maxBytes = 256 * 1024 * 1024;
const timeoutMs = 120_000;
const notInstalled = 'git is not installed';

export type GitAnswer = { readonly text: string } | { readonly fault: string };

export interface Git {
  /** The top folder of the work tree, links resolved. */
  readonly root: string;
  ask(args: readonly string[]): Promise<GitAnswer>;
  /** The commit that a name stands for; `null`: there is none. */
  commitOf(name: string): Promise<string | null>;
  /** Absolute paths that differ between a commit and the work tree, also new ones. */
  changedSince(commit: string): Promise<readonly string[] | { readonly fault: string }>;
  /** Whether a file that is there came with the repository, or belongs to one inside of it. Real paths. */
  holds(path: string): Promise<boolean>;
  /** A file as it was; `null`: it was not there. */
  fileAt(commit: string, path: string): Promise<string | null>;
}

/** Why there is none, instead. */
export async function openGit(
  folder: string,
  variables: { readonly [name: string]: string | undefined },
): Promise<Git | { readonly fault: string }> {
  let filters: { readonly [name: string]: string } = {};
  const ask = (cwd: string, args: readonly string[]): Promise<GitAnswer> =>
    new Promise((resolve) => {
      execFile(
        'git',
        [...settings, ...args],
        {
          cwd,
          env: { ...variables, ...apart, ...filters },
          encoding: 'utf8',
          maxBuffer: maxBytes,
          timeout: timeoutMs,
        },
        (error, stdout, stderr) => {
          if (error === null) resolve({ text: stdout });
          else if ((error as NodeJS.ErrnoException).code === 'ENOENT') resolve({ fault: notInstalled });
          else resolve({ fault: firstLine(stderr) ?? firstLine(error.message) ?? 'git failed' });
        },
      );
    });
  const top = await ask(folder, ['rev-parse', '--show-toplevel']);
  if ('fault' in top) {
    if (top.fault.startsWith('not a git repository')) return { fault: 'there is no git repository' };
    return { fault: top.fault === notInstalled ? notInstalled : `git says: ${top.fault}` };
  }
  const root = top.text.replace(/\r?\n$/, '');
  if (root === '') return { fault: 'the repository has no work tree' };
  const here = (args: readonly string[]): Promise<GitAnswer> => ask(root, args);
  const programs = await here(['config', '--null', '--name-only', '--get-regexp', '^filter\\.']);
  if ('text' in programs) filters = withoutFilters(programs.text, variables);
  /** What is not committed in them; each is a repository with settings of its own. */
  const changedInSubmodules = async (): Promise<readonly string[] | { readonly fault: string }> => {
    const staged = await here(['ls-files', '--stage', '-z']);
    if ('fault' in staged) return staged;
    const links = namesIn(staged.text).filter((line) => line.startsWith('160000 '));
    const found: string[] = [];
    for (const link of links) {
      const path = `${root}/${link.slice(link.indexOf('\t') + 1)}`;
      const inner = await openGit(path, variables);
      // One that is not there, or was not initialised, has no files of its own.
      if ('fault' in inner || inner.root !== path) continue;
      const changed = await inner.changedSince('HEAD');
      if ('fault' in changed) return changed;
      found.push(...changed);
    }
    return found;
  };
  return {
    root,
    ask: here,
    async commitOf(name) {
      const found = await here(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
      return 'text' in found ? found.text.trim() : null;
    },
    async changedSince(commit) {
      const [changed, added, inside] = await Promise.all([
        here([
          'diff',
          '--name-only',
          '-z',
          '--no-renames',
          // A file in the work tree could hide those with another commit. git itself would look into them with their filters.
          '--ignore-submodules=dirty',
          '--no-ext-diff',
          '--no-textconv',
          '--no-color',
          commit,
          '--',
        ]),
        here(['ls-files', '--others', '--exclude-standard', '-z']),
        changedInSubmodules(),
      ]);
      if ('fault' in changed) return changed;
      if ('fault' in added) return added;
      if ('fault' in inside) return inside;
      const paths = namesIn(`${changed.text}${added.text}`).map((path) => `${root}/${path}`);
      return [...new Set([...paths, ...inside])];
    },
    async holds(path) {
      if (!isInside(path, root)) return false;
      const inside = relative(root, path).split(sep).join('/');
      const others = await here(['ls-files', '--others', '-z', '--', `:(literal)${inside}`]);
      return !('text' in others) || others.text !== `${inside}\0`;
    },
    async fileAt(commit, path) {
      const shown = await here(['cat-file', 'blob', `${commit}:${path}`]);
      return 'text' in shown ? shown.text : null;
    },
  };
}

/** Variables that empty the programs of filters, behind those that are there; the name of a filter may hold every character. */
function withoutFilters(
  listed: string,
  { GIT_CONFIG_COUNT: count = '0' }: { readonly [name: string]: string | undefined },
): { readonly [name: string]: string } {
  const names = new Set(namesIn(listed).map((key) => key.slice(0, key.lastIndexOf('.'))));
  const pairs = [...names].flatMap((name): (readonly [string, string])[] => [
    [`${name}.clean`, ''],
    [`${name}.smudge`, ''],
    [`${name}.process`, ''],
    [`${name}.required`, 'false'],
  ]);
  const first = Number(count);
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(first + pairs.length)],
    ...pairs.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${first + at}`, key],
      [`GIT_CONFIG_VALUE_${first + at}`, value],
    ]),
  ]) as { readonly [name: string]: string };
}

/** With `-z`. */
function namesIn(text: string): readonly string[] {
  return text.split('\0').filter((name) => name !== '');
}

function firstLine(text: string): string | null {
  const line = text
    .split('\n')
    .map((one) => one.trim())
    .find((one) => one !== '');
  return line === undefined ? null : line.replace(/^(?:fatal|error): /, '').slice(0, 300);
}
