import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listPath, writePackage } from './write-package.ts';

let top: string;
let folder: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'techne-package-')));
  folder = join(top, 'deep/er');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const files = (text = 'one'): ReadonlyMap<string, string> =>
  new Map([
    ['a.txt', text],
    ['plugins/b.txt', 'two'],
  ]);
const tree = (): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
/** Nothing is left beside the folder. */
const beside = (): readonly string[] => readdirSync(join(top, 'deep'));

describe('writePackage', () => {
  it('makes the folder, and leaves it alone while nothing changes', async () => {
    expect(await writePackage(folder, files())).toBe('added');
    expect(tree()).toEqual(['a.txt', 'plugins/b.txt', listPath].sort());
    const { ino } = lstatSync(folder);
    expect(await writePackage(folder, files())).toBe('same');
    expect(lstatSync(folder).ino).toBe(ino);
    expect(beside()).toEqual(['er']);
  });

  it('replaces it as a whole, so that a file that is no longer made is gone', async () => {
    await writePackage(folder, new Map([...files(), ['old.txt', 'x']]));
    expect(await writePackage(folder, files('new'))).toBe('replaced');
    expect(tree()).toEqual(['a.txt', 'plugins/b.txt', listPath].sort());
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('new');
    expect(beside()).toEqual(['er']);
  });

  it('fills an empty folder', async () => {
    mkdirSync(folder, { recursive: true });
    expect(await writePackage(folder, files())).toBe('added');
  });

  it.each([
    ['a file of somebody', () => writeFileSync(join(folder, 'mine.txt'), 'x')],
    ['a file that was edited', () => writeFileSync(join(folder, 'a.txt'), 'edited')],
    ['a link', () => symlinkSync('/etc/hostname', join(folder, 'link'))],
    ['a list that is no list', () => writeFileSync(join(folder, listPath), '{"files": 3}')],
    ['a list that is not JSON', () => writeFileSync(join(folder, listPath), '{')],
  ])('does not replace a folder with %s', async (_what, change) => {
    await writePackage(folder, files());
    change();
    const before = tree();
    await expect(writePackage(folder, files('new'))).rejects.toMatchObject({
      code: 'TARGET_EXISTS',
      hint: 'choose another folder, or remove the file',
    });
    expect(tree()).toEqual(before);
    expect(beside()).toEqual(['er']);
  });

  it('refuses a place that is a file or a link', async () => {
    mkdirSync(join(top, 'deep'));
    writeFileSync(folder, 'x');
    await expect(writePackage(folder, files())).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    rmSync(folder);
    symlinkSync(top, folder);
    await expect(writePackage(folder, files())).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
  });

  it('says that a place cannot be written, and leaves nothing behind', async () => {
    writeFileSync(join(top, 'deep'), 'a file');
    await expect(writePackage(folder, files())).rejects.toMatchObject({ code: 'FILE_DENIED' });
    expect(readdirSync(top)).toEqual(['deep']);
  });

  it('keeps the package that is there if the new one cannot be written', async () => {
    await writePackage(folder, files());
    const before = tree();
    // A path below a file.
    await expect(
      writePackage(folder, new Map([...files('new'), ['a.txt/inner', 'x']])),
    ).rejects.toMatchObject({ code: 'FILE_DENIED' });
    expect([tree(), readFileSync(join(folder, 'a.txt'), 'utf8')]).toEqual([before, 'one']);
    expect(beside()).toEqual(['er']);
  });
});
