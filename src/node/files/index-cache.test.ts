import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countListed } from '../../prompt/index-layout.ts';
import {
  configWith,
  namesOf,
  rootAt,
  skillText,
  viewOf,
  bareEnvironment,
} from '../../../test/support/library.ts';
import type { Clock } from '../../ports/environment.ts';
import type { Files } from '../../ports/files.ts';
import type { HeadIndex } from '../../registry/cache/head-index.ts';
import { loadSnapshot } from '../../registry/snapshot.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Root } from '../../registry/types.ts';
import { createIndexCache } from './index-cache.ts';
import { nodeSha256 } from '../environment.ts';
import { nodeParseFull } from '../yaml.ts';
import { createNodeFiles } from './files.ts';

interface Counts {
  list: number;
  readHead: number;
  stat: number;
  writeAtomic: number;
}

describe('createIndexCache', () => {
  let home: string;
  let skills: string;
  let cachePath: string;
  let counts: Counts;
  let files: Files;
  let roots: readonly Root[];
  // The clock of the loads runs ahead of the disk's, so that what the test wrote just now counts as settled.
  let aheadNs: bigint;
  const clock: Clock = { nowNs: () => BigInt(Date.now()) * 1_000_000n + aheadNs };

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'techne-index-'));
    skills = join(home, 'skills');
    cachePath = join(home, 'cache', 'heads.index');
    counts = { list: 0, readHead: 0, stat: 0, writeAtomic: 0 };
    files = counting(createNodeFiles(), counts);
    roots = [rootAt(skills)];
    aheadNs = 10_000_000_000n;
    for (const name of ['maps', 'moon', 'tides']) write(name);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const fileOf = (name: string): string => join(skills, name, 'SKILL.md');
  function write(name: string, text = skillText(name.slice(name.lastIndexOf('/') + 1))): void {
    mkdirSync(join(skills, name), { recursive: true });
    writeFileSync(fileOf(name), text);
  }
  const cache = (version = '1', maxBytes?: number): HeadIndex =>
    createIndexCache({ path: cachePath, files, version, ...(maxBytes === undefined ? {} : { maxBytes }) });
  const load = (index: HeadIndex | null = cache()): Promise<Snapshot> =>
    loadSnapshot({
      roots,
      files,
      environment: bareEnvironment,
      clock,
      sha256: nodeSha256,
      parseFull: nodeParseFull,
      countListed,
      config: configWith({}),
      index,
    });
  /** Loads with the index, and makes sure that it says what a load without says. Returns what the disk was asked. */
  async function verified(
    index?: HeadIndex,
  ): Promise<{ snapshot: Snapshot; list: number; readHead: number }> {
    const before = { ...counts };
    const snapshot = await load(index ?? cache());
    const asked = { list: counts.list - before.list, readHead: counts.readHead - before.readHead };
    expect(viewOf(snapshot)).toEqual(viewOf(await load(null)));
    return { snapshot, ...asked };
  }

  it('asks for two stats a skill on a restart, and neither lists nor reads', async () => {
    await load();
    const before = { ...counts };
    const snapshot = await load();
    expect(namesOf(snapshot)).toEqual(['maps', 'moon', 'tides']);
    expect(counts).toEqual({ ...before, stat: before.stat + 2 * 3 + 1 });
  });

  it('equals a load without, diagnostics and all forms included', async () => {
    write(
      'odd',
      '---\nname: other\ndescription: "half \\ud800 a pair"\nmetadata:\n  b: 1\n  a: x\ntriggers: [one, "two {x}"]\nzzz: {k: [1, null]}\n---\nbody',
    );
    write('late', '---\nmetadata:\n  z: "1"\ndescription: last\nname: late\n---\n');
    write('none', '');
    write('bare', 'Just a paragraph.\n');
    write('tides/inner');
    write('cat/tides');
    write('program', skillText('program', 'metaskill_language: starlark\n'));
    writeFileSync(join(skills, 'program', 'SKILL.star'), 'def run(input):\n  return 1\n');
    mkdirSync(join(skills, 'empty', 'below'), { recursive: true });
    mkdirSync(join(skills, '.dot'));
    mkdirSync(join(skills, 'lower'));
    writeFileSync(join(skills, 'lower', 'skill.md'), 'x');
    await load();
    // A skill.md in another case is not kept: its folder is listed and its head read each time.
    expect(await verified()).toMatchObject({ list: 1, readHead: 1 });
  });

  it('is written once and not again while nothing changes', async () => {
    await load();
    const writes = counts.writeAtomic;
    await load();
    await load();
    expect(counts.writeAtomic).toBe(writes);
  });

  const later = (): void => {
    aheadNs += 60_000_000_000n;
  };

  describe('notices', () => {
    beforeEach(async () => {
      await load();
      later();
    });

    it('an edit of the same size', async () => {
      write('tides', skillText('tides').replace('need', 'want'));
      expect((await verified()).snapshot.get('tides').description).toBe('Use when you want tides.');
    });

    it('an edit whose modification time was put back', async () => {
      const { atime, mtime } = statSync(fileOf('tides'));
      write('tides', skillText('tides').replace('need', 'want'));
      utimesSync(fileOf('tides'), atime, mtime);
      expect((await verified()).snapshot.get('tides').description).toBe('Use when you want tides.');
    });

    it('a file renamed over SKILL.md', async () => {
      const { atime, mtime } = statSync(fileOf('tides'));
      const other = join(skills, 'tides', 'new');
      writeFileSync(other, skillText('tides').replace('need', 'want'));
      utimesSync(other, atime, mtime);
      renameSync(other, fileOf('tides'));
      expect((await verified()).snapshot.get('tides').description).toBe('Use when you want tides.');
    });

    it('two files that changed places', async () => {
      write('tides', skillText('tides').replace('tides.', 'first'));
      write('moons', skillText('moons').replace('moons.', 'other'));
      await load();
      later();
      renameSync(fileOf('tides'), join(home, 'x'));
      renameSync(fileOf('moons'), fileOf('tides'));
      renameSync(join(home, 'x'), fileOf('moons'));
      expect((await verified()).snapshot.get('tides').description).toBe('Use when you need other');
    });

    it('two folders that changed places', async () => {
      renameSync(join(skills, 'tides'), join(home, 'x'));
      renameSync(join(skills, 'moon'), join(skills, 'tides'));
      renameSync(join(home, 'x'), join(skills, 'moon'));
      expect((await verified()).snapshot.get('tides').description).toBe('Use when you need moon.');
    });

    it('a SKILL.star beside it', async () => {
      writeFileSync(join(skills, 'tides', 'SKILL.star'), 'def run(input):\n  return 1\n');
      expect((await verified()).snapshot.get('tides').head.form).toBe('program');
    });

    it('a new skill, and a new one inside another', async () => {
      write('zebra');
      write('tides/more/inner');
      const { snapshot, readHead } = await verified();
      expect(namesOf(snapshot)).toEqual(['inner', 'maps', 'moon', 'tides', 'zebra']);
      expect(readHead).toBe(3); // the two new ones, and the skill whose folder changed
    });

    it('a new skill deep in a folder that held none', async () => {
      mkdirSync(join(skills, 'cat', 'a'), { recursive: true });
      await load();
      later();
      write('cat/a/zebra');
      expect(namesOf((await verified()).snapshot)).toContain('zebra');
    });

    it('a folder that went away', async () => {
      rmSync(join(skills, 'moon'), { recursive: true });
      expect(namesOf((await verified()).snapshot)).toEqual(['maps', 'tides']);
    });

    it('a root that was replaced by another', async () => {
      renameSync(skills, join(home, 'old'));
      write('tides', skillText('tides').replace('need', 'want'));
      expect(namesOf((await verified()).snapshot)).toEqual(['tides']);
    });

    it('a change of mode', async () => {
      chmodSync(fileOf('tides'), 0o600);
      expect(await verified()).toMatchObject({ list: 1, readHead: 1 });
    });
  });

  it('reads again what was written in the same tick as the load', async () => {
    aheadNs = 0n; // the load begins right after the files were written
    await load();
    expect(await verified()).toMatchObject({ readHead: 3 });
    aheadNs = 10_000_000_000n;
    expect(await verified()).toMatchObject({ readHead: 3 });
    expect(await verified()).toMatchObject({ list: 0, readHead: 0 });
  });

  it('never records a file from the future', async () => {
    const ahead = Date.now() / 1000 + 1_000_000;
    utimesSync(fileOf('tides'), ahead, ahead);
    await load();
    const writes = counts.writeAtomic;
    expect(await verified()).toMatchObject({ list: 1, readHead: 1 });
    expect(counts.writeAtomic).toBe(writes);
  });

  it('takes a file from the past for what it is', async () => {
    utimesSync(fileOf('tides'), 1, 1);
    await load();
    expect(await verified()).toMatchObject({ list: 0, readHead: 0 });
  });

  it('draws no conclusions from an index of a clock that was ahead', async () => {
    aheadNs = 1_000_000_000_000_000n;
    await load();
    aheadNs = 10_000_000_000n;
    expect(await verified()).toMatchObject({ readHead: 3 });
  });

  it('keeps the sections of other roots, each found by its own', async () => {
    await load();
    const other = join(home, 'other');
    mkdirSync(join(other, 'zebra'), { recursive: true });
    writeFileSync(join(other, 'zebra', 'SKILL.md'), skillText('zebra'));
    const first = roots;
    roots = [rootAt(other)];
    await load();
    expect(await verified()).toMatchObject({ list: 0, readHead: 0 });
    roots = [...first, rootAt(other, 'workspace')];
    expect(await verified()).toMatchObject({ list: 0, readHead: 0 });
  });

  it('leaves out what there is no room for', async () => {
    await load(cache('1', 100));
    expect(await verified(cache('1', 100))).toMatchObject({ readHead: 3 });
  });

  it('is not used by another version', async () => {
    await load(cache('1'));
    expect(await verified(cache('2'))).toMatchObject({ readHead: 3 });
  });

  it('survives an index cut at any place', async () => {
    await load();
    const whole = readFileSync(cachePath);
    const expected = viewOf(await load(null));
    for (let length = 0; length < whole.length; length += 97) {
      writeFileSync(cachePath, whole.subarray(0, length));
      expect(viewOf(await load()), `${length}`).toEqual(expected);
    }
  });

  it('survives a flipped bit anywhere', async () => {
    await load();
    const whole = readFileSync(cachePath);
    const expected = viewOf(await load(null));
    for (let at = 0; at < whole.length; at += 41) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
      writeFileSync(cachePath, damaged);
      expect(viewOf(await load()), `${at}`).toEqual(expected);
    }
  });

  describe('reads heads when someone asks for one', () => {
    /** They are last in the file. */
    function damageHeads(): void {
      const bytes = readFileSync(cachePath);
      bytes.fill(0, bytes.length - 20);
      writeFileSync(cachePath, bytes);
    }
    const heads = (snapshot: Snapshot): unknown =>
      snapshot.skills.map(({ head, diagnostics }) => ({ head, diagnostics }));

    it('from the index it was loaded from, whatever was put in its place', async () => {
      const expected = heads(await load(null));
      await load();
      const snapshots: Snapshot[] = [];
      for (let round = 0; round < 7; round += 1) {
        snapshots.push(await load());
        write(`new-${round}`);
        later();
        await load();
        rmSync(join(skills, `new-${round}`), { recursive: true });
        later();
        await load();
      }
      rmSync(cachePath);
      const before = { ...counts };
      for (const snapshot of snapshots) expect(heads(snapshot)).toEqual(expected);
      expect(counts).toEqual(before);
    });

    it('and from SKILL.md where they are damaged, if it is as it was listed', async () => {
      await load();
      const snapshot = await load();
      damageHeads();
      write('moon', skillText('moon').replace('need', 'want'));
      expect(snapshot.get('tides').head).toEqual((await load(null)).get('tides').head);
      expect(snapshot.get('moon').description).toBe('Use when you need moon.');
      expect(() => snapshot.get('moon').head).toThrow(
        '"SKILL.md" of the skill "moon" changed after the skills were loaded',
      );
    });

    it('and records anew what was damaged', async () => {
      await load();
      damageHeads();
      write('sun');
      later();
      await load();
      later();
      expect(await verified()).toMatchObject({ readHead: 3 });
      expect(await verified()).toMatchObject({ list: 0, readHead: 0 });
    });
  });

  it('survives a foreign file, and a folder in its place', async () => {
    mkdirSync(join(home, 'cache'));
    writeFileSync(cachePath, 'something else entirely, and long enough to be read as a header');
    expect(await verified()).toMatchObject({ readHead: 3 });
    rmSync(cachePath);
    mkdirSync(cachePath);
    expect(await verified()).toMatchObject({ readHead: 3 });
  });

  it('does not fail when it cannot be written', async () => {
    writeFileSync(join(home, 'cache'), 'a file where the folder should be');
    expect(namesOf(await load())).toEqual(['maps', 'moon', 'tides']);
  });

  it('stays valid when two loads write concurrently', async () => {
    await Promise.all([load(), load(), load()]);
    expect(await verified()).toMatchObject({ list: 0, readHead: 0 });
    expect(readdirSync(join(home, 'cache'))).toEqual(['heads.index']);
  });

  it('is not looked at when the configuration says so', async () => {
    const config = configWith({ cache: { enabled: false } });
    await loadSnapshot({
      roots,
      files,
      environment: bareEnvironment,
      clock,
      sha256: nodeSha256,
      parseFull: nodeParseFull,
      countListed,
      config,
      index: cache(),
    });
    expect(existsSync(cachePath)).toBe(false);
  });
});

function counting(files: Files, counts: Counts): Files {
  const counted = { ...files };
  for (const name of ['list', 'readHead', 'stat', 'writeAtomic'] as const) {
    const call = files[name] as (...values: unknown[]) => unknown;
    (counted as Record<string, unknown>)[name] = (...values: unknown[]) => {
      counts[name] += 1;
      return call(...values);
    };
  }
  return counted;
}
