import { describe, expect, it } from 'vitest';
import { FaultyDisk } from '../../../test/support/faulty-journal-files.ts';
import { started, trace } from '../../journal/sample-entries.ts';
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
