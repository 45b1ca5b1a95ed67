import { describe, expect, it } from 'vitest';
import { FaultyDisk } from '../../../test/support/faulty-journal-files.ts';
import { started, trace } from '../../journal/sample-entries.ts';
import type { RunStore } from '../../ports/run-store.ts';
import type { OwnerRecord } from '../files/owner-record.ts';
import { ownRecord } from '../files/owner-record.ts';
import type { JournalFile, JournalFiles } from './journal-files.ts';
import { createFileRunStore } from './run-store.ts';

const run = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const root = '/runs';
const owner = (startedAt: string): OwnerRecord => ({ ...ownRecord(), startedAt });

/** `files`, with every call on `watched` files and folders in `log`. */
function logged(files: JournalFiles, log: string[]): JournalFiles {
  const handle = (file: JournalFile, name: string): JournalFile => ({
    write: (bytes, at) => (log.push(`write ${name}`), file.write(bytes, at)),
    sync: () => (log.push(`sync ${name}`), file.sync()),
    truncate: (length) => (log.push(`truncate ${name}`), file.truncate(length)),
    close: () => (log.push(`close ${name}`), file.close()),
  });
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  return {
    ...files,
    async create(path) {
      const file = await files.create(path);
      return file === null ? null : handle(file, nameOf(path));
    },
    async open(path) {
      const file = await files.open(path);
      return file === null ? null : handle(file, nameOf(path));
    },
  };
}

function storeOn(files: JournalFiles, startedAt: string, dead: readonly string[], durable = true): RunStore {
  return createFileRunStore({
    folder: root,
    files,
    durable,
    pollMs: 1_000_000,
    owners: { self: owner(startedAt), isDead: (one) => dead.includes(one.startedAt ?? '') },
  });
}

async function tornRun(durable: boolean): Promise<{ disk: FaultyDisk; log: string[]; store: RunStore }> {
  const disk = new FaultyDisk();
  const first = storeOn(disk.files, 'first', [], durable);
  const claim = await first.create(run, [started(run)]);
  await first.append(claim, claim.seq, [trace('whole'), trace('torn')]);
  await first.release(claim);
  // As if it was killed in the middle of the last write.
  const path = `${root}/${run}/journal.1`;
  const bytes = await disk.files.read(path, 0, false);
  await (await disk.files.open(path))?.truncate((bytes?.length ?? 0) - 5);
  const log: string[] = [];
  return { disk, log, store: storeOn(logged(disk.files, log), 'second', ['first'], durable) };
}

describe('a claim of a run with a torn end', () => {
  it('has synced what it cut off before it writes that this is the end', async () => {
    const { log, store } = await tornRun(true);
    const claim = await store.claim(run);
    expect(log.filter((line) => /journal\./.test(line))).toEqual([
      'truncate journal.1',
      'sync journal.1',
      'close journal.1',
      'write journal.2',
      'sync journal.2',
    ]);
    expect((await store.read(run)).map(({ entry }) => entry.type)).toEqual([
      'run.started',
      'trace.added',
      'owner.claimed',
    ]);
    expect(claim).toMatchObject({ epoch: 2, seq: 3 });
  });

  it('syncs nothing in a store that is not durable', async () => {
    const { log, store } = await tornRun(false);
    await store.claim(run);
    expect(log.filter((line) => /journal\./.test(line))).toEqual([
      'truncate journal.1',
      'close journal.1',
      'write journal.2',
    ]);
  });
});

describe('a claim of a run with a whole end', () => {
  it('writes to its own segment alone', async () => {
    const disk = new FaultyDisk();
    const first = storeOn(disk.files, 'first', []);
    await first.release(await first.create(run, [started(run)]));
    const log: string[] = [];
    await storeOn(logged(disk.files, log), 'second', ['first']).claim(run);
    expect(log.filter((line) => /journal\./.test(line))).toEqual(['write journal.2', 'sync journal.2']);
  });

  it('finds the damage of an end that no interrupted write leaves', async () => {
    const { disk, store } = await tornRun(true);
    const path = `${root}/${run}/journal.1`;
    const bytes = await disk.files.read(path, 0, false);
    await (await disk.files.open(path))?.write(new TextEncoder().encode('{"type"'), bytes?.length ?? 0);
    await expect(store.claim(run)).rejects.toMatchObject({ code: 'JOURNAL_CORRUPT' });
  });
});

describe('a claim that fails', () => {
  it('leaves the run as it was, for the next process', async () => {
    const { disk, store } = await tornRun(true);
    const before = [...((await disk.files.list(`${root}/${run}`)) ?? [])].toSorted();
    const full = { ...disk.files, syncFolder: () => Promise.reject(new Error('no')) };
    await expect(storeOn(full, 'third', ['first']).claim(run)).rejects.toThrow('no');
    expect([...((await disk.files.list(`${root}/${run}`)) ?? [])].toSorted()).toEqual(before);
    expect(await store.claim(run)).toMatchObject({ epoch: 2 });
  });

  it('has closed and removed its segment, and then its own name', async () => {
    const { disk } = await tornRun(true);
    const log: string[] = [];
    const files = {
      ...logged(disk.files, log),
      syncFolder: () => Promise.reject(new Error('no')),
      remove: (path: string) => (
        log.push(`remove ${path.slice(path.lastIndexOf('/') + 1)}`),
        disk.files.remove(path)
      ),
    };
    await expect(storeOn(files, 'third', ['first']).claim(run)).rejects.toThrow('no');
    expect(log.map((line) => line.replace(/owner\.2\..*/, 'owner.2')).slice(-3)).toEqual([
      'close journal.2',
      'remove journal.2',
      'remove owner.2',
    ]);
  });

  it('says who has it', async () => {
    const disk = new FaultyDisk();
    await storeOn(disk.files, 'first', []).create(run, [started(run)]);
    const { pid, host } = ownRecord();
    await expect(storeOn(disk.files, 'second', []).claim(run)).rejects.toMatchObject({
      code: 'RUN_OWNED',
      message: expect.stringContaining(`process ${pid} on ${host}`) as string,
    });
    await expect(storeOn(disk.files, 'second', []).create(run, [started(run)])).rejects.toMatchObject({
      code: 'RUN_EXISTS',
    });
  });

  it('knows that another process was quicker', async () => {
    const disk = new FaultyDisk();
    const quicker = (name: string): JournalFiles => ({
      ...disk.files,
      create: async (path) => (path.endsWith(name) ? null : disk.files.create(path)),
    });
    await expect(
      storeOn(quicker('journal.1'), 'first', []).create(run, [started(run)]),
    ).rejects.toMatchObject({
      code: 'RUN_EXISTS',
    });
    expect(await disk.files.list(`${root}/${run}`)).toBeNull();
    const first = storeOn(disk.files, 'first', []);
    await first.release(await first.create(run, [started(run)]));
    await expect(storeOn(quicker('journal.2'), 'second', []).claim(run)).rejects.toMatchObject({
      code: 'RUN_OWNED',
      message: expect.stringContaining('a process that has claimed it just now') as string,
    });
    expect(await disk.files.list(`${root}/${run}`)).toEqual(['journal.1']);
  });
});

describe('a process that lost its run and claims it again', () => {
  it('closes the segment that it wrote to before', async () => {
    const disk = new FaultyDisk();
    const log: string[] = [];
    const first = storeOn(logged(disk.files, log), 'first', ['second']);
    const before = await first.create(run, [started(run)]);
    const second = storeOn(disk.files, 'second', ['first']);
    await second.claim(run);
    log.splice(0);
    const claim = await first.claim(run);
    expect([claim.epoch, log.filter((line) => line === 'close journal.1')]).toEqual([3, ['close journal.1']]);
    await expect(first.append(before, before.seq, [trace('late')])).rejects.toMatchObject({
      code: 'OWNER_LOST',
    });
    await first.append(claim, claim.seq, [trace('now')]);
    expect((await first.read(run)).map(({ entry }) => entry.type)).toEqual([
      'run.started',
      'owner.claimed',
      'owner.claimed',
      'trace.added',
    ]);
  });
});
