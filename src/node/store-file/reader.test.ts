import { describe, expect, it } from 'vitest';
import { FaultyDisk } from '../../../test/support/faulty-journal-files.ts';
import { started, trace } from '../../journal/sample-entries.ts';
import { createFakeWatching } from '../../../test/support/fake-watching.ts';
import type { StoredEntry } from '../../ports/run-store.ts';
import { ownRecord } from '../files/owner-record.ts';
import { createRunReader } from './claims.ts';
import type { JournalFiles } from './journal-files.ts';
import { createFileRunStore } from './run-store.ts';

const run = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const folder = `/runs/${run}`;
const io = (): Promise<never> => Promise.reject(Object.assign(new Error('EIO: broken'), { code: 'EIO' }));

async function diskWithRun(): Promise<FaultyDisk> {
  const disk = new FaultyDisk();
  const store = createFileRunStore({ folder: '/runs', files: disk.files });
  const claim = await store.create(run, [started(run)]);
  await store.append(claim, claim.seq, [trace('a')]);
  await store.close();
  return disk;
}

const storeOn = (files: JournalFiles, durable = true) =>
  createFileRunStore({ folder: '/runs', files, durable });

describe('reading a run', () => {
  it('says which file or folder cannot be read', async () => {
    const { files } = await diskWithRun();
    for (const [broken, path] of [
      [{ read: io }, `${folder}/journal.1`],
      [{ list: io }, folder],
      [{ syncFolder: io }, folder],
    ] as const)
      await expect(storeOn({ ...files, ...broken }).read(run)).rejects.toMatchObject({
        name: 'FileFault',
        kind: 'io',
        path,
      });
    expect(await storeOn({ ...files, syncFolder: io }, false).read(run)).toHaveLength(2);
  });

  it('need not sync a folder that is removed meanwhile', async () => {
    const { files } = await diskWithRun();
    const gone = (): Promise<never> =>
      Promise.reject(Object.assign(new Error('ENOENT: gone'), { code: 'ENOENT' }));
    expect(await storeOn({ ...files, syncFolder: gone }).read(run)).toHaveLength(2);
  });

  it('has synced the segment and its names before it gives entries, the names once', async () => {
    const { files } = await diskWithRun();
    const log: string[] = [];
    const store = storeOn({
      ...files,
      read: (path, from, sync) => (
        log.push(`read${sync ? ' and sync' : ''} ${path}`),
        files.read(path, from, sync)
      ),
      syncFolder: (path) => (log.push(`sync ${path}`), files.syncFolder(path)),
    });
    await store.read(run);
    await store.read(run);
    const read = `read and sync ${folder}/journal.1`;
    expect(log).toEqual([read, `sync ${folder}`, 'sync /runs', read]);
  });

  it('gives an owner what its claim has read, once, without reading it again', async () => {
    const { files } = await diskWithRun();
    let reads = 0;
    const store = storeOn({
      ...files,
      read: (path, from, sync) => ((reads += 1), files.read(path, from, sync)),
    });
    const claim = await store.claim(run);
    const before = reads;
    expect((await store.read(run, 1)).map(({ entry }) => entry.type)).toEqual([
      'trace.added',
      'owner.claimed',
    ]);
    expect(reads).toBe(before);
    expect(await store.read(run)).toHaveLength(3);
    expect(reads).toBeGreaterThan(before);
    await store.release(claim);
    const again = await store.claim(run);
    await store.append(again, again.seq, [trace('b')]);
    expect(await store.read(run)).toHaveLength(again.seq + 1);
    await store.close();
  });

  it('knows no run without a segment, and none without an entry', async () => {
    const { files } = await diskWithRun();
    await files.makeFolder('/runs/01ARZ3NDEKTSV4RRFFQ69G5FAW');
    const store = storeOn(files);
    for (const name of ['01ARZ3NDEKTSV4RRFFQ69G5FAW', '01ARZ3NDEKTSV4RRFFQ69G5FAX', '../x'])
      await expect(store.read(name)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    await (await files.open(`${folder}/journal.1`))?.truncate(0);
    await expect(store.read(run)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  });
});

describe('reading on', () => {
  const readerOn = (
    files: JournalFiles,
    ownEnd: Parameters<typeof createRunReader>[0]['ownEnd'] = () => null,
  ) =>
    createRunReader({
      files,
      durable: true,
      folderOf: () => folder,
      ownEnd,
      ownerLives: () => false,
    });
  const typesOf = (entries: readonly StoredEntry[]): readonly string[] =>
    entries.map(({ entry }) => entry.type);
  const nextOwner = (files: JournalFiles) =>
    createFileRunStore({
      folder: '/runs',
      files,
      owners: {
        self: { ...ownRecord(), startedAt: 'next' },
        isDead: ({ startedAt }) => startedAt !== 'next',
      },
    });

  it('reads what is new in the same segment, and nothing twice', async () => {
    const { files } = await diskWithRun();
    const read: number[] = [];
    const reader = readerOn({
      ...files,
      read: (path, from, sync) => (read.push(from), files.read(path, from, sync)),
    });
    const first = await reader.readOn(run, null);
    expect([typesOf(first.entries), first.place.epoch, read]).toEqual([
      ['run.started', 'trace.added'],
      1,
      [0],
    ]);
    const { offset } = first.place.position;
    const none = await reader.readOn(run, first.place);
    expect([none.entries, none.place, read]).toEqual([[], first.place, [0, offset]]);
    expect(offset).toBeGreaterThan(0);
  });

  it('gives an owner what it has made durable, and not what it is writing', async () => {
    const { files } = new FaultyDisk();
    const store = createFileRunStore({ folder: '/runs', files });
    const claim = await store.create(run, [started(run)]);
    const { place } = await readerOn(files).readOn(run, null);
    await store.append(claim, claim.seq, [trace('a')]);
    const { place: durable } = await readerOn(files).readOn(run, place);
    await store.append(claim, claim.seq + 1, [trace('b')]);
    const own = { epoch: 1, end: durable.position };
    const reader = readerOn(files, () => own);
    expect(await reader.readOn(run, place)).toMatchObject({
      entries: [{ seq: 1, entry: { type: 'trace.added' } }],
      place: durable,
    });
    const { journal } = await reader.load(run);
    expect(typesOf(journal.ok ? journal.entries : [])).toEqual(['run.started', 'trace.added']);
    await store.close();
  });

  it('gives what a new owner has written, without what was read', async () => {
    const { files } = await diskWithRun();
    const reader = readerOn(files);
    const { place } = await reader.readOn(run, null);
    const store = nextOwner(files);
    const claim = await store.claim(run);
    await store.append(claim, claim.seq, [trace('b')]);
    const more = await reader.readOn(run, place);
    expect([typesOf(more.entries), more.place.epoch]).toEqual([['owner.claimed', 'trace.added'], 2]);
  });

  it('gives what counts, when the run is taken over during the look', async () => {
    const { files } = await diskWithRun();
    const { place } = await readerOn(files).readOn(run, null);
    let taken = false;
    const reader = readerOn({
      ...files,
      read: async (path, from, sync) => {
        const bytes = await files.read(path, from, sync);
        if (!taken) {
          taken = true;
          await nextOwner(files).claim(run);
        }
        return bytes;
      },
    });
    const more = await reader.readOn(run, place);
    expect([typesOf(more.entries), more.place.epoch]).toEqual([['owner.claimed'], 2]);
  });

  it('finds damage behind what was read', async () => {
    const { files } = await diskWithRun();
    const reader = readerOn(files);
    const { place } = await reader.readOn(run, null);
    await (
      await files.open(`${folder}/journal.1`)
    )?.write(new TextEncoder().encode('damaged\n'.repeat(3)), place.position.offset);
    await expect(reader.readOn(run, place)).rejects.toMatchObject({ code: 'JOURNAL_CORRUPT' });
  });
});

describe('a subscription', () => {
  it('reads on from where it is, and watches until it is closed', async () => {
    const { files } = await diskWithRun();
    const read: number[] = [];
    const watching = createFakeWatching();
    const store = createFileRunStore({
      folder: '/runs',
      files: { ...files, read: (path, from, sync) => (read.push(from), files.read(path, from, sync)) },
      watching,
    });
    const seen: number[] = [];
    const watch = store.subscribe(run, 1, (entries) => seen.push(...entries.map(({ seq }) => seq)));
    await watching.run(0);
    watching.notify(folder);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([seen, read[0], (read[1] ?? 0) > 0, read.length]).toEqual([[1], 0, true, 2]);
    expect(watching.watched).toEqual([folder]);
    watch.close();
    expect(watching.watched).toEqual([]);
  });
});
