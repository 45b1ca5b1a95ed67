import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeJournalFiles } from './node-journal-files.ts';

const files = createNodeJournalFiles();
const text = (bytes: Uint8Array | 'unfit' | null): string | null =>
  bytes === null || bytes === 'unfit' ? bytes : new TextDecoder().decode(bytes);

let top: string;
const at = (name: string): string => join(top, name);
const modeOf = (name: string): string => (fs.statSync(at(name)).mode & 0o777).toString(8);
beforeEach(() => {
  top = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'techne-files-')));
});
afterEach(() => fs.rmSync(top, { recursive: true, force: true }));

const openCount = (): number => fs.readdirSync('/proc/self/fd').length;

describe('makeFolders', () => {
  const synced: string[] = [];
  const watched = createNodeJournalFiles({
    syncFolder: async (path) => void synced.push(path),
    write: fs.write,
  });
  beforeEach(() => void synced.splice(0));

  it('syncs each folder that has a new name in it, and no other', async () => {
    await watched.makeFolders(at('a/b/c'));
    expect([synced, modeOf('a'), modeOf('a/b/c')]).toEqual([[at('a/b'), at('a'), top], '700', '700']);
    synced.splice(0);
    await watched.makeFolders(at('a/b/d'));
    expect(synced).toEqual([at('a/b')]);
  });

  it('syncs the name of one that is there, since another process may have made it just now', async () => {
    await watched.makeFolders(top);
    expect(synced).toEqual([dirname(top)]);
  });

  it('need not sync a folder that may not be read, and fails otherwise', async () => {
    const failing = (code: string) =>
      createNodeJournalFiles({
        syncFolder: () => Promise.reject(Object.assign(new Error(code), { code })),
        write: fs.write,
      });
    await failing('EACCES').makeFolders(top);
    await failing('EPERM').makeFolders(top);
    await expect(failing('EIO').makeFolders(top)).rejects.toThrow('EIO');
    await expect(failing('EACCES').makeFolders(at('new'))).rejects.toThrow('EACCES');
  });
});

describe('makeFolder', () => {
  it('says whether it was made', async () => {
    expect([await files.makeFolder(at('a')), await files.makeFolder(at('a')), modeOf('a')]).toEqual([
      true,
      false,
      '700',
    ]);
    await expect(files.makeFolder(at('b/c'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('read', () => {
  it('gives the bytes from a place on, whatever their number is', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, one) => one % 251));
    fs.writeFileSync(at('a'), bytes);
    for (const from of [0, 1, 200_000, 65_536 * 3, 299_999, 300_000, 400_000])
      expect(
        Buffer.compare((await files.read(at('a'), from, false)) ?? Buffer.from('none'), bytes.subarray(from)),
      ).toBe(0);
    for (const length of [0, 65_535, 65_536, 65_537, 131_072]) {
      fs.writeFileSync(at('b'), bytes.subarray(0, length));
      expect((await files.read(at('b'), 0, true))?.length).toBe(length);
    }
  });

  it('gives nothing of what is not there, and follows no link', async () => {
    fs.writeFileSync(at('a'), 'a');
    fs.symlinkSync(at('a'), at('link'));
    expect([await files.read(at('gone'), 0, true), await files.read(at('a/b'), 0, true)]).toEqual([
      null,
      null,
    ]);
    await expect(files.read(at('link'), 0, false)).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it.skipIf(process.platform !== 'linux')('leaves nothing open', async () => {
    fs.writeFileSync(at('a'), 'a');
    fs.mkdirSync(at('folder'));
    const before = openCount();
    await files.read(at('a'), 0, true);
    await files.read(at('folder'), 0, true).catch(() => null);
    await files.readSmall(at('a'), 10);
    await files.readSmall(at('a'), 0);
    await files.readSmall(at('folder'), 10);
    await (await files.create(at('b')))?.close();
    await (await files.open(at('b')))?.close();
    expect(openCount()).toBe(before);
  });
});

describe('readSmall', () => {
  it('gives a whole file up to its limit, and nothing else', async () => {
    fs.writeFileSync(at('a'), 'twelve bytes');
    fs.symlinkSync(at('a'), at('link'));
    fs.mkdirSync(at('folder'));
    if (process.platform !== 'win32') execFileSync('mkfifo', [at('pipe')]);
    const read = async (name: string, maxBytes: number): Promise<string | null> =>
      text(await files.readSmall(at(name), maxBytes));
    expect([await read('a', 12), await read('a', 13), await read('a', 11)]).toEqual([
      'twelve bytes',
      'twelve bytes',
      'unfit',
    ]);
    expect([await read('link', 99), await read('folder', 99_999), await read('pipe', 99)]).toEqual([
      'unfit',
      'unfit',
      'unfit',
    ]);
    expect([await read('gone', 9), await read('a/b', 9)]).toEqual([null, null]);
  });
});

describe('create and open', () => {
  it('make a file once, for this user alone, and write to it at places', async () => {
    const file = await files.create(at('a'));
    await file?.write(new TextEncoder().encode('one two'), 0);
    await file?.write(new TextEncoder().encode('TWO three'), 4);
    await file?.sync();
    await file?.close();
    expect([fs.readFileSync(at('a'), 'utf8'), modeOf('a'), await files.create(at('a'))]).toEqual([
      'one TWO three',
      '600',
      null,
    ]);
    const again = await files.open(at('a'));
    await again?.truncate(3);
    await again?.close();
    expect(fs.readFileSync(at('a'), 'utf8')).toBe('one');
    expect(await files.open(at('gone'))).toBeNull();
  });

  it('write what the system takes in pieces, and say when it fails', async () => {
    const inPieces = ((fd, bytes, offset, length, position, end) =>
      fs.write(fd, bytes, offset, Math.min(length ?? 0, 3), position, end)) as typeof fs.write;
    const made = await createNodeJournalFiles({ syncFolder: async () => undefined, write: inPieces }).create(
      at('a'),
    );
    await made?.write(new TextEncoder().encode('0123456789'), 2);
    await made?.close();
    expect(text(fs.readFileSync(at('a')))).toBe('\0\x000123456789');
    await expect(made?.write(new Uint8Array(1), 0)).rejects.toMatchObject({ code: 'EBADF' });
  });
});

describe('names', () => {
  it('are looked up, listed, changed and removed', async () => {
    fs.writeFileSync(at('a'), '');
    expect([await files.exists(at('a')), await files.exists(at('b')), await files.exists(at('a/b'))]).toEqual(
      [true, false, false],
    );
    await files.rename(at('a'), at('b'));
    expect([await files.list(top), await files.list(at('gone'))]).toEqual([['b'], null]);
    await files.remove(at('b'));
    await files.remove(at('b'));
    fs.mkdirSync(at('c/d'), { recursive: true });
    await expect(files.remove(at('c'))).rejects.toMatchObject({ syscall: 'unlink' });
    await files.removeFolder(at('c'));
    await files.removeFolder(at('c'));
    expect(await files.list(top)).toEqual([]);
    await files.syncFolder(top);
  });
});
