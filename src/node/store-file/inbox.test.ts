// The inbox of a run, through the store that its owner and other processes have.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeWatching } from '../../../test/support/fake-watching.ts';
import { createFakeWatching } from '../../../test/support/fake-watching.ts';
import { FaultyDisk } from '../../../test/support/faulty-journal-files.ts';
import { maxMessageBytes, renderMessage } from '../../journal/inbox-message.ts';
import { started } from '../../journal/sample-entries.ts';
import type { Claim, InboxMessage, RunStore } from '../../ports/run-store.ts';
import type { JournalFiles } from './journal-files.ts';
import { createFileRunStore } from './run-store.ts';

const run = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const folder = `/runs/${run}/inbox`;
const message = (reason: string): InboxMessage => ({ kind: 'cancel', reason, by: 'x' });

describe('an inbox', () => {
  let disk: FaultyDisk;
  let nowMs = 1_000;
  let owner: RunStore;
  let claim: Claim;
  let readFails: string | null = null;
  let watching: FakeWatching;

  /** A store of another process, whose disk does what `changed` says. */
  const other = (changed: Partial<JournalFiles> = {}, durable = true): RunStore =>
    createFileRunStore({
      folder: '/runs',
      files: { ...disk.files, ...changed },
      durable,
      nowMs: () => nowMs,
    });
  /** What the owner has not had yet. */
  const received = async (): Promise<readonly { readonly id: string; readonly reason: string }[]> => {
    const all: { readonly id: string; readonly reason: string }[] = [];
    const receiving = owner.receive(claim, (id, one) =>
      all.push({ id, reason: one.kind === 'cancel' ? one.reason : '' }),
    );
    await receiving.ready;
    receiving.close();
    return all;
  };
  const reasons = async (): Promise<readonly string[]> => (await received()).map(({ reason }) => reason);

  beforeEach(async () => {
    nowMs = 1_000;
    readFails = null;
    disk = new FaultyDisk();
    watching = createFakeWatching();
    const { files } = disk;
    owner = createFileRunStore({
      folder: '/runs',
      files: {
        ...files,
        readSmall: (path, maxBytes) =>
          readFails !== null && path.endsWith(readFails)
            ? Promise.reject(new Error('EIO'))
            : files.readSmall(path, maxBytes),
      },
      watching,
    });
    claim = await owner.create(run, [started(run)]);
  });
  afterEach(() => owner.close());

  it('gives messages in the order in which they were posted, each once', async () => {
    // Several processes within one millisecond, and one whose clock is behind.
    for (const reason of ['a', 'b', 'c']) await other().post(run, message(reason));
    nowMs = 500;
    await other().post(run, message('d'));
    const all = await received();
    expect(all.map(({ reason }) => reason)).toEqual(['a', 'b', 'c', 'd']);
    expect(await reasons()).toEqual([]);
    await other().post(run, message('e'));
    expect(await reasons()).toEqual(['e']);
    for (const { id } of all) await owner.acknowledge(claim, id);
    expect(await disk.files.list(folder)).toHaveLength(1);
  });

  it('is watched while somebody receives, and no longer', async () => {
    const heard: string[] = [];
    const receiving = owner.receive(claim, (_id, one) => heard.push(one.kind));
    await receiving.ready;
    expect(watching.watched).toEqual([folder]);
    receiving.close();
    await receiving.ready;
    expect(watching.watched).toEqual([]);
    await other().post(run, message('late'));
    watching.notify(folder);
    await watching.run(0);
    expect(heard).toEqual([]);
  });

  it('gives nothing more once it is closed, also in the middle of a look', async () => {
    for (const reason of ['a', 'b']) await other().post(run, message(reason));
    const heard: string[] = [];
    const receiving = owner.receive(claim, (_id, one) => {
      heard.push(one.kind === 'cancel' ? one.reason : '');
      receiving.close();
    });
    await receiving.ready;
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual(['a']);
  });

  it('is given to nobody any more once the run is let go', async () => {
    const heard: string[] = [];
    const receiving = owner.receive(claim, (_id, one) => heard.push(one.kind));
    await receiving.ready;
    await owner.release(claim);
    await other().post(run, message('late'));
    watching.notify(folder);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([heard, watching.watched]).toEqual([[], []]);
    expect(() => owner.receive(claim, () => undefined)).toThrow(run);
    await expect(owner.acknowledge(claim, 'x')).rejects.toMatchObject({ code: 'OWNER_LOST' });
  });

  it('does not follow a clock that is a minute ahead', async () => {
    nowMs = 61_000;
    await other().post(run, message('ahead'));
    nowMs = 1_000;
    await other().post(run, message('now'));
    expect(await reasons()).toEqual(['now', 'ahead']);
  });

  it('follows one that is less ahead', async () => {
    nowMs = 60_999;
    await other().post(run, message('ahead'));
    nowMs = 1_000;
    await other().post(run, message('now'));
    expect(await reasons()).toEqual(['ahead', 'now']);
  });

  it('takes a message up to its size, and none above', async () => {
    const room = maxMessageBytes - Buffer.byteLength(renderMessage(message('')));
    expect(maxMessageBytes).toBe(1_048_576);
    await expect(other().post(run, message('x'.repeat(room + 1)))).rejects.toMatchObject({
      code: 'ANSWER_REFUSED',
    });
    expect(await disk.files.list(folder)).toBeNull();
    await other().post(run, message('x'.repeat(room)));
    expect(await reasons()).toEqual(['x'.repeat(room)]);
  });

  it('passes over what is no message, and reads on after what cannot be read', async () => {
    await other().post(run, message('a'));
    await other().post(run, message('b'));
    const [first = ''] = ((await disk.files.list(folder)) ?? []).toSorted();
    const put = async (name: string, text: string): Promise<void> => {
      const file = await disk.files.create(`${folder}/${name}`);
      await file?.write(new TextEncoder().encode(text), 0);
    };
    await put('note.json', renderMessage(message('no id')));
    await put(`${first.slice(0, -6)}0.tmp`, renderMessage(message('not whole')));
    await put('01ARZ3NDEKTSV4RRFFQ69G5FAV.json', '{"kind":"cancel"}');
    await put('01ARZ3NDEKTSV4RRFFQ69G5FAW.json', 'x'.repeat(maxMessageBytes + 1));
    readFails = first;
    expect(await reasons()).toEqual(['b']);
    // It is tried again; what is no message is not.
    readFails = null;
    expect(await reasons()).toEqual(['a']);
    await owner.acknowledge(claim, 'note');
    expect(await disk.files.list(folder)).toContain('note.json');
  });

  it('is durable when it says so, and whole or not there at all', async () => {
    for (const durable of [true, false]) {
      const log: string[] = [];
      const { files } = disk;
      const store = other(
        {
          async create(path) {
            const file = await files.create(path);
            log.push('create');
            return file === null
              ? null
              : {
                  ...file,
                  write: (bytes, at) => (log.push('write'), file.write(bytes, at)),
                  sync: () => (log.push('sync'), file.sync()),
                  close: () => (log.push('close'), file.close()),
                };
          },
          rename: (from, to) => (log.push('rename'), files.rename(from, to)),
          syncFolder: (path) => (log.push(`sync ${path}`), files.syncFolder(path)),
        },
        durable,
      );
      await store.post(run, message('a'));
      await store.post(run, message('b'));
      const post = durable
        ? ['create', 'write', 'sync', 'close', 'rename', `sync ${folder}`]
        : ['create', 'write', 'close', 'rename'];
      expect(log).toEqual([...(durable ? [`sync /runs/${run}`] : []), ...post, ...post]);
    }
  });

  it('closes the file of a message that could not be written', async () => {
    const log: string[] = [];
    const full = other({
      async create(path) {
        const file = await disk.files.create(path);
        return file === null
          ? null
          : {
              ...file,
              write: () => Promise.reject(new Error('no room')),
              close: () => (log.push('closed'), file.close()),
            };
      },
    });
    await expect(full.post(run, message('a'))).rejects.toMatchObject({ code: 'JOURNAL_WRITE' });
    expect([log, await reasons()]).toEqual([['closed'], []]);
    await expect(other({ create: async () => null }).post(run, message('a'))).rejects.toThrow(
      'is there already',
    );
  });
});
