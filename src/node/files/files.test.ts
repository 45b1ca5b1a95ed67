import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChildProgram } from '../../../test/support/child-program.ts';
import { childProgram, firstLine } from '../../../test/support/child-program.ts';
import { failingCalls } from '../../../test/support/failing-calls.ts';
import { filesContract } from '../../ports/files.contract.ts';
import { createNodeFiles } from './files.ts';
import { FileFault } from '../../ports/files.ts';

let children: ChildProgram;
beforeAll(async () => {
  children = await childProgram('use-files');
});
afterAll(() => children.close());

function temporaryFolder(): string {
  const folder = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), 'techne-files-'));
  fs.chmodSync(folder, 0o755);
  return folder;
}

filesContract('of Node', async () => {
  const root = temporaryFolder();
  const closing: (() => void)[] = [];
  return {
    files: createNodeFiles({ lockWaitMs: 200 }),
    root,
    write(path, content) {
      fs.mkdirSync(dirname(path), { recursive: true });
      fs.writeFileSync(path, content);
    },
    folder: (path) => void fs.mkdirSync(path, { recursive: true }),
    link(path, target) {
      fs.mkdirSync(dirname(path), { recursive: true });
      fs.symlinkSync(target, path);
    },
    special: (path) => void execFileSync('mkfifo', [path]),
    rename: (from, to) => fs.renameSync(from, to),
    deny(path) {
      fs.chmodSync(path, 0o000);
      closing.push(() => fs.chmodSync(path, 0o755));
      // Nothing is denied to root, so be nobody for a while.
      if (process.geteuid?.() !== 0) return;
      process.seteuid?.(65534);
      closing.push(() => process.seteuid?.(0));
    },
    async holdLock(path) {
      const child = children.start('hold', path);
      closing.push(() => child.kill('SIGKILL'));
      await firstLine(child);
    },
    async close() {
      for (const undo of closing.reverse()) undo();
      fs.rmSync(root, { recursive: true, force: true });
    },
  };
});

describe('createNodeFiles', () => {
  let root: string;
  beforeEach(() => {
    root = temporaryFolder();
  });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));
  const at = (path: string): string => join(root, path);

  it('gives null for names that no file can have', () => {
    const files = createNodeFiles();
    expect(files.stat(at('a\0b'))).toBeNull();
    expect(files.stat(at('x'.repeat(300)))).toBeNull();
    expect(files.readHead(at('a\0b'), 10)).toBeNull();
  });

  it('notices a file that is written to while it is read', async () => {
    fs.writeFileSync(at('f'), 'x'.repeat(10));
    const calls = {
      ...fs.promises,
      open: async (path: fs.PathLike, flags?: string | number) => {
        const handle = await fs.promises.open(path, flags);
        const stat = handle.stat.bind(handle);
        let looks = 0;
        handle.stat = (async (options: { bigint: true }) => {
          looks += 1;
          if (looks === 2) fs.appendFileSync(at('f'), 'more');
          return stat(options);
        }) as typeof handle.stat;
        return handle;
      },
    };
    await expect(createNodeFiles({ calls }).read(at('f'), 100)).rejects.toMatchObject({
      kind: 'changed',
      path: at('f'),
    });
  });

  describe('writeAtomic', () => {
    it.each(['once', 'dead'] as const)(
      'leaves the old file or the new one when any single call fails (%s)',
      async (mode) => {
        const wrong: unknown[] = [];
        let points = 0;
        for (const [code, kind] of [
          ['ENOSPC', 'busy'],
          ['EIO', 'io'],
          ['EMFILE', 'busy'],
        ] as const) {
          for (let n = 1, failed = true; failed; n += 1) {
            const folder = at(`${code}-${n}`);
            const path = join(folder, 'f');
            fs.mkdirSync(folder);
            fs.writeFileSync(path, 'old');
            const failing = failingCalls(n, code, mode);
            const writing = createNodeFiles({ calls: failing.calls }).writeAtomic(
              path,
              Buffer.from('brand new'),
              0o640,
            );
            const outcome = await writing.then(
              () => 'done',
              (error: unknown) => (error instanceof FileFault ? error.kind : error),
            );
            const text = fs.readFileSync(path, 'utf8');
            const left = fs.readdirSync(folder).filter((name) => name !== 'f');
            failed = failing.failed();
            points += failed ? 1 : 0;
            const good = failed
              ? outcome === kind &&
                ['old', 'brand new'].includes(text) &&
                (mode === 'dead' || left.length === 0)
              : outcome === 'done' && text === 'brand new' && left.length === 0;
            if (!good) wrong.push({ code, n, outcome, text, left });
          }
        }
        expect(wrong).toEqual([]);
        expect(points).toBeGreaterThanOrEqual(24);
      },
    );

    it('never shows half a file to a reader, whenever the writer is killed', async () => {
      const size = 2_000_000;
      const path = at('f');
      const files = createNodeFiles();
      for (let kill = 0; kill < 8; kill += 1) {
        const child = children.start('rewrite', path, String(size));
        const ended = new Promise((resolve) => child.on('close', resolve));
        await firstLine(child);
        await new Promise((resolve) => setTimeout(resolve, 3 + kill * 4));
        child.kill('SIGKILL');
        await ended;
        const bytes = (await files.read(path, size))?.bytes ?? new Uint8Array(0);
        expect(bytes.length).toBe(size);
        expect(Buffer.from(bytes).equals(Buffer.alloc(size, bytes[0]))).toBe(true);
      }
    });
  });

  describe('withLock', () => {
    it('takes over the lock of a process that was killed', async () => {
      const child = children.start('hold', at('l'));
      const ended = new Promise((resolve) => child.on('close', resolve));
      await firstLine(child);
      child.kill('SIGKILL');
      await ended;
      expect(fs.existsSync(at('l'))).toBe(true);
      expect(
        await createNodeFiles({ lockWaitMs: 0 }).withLock(at('l'), async () => fs.readdirSync(root)),
      ).toEqual(['l']);
      expect(fs.readdirSync(root)).toEqual([]);
    });

    it('takes over when the number of the dead process belongs to another one now', async () => {
      const record = await ownRecord(root);
      fs.writeFileSync(at('l'), JSON.stringify({ ...record, startedAt: '1' }));
      expect(await createNodeFiles({ lockWaitMs: 0 }).withLock(at('l'), async () => 'in')).toBe('in');
      fs.writeFileSync(at('l'), JSON.stringify({ ...record, bootId: 'an earlier start' }));
      expect(await createNodeFiles({ lockWaitMs: 0 }).withLock(at('l'), async () => 'in')).toBe('in');
    });

    it('leaves a lock alone whose owner it cannot judge', async () => {
      const record = await ownRecord(root);
      const strangers = [
        JSON.stringify({ ...record, host: 'elsewhere' }),
        JSON.stringify({ ...record, pid: 999_999, pidSpace: 'another' }),
        '',
        '{}',
      ];
      for (const stranger of strangers) {
        fs.writeFileSync(at('l'), stranger);
        await expect(
          createNodeFiles({ lockWaitMs: 0 }).withLock(at('l'), async () => 'in'),
        ).rejects.toMatchObject({ code: 'LOCKED' });
        expect(fs.readFileSync(at('l'), 'utf8')).toBe(stranger);
        expect(fs.readdirSync(root)).toEqual(['l']);
      }
    });

    it('also takes over from a process that died while it took over', async () => {
      const record: Record<string, unknown> = { ...(await ownRecord(root)), startedAt: '1' };
      const other = { ...record, token: 'f'.repeat(24) };
      fs.writeFileSync(at('l'), JSON.stringify(record));
      fs.writeFileSync(at(`l.${String(record['token'])}`), JSON.stringify(other));
      expect(await createNodeFiles({ lockWaitMs: 0 }).withLock(at('l'), async () => 'in')).toBe('in');
      expect(fs.readdirSync(root)).toEqual([]);
    });

    it('loses no count between processes that race for a dead lock', async () => {
      fs.writeFileSync(at('l'), JSON.stringify({ ...(await ownRecord(root)), startedAt: '1' }));
      await Promise.all([1, 2, 3, 4].map(() => children.run('count', at('l'), at('n'), '40')));
      expect(fs.readFileSync(at('n'), 'utf8')).toBe('160');
      expect(fs.readdirSync(root)).toEqual(['n']);
    });

    it('is never left behind by a living owner when any single call fails', async () => {
      const stale = JSON.stringify({ ...(await ownRecord(root)), startedAt: '1' });
      const wrong: unknown[] = [];
      for (const [before, least] of [
        [null, 5],
        [stale, 9],
      ] as const) {
        let n = 0;
        for (let failed = true; failed;) {
          n += 1;
          const path = at(`${least}-${n}`);
          if (before !== null) fs.writeFileSync(path, before);
          const failing = failingCalls(n, 'EIO', 'once');
          let ran = 0;
          const attempt = createNodeFiles({ calls: failing.calls, lockWaitMs: 0 }).withLock(
            path,
            async () => (ran += 1),
          );
          const outcome = await attempt.then(
            () => 'done',
            (error: unknown) => (error instanceof FileFault ? error.kind : error),
          );
          failed = failing.failed();
          const next = await createNodeFiles({ lockWaitMs: 0 })
            .withLock(path, async () => 'in')
            .catch((error: unknown) => error);
          if (
            next !== 'in' ||
            ran !== (outcome === 'done' ? 1 : 0) ||
            !['done', 'io'].includes(String(outcome))
          )
            wrong.push({ n, outcome, ran, next });
        }
        expect(n).toBeGreaterThan(least);
      }
      expect(wrong).toEqual([]);
    });

    it('works where the file system has no links', async () => {
      const files = createNodeFiles({ lockWaitMs: 0, calls: { ...fs.promises, link: noLinks } });
      expect(
        await files.withLock(at('l'), async () =>
          files.withLock(at('l'), async () => 'both').catch(() => 'one'),
        ),
      ).toBe('one');
      expect(fs.readdirSync(root)).toEqual([]);
    });
  });
});

const noLinks = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('EPERM: no links'), { code: 'EPERM' }));

async function ownRecord(root: string): Promise<Record<string, unknown>> {
  const path = join(root, 'own');
  return createNodeFiles().withLock(
    path,
    async () => JSON.parse(fs.readFileSync(path, 'utf8')) as Record<string, unknown>,
  );
}
