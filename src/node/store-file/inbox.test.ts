import { beforeEach, describe, expect, it } from 'vitest';
import { FaultyDisk } from '../../../test/support/faulty-journal-files.ts';
import { maxMessageBytes, renderMessage } from '../../journal/inbox-message.ts';
import { createUlids } from '../../journal/ulid.ts';
import type { InboxMessage } from '../../ports/run-store.ts';
import type { Inbox } from './inbox.ts';
import { createInbox } from './inbox.ts';
import type { JournalFiles } from './journal-files.ts';

const message = (reason: string): InboxMessage => ({ kind: 'cancel', reason, by: 'x' });
const folder = '/runs/R/inbox';

describe('an inbox', () => {
  let disk: FaultyDisk;
  let nowMs = 1_000;
  const open = (files: JournalFiles = disk.files, durable = true): Inbox =>
    createInbox(files, '/runs/R', {
      durable,
      nowMs: () => nowMs,
      nextId: createUlids({ nowMs: () => nowMs, randomBytes: (count) => new Uint8Array(count) }),
    });
  const reasons = async (inbox: Inbox, given = new Set<string>()): Promise<readonly string[]> =>
    (await inbox.unseen(given, () => false)).map((one) =>
      one.message.kind === 'cancel' ? one.message.reason : '',
    );

  beforeEach(async () => {
    nowMs = 1_000;
    disk = new FaultyDisk();
    await disk.files.makeFolders('/runs');
    await disk.files.makeFolder('/runs/R');
  });

  it('gives messages in the order in which they were posted, each once', async () => {
    const inbox = open();
    // Several processes within one millisecond, and one whose clock is behind.
    for (const reason of ['a', 'b', 'c']) await open().post(message(reason));
    nowMs = 500;
    await open().post(message('d'));
    const given = new Set<string>();
    expect(await reasons(inbox, given)).toEqual(['a', 'b', 'c', 'd']);
    expect(await reasons(inbox, given)).toEqual([]);
    await open().post(message('e'));
    expect(await reasons(inbox, given)).toEqual(['e']);
    for (const id of given) await inbox.remove(id);
    expect(await disk.files.list(folder)).toEqual([]);
  });

  it('does not follow a clock that is more than a minute ahead', async () => {
    nowMs = 61_000;
    await open().post(message('ahead'));
    nowMs = 1_000;
    await open().post(message('now'));
    expect(await reasons(open())).toEqual(['now', 'ahead']);
  });

  it('follows one that is less ahead', async () => {
    nowMs = 60_999;
    await open().post(message('ahead'));
    nowMs = 1_000;
    await open().post(message('now'));
    expect(await reasons(open())).toEqual(['ahead', 'now']);
  });

  it('takes a message up to its size, and none above', async () => {
    const room = maxMessageBytes - Buffer.byteLength(renderMessage(message('')));
    expect(maxMessageBytes).toBe(1_048_576);
    await expect(open().post(message('x'.repeat(room + 1)))).rejects.toMatchObject({
      code: 'ANSWER_REFUSED',
    });
    expect(await disk.files.list(folder)).toBeNull();
    await open().post(message('x'.repeat(room)));
    expect(await reasons(open())).toEqual(['x'.repeat(room)]);
  });

  it('passes over what is no message, and reads on after what cannot be read', async () => {
    await open().post(message('a'));
    await open().post(message('b'));
    const [first = ''] = ((await disk.files.list(folder)) ?? []).toSorted();
    const put = async (name: string, text: string): Promise<void> => {
      const file = await disk.files.create(`${folder}/${name}`);
      await file?.write(new TextEncoder().encode(text), 0);
    };
    await put('note.json', renderMessage(message('no id')));
    await put(`${first.slice(0, -6)}0.tmp`, renderMessage(message('not whole')));
    await put('01ARZ3NDEKTSV4RRFFQ69G5FAV.json', '{"kind":"cancel"}');
    await put('01ARZ3NDEKTSV4RRFFQ69G5FAW.json', 'x'.repeat(maxMessageBytes + 1));
    const broken: JournalFiles = {
      ...disk.files,
      readSmall: (path, maxBytes) =>
        path.endsWith(first) ? Promise.reject(new Error('EIO')) : disk.files.readSmall(path, maxBytes),
    };
    const given = new Set<string>();
    expect(await reasons(open(broken), given)).toEqual(['b']);
    // It is tried again; what is no message is not.
    expect(given.size).toBe(3);
    expect(await reasons(open(), given)).toEqual(['a']);
    await open().remove('../../../etc/passwd');
    await open().remove('note');
    expect(await disk.files.list(folder)).toContain('note.json');
  });

  it('reads nothing once it is closed', async () => {
    await open().post(message('a'));
    expect(await open().unseen(new Set(), () => true)).toEqual([]);
  });

  it('is durable when it says so, whole or not there at all', async () => {
    for (const durable of [true, false]) {
      const log: string[] = [];
      disk = new FaultyDisk();
      await disk.files.makeFolders('/runs');
      await disk.files.makeFolder('/runs/R');
      const { files } = disk;
      const inbox = open(
        {
          ...files,
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
      await inbox.post(message('a'));
      await inbox.post(message('b'));
      const post = durable
        ? ['create', 'write', 'sync', 'close', 'rename', `sync ${folder}`]
        : ['create', 'write', 'close', 'rename'];
      expect(log).toEqual([...(durable ? ['sync /runs/R'] : []), ...post, ...post]);
    }
  });

  it('closes the file of a message that could not be written', async () => {
    const log: string[] = [];
    const full: JournalFiles = {
      ...disk.files,
      async create(path) {
        const file = await disk.files.create(path);
        return file === null
          ? null
          : {
              ...file,
              write: () => Promise.reject(new Error('ENOSPC')),
              close: () => (log.push('closed'), file.close()),
            };
      },
    };
    await expect(open(full).post(message('a'))).rejects.toThrow('ENOSPC');
    expect([log, await reasons(open())]).toEqual([['closed'], []]);
    const taken = { ...disk.files, create: async () => null };
    await expect(open(taken).post(message('a'))).rejects.toThrow('is there already');
  });
});
