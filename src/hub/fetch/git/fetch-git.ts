// A git repository at a ref -> its skills, and the commit they are from.
//
//   address, ref -> checked remote -> one commit into a bare repository -> its tree, in memory -> packages
//
// One commit is fetched without its history, into a private folder that is removed on every way out. What it becomes is
// named by the full id of the commit, whatever the ref is later.
import { lstatSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TechneError } from '../../../base/error.ts';
import { looked } from '../../../node/files/file-fault.ts';
import { overLimit } from '../../archive/limited.ts';
import { isCommitId, show } from '../../source/git-words.ts';
import type { Listing } from '../../archive/listing.ts';
import type { Fetched, RefusedEntry, Resolved, SkillPackage, Source } from '../../source/source.ts';
import type { FetchContext } from '../context.ts';
import type { Latest, LockedSkill } from '../options.ts';
import { takePackages } from '../take-packages.ts';
import type { ChosenRef } from './choose-ref.ts';
import { chooseRef, findCommit } from './choose-ref.ts';
import { reachRemote } from './reach-remote.ts';
import { openTree } from './read-tree.ts';
import type { GitPlace } from './run-git.ts';
import { gitFault, runGit, startGit } from './run-git.ts';
import { withTempFolder } from './temp-folder.ts';

type GitSource = Extract<Source, { kind: 'git' }>;

export function fetchGit(source: GitSource, context: FetchContext): Promise<Fetched> {
  return withGitTree(source, context, async (tree, resolved) => {
    const fetched = await takePackages(
      tree,
      {
        root: resolved.path ?? '',
        skills: source.skills,
        resolvedOf: () => resolved,
        rootName: repositoryName(source.url),
        source: source.url,
      },
      context,
    );
    return { ...fetched, packages: fetched.packages.map(withoutPointers) };
  });
}

/** The files of the commit that a source names, for as long as `work` is under way. */
export function withGitTree<T>(
  source: GitSource,
  context: FetchContext,
  work: (tree: Listing, resolved: Extract<Resolved, { kind: 'git' }>) => Promise<T>,
): Promise<T> {
  return withRepository(source, context, async (place, url) => {
    const { url: address } = source;
    const chosen = await chooseRef(source, url, place, context);
    const { commit, committedAt } = await fetchCommit(chosen, url, source, place, context);
    const { ref, path } = chosen;
    const tree = await openTree(place, commit, path, address, context);
    try {
      if (tree.entries.length === 0 && path !== null) throw noFolder(path, address);
      return await work(tree, { kind: 'git', url: address, ref, commit, path, committedAt });
    } finally {
      await tree.close();
    }
  });
}

/** From the refs of the remote alone. A commit that moved may or may not have changed a skill. */
export async function latestOfGit(
  source: GitSource,
  skills: readonly LockedSkill[],
  context: FetchContext,
): Promise<readonly Latest[]> {
  const { commit, path } =
    source.treePath === null && source.ref !== null && isCommitId(source.ref)
      ? { commit: source.ref, path: source.path }
      : await withRepository(source, context, (place, url) => findCommit(source, url, place, context));
  return skills.map(({ resolved }) => {
    const isSame =
      resolved.kind === 'git' &&
      resolved.url === source.url &&
      resolved.commit === commit &&
      resolved.path === path;
    return { kind: isSame ? 'same' : 'unknown' };
  });
}

/** An empty repository in a private folder, and the address that git may be given. */
async function withRepository<T>(
  source: GitSource,
  context: FetchContext,
  work: (place: GitPlace, url: string) => Promise<T>,
): Promise<T> {
  context.tell({ phase: 'resolve', what: source.url, doneBytes: null, totalBytes: null });
  const remote = await reachRemote(source.url, context);
  return withTempFolder(context.options.tempFolder ?? tmpdir(), async (folder) => {
    const place: GitPlace = { folder, repository: join(folder, 'repository'), ...remote };
    await mkdir(join(folder, 'home'), { mode: 0o700 });
    await writeFile(join(folder, 'config'), '');
    const fault = (words: string): Error => gitFault(source.url, words);
    await runGit(place, ['init', '--quiet', '--bare', '--template=', '--', place.repository], context, fault);
    return work(place, remote.url);
  });
}

const fetched = 'refs/techne/fetched';

async function fetchCommit(
  chosen: ChosenRef,
  url: string,
  source: GitSource,
  place: GitPlace,
  context: FetchContext,
): Promise<{ readonly commit: string; readonly committedAt: string | null }> {
  const failed = await tryFetch([`+${chosen.wanted}:${fetched}`], ['--depth=1'], url, place, context);
  // Older servers give only what a ref names; then the commit must be in the history of one.
  if (
    failed !== null &&
    isCommitId(chosen.wanted) &&
    /not our ref|unadvertised object|no such remote ref/i.test(failed)
  ) {
    const all = await tryFetch(
      ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'],
      [],
      url,
      place,
      context,
    );
    if (all !== null) throw gitFault(source.url, all);
    await runGit(place, ['update-ref', fetched, chosen.wanted], context, () =>
      noCommit(chosen.wanted, source.url),
    );
  } else if (failed !== null)
    throw isMissing(failed) ? noCommit(chosen.wanted, source.url) : gitFault(source.url, failed);
  const printed = await runGit(
    place,
    ['log', '-1', '--no-show-signature', '--format=%H %ct', `${fetched}^{commit}`, '--'],
    context,
    (words) => gitFault(source.url, words),
  );
  const [, commit, seconds] = /^([0-9a-f]{40,64}) (-?\d+)$/m.exec(printed.toString('utf8')) ?? [];
  if (commit === undefined || (isCommitId(chosen.wanted) && commit !== chosen.wanted))
    throw new TechneError(
      'SOURCE_DAMAGED',
      `"${show(chosen.wanted)}" of "${show(source.url)}" is not a commit`,
      {
        hint: 'name a branch, a tag or the full id of a commit',
      },
    );
  return { commit, committedAt: timeOf(Number(seconds)) };
}

/** `null` when it worked, else what git said. */
async function tryFetch(
  refspecs: readonly string[],
  depth: readonly string[],
  url: string,
  place: GitPlace,
  context: FetchContext,
): Promise<string | null> {
  const options = [
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--no-auto-maintenance',
    '--no-show-forced-updates',
  ];
  const git = startGit(place, ['fetch', ...options, ...depth, '--', url, ...refspecs], context);
  git.child.stdin?.end();
  git.stdout.resume();
  const watch = setInterval(() => {
    const bytes = sizeOf(place.folder, 4);
    context.tell({ phase: 'download', what: url, doneBytes: bytes, totalBytes: null });
    if (bytes > context.limits.gitBytes)
      git.kill(
        overLimit(
          `the repository needs more than ${context.limits.gitBytes} bytes`,
          'use an archive of the skills, or a smaller repository',
        ),
      );
  }, 200);
  try {
    const code = await git.ended;
    // A file over the limit ends a part of git by a signal; the words of the others do not say so.
    if (code !== 0 && sizeOf(place.folder, 4) >= context.limits.gitBytes - 4096)
      return `file too large\n${git.words()}`;
    return code === 0 ? null : git.words();
  } finally {
    clearInterval(watch);
  }
}

function sizeOf(folder: string, depth: number): number {
  let bytes = 0;
  for (const entry of looked(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += depth === 0 ? 0 : sizeOf(path, depth - 1);
    else bytes += looked(() => lstatSync(path))?.size ?? 0;
  }
  return bytes;
}

function isMissing(words: string): boolean {
  return /not our ref|unadvertised object|couldn't find remote ref/i.test(words);
}

function noCommit(wanted: string, source: string): TechneError {
  const what = isCommitId(wanted)
    ? `commit ${wanted}`
    : wanted === 'HEAD'
      ? 'default branch'
      : `"${show(wanted)}"`;
  return new TechneError('SOURCE_UNREACHABLE', `"${show(source)}" has no ${what}`, {
    hint:
      wanted === 'HEAD' ? 'the repository may be empty; name a branch with "#"' : 'check how it is written',
  });
}

function noFolder(path: string, source: string): TechneError {
  return new TechneError('SOURCE_EMPTY', `"${show(source)}" has no folder "${show(path)}"`, {
    hint: 'check how it is written, in small and capital letters too',
  });
}

/** `null` for a time that no calendar has. */
function timeOf(seconds: number): string | null {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function repositoryName(url: string): string {
  return (/([^/:]+?)(?:\.git)?\/*$/.exec(url)?.[1] ?? '').toLowerCase();
}

const pointer = 'version https://git-lfs.github.com/spec/';

/** A file that lies in Git LFS is only a pointer here, and its content is not fetched. */
function withoutPointers(each: SkillPackage): SkillPackage {
  const pointers = [...each.files].filter(
    ([, { bytes }]) =>
      bytes.length < 1024 && Buffer.from(bytes.subarray(0, pointer.length)).toString('latin1') === pointer,
  );
  if (pointers.length === 0) return each;
  const names = new Set(pointers.map(([path]) => path));
  const refused = pointers.map(([path]): RefusedEntry => ({
    path: each.path === '' ? path : `${each.path}/${path}`,
    reason: 'its content lies in Git LFS, which is not fetched',
  }));
  return {
    ...each,
    files: new Map([...each.files].filter(([path]) => !names.has(path))),
    refused: [...each.refused, ...refused],
  };
}
