// The address of a repository, an archive or a site -> a source.
//
//   https://github.com/o/r[/tree/REF/FOLDER]   https://HOST/g/r/-/tree/REF/FOLDER   https://HOST/o/p/_git/r?path=…&version=GB…
//   https://HOST/x.git[#ref[@skill]]   https://HOST/x.tar.gz[#sha256:…]   https://HOST/…/SKILL.md   https://HOST/
//   ssh://…   git://…   file:///…
//
// Where the ref of a tree address ends is not decided here: refs can have slashes (fetch/git/choose-ref.ts).
import { TechneError } from '../../base/error.ts';
import type { RefAndSkills } from './git-words.ts';
import { decoded, isCommitId, readFolder, readFragment, show } from './git-words.ts';
import type { Source } from './source.ts';

export const archiveKinds = ['.tar.gz', '.tgz', '.tar', '.zip'] as const;

export function isArchiveName(path: string): boolean {
  return archiveKinds.some((ending) => path.toLowerCase().endsWith(ending));
}

export function gitSource(url: string, { ref, skills }: RefAndSkills): Source {
  return { kind: 'git', url, ref, path: null, treePath: null, skills };
}

export function urlSource(text: string): Source {
  const [address, fragment] = splitFragment(text.replace(/^git\+(?=(?:https?|ssh|file):)/i, ''));
  const isGit = /^git\+/i.test(text);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) throw invalid(text, 'is not an address', 'check how it is written');
  if (url.password !== '' || (url.username !== '' && url.protocol !== 'ssh:'))
    throw invalid(
      show(text.replace(/\/\/[^/@]*@/, '//')),
      'holds a user name or a password',
      'leave them out; for a private repository set hub.ssh and use ssh',
    );
  switch (url.protocol) {
    case 'https:':
    case 'http:':
      return webSource(url, fragment, text, isGit);
    case 'ssh:':
    case 'git:':
      if (!/^[A-Za-z0-9[]/.test(url.hostname) || url.pathname.length < 2)
        throw invalid(text, 'has no host or no repository', 'write ssh://user@host/path');
      return gitSource(address, readFragment(fragment, text));
    case 'file:':
      if (url.host !== '' || url.search !== '')
        throw invalid(text, 'is not a path of this machine', 'write file:///path/to/repository');
      return gitSource(address, readFragment(fragment, text));
    default:
      throw invalid(text, `has the protocol "${url.protocol}", which is not known`, 'use https, ssh or file');
  }
}

function webSource(url: URL, fragment: string | null, text: string, isGit: boolean): Source {
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const path = url.pathname;
  if (isArchiveName(path) || /\/SKILL\.md$/i.test(path)) {
    const blob = blobOfGithub(url, segments);
    if (blob !== null) return { ...repository(url, blob.repo, null, text), treePath: blob.treePath };
    return {
      kind: 'archive',
      location: url.href.replace(/#.*$/s, ''),
      digest: readDigest(fragment, text),
      skills: [],
    };
  }
  const azure = segments.indexOf('_git');
  if (azure > 0 && segments.length === azure + 2) return azureSource(url, fragment, text);
  if (url.search !== '') throw invalid(text, 'has a query', 'leave out what follows "?"');
  const tree = /^\/(.+?)\/-\/tree\/(.+?)\/*$/.exec(path);
  if (tree !== null && !isGithub(url))
    return treeSource(url, (tree[1] as string).split('/'), tree[2] as string, fragment, text);
  if (isGithub(url)) return githubSource(url, segments, fragment, text);
  if (url.hostname === 'gitlab.com') {
    if (segments.length >= 2 && !segments.includes('-')) return repository(url, segments, fragment, text);
    throw invalid(text, 'is not a repository of GitLab', 'write https://gitlab.com/group/repo');
  }
  if (isGit || path.endsWith('.git')) return gitSource(`${url.origin}${path}`, readFragment(fragment, text));
  if (fragment !== null)
    throw new TechneError(
      'SOURCE_AMBIGUOUS',
      `"${show(text)}" is a web site, and a ref belongs to a repository`,
      {
        hint: `write "${show(`${url.origin}${path.replace(/\/$/, '')}.git#${fragment}`)}" for a repository`,
      },
    );
  return { kind: 'well-known', url: `${url.origin}${path}`, skills: [] };
}

function isGithub(url: URL): boolean {
  return url.hostname === 'github.com' || url.hostname === 'www.github.com';
}

function githubSource(url: URL, segments: readonly string[], fragment: string | null, text: string): Source {
  const [, , what, ...rest] = segments;
  const repo = segments.slice(0, 2);
  if (what === undefined && repo.length === 2) return repository(url, repo, fragment, text);
  if (what === 'tree' && rest.length > 0) return treeSource(url, repo, rest.join('/'), fragment, text);
  if (what === 'commit' && rest.length === 1 && isCommitId(rest[0] as string))
    return { ...repository(url, repo, null, text), ref: rest[0] as string };
  throw invalid(
    text,
    'is not a repository of GitHub, or a folder in one',
    'write https://github.com/owner/repo or …/owner/repo/tree/branch/folder',
  );
}

/** The folder of a SKILL.md that a page of GitHub shows. */
function blobOfGithub(
  url: URL,
  segments: readonly string[],
): { readonly repo: readonly string[]; readonly treePath: string } | null {
  if (!isGithub(url) || segments[2] !== 'blob' || !/^SKILL\.md$/i.test(segments.at(-1) as string))
    return null;
  const treePath = segments.slice(3, -1).join('/');
  return treePath === '' ? null : { repo: segments.slice(0, 2), treePath: decoded(treePath, url.href) };
}

function treeSource(
  url: URL,
  repo: readonly string[],
  tree: string,
  fragment: string | null,
  text: string,
): Source {
  if (fragment !== null)
    throw new TechneError(
      'SOURCE_AMBIGUOUS',
      `"${show(text)}" names a ref twice: after "/tree/" and after "#"`,
      {
        hint: 'leave one of them out; choose a skill with --skill',
      },
    );
  const treePath = readFolder(decoded(tree, text), text);
  if (treePath === null || treePath.startsWith('-'))
    throw invalid(text, 'has no ref after "/tree/"', 'write …/tree/branch or …/tree/branch/folder');
  return { ...repository(url, repo, null, text), treePath };
}

type GitSource = Extract<Source, { kind: 'git' }>;

function repository(url: URL, repo: readonly string[], fragment: string | null, text: string): GitSource {
  const name = repo
    .map((part) => decoded(part, text))
    .join('/')
    .replace(/\.git$/, '');
  if (!/^[\w][\w.~-]*(?:\/[\w.~-]+)+$/.test(name) || name.split('/').includes('..'))
    throw invalid(text, 'has no owner and repository', 'write https://host/owner/repo');
  const host = isGithub(url) ? 'https://github.com' : url.origin;
  const { ref, skills } = readFragment(fragment, text);
  return { kind: 'git', url: `${host}/${name}.git`, ref, path: null, treePath: null, skills };
}

/** `?path=/folder&version=GBbranch`, as the pages of Azure DevOps have it: GB branch, GT tag, GC commit. */
function azureSource(url: URL, fragment: string | null, text: string): Source {
  const version = url.searchParams.get('version');
  const given = readFragment(fragment, text);
  if (version !== null && given.ref !== null)
    throw new TechneError(
      'SOURCE_AMBIGUOUS',
      `"${show(text)}" names a ref twice: in "version" and after "#"`,
      {
        hint: 'leave one of them out',
      },
    );
  if (version !== null && !/^G[BTC]./.test(version))
    throw invalid(
      text,
      `has the version "${show(version)}", which is not known`,
      'write GBbranch, GTtag or GCcommit',
    );
  const ref = version === null ? given.ref : readFragment(encodeURIComponent(version.slice(2)), text).ref;
  return {
    kind: 'git',
    url: `${url.origin}${url.pathname.replace(/\/$/, '')}`,
    ref,
    path: readFolder((url.searchParams.get('path') ?? '').replace(/^\/+/, ''), text),
    treePath: null,
    skills: given.skills,
  };
}

/** `sha256:` and 64 hex digits. */
export function readDigest(fragment: string | null, text: string): string | null {
  if (fragment === null) return null;
  const [, hex] = /^sha256[:=-]([0-9a-f]{64})$/i.exec(fragment) ?? [];
  if (hex === undefined)
    throw invalid(
      text,
      'has no digest after "#"',
      'write #sha256: and 64 hex digits; an archive has no refs',
    );
  return `sha256:${hex.toLowerCase()}`;
}

function splitFragment(text: string): readonly [string, string | null] {
  const at = text.indexOf('#');
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function invalid(text: string, what: string, hint: string): TechneError {
  return new TechneError('SOURCE_INVALID', `"${show(text)}" ${what}`, { hint });
}
