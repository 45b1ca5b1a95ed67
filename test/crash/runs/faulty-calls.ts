// The faulty disk as Node's asynchronous calls, so that the real writing of blobs happens on it.
//
// Y1. What was made is there for `statSync` too, in a real folder of the same name that nothing else is in.
import type { promises, BigIntStats } from 'node:fs';
import { mkdirSync } from 'node:fs';
import type { AsyncCalls } from '../../../src/node/files/durable.ts';
import type { JournalFile } from '../../../src/node/store-file/journal-files.ts';
import type { FaultyDisk } from '../../support/faulty-journal-files.ts';

export function faultyCalls(disk: FaultyDisk): AsyncCalls {
  const { files } = disk;
  const fault = (code: string, path: string): Error => Object.assign(new Error(`${code}: ${path}`), { code });
  const calls = {
    async open(path: string, flags: number): Promise<Partial<promises.FileHandle>> {
      // The temporary file is the only one that is opened to be written to, and it is always new.
      if ((flags & 1) === 1) {
        const file = await files.create(path);
        if (file === null) throw fault('EEXIST', path);
        return writing(file);
      }
      if ((await files.list(path)) !== null)
        return { sync: () => files.syncFolder(path), close: () => Promise.resolve() };
      const bytes = await files.read(path, 0, false);
      if (bytes === null) throw fault('ENOENT', path);
      const sync = async (): Promise<void> => void (await files.read(path, 0, true));
      return { ...reading(bytes), sync };
    },
    rename: (from: string, to: string) => files.rename(from, to),
    unlink: (path: string) => files.remove(path),
    async mkdir(path: string): Promise<void> {
      if (await files.makeFolder(path)) return;
      mkdirSync(path, { recursive: true });
      throw fault('EEXIST', path);
    },
  };
  return calls as unknown as AsyncCalls;
}

function writing(file: JournalFile): Partial<promises.FileHandle> {
  return {
    writeFile: (data: unknown) => file.write((data as Uint8Array).slice(), 0),
    datasync: () => file.sync(),
    sync: () => file.sync(),
    chmod: () => Promise.resolve(),
    close: () => file.close(),
  };
}

function reading(bytes: Uint8Array): Partial<promises.FileHandle> {
  const stat = {
    size: BigInt(bytes.length),
    mtimeNs: 0n,
    ctimeNs: 0n,
    isFile: () => true,
    isDirectory: () => false,
  };
  return {
    stat: (() => Promise.resolve(stat as unknown as BigIntStats)) as unknown as promises.FileHandle['stat'],
    read: ((into: Uint8Array, at: number, length: number, from: number) => {
      const part = bytes.subarray(from, from + length);
      into.set(part, at);
      return Promise.resolve({ bytesRead: part.length, buffer: into });
    }) as unknown as promises.FileHandle['read'],
    close: () => Promise.resolve(),
  };
}
