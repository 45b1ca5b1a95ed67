// Every hostile tree through every way it can come: nothing of it is taken, and writing what was taken stays in the target.
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, win32 } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TechneError } from '../../src/base/error.ts';
import { foldName } from '../../src/hub/stage/check-names.ts';
import type { Fetched, Source } from '../../src/hub/source/source.ts';
import type { CraftedEntry } from '../support/hub/craft.ts';
import { commitCrafted, noGit, tarOf, tgzOf, zipOf } from '../support/hub/craft.ts';
import { hostileTrees } from '../support/hub/hostile-trees.ts';
import type { Registry } from '../support/hub/npm-registry.ts';
import { openRegistry } from '../support/hub/npm-registry.ts';
import type { Bench } from '../support/hub/options.ts';
import { fetchWith, openBench } from '../support/hub/options.ts';

/** What is wrong with what was taken, in words; independent of the code under test. */
function faultsOf({ packages }: Fetched, target: string): readonly string[] {
  const faults: string[] = [];
  for (const { name, files } of packages) {
    const keys = new Set<string>();
    for (const [path, { bytes }] of files) {
      if (Buffer.from(bytes).includes('EVIL')) faults.push(`${name}/${path} was taken`);
      const onPosix = posix.resolve('/t', path);
      const onWindows = win32.resolve('C:\\t', path);
      if (!onPosix.startsWith('/t/') || posix.relative('/t', onPosix) !== path)
        faults.push(`${path} leaves on POSIX`);
      if (
        !onWindows.startsWith('C:\\t\\') ||
        win32.relative('C:\\t', onWindows) !== path.replaceAll('/', '\\')
      )
        faults.push(`${path} leaves on Windows`);
      if (keys.has(foldName(path))) faults.push(`${path} is there twice`);
      keys.add(foldName(path));
      const place = join(target, name, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, bytes, { flag: 'wx' });
    }
  }
  return faults;
}

/** What a way of coming cannot express. */
const notIn: { readonly [way: string]: readonly string[] } = { git: ['device', 'fifo'] };

/** Everything beside the targets. */
const snapshot = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path !== 'targets' && !path.startsWith('targets/'))
    .map((path) => `${path} ${readFileSync(join(folder, path), 'utf8')}`)
    .sort();

describe('hostile trees', () => {
  let bench: Bench;
  let registry: Registry;
  let outer: string;
  let before: readonly string[];
  beforeAll(async () => {
    registry = await openRegistry();
    bench = openBench({ npmRegistry: registry.url });
    outer = join(bench.folder, 'outer');
    mkdirSync(join(outer, 'targets'), { recursive: true });
    writeFileSync(join(outer, 'canary'), 'untouched');
    before = snapshot(outer);
  });
  afterAll(async () => {
    await registry.close();
    bench.close();
  });

  let whole = 0;

  async function judge(at: number, way: string, source: Source): Promise<string | null> {
    const target = join(bench.folder, 'outer', 'targets', `${way}-${at}`);
    let fetched: Fetched;
    try {
      fetched = await fetchWith(bench, source);
    } catch (error) {
      if (!(error instanceof TechneError) || !error.code.startsWith('SOURCE_')) throw error;
      return null;
    }
    whole += 1;
    const found = faultsOf(fetched, target);
    const { title, entries } = hostileTrees[at] as (typeof hostileTrees)[number];
    const refused = [...fetched.refused, ...fetched.packages.flatMap((each) => each.refused)];
    // Nothing is dropped silently.
    const faults =
      refused.length === 0 && entries.some((entry) => entry.kind !== 'folder')
        ? [...found, 'nothing was reported']
        : found;
    return faults.length === 0 ? null : `${title}: ${faults.join('; ')}`;
  }

  const archiveAt = (name: string, bytes: Buffer): Source => {
    const location = join(bench.folder, name);
    writeFileSync(location, bytes);
    return { kind: 'archive', location, digest: null, skills: [] };
  };

  async function through(
    way: string,
    sourceOf: (entries: readonly CraftedEntry[], at: number) => Source | null,
  ) {
    const told: string[] = [];
    let fetched = 0;
    whole = 0;
    const work = [...hostileTrees.entries()].filter(([, { entries }]) =>
      entries.every(({ kind = 'file' }) => !(notIn[way] ?? ['submodule']).includes(kind)),
    );
    const one = async (): Promise<void> => {
      for (let next = work.pop(); next !== undefined; next = work.pop()) {
        const [at, { entries }] = next;
        const source = sourceOf(entries, at);
        if (source === null) continue;
        fetched += 1;
        const fault = await judge(at, way, source);
        if (fault !== null) told.push(fault);
      }
    };
    await Promise.all([one(), one(), one(), one()]);
    // That a good skill beside the entry is taken shows that it is the entry which is refused.
    return { told, fetched, whole };
  }

  it('has more than a hundred of them', () => {
    expect(hostileTrees.length).toBeGreaterThanOrEqual(100);
  });

  it('takes nothing of them from a tar archive', async () => {
    const { told, whole: taken } = await through('tar', (entries, at) =>
      archiveAt(`${at}.tar`, tarOf(entries)),
    );
    expect(told).toEqual([]);
    expect(taken).toBeGreaterThanOrEqual(150);
  });

  it('takes nothing of them from a zip archive', async () => {
    const { told, whole: taken } = await through('zip', (entries, at) =>
      archiveAt(`${at}.zip`, zipOf(entries)),
    );
    expect(told).toEqual([]);
    expect(taken).toBeGreaterThanOrEqual(150);
  });

  it('takes nothing of them from an npm package', async () => {
    const { told, whole: taken } = await through('npm', (entries, at) => {
      const wrapped = entries.map((entry) => ({
        ...entry,
        name: Buffer.concat([Buffer.from('package/'), Buffer.from(entry.name)]),
      }));
      registry.publish(`hostile-${at}`, '1.0.0', { tarball: tgzOf(wrapped) });
      return { kind: 'npm', name: `hostile-${at}`, range: null, skills: [] };
    });
    expect(told).toEqual([]);
    expect(taken).toBeGreaterThanOrEqual(150);
  });

  it('takes nothing of them from a folder, where the disk can hold them', async () => {
    const { told, fetched } = await through('folder', (entries, at) => {
      const folder = join(bench.folder, `folder-${at}`);
      return writeAll(folder, entries) ? { kind: 'folder', path: folder, skills: [] } : null;
    });
    expect(told).toEqual([]);
    expect(fetched).toBeGreaterThanOrEqual(100);
  });

  it.skipIf(noGit)(
    'takes nothing of them from a git repository',
    async () => {
      const { told, fetched } = await through('git', (entries, at) => {
        const folder = join(bench.folder, `git-${at}`);
        commitCrafted(folder, entries);
        return { kind: 'git', url: `file://${folder}`, ref: null, path: null, treePath: null, skills: [] };
      });
      expect(told).toEqual([]);
      expect(fetched).toBeGreaterThanOrEqual(150);
      expect(bench.leftovers()).toEqual([]);
    },
    300_000,
  );

  it('wrote nothing outside the targets', () => {
    expect(snapshot(outer)).toEqual(before);
  });
});

/** False when the disk cannot have one of the names, or it would leave the folder. */
function writeAll(folder: string, entries: readonly CraftedEntry[]): boolean {
  try {
    for (const { name, kind = 'file', bytes = '', target = '' } of entries) {
      const path = Buffer.from(name);
      const segments = path.toString('latin1').split('/');
      // Such a name is another one on a disk.
      if (segments.some((segment) => ['', '.', '..'].includes(segment)) || path.includes(0)) return false;
      const place = Buffer.concat([Buffer.from(`${folder}/`), path]);
      mkdirSync(Buffer.from(dirname(place.toString('latin1')), 'latin1'), { recursive: true });
      if (kind === 'file') writeFileSync(place, bytes, { flag: 'wx' });
      else if (kind === 'link') symlinkSync(target, place);
      else return false;
    }
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
