// What a change is compared with: the named commit, what the pipeline says, or the default branch.
//
//   --base, variables of the pipeline, branches -> the merge base with HEAD, or why everything is checked
//
// B1. A base that a person named must exist. One that a pipeline names may be missing from a shallow clone: then everything is
//     checked, and that is said. Nothing is left unchecked because a base could not be found.
import { readFileSync } from 'node:fs';
import { TechneError } from '../../base/error.ts';
import { isJsonObject, jsonIn } from '../../base/json.ts';
import type { Git } from './git.ts';

export interface Base {
  /** As it was named: `origin/main`. */
  readonly name: string;
  readonly commit: string;
}

export type ChosenBase = Base | { readonly everything: string };

type Variables = { readonly [name: string]: string | undefined };

export async function chooseBase(git: Git, named: string | null, variables: Variables): Promise<ChosenBase> {
  const head = await git.commitOf('HEAD');
  if (head === null) return { everything: 'the repository has no commit yet' };
  if (named !== null) {
    const commit = await git.commitOf(named);
    if (commit === null)
      throw new TechneError('USAGE', `--base "${named}" is no commit of this repository`, {
        hint: 'fetch it first: git fetch origin BRANCH; a shallow clone needs its history: git fetch --unshallow',
      });
    return { name: named, commit: await mergeBase(git, commit) };
  }
  const said = baseOfPipeline(variables);
  if (said !== null) {
    for (const name of said.names) {
      const commit = await git.commitOf(name);
      if (commit !== null) return { name, commit: await mergeBase(git, commit) };
    }
    return {
      everything: `${said.variable} names "${said.names[0]}", which is not in this clone; fetch the history (fetch-depth: 0)`,
    };
  }
  const name = await defaultBranch(git);
  if (name === null) return { everything: 'no default branch was found; name a commit with --base' };
  const commit = await mergeBase(git, (await git.commitOf(name)) as string);
  // On the default branch itself only what is not committed differs.
  if (commit === head) {
    const status = await git.ask(['status', '--porcelain', '--ignore-submodules=dirty']);
    if ('fault' in status || status.text === '')
      return {
        everything: `HEAD is part of ${name} and nothing is uncommitted; --base REF compares with another commit`,
      };
  }
  return { name, commit };
}

/** Where two histories have nothing in common, or not in a shallow clone, the commit itself. */
async function mergeBase(git: Git, commit: string): Promise<string> {
  const found = await git.ask(['merge-base', commit, 'HEAD']);
  return 'text' in found ? found.text.trim() : commit;
}

async function defaultBranch(git: Git): Promise<string | null> {
  const remote = await git.ask(['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']);
  const names = [
    ...('text' in remote ? [remote.text.trim()] : []),
    'origin/main',
    'origin/master',
    'main',
    'master',
  ];
  for (const name of names) if ((await git.commitOf(name)) !== null) return name;
  return null;
}

interface Said {
  readonly variable: string;
  /** The first that exists is meant. */
  readonly names: readonly string[];
}

const branchVariables = [
  'GITHUB_BASE_REF',
  'CI_MERGE_REQUEST_TARGET_BRANCH_NAME',
  'BITBUCKET_PR_DESTINATION_BRANCH',
  'BUILDKITE_PULL_REQUEST_BASE_BRANCH',
  'SYSTEM_PULLREQUEST_TARGETBRANCH',
  'CHANGE_TARGET',
] as const;

/** A branch that a change is to be merged into, or the commit that was there before a push. */
function baseOfPipeline(variables: Variables): Said | null {
  const merged = commitIn(variables['CI_MERGE_REQUEST_DIFF_BASE_SHA']);
  if (merged !== null) return { variable: 'CI_MERGE_REQUEST_DIFF_BASE_SHA', names: [merged] };
  for (const variable of branchVariables) {
    const branch = (variables[variable] ?? '').replace(/^refs\/heads\//, '');
    if (branch !== '') return { variable, names: [`origin/${branch}`, branch] };
  }
  const before = commitIn(variables['CI_COMMIT_BEFORE_SHA']);
  if (before !== null) return { variable: 'CI_COMMIT_BEFORE_SHA', names: [before] };
  const pushed = commitIn(beforeOfEvent(variables['GITHUB_EVENT_PATH']));
  return pushed === null ? null : { variable: 'GITHUB_EVENT_PATH', names: [pushed] };
}

/** Zeros stand for none: a new branch. */
function commitIn(text: string | undefined): string | null {
  return text !== undefined && /^[0-9a-f]{40,64}$/.test(text) && !/^0+$/.test(text) ? text : null;
}

/** What a push replaced, in the event of GitHub. */
function beforeOfEvent(path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    // Without the event there is another way to choose.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
  const event = jsonIn(text);
  const before = isJsonObject(event) ? event['before'] : undefined;
  return typeof before === 'string' ? before : undefined;
}
