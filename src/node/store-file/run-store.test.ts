import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FaultyDisk } from '../../../test/support/faulty-journal-files.ts';
import { runStoreContract } from '../../ports/run-store.contract.ts';
import type { RunStore } from '../../ports/run-store.ts';
import { ended, started, trace } from '../../journal/sample-entries.ts';
import { createUlids } from '../../journal/ulid.ts';
import { createFileRunStore } from './run-store.ts';
import { ownerName, parseRunNames } from './claims.ts';
import type { JournalFile, JournalFiles } from './journal-files.ts';
import { createNodeJournalFiles } from './node-journal-files.ts';
import type { OwnerRecord } from '../files/owner-record.ts';
import { isDead, ownRecord } from '../files/owner-record.ts';

for (const durable of [true, false]) {
  runStoreContract(durable ? 'durable files' : 'files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'techne-runs-'));
    let dead = false;
    // Two owners in one process are told apart by a time of start.
    const self = { ...ownRecord(), startedAt: 'first' };
    const owners = {
      self,
      isDead: (owner: OwnerRecord) => (owner.startedAt === 'first' ? dead : isDead(owner)),
    };
    const store = createFileRunStore({ folder: join(folder, 'runs'), durable, pollMs: 50, owners });
    const other = createFileRunStore({
      folder: join(folder, 'runs'),
      durable,
      pollMs: 50,
      owners: { ...owners, self: ownRecord() },
    });
    return {
      store,
      other,
      lagMs: durable ? 0 : 60,
      killOwner: () => (dead = true),
      close: async () => {
        await store.close();
        await other.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });
}

describe('createFileRunStore', () => {
  const run = '01HF7YAT000000000000000000';
  let base: string;
  let folder: string;
  let store: RunStore;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'techne-runs-'));
    folder = join(base, 'deep', 'runs');
    store = createFileRunStore({ folder, pollMs: 50 });
  });
  afterEach(async () => {
    await store.close();
    rmSync(base, { recursive: true, force: true });
  });
  const segment = (epoch = 1): string => join(folder, run, `journal.${epoch}`);
  const owners = (): string[] => readdirSync(join(folder, run)).filter((name) => name.startsWith('owner.'));

  it('writes what is appended together with one sync', async () => {
    const files = createNodeJournalFiles();
    let syncs = 0;
    const counting: JournalFiles = {
      ...files,
      async create(path) {
        const file = await files.create(path);
        return file === null ? null : { ...file, sync: () => ((syncs += 1), file.sync()) };
      },
    };
    const counted = createFileRunStore({ folder, files: counting });
    const claim = await counted.create(run, [started(run)]);
    syncs = 0;
    await Promise.all(Array.from({ length: 100 }, (_, n) => counted.append(claim, n + 1, [trace(`t${n}`)])));
    expect(syncs).toBe(1);
    const first = counted.append(claim, 101, [trace('first')]);
    await Promise.resolve();
    // The first one is under way: the rest waits together.
    const rest = Array.from({ length: 20 }, (_, n) => counted.append(claim, n + 102, [trace(`r${n}`)]));
    await Promise.all([first, ...rest]);
    expect(syncs).toBe(3);
    await counted.close();
  });

  it('cuts a torn end off when the run is claimed', async () => {
    await store.release(await store.create(run, [started(run), trace('a')]));
    const whole = readFileSync(segment());
    for (const [torn, left] of [
      ['2 2 70 0011', whole.length],
      ['\0\0\0\0\0', whole.length],
    ] as const) {
      writeFileSync(segment(), Buffer.concat([whole, Buffer.from(torn)]));
      await store.release(await store.claim(run));
      expect(statSync(segment()).size).toBe(left);
      expect((await store.read(run)).slice(0, 2)).toMatchObject([
        { entry: started(run) },
        { entry: trace('a') },
      ]);
      for (const epoch of [2, 3]) rmSync(segment(epoch), { force: true });
    }
  });

  it('says JOURNAL_CORRUPT for a changed byte, in every way of looking, and lets the run be removed', async () => {
    await store.release(await store.create(run, [started(run), trace('a')]));
    const bytes = readFileSync(segment());
    bytes[bytes.length - 5] = (bytes[bytes.length - 5] as number) ^ 1;
    writeFileSync(segment(), bytes);
    const corrupt = {
      code: 'JOURNAL_CORRUPT',
      fault: { file: 'journal.1', record: 1, offset: bytes.indexOf('\n') + 1 },
    };
    await expect(store.read(run)).rejects.toMatchObject(corrupt);
    await expect(store.claim(run)).rejects.toMatchObject(corrupt);
    await expect(store.remove(run)).rejects.toMatchObject(corrupt);
    expect([existsSync(segment(2)), owners()]).toEqual([false, []]);
    const fault = await new Promise((resolve) => store.subscribe(run, 0, () => {}, resolve));
    expect(fault).toMatchObject(corrupt);
    expect((await store.list({ limit: 5 })).runs).toEqual([
      {
        run,
        skill: '',
        startedAt: 1700000000000,
        status: 'corrupt',
        endedAt: null,
        parent: null,
        workspace: null,
      },
    ]);
    await store.remove(run, { force: true });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('skips what is not a run, and a run that was never finished being made', async () => {
    const claim = await store.create(run, [started(run)]);
    mkdirSync(join(folder, '.hidden'));
    mkdirSync(join(folder, '01HF7YAT000000000000000001'));
    writeFileSync(join(folder, 'notes.txt'), 'x');
    mkdirSync(join(folder, '01HF7YAT000000000000000002'));
    writeFileSync(join(folder, '01HF7YAT000000000000000002', 'journal.1'), '0 0 28');
    expect((await store.list({ limit: 5 })).runs.map((summary) => summary.run)).toEqual([run]);
    await expect(store.read('01HF7YAT000000000000000002')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    await store.release(claim);
  });

  it('leaves files that are not messages in the inbox', async () => {
    const claim = await store.create(run, [started(run)]);
    const inbox = join(folder, run, 'inbox');
    await store.post(run, { kind: 'cancel', reason: 'r', by: 'b' });
    for (const name of ['01HF7YAT000000000000000009.json', 'x.json', '01HF7YAT000000000000000008.tmp'])
      writeFileSync(join(inbox, name), '{"kind":');
    const got: string[] = [];
    const receiving = store.receive(claim, (id) => got.push(id));
    await vi.waitFor(() => expect(got.length).toBe(1));
    await store.acknowledge(claim, got[0] as string);
    await store.acknowledge(claim, '../journal.1');
    expect(readdirSync(inbox).sort()).toEqual([
      '01HF7YAT000000000000000008.tmp',
      '01HF7YAT000000000000000009.json',
      'x.json',
    ]);
    receiving.close();
  });

  it('hears a cancel beside whatever else lies in the inbox', async () => {
    const claim = await store.create(run, [started(run)]);
    const inbox = join(folder, run, 'inbox');
    mkdirSync(inbox, { recursive: true });
    const at = (n: number): string => join(inbox, `01HF7YAT00000000000000000${n}.json`);
    execFileSync('mkfifo', [at(1)]);
    mkdirSync(at(2));
    symlinkSync('/dev/zero', at(3));
    symlinkSync(at(3), at(4));
    writeFileSync(at(5), '');
    truncateSync(at(5), 3 * 1024 * 1024 * 1024);
    writeFileSync(at(6), '', { mode: 0o000 });
    const files = createNodeJournalFiles();
    for (const n of [1, 2, 3, 4, 5])
      expect([n, await files.readSmall(at(n), 1_000_000)]).toEqual([n, 'unfit']);
    await store.post(run, { kind: 'cancel', reason: 'r', by: 'b' });
    const got: unknown[] = [];
    const receiving = store.receive(claim, (_id, message) => got.push(message));
    await vi.waitFor(() => expect(got).toEqual([{ kind: 'cancel', reason: 'r', by: 'b' }]));
    // They are looked at once more, and are no harm.
    await store.post(run, { kind: 'cancel', reason: 'again', by: 'b' });
    await vi.waitFor(() => expect(got.length).toBe(2));
    receiving.close();
  });

  it('refuses a message that no process would read', async () => {
    await store.create(run, [started(run)]);
    await expect(
      store.post(run, {
        kind: 'answer',
        question: 'q',
        nonce: 'n',
        value: 'x'.repeat(2_000_000),
        from: 'person',
      }),
    ).rejects.toMatchObject({ code: 'ANSWER_REFUSED' });
  });

  it('continues after the disk was full, without what did not fit', async () => {
    const disk = new FaultyDisk({ fullAt: 2 });
    const full = createFileRunStore({ folder: '/runs', files: disk.files });
    const claim = await full.create(run, [started(run)]);
    const outcomes = await Promise.allSettled([
      full.append(claim, 1, [trace('a')]),
      full.append(claim, 2, [trace('b')]),
    ]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'JOURNAL_FULL' } });
    await expect(full.append(claim, 3, [trace('c')])).rejects.toMatchObject({ code: 'JOURNAL_SEQUENCE' });
    await full.append(claim, 1, [trace('d')]);
    expect((await full.read(run)).map(({ entry }) => entry)).toEqual([started(run), trace('d')]);
    await full.close();
  });

  it('refuses everything after a write that failed otherwise', async () => {
    const files = createNodeJournalFiles();
    let broken = false;
    const failing: JournalFiles = {
      ...files,
      async create(path) {
        const file = await files.create(path);
        const sync = (): Promise<void> =>
          broken
            ? Promise.reject(Object.assign(new Error('EIO: made to fail'), { code: 'EIO' }))
            : (file as JournalFile).sync();
        return file === null ? null : { ...file, sync };
      },
    };
    const bad = createFileRunStore({ folder, files: failing });
    const claim = await bad.create(run, [started(run)]);
    broken = true;
    await expect(bad.append(claim, 1, [trace('a')])).rejects.toMatchObject({ code: 'JOURNAL_WRITE' });
    broken = false;
    await expect(bad.append(claim, 1, [trace('a')])).rejects.toMatchObject({ code: 'JOURNAL_WRITE' });
    await expect(bad.release(claim)).rejects.toMatchObject({ code: 'JOURNAL_WRITE' });
    const next = await store.claim(run);
    await store.append(next, next.seq, [ended()]);
  });

  it('says what is wrong with the folder', async () => {
    writeFileSync(join(base, 'file'), '');
    const misplaced = createFileRunStore({ folder: join(base, 'file', 'runs') });
    await expect(misplaced.create(run, [started(run)])).rejects.toMatchObject({ code: 'JOURNAL_WRITE' });
    expect(await misplaced.list({ limit: 1 })).toEqual({ runs: [], cursor: null });
  });

  it.runIf(process.platform === 'linux')('owns more runs than it keeps files open', async () => {
    const many = createFileRunStore({ folder, durable: false, maxIdleFiles: 4 });
    const names = Array.from(
      { length: 40 },
      (_, n) => `01HF7YAT0000000000000000${String(n).padStart(2, '0')}`,
    );
    const claims = await Promise.all(names.map((name) => many.create(name, [started(name)])));
    const open = (): number =>
      readdirSync('/proc/self/fd').filter(
        (fd) => linkOf(fd).includes(folder) && linkOf(fd).includes('journal.'),
      ).length;
    await vi.waitFor(() => expect(open()).toBe(4));
    await Promise.all(claims.map((claim) => many.append(claim, 1, [trace('a')])));
    await Promise.all(claims.map((claim) => many.append(claim, 2, [ended()])));
    for (const name of names) expect((await many.read(name)).length).toBe(3);
    await many.close();
    expect(open()).toBe(0);
  });

  it('removes what a crash left of an earlier removal', async () => {
    await store.release(await store.create(run, [started(run), ended()]));
    const fresh = `.removed-${createUlids({ nowMs: Date.now, randomBytes: (n) => new Uint8Array(n) })()}`;
    // Old as well, but no rest of a removal.
    const other = 'important01HF7YAT000000000000000000';
    for (const name of ['.removed-01HF7YAT000000000000000000', fresh, other]) mkdirSync(join(folder, name));
    await store.remove(run);
    expect(readdirSync(folder).toSorted()).toEqual([fresh, other]);
  });
});

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

describe('ownerName', () => {
  it('is read back by parseRunNames, whatever the host is called', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 15 }),
        fc.option(fc.string({ minLength: 1, maxLength: 5 })),
        fc.integer({ min: 1, max: 2 ** 22 }),
        (host, bootId, pid) => {
          fc.pre(bootId !== '-' && ![host, bootId ?? ''].some((text) => /[\ud800-\udfff]/.test(text)));
          const owner = {
            pid,
            startedAt: null,
            bootId,
            pidSpace: 'pid:[4026531836]',
            host: host === '-' ? 'x' : host,
          };
          const name = ownerName(3, owner, 'token');
          expect(name).not.toContain('/');
          expect(
            parseRunNames(['journal.2', name, 'journal.10', 'journal.0', 'journal.x', 'owner.1.2', 'inbox']),
          ).toEqual({
            epochs: [2, 10],
            owners: [{ name, epoch: 3, token: 'token', owner }],
          });
        },
      ),
    );
  });
});
