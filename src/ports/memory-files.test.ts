import { describe, expect, it } from 'vitest';
import { filesContract } from './files.contract.ts';
import { FileFault } from './files.ts';
import { createMemoryFiles } from './memory-files.ts';

filesContract('in memory', async () => {
  const files = createMemoryFiles();
  files.folder('/project');
  return {
    ...files,
    files,
    root: '/project',
    holdLock: async (path: string) => void files.holdLock(path),
    close: async () => undefined,
  };
});

describe('createMemoryFiles', () => {
  it('starts with the files it is given', () => {
    const files = createMemoryFiles({ '/a/b': 'x', '/a/c/d': new Uint8Array([1]) });
    expect(files.list('/a')).toEqual([
      { name: 'b', kind: 'file' },
      { name: 'c', kind: 'folder' },
    ]);
  });

  it('fails the call it was told to fail, once', () => {
    const files = createMemoryFiles({ '/f': 'x' });
    files.failAt(2, 'busy');
    expect(files.stat('/f')).not.toBeNull();
    expect(() => files.stat('/f')).toThrow(FileFault);
    expect(files.stat('/f')).not.toBeNull();
    expect(files.calls).toBe(3);
  });

  it('puts two writes into one tick when told to', () => {
    const files = createMemoryFiles();
    files.tickNs = 0n;
    files.write('/f', 'one');
    const before = files.stat('/f');
    files.write('/f', 'two');
    expect(files.stat('/f')?.mtimeNs).toBe(before?.mtimeNs);
    files.advance(5n);
    files.write('/f', 'two');
    expect(files.stat('/f')?.mtimeNs).toBe((before?.mtimeNs ?? 0n) + 5n);
    expect(files.clock.nowNs()).toBe(files.stat('/f')?.mtimeNs);
  });

  it('cannot set the change time back', () => {
    const files = createMemoryFiles({ '/f': 'x' });
    const before = files.stat('/f');
    files.touch('/f', before?.mtimeNs ?? 0n);
    expect(files.stat('/f')?.mtimeNs).toBe(before?.mtimeNs);
    expect(files.stat('/f')?.ctimeNs).not.toBe(before?.ctimeNs);
  });

  it('moves whole folders', () => {
    const files = createMemoryFiles({ '/a/x/f': '1' });
    files.rename('/a/x', '/b/y');
    expect(files.stat('/a/x')).toBeNull();
    expect(files.stat('/b/y/f')?.isFile()).toBe(true);
  });
});
