import { describe, expect, it } from 'vitest';
import { FaultyDisk } from '../../../test/support/faulty-journal-files.ts';
import { ended, started, trace } from '../../journal/sample-entries.ts';
import type { RunStore } from '../../ports/run-store.ts';
import type { JournalFile, JournalFiles } from './journal-files.ts';
import { createFileRunStore } from './run-store.ts';

const run = (n: number): string => `01ARZ3NDEKTSV4RRFFQ69G5FA${'ABCDEFGHJK'[n] as string}`;

/** A store whose journals do what `change` says. */
function storeOn(
  disk: FaultyDisk,
  change: (file: JournalFile, path: string) => Partial<JournalFile> = () => ({}),
  more: { readonly maxIdleFiles?: number; readonly durable?: boolean } = {},
): RunStore {
  const changed = (file: JournalFile | null, path: string): JournalFile | null =>
    file === null || !/journal\.\d+$/.test(path) ? file : { ...file, ...change(file, path) };
  const files: JournalFiles = {
    ...disk.files,
    create: async (path) => changed(await disk.files.create(path), path),
    open: async (path) => changed(await disk.files.open(path), path),
  };
  return createFileRunStore({ folder: '/runs', files, ...more });
}

const kinds = async (store: RunStore, name: string): Promise<readonly string[]> =>
  (await store.read(name)).flatMap(({ entry }) => (entry.type === 'trace.added' ? [entry.kind] : []));

describe('writing a run', () => {
  it('goes on after a batch that found no room, without anything of it', async () => {
    const disk = new FaultyDisk();
    let isFull = false;
    const log: string[] = [];
    const store = storeOn(disk, (file) => ({
      write: async (bytes, at) => {
        await file.write(isFull ? bytes.subarray(0, 10) : bytes, at);
        if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      },
      truncate: (length) => (log.push('truncate'), file.truncate(length)),
      sync: () => (log.push('sync'), file.sync()),
    }));
    const claim = await store.create(run(0), [started(run(0))]);
    isFull = true;
    log.length = 0;
    const both = await Promise.allSettled([
      store.append(claim, claim.seq, [trace('a')]),
      store.append(claim, claim.seq + 1, [trace('b')]),
    ]);
    expect(both).toMatchObject([{ reason: { code: 'JOURNAL_FULL' } }, { reason: { code: 'JOURNAL_FULL' } }]);
    expect(log).toEqual(['truncate', 'sync']);
    isFull = false;
    await store.append(claim, claim.seq, [trace('c')]);
    expect(await kinds(store, run(0))).toEqual(['c']);
    await expect(store.append(claim, claim.seq, [trace('d')])).rejects.toMatchObject({
      code: 'JOURNAL_SEQUENCE',
    });
  });

  it('ends with any other fault, and says it again for what comes later', async () => {
    const disk = new FaultyDisk();
    let fault: Error | null = null;
    const store = storeOn(disk, (file) => ({
      sync: () => (fault === null ? file.sync() : Promise.reject(fault)),
    }));
    const claim = await store.create(run(0), [started(run(0))]);
    fault = Object.assign(new Error('EIO: broken'), { code: 'EIO' });
    await expect(store.append(claim, claim.seq, [trace('a')])).rejects.toMatchObject({
      code: 'JOURNAL_WRITE',
    });
    fault = null;
    await expect(store.append(claim, claim.seq, [trace('b')])).rejects.toMatchObject({
      code: 'JOURNAL_WRITE',
      message: expect.stringContaining('EIO: broken') as string,
    });
  });

  it('ends when the room that was taken cannot be given back', async () => {
    const disk = new FaultyDisk();
    let isFull = false;
    const full = (): Promise<never> => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    const store = storeOn(disk, (file) => ({
      write: (bytes, at) => (isFull ? full() : file.write(bytes, at)),
      truncate: full,
    }));
    const claim = await store.create(run(0), [started(run(0))]);
    isFull = true;
    await expect(store.append(claim, claim.seq, [trace('a')])).rejects.toMatchObject({
      code: 'JOURNAL_FULL',
    });
    isFull = false;
    await expect(store.append(claim, claim.seq, [trace('b')])).rejects.toMatchObject({
      code: 'JOURNAL_FULL',
    });
  });

  it('writes what is appended in a row at once, and what comes meanwhile together', async () => {
    const disk = new FaultyDisk();
    const written: number[] = [];
    const store = storeOn(disk, (file) => ({
      write: (bytes, at) => {
        written.push(new TextDecoder().decode(bytes).split('\n').length - 1);
        return file.write(bytes, at);
      },
    }));
    const claim = await store.create(run(0), [started(run(0))]);
    written.length = 0;
    const first = Promise.all([0, 1, 2].map((n) => store.append(claim, claim.seq + n, [trace(`${n}`)])));
    await Promise.resolve();
    await Promise.resolve();
    const second = Promise.all([3, 4].map((n) => store.append(claim, claim.seq + n, [trace(`${n}`)])));
    await Promise.all([first, second]);
    expect([written, await kinds(store, run(0))]).toEqual([
      [3, 2],
      ['0', '1', '2', '3', '4'],
    ]);
  });

  it('refuses what a process appends that lost its run, and what comes after a release', async () => {
    const disk = new FaultyDisk();
    const store = storeOn(disk);
    const claim = await store.create(run(0), [started(run(0))]);
    await disk.files.create(`/runs/${run(0)}/journal.2`);
    await expect(store.append(claim, claim.seq, [trace('a')])).rejects.toMatchObject({ code: 'OWNER_LOST' });
    const other = await store.create(run(1), [started(run(1))]);
    await store.release(other);
    await expect(store.append(other, other.seq, [trace('a')])).rejects.toMatchObject({ code: 'OWNER_LOST' });
  });

  it('keeps as many files open as it may, the ones used last, and opens others again', async () => {
    const disk = new FaultyDisk();
    const closed: string[] = [];
    const store = storeOn(
      disk,
      (file, path) => ({ close: () => (closed.push(path.split('/')[2] as string), file.close()) }),
      { maxIdleFiles: 2 },
    );
    const claims = [];
    for (const n of [0, 1]) claims.push(await store.create(run(n), [started(run(n))]));
    const [first] = claims;
    if (first === undefined) throw new Error('there is no run');
    await store.append(first, first.seq, [trace('a')]);
    expect(closed).toEqual([]);
    await store.create(run(2), [started(run(2))]);
    expect(closed).toEqual([run(1)]);
    const [, second] = claims;
    if (second === undefined) throw new Error('there is no run');
    await store.append(second, second.seq, [trace('b')]);
    expect([await kinds(store, run(1)), closed]).toEqual([['b'], [run(1), run(0)]]);
  });

  it('keeps a hundred files open when nothing else is said', async () => {
    const closed: string[] = [];
    const store = storeOn(new FaultyDisk(), (file, path) => ({
      close: () => (closed.push(path.split('/')[2] as string), file.close()),
    }));
    const names = Array.from(
      { length: 102 },
      (_, n) => `01ARZ3NDEKTSV4RRFFQ69G${String(n).padStart(4, '0')}`,
    );
    for (const name of names) await store.create(name, [started(name)]);
    expect(closed).toEqual(names.slice(0, 2));
  });

  it('writes later where nothing need be durable, and all of it when it closes', async () => {
    const disk = new FaultyDisk();
    const log: string[] = [];
    const store = storeOn(
      disk,
      (file) => ({
        write: (bytes, at) => (log.push('write'), file.write(bytes, at)),
        sync: () => (log.push('sync'), file.sync()),
      }),
      { durable: false },
    );
    const claim = await store.create(run(0), [started(run(0))]);
    log.length = 0;
    await store.append(claim, claim.seq, [trace('a')]);
    await store.append(claim, claim.seq + 1, [trace('b')]);
    expect(log).toEqual([]);
    // More than a megabyte is not kept back.
    await store.append(claim, claim.seq + 2, [trace('c'.repeat(1_100_000))]);
    expect(log).toEqual(['write']);
    await store.append(claim, claim.seq + 3, [trace('d')]);
    await store.close();
    expect(log).toEqual(['write', 'write']);
    expect(await kinds(storeOn(disk), run(0))).toEqual(['a', 'b', 'c'.repeat(1_100_000), 'd']);
  });

  it('is removed for good when it says so', async () => {
    for (const durable of [true, false]) {
      const disk = new FaultyDisk();
      const log: string[] = [];
      const store = createFileRunStore({
        folder: '/runs',
        durable,
        files: {
          ...disk.files,
          rename: (from, to) => (log.push('rename'), disk.files.rename(from, to)),
          removeFolder: (path) => (log.push('remove'), disk.files.removeFolder(path)),
          syncFolder: (path) => (log.push(`sync ${path}`), disk.files.syncFolder(path)),
        },
      });
      await store.release(await store.create(run(0), [started(run(0)), ended()]));
      log.length = 0;
      await store.remove(run(0));
      expect(log).toEqual(durable ? ['rename', 'sync /runs', 'remove'] : ['rename', 'remove']);
      await expect(store.read(run(0))).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    }
  });
});
