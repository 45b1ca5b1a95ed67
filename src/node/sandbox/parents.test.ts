import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isClosed, notKept, openParents } from './parents.ts';

const fault = (code: string): Error => Object.assign(new Error(code), { code });

describe.skipIf(process.platform !== 'linux')('openParents', () => {
  let top: string;
  beforeEach(() => {
    top = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'techne-parents-')));
  });
  afterEach(() => fs.rmSync(top, { recursive: true, force: true }));

  it('leads to each place through the folder above it, wherever that is by now', () => {
    fs.mkdirSync(join(top, 'a'));
    const parents = openParents([join(top, 'a/one'), join(top, 'a/two'), join(top, 'three')]);
    if ('fault' in parents) throw new Error(parents.fault);
    const [one, two, three] = ['a/one', 'a/two', 'three'].flatMap((name) => parents.placeOf(join(top, name)));
    expect([one?.path, one?.parent === two?.parent, one?.parent === three?.parent]).toEqual([
      join(top, 'a/one'),
      true,
      false,
    ]);
    fs.renameSync(join(top, 'a'), join(top, 'b'));
    fs.mkdirSync(two?.at as string);
    expect(fs.readdirSync(join(top, 'b'))).toEqual(['two']);
    expect(parents.placeOf(join(top, 'elsewhere/x'))).toEqual([]);
    parents.close();
    expect(() => fs.fstatSync(one?.parent as number)).toThrow('EBADF');
  });

  it('says which place cannot be held, and has nothing open then', () => {
    const before = fs.readdirSync('/proc/self/fd').length;
    expect(openParents([join(top, 'one'), join(top, 'gone/two')])).toEqual({
      fault: `"${join(top, 'gone/two')}" cannot be kept from being written to (ENOENT), so the command is not started`,
    });
    expect(fs.readdirSync('/proc/self/fd').length).toBe(before);
  });
});

describe('isClosed', () => {
  it('is a matter of rights', () => {
    expect(['EACCES', 'EROFS', 'EPERM', 'ENOENT', 'ENOSPC'].filter((code) => isClosed(fault(code)))).toEqual([
      'EACCES',
      'EROFS',
      'EPERM',
    ]);
  });
});

describe('notKept', () => {
  it('throws what is no fault of the file system', () => {
    const bug = new Error('bug');
    expect(() => notKept('/a', bug)).toThrow(bug);
  });
});
