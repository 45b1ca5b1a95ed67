// What a person wrote of a ref -> the ref of the remote, or a commit.
//
//   ref | treePath × refs that the remote has -> { refspec, ref, path }
//
// `feature/x/skills` is tried as every ref it can begin with. Two that exist are SOURCE_AMBIGUOUS; none is
// SOURCE_UNREACHABLE, with what the remote has instead.
import { TechneError } from '../../../base/error.ts';
import { isCommitId, show } from '../../source/git-words.ts';
import type { Source } from '../../source/source.ts';
import type { FetchContext } from '../context.ts';
import type { GitPlace } from './run-git.ts';
import { gitFault, runGit } from './run-git.ts';

type GitSource = Extract<Source, { kind: 'git' }>;

export interface ChosenRef {
  /** What is fetched: a full name of a ref, or the id of a commit. */
  readonly wanted: string;
  /** As the person would write it; `null`: the default branch. */
  readonly ref: string | null;
  readonly path: string | null;
}

/** With the commit that the remote has for it; `null` where that was not asked: the default branch, or a commit itself. */
export async function chooseRef(
  source: GitSource,
  url: string,
  place: GitPlace,
  context: FetchContext,
): Promise<ChosenRef & { readonly commit: string | null }> {
  const { ref, treePath } = source;
  const text = treePath ?? ref;
  if (text === null || text === 'HEAD') return { wanted: 'HEAD', ref: null, path: source.path, commit: null };
  const candidates = treePath === null ? [{ ref: text, path: source.path }] : splits(treePath);
  // A commit needs no question: no two things have its id.
  const commit = candidates.find((candidate) => isCommitId(candidate.ref));
  if (commit !== undefined) return { wanted: commit.ref, ...commit, commit: null };
  const names = candidates.flatMap((candidate) => fullNames(candidate.ref));
  const there = await listRefs(url, names, place, context, source.url);
  const found = candidates.flatMap((candidate) =>
    fullNames(candidate.ref).flatMap((name) => {
      const commitOfRef = there.get(name);
      return commitOfRef === undefined ? [] : [{ wanted: name, ...candidate, commit: commitOfRef }];
    }),
  );
  const [first, second] = found;
  if (first === undefined) throw notThere(text, source.url);
  if (second !== undefined && (second.commit !== first.commit || second.path !== first.path))
    throw new TechneError(
      'SOURCE_AMBIGUOUS',
      `"${show(text)}" can be ${found.map(({ wanted }) => `"${show(wanted)}"`).join(' or ')} of "${show(source.url)}"`,
      {
        hint: `write "#${show(first.wanted)}", or the full id of the commit: "#${first.commit}"`,
      },
    );
  return first;
}

/** Without fetching it. `commit: null`: the remote does not say, as one without a default branch. */
export async function findCommit(
  source: GitSource,
  url: string,
  place: GitPlace,
  context: FetchContext,
): Promise<{ readonly commit: string | null; readonly path: string | null }> {
  const { wanted, commit, path } = await chooseRef(source, url, place, context);
  if (commit !== null) return { commit, path };
  if (wanted !== 'HEAD') return { commit: wanted, path };
  return { commit: (await listRefs(url, ['HEAD'], place, context, source.url)).get('HEAD') ?? null, path };
}

/** Every way to read `a/b/c`: the ref `a` with the folder `b/c`, and so on. */
function splits(treePath: string): readonly { readonly ref: string; readonly path: string | null }[] {
  const parts = treePath.split('/');
  return parts.map((_, at) => {
    const rest = parts.slice(at + 1).join('/');
    return { ref: parts.slice(0, at + 1).join('/'), path: rest === '' ? null : rest };
  });
}

function fullNames(ref: string): readonly string[] {
  return ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
}

/** The refs among `names` that exist, with their commits. */
async function listRefs(
  url: string,
  names: readonly string[],
  place: GitPlace,
  context: FetchContext,
  source: string,
): Promise<ReadonlyMap<string, string>> {
  const asked = new Set(names);
  const patterns = names.flatMap((name) => (name.startsWith('refs/tags/') ? [name, `${name}^{}`] : [name]));
  const printed = await runGit(place, ['ls-remote', '--quiet', '--', url, ...patterns], context, (words) =>
    gitFault(source, words),
  );
  const refs = new Map<string, string>();
  for (const line of printed.toString('utf8').split('\n')) {
    const [, id, name, peeled] = /^([0-9a-f]{40,64})\t(.+?)(\^\{\})?$/.exec(line) ?? [];
    // A tag with a text of its own comes twice; the second line has its commit.
    if (
      id !== undefined &&
      name !== undefined &&
      asked.has(name) &&
      (peeled !== undefined || !refs.has(name))
    )
      refs.set(name, id);
  }
  return refs;
}

function notThere(text: string, source: string): TechneError {
  return new TechneError('SOURCE_UNREACHABLE', `"${show(source)}" has no branch or tag "${show(text)}"`, {
    hint: /^[0-9a-f]{4,39}$/i.test(text)
      ? 'a commit needs its whole id of 40 digits'
      : 'check how it is written; leave it out for the default branch',
  });
}
