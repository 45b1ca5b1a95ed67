import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FaultyDisk } from '../../../test/support/faulty-journal-files.ts';
import { ended, started, trace } from '../../journal/sample-entries.ts';
import { createFakeWatching } from '../../../test/support/fake-watching.ts';
import type { Claim, RunStore, StoredEntry } from '../../ports/run-store.ts';
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
    // Nothing has changed, so nothing is read.
    await store.read(run);
    const read = `read and sync ${folder}/journal.1`;
    expect(log.splice(0)).toEqual([read, `sync ${folder}`, 'sync /runs']);
    await (await files.open(`${folder}/journal.1`))?.write(new Uint8Array(1), 10_000);
    await store.read(run).catch(() => {});
    expect(log).toContain(read);
    expect(log).not.toContain(`sync ${folder}`);
  });

  it('reads of a journal that has grown only its newest segment again', async () => {
    const { files } = await diskWithRun();
    const log: string[] = [];
    const store = storeOn({
      ...files,
      read: (path, from, sync) => (log.push(path), files.read(path, from, sync)),
    });
    const writer = storeOn(files);
    for (let epoch = 2; epoch < 5; epoch += 1) await writer.release(await writer.claim(run));
    expect(await store.read(run)).toHaveLength(5);
    expect(log.splice(0).length).toBe(4);
    await writer.release(await writer.claim(run));
    expect(await store.read(run)).toHaveLength(6);
    // The one that was the newest may have grown before it was sealed.
    expect(log.sort()).toEqual([`${folder}/journal.4`, `${folder}/journal.5`]);
  });

  it('sees a byte that was changed in a journal that it knows', async () => {
    const { files } = await diskWithRun();
    const store = storeOn(files);
    expect((await store.list({ limit: 1 })).runs[0]?.status).toBe('interrupted');
    await (await files.open(`${folder}/journal.1`))?.write(new TextEncoder().encode('?'), 20);
    await expect(store.read(run)).rejects.toMatchObject({ code: 'JOURNAL_CORRUPT' });
    expect((await store.list({ limit: 1 })).runs[0]?.status).toBe('corrupt');
  });

  it('lists what it knows without reading it, and what has changed as it is', async () => {
    const { files } = await diskWithRun();
    let reads = 0;
    const store = storeOn({
      ...files,
      read: (path, from, sync) => ((reads += 1), files.read(path, from, sync)),
    });
    const status = async (): Promise<string | undefined> => (await store.list({ limit: 1 })).runs[0]?.status;
    expect([await status(), await status(), reads]).toEqual(['interrupted', 'interrupted', 1]);
    const writer = storeOn(files);
    const claim = await writer.claim(run);
    expect(await status()).toBe('running');
    await writer.append(claim, claim.seq, [ended()]);
    await writer.release(claim);
    expect(await status()).toBe('completed');
    const before = reads;
    expect([await status(), reads]).toEqual(['completed', before]);
    await store.remove(run);
    expect((await store.list({ limit: 1 })).runs).toEqual([]);
  });

  it('gives a reader that was there all along what one that comes new would get', async () => {
    type Act = 'claim' | 'append' | 'release' | 'end' | 'read' | 'list';
    const acts = fc.constantFrom<Act>('claim', 'append', 'append', 'release', 'end', 'read', 'list');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(acts, fc.nat(1)), { maxLength: 24 }), async (steps) => {
        const { files } = await diskWithRun();
        const writers = [storeOn(files), storeOn(files)];
        const reader = storeOn(files);
        const claims: (Claim & { next: number })[] = [];
        const pairs: (readonly [unknown, unknown])[] = [];
        for (const [act, at] of steps) {
          const writer = writers[at] as RunStore;
          const claim = claims[at];
          // What another one owns, or has ended, is refused.
          const refused = (): undefined => undefined;
          if (act === 'claim') {
            const made = await writer.claim(run).catch(refused);
            if (made !== undefined) claims[at] = { ...made, next: made.seq };
          } else if (act === 'read' || act === 'list') {
            const [known, fresh] = [reader, storeOn(files)].map((one) =>
              act === 'read' ? one.read(run) : one.list({ limit: 5 }),
            );
            pairs.push([await known, await fresh]);
          } else if (claim !== undefined) {
            if (act === 'release') await writer.release(claim).catch(refused);
            else
              await writer
                .append(claim, claim.next, [act === 'end' ? ended() : trace('x')])
                .then(() => (claim.next += 1), refused);
          }
          for (const one of [reader, ...writers])
            pairs.push([await one.read(run), await storeOn(files).read(run)]);
        }
        for (const [known, fresh] of pairs) expect(known).toEqual(fresh);
        for (const one of [...writers, reader]) await one.close();
      }),
      { numRuns: 60 },
    );
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
