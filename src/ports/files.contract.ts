// The contract of the Files port. files.test.ts and memory-files.test.ts run it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../base/utf8.ts';
import type { TechneError } from '../base/error.ts';
import type { FileSignature, Files } from './files.ts';
import { FileFault } from './files.ts';

/** A place to make files behind the back of the port. */
export interface FilesWorld {
  readonly files: Files;
  /** An empty folder; its path holds no links. */
  readonly root: string;
  write(path: string, content: string | Uint8Array): void;
  folder(path: string): void;
  link(path: string, target: string): void;
  special(path: string): void;
  rename(from: string, to: string): void;
  /** Denies reading and searching `path` until `close`. */
  deny(path: string): void;
  /** Another process holds the lock until `close`. */
  holdLock(path: string): Promise<void>;
  close(): Promise<void>;
}

export function filesContract(implementation: string, open: () => Promise<FilesWorld>): void {
  describe(`Files: ${implementation}`, () => {
    let world: FilesWorld;
    let files: Files;
    let at: (path: string) => string;

    beforeEach(async () => {
      world = await open();
      files = world.files;
      at = (path) => `${world.root}/${path}`;
    });
    afterEach(() => world.close());

    const text = async (path: string): Promise<string | undefined> => {
      const read = await files.read(path, 1_000_000);
      return read === null ? undefined : Buffer.from(read.bytes).toString('utf8');
    };

    describe('stat and lstat', () => {
      it('tell files, folders and links apart', () => {
        world.write(at('a/b.txt'), 'hello');
        world.link(at('a/l'), 'b.txt');
        expect(files.stat(at('a'))?.isDirectory()).toBe(true);
        expect(files.stat(at('a/b.txt'))?.isFile()).toBe(true);
        expect(files.stat(at('a/b.txt'))?.size).toBe(5n);
        expect(files.lstat(at('a/l'))?.isSymbolicLink()).toBe(true);
        expect(files.stat(at('a/l'))?.isFile()).toBe(true);
        expect(files.stat(at('a/l'))?.ino).toBe(files.stat(at('a/b.txt'))?.ino);
      });

      it('give null for a path that leads nowhere', () => {
        world.write(at('file'), '');
        world.link(at('broken'), 'nothing');
        for (const path of ['nothing', 'nothing/below', 'file/below', 'broken'])
          expect(files.stat(at(path))).toBeNull();
        expect(files.lstat(at('broken'))?.isSymbolicLink()).toBe(true);
      });

      it('see another signature after a write of the same size', async () => {
        world.write(at('f'), 'one');
        const before = signature(files.stat(at('f')));
        await new Promise((resolve) => setTimeout(resolve, 15));
        world.write(at('f'), 'two');
        expect(signature(files.stat(at('f')))).not.toEqual(before);
        expect(files.stat(at('f'))?.ino).toBe(before?.ino);
      });

      it('say `denied` below a folder that may not be searched', () => {
        world.write(at('secret/f'), 'x');
        world.deny(at('secret'));
        expect(kindOf(() => files.stat(at('secret/f')))).toBe('denied');
      });

      it('say `loop` for links that lead in a circle', () => {
        world.link(at('x'), 'y');
        world.link(at('y'), 'x');
        expect(kindOf(() => files.stat(at('x')))).toBe('loop');
      });
    });

    describe('realPath', () => {
      it('resolves links at the end and on the way', () => {
        world.write(at('real/f'), 'x');
        world.link(at('l'), 'real');
        world.link(at('real/up'), '../real/f');
        expect(files.realPath(at('l/f'))).toBe(at('real/f'));
        expect(files.realPath(at('l/up'))).toBe(at('real/f'));
        expect(files.realPath(at('l/nothing'))).toBeNull();
        expect(files.realPath(at('real/f/below'))).toBeNull();
      });
    });

    describe('list', () => {
      it('gives names in code unit order with their kinds', () => {
        world.write(at('d/b'), '');
        world.write(at('d/B'), '');
        world.folder(at('d/a'));
        world.link(at('d/z'), 'nothing');
        world.special(at('d/pipe'));
        world.write(at('d/\u{1F600}'), '');
        world.write(at('d/\uFF21'), '');
        expect(files.list(at('d'))).toEqual([
          { name: 'B', kind: 'file' },
          { name: 'a', kind: 'folder' },
          { name: 'b', kind: 'file' },
          { name: 'pipe', kind: 'other' },
          { name: 'z', kind: 'link' },
          { name: '\u{1F600}', kind: 'file' },
          { name: '\uFF21', kind: 'file' },
        ]);
      });

      it('follows a link to a folder, gives null for nowhere and a fault for a file', () => {
        world.write(at('d/f'), '');
        world.link(at('l'), 'd');
        expect(files.list(at('l'))).toEqual([{ name: 'f', kind: 'file' }]);
        expect(files.list(at('nothing'))).toBeNull();
        expect(files.list(at('d/f/below'))).toBeNull();
        expect(kindOf(() => files.list(at('d/f')))).toBe('not-a-folder');
      });

      it('says `denied`', () => {
        world.write(at('secret/f'), 'x');
        world.deny(at('secret'));
        expect(kindOf(() => files.list(at('secret')))).toBe('denied');
      });
    });

    describe('readHead', () => {
      it('reads at most so many bytes, with the size of the whole file', () => {
        world.write(at('f'), 'abcdefgh');
        world.write(at('empty'), '');
        const head = files.readHead(at('f'), 3);
        expect(Buffer.from(head?.bytes ?? []).toString()).toBe('abc');
        expect(head?.stat.size).toBe(8n);
        expect(signature(head?.stat ?? null)).toEqual(signature(files.stat(at('f'))));
        expect(files.readHead(at('empty'), 10)?.bytes.length).toBe(0);
        expect(files.readHead(at('nothing'), 10)).toBeNull();
      });

      it('leaves the bytes of other slots alone', () => {
        world.write(at('f'), 'first');
        world.write(at('g'), 'other');
        const first = files.readHead(at('f'), 10, 1);
        const other = files.readHead(at('g'), 10, 2);
        files.readHead(at('g'), 10);
        expect([first, other].map((read) => Buffer.from(read?.bytes ?? []).toString())).toEqual([
          'first',
          'other',
        ]);
      });

      it('reads on when asked for more than ever before', () => {
        world.write(at('big'), 'x'.repeat(300_000));
        expect(files.readHead(at('big'), 4096)?.bytes.length).toBe(4096);
        expect(files.readHead(at('big'), 262_144)?.bytes.length).toBe(262_144);
        expect(files.readHead(at('big'), 1_000_000)?.bytes.length).toBe(300_000);
      });

      it('refuses folders and special files at once', () => {
        world.folder(at('d'));
        world.special(at('pipe'));
        expect(kindOf(() => files.readHead(at('d'), 10))).toBe('not-a-file');
        expect(kindOf(() => files.readHead(at('pipe'), 10))).toBe('not-a-file');
      });
    });

    describe('read', () => {
      it('reads the whole file and follows links', async () => {
        world.write(at('f'), 'whole');
        world.link(at('l'), 'f');
        expect(await text(at('f'))).toBe('whole');
        expect(await text(at('l'))).toBe('whole');
        expect(await files.read(at('nothing'), 10)).toBeNull();
        expect(await files.read(at('f/below'), 10)).toBeNull();
      });

      it('gives bytes that stay as they are', async () => {
        world.write(at('f'), 'first');
        world.write(at('g'), 'other');
        const read = await files.read(at('f'), 100);
        // A plain array: callers rely on `slice` to copy.
        expect(Object.getPrototypeOf(read?.bytes)).toBe(Uint8Array.prototype);
        await files.read(at('g'), 100);
        files.readHead(at('g'), 100);
        world.write(at('f'), 'later');
        expect(Buffer.from(read?.bytes ?? []).toString()).toBe('first');
      });

      it('allows exactly the limit and says `too-large` above it', async () => {
        world.write(at('f'), '12345');
        expect((await files.read(at('f'), 5))?.bytes.length).toBe(5);
        expect(await kindOfAsync(files.read(at('f'), 4))).toBe('too-large');
      });

      it('refuses folders and special files at once', async () => {
        world.folder(at('d'));
        world.special(at('pipe'));
        expect(await kindOfAsync(files.read(at('d'), 10))).toBe('not-a-file');
        expect(await kindOfAsync(files.read(at('pipe'), 10))).toBe('not-a-file');
      });
    });

    describe('syncUpTo', () => {
      it('says whether there was something to sync, and changes nothing', async () => {
        await files.writeAtomic(at('new/deep/f'), encodeUtf8('kept'), 0o600);
        expect(await files.syncUpTo(at('new/deep/f'), at('new'))).toBe(true);
        expect(await files.syncUpTo(at('new/deep'), at('new'))).toBe(true);
        expect(await files.syncUpTo(at('new/deep/g'), at('new'))).toBe(false);
        expect(await text(at('new/deep/f'))).toBe('kept');
      });
    });

    describe('writeAtomic', () => {
      it('makes the file with its mode, and the folders it needs', async () => {
        await files.writeAtomic(at('new/deep/f'), encodeUtf8('secret'), 0o600);
        expect(await text(at('new/deep/f'))).toBe('secret');
        expect(modeOf(files, at('new/deep/f'))).toBe(0o600);
        expect(modeOf(files, at('new/deep'))).toBe(0o700);
        await files.writeAtomic(at('run.sh'), encodeUtf8('x'), 0o755);
        expect(modeOf(files, at('run.sh'))).toBe(0o755);
      });

      it('replaces a file by a new one and leaves nothing else behind', async () => {
        world.write(at('d/f'), 'old');
        const before = files.stat(at('d/f'));
        await files.writeAtomic(at('d/f'), encodeUtf8('new'), 0o644);
        expect(await text(at('d/f'))).toBe('new');
        expect(files.stat(at('d/f'))?.ino).not.toBe(before?.ino);
        expect(files.list(at('d'))).toEqual([{ name: 'f', kind: 'file' }]);
      });

      it('replaces a link, not what it leads to', async () => {
        world.write(at('target'), 'kept');
        world.link(at('l'), 'target');
        await files.writeAtomic(at('l'), encodeUtf8('new'), 0o600);
        expect(await text(at('target'))).toBe('kept');
        expect(files.lstat(at('l'))?.isFile()).toBe(true);
      });

      it('refuses a folder in its place and a file on its way, and leaves nothing behind', async () => {
        world.write(at('d/f'), 'x');
        expect(await kindOfAsync(files.writeAtomic(at('d'), encodeUtf8('x'), 0o600))).toBe('not-a-file');
        expect(await kindOfAsync(files.writeAtomic(at('d/f/g'), encodeUtf8('x'), 0o600))).toBe(
          'not-a-folder',
        );
        expect(files.list(world.root)).toEqual([{ name: 'd', kind: 'folder' }]);
      });
    });

    describe('remove', () => {
      it('removes a file or a link, and is content when there is none', async () => {
        world.write(at('f'), 'x');
        world.link(at('l'), 'f');
        await files.remove(at('l'));
        expect(files.list(world.root)).toEqual([{ name: 'f', kind: 'file' }]);
        await files.remove(at('f'));
        await files.remove(at('f'));
        expect(files.list(world.root)).toEqual([]);
      });
    });

    describe('withLock', () => {
      it('lets one in at a time and gives what the work gives', async () => {
        let inside = 0;
        let most = 0;
        const results = await Promise.all(
          [1, 2, 3, 4].map((n) =>
            files.withLock(at('locks/l'), async () => {
              inside += 1;
              most = Math.max(most, inside);
              await new Promise((resolve) => setTimeout(resolve, 2));
              inside -= 1;
              return n;
            }),
          ),
        );
        expect(results).toEqual([1, 2, 3, 4]);
        expect(most).toBe(1);
      });

      it('is free again after work that failed', async () => {
        await expect(files.withLock(at('l'), () => Promise.reject(new Error('failed')))).rejects.toThrow(
          'failed',
        );
        expect(await files.withLock(at('l'), () => Promise.resolve('in'))).toBe('in');
        expect(files.stat(at('l'))).toBeNull();
      });

      it('is LOCKED while another process holds it', async () => {
        await world.holdLock(at('l'));
        let ran = false;
        const work = async (): Promise<void> => {
          ran = true;
        };
        const error = (await files.withLock(at('l'), work).catch((thrown: unknown) => thrown)) as TechneError;
        expect(error.code).toBe('LOCKED');
        expect(error.hint).toContain(at('l'));
        expect(ran).toBe(false);
      });
    });
  });
}

function signature(stat: FileSignature | null): FileSignature | null {
  return stat === null
    ? null
    : { dev: stat.dev, ino: stat.ino, size: stat.size, mtimeNs: stat.mtimeNs, ctimeNs: stat.ctimeNs };
}

function modeOf(files: Files, path: string): number {
  return Number(files.stat(path)?.mode ?? 0n) & 0o777;
}

function kindOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof FileFault) return error.kind;
    throw error;
  }
  return 'no fault';
}

async function kindOfAsync(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'no fault',
    (error: unknown) => {
      if (error instanceof FileFault) return error.kind;
      throw error;
    },
  );
}
