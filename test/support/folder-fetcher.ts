// Sources that are folders of this machine, without the real fetcher: each folder with a SKILL.md is a skill.
//
//   /path   a folder, which can change;   commit:/path   the same, as if it were a commit of git
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { TechneError } from '../../src/base/error.ts';
import type { Fetched, FetchedFile, Resolved, SkillPackage } from '../../src/hub/source/source.ts';
import type { Fetcher } from '../../src/techne/hub/open-hub.ts';

export const commit = 'a'.repeat(40);

export const folderFetcher: Fetcher = {
  parseSource(text, cwd) {
    const path = resolve(cwd, text.replace(/^commit:/, ''));
    return text.startsWith('commit:')
      ? { kind: 'git', url: `file://${path}`, ref: commit, path: null, treePath: null, skills: [] }
      : { kind: 'folder', path, skills: [] };
  },
  async fetchSource(source, _options, tell) {
    if (source.kind !== 'folder' && source.kind !== 'git') throw new Error('not a source of tests');
    const path = source.kind === 'folder' ? source.path : source.url.slice('file://'.length);
    const resolved: Resolved =
      source.kind === 'folder'
        ? { kind: 'folder', path }
        : { kind: 'git', url: source.url, ref: source.ref, commit, path: null, committedAt: null };
    tell({ phase: 'download', what: path, doneBytes: 1, totalBytes: 2 });
    return readFolder(path, resolved);
  },
  findLatest: async (_source, skills) => skills.map(() => ({ kind: 'unknown' })),
  async fetchResolved({ resolved, path: at }, options, tell, signal) {
    const path =
      resolved.kind === 'folder' ? resolved.path : (resolved as { url: string }).url.slice('file://'.length);
    const fetched = await this.fetchSource({ kind: 'folder', path, skills: [] }, options, tell, signal);
    return { ...fetched, packages: fetched.packages.filter((skill) => skill.path === at) };
  },
};

function readFolder(path: string, resolved: Resolved): Fetched {
  if (!existsSync(path))
    throw new TechneError('SOURCE_UNREACHABLE', `there is no "${path}"`, { hint: 'check it' });
  const names = existsSync(join(path, 'SKILL.md'))
    ? ['']
    : readdirSync(path).filter((name) => existsSync(join(path, name, 'SKILL.md')));
  const packages = names.map((name): SkillPackage => ({
    name: name === '' ? basename(path) : name,
    resolved,
    path: name,
    files: filesOf(join(path, name), ''),
    leftOut: new Map(),
    refused: [],
  }));
  return { packages, pluginParts: [], refused: [] };
}

function filesOf(folder: string, prefix: string): ReadonlyMap<string, FetchedFile> {
  const files = new Map<string, FetchedFile>();
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = statSync(path);
    if (stat.isDirectory())
      for (const [inner, file] of filesOf(path, `${prefix}${name}/`)) files.set(inner, file);
    else
      files.set(prefix + name, {
        bytes: new Uint8Array(readFileSync(path)),
        executable: (stat.mode & 0o100) !== 0,
      });
  }
  return files;
}
