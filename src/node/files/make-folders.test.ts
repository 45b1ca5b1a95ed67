import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolders } from './durable.ts';

describe('makeFolders', () => {
  let root: string;
  beforeEach(() => {
    root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'techne-')));
  });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  it('makes what is missing and names the topmost folder it made', async () => {
    expect(await makeFolders(fs.promises, join(root, 'a/b/c'), 0o700)).toBe(join(root, 'a'));
    expect(await makeFolders(fs.promises, join(root, 'a/b/d'), 0o700)).toBe(join(root, 'a/b/d'));
    expect([
      await makeFolders(fs.promises, join(root, 'a/b/c'), 0o700),
      await makeFolders(fs.promises, '/', 0o700),
    ]).toEqual([undefined, undefined]);
    expect(fs.statSync(join(root, 'a')).mode & 0o777).toBe(0o700);
  });

  it('refuses a file in the way', async () => {
    fs.writeFileSync(join(root, 'f'), '');
    await expect(makeFolders(fs.promises, join(root, 'f'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolders(fs.promises, join(root, 'f/a/b'), 0o700)).rejects.toMatchObject({
      code: 'ENOTDIR',
    });
  });

  it('ends where a file system says ENOENT for a folder in one that exists', async () => {
    let tries = 0;
    const mkdir = (path: string): Promise<never> => {
      tries += 1;
      if (tries > 20) throw new Error('it does not end');
      return Promise.reject(Object.assign(new Error('no'), { code: path === '/' ? 'EEXIST' : 'ENOENT' }));
    };
    await expect(makeFolders({ mkdir } as never, '/refusing/a/b', 0o700)).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it('takes a folder that another process made meanwhile for made', async () => {
    const mkdir = async (path: string): Promise<void> => {
      if (path === join(root, 'a/b') && fs.existsSync(join(root, 'a'))) fs.mkdirSync(path);
      fs.mkdirSync(path);
    };
    expect(await makeFolders({ mkdir } as never, join(root, 'a/b'), 0o700)).toBe(join(root, 'a'));
  });
});
