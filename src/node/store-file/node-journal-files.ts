// JournalFiles over the real file system.
//
// Node's calls with callbacks, not its promises: a write and a sync take about two thirds of the time.
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { syncBytes, syncFolder, makeFolders } from '../files/durable.ts';
import { codeOf, leadsNowhere } from '../files/file-fault.ts';
import type { JournalFile, JournalFiles } from './journal-files.ts';

const { O_RDWR, O_RDONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
const readChunkBytes = 64 * 1024;

/** The calls whose order or shortness a test cannot see from outside. */
interface NodeCalls {
  readonly syncFolder: (path: string) => Promise<void>;
  readonly write: typeof fs.write;
}

const nodeCalls: NodeCalls = { syncFolder: (path) => syncFolder(path), write: fs.write };

export function createNodeJournalFiles(calls: NodeCalls = nodeCalls): JournalFiles {
  return {
    async makeFolders(path) {
      const made = await makeFolders(fs.promises, path, 0o700);
      // One that was there may have been made by a process that was killed before it could sync its name.
      if (made === undefined) return syncIfReadable(calls, dirname(path));
      // Each new folder is a name in the one above it.
      for (let folder = path; ; folder = dirname(folder)) {
        await calls.syncFolder(dirname(folder));
        if (folder === made) return;
      }
    },
    async makeFolder(path) {
      return unless('EEXIST', false, async () => {
        await done((end) => fs.mkdir(path, { mode: 0o700 }, end));
        return true;
      });
    },
    list: (path) => orNull(() => result<string[]>((end) => fs.readdir(path, end))),
    read: (path, from, sync) =>
      orNull(async () => {
        const fd = await result<number>((end) => fs.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, end));
        try {
          const bytes = await readFrom(fd, from);
          if (sync && bytes.length > 0) await syncWhatWasRead(fd);
          return bytes;
        } finally {
          closeRead(fd);
        }
      }),
    readSmall: (path, maxBytes) =>
      unless('ELOOP', 'unfit', () =>
        orNull(async () => {
          // Without blocking: a pipe may have no process at its other end.
          const fd = await result<number>((end) => fs.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, end));
          try {
            const stat = await result<fs.Stats>((end) => fs.fstat(fd, end));
            if (!stat.isFile() || stat.size > maxBytes) return 'unfit';
            const bytes = await readFrom(fd, 0, maxBytes + 1);
            return bytes.length > maxBytes ? 'unfit' : bytes;
          } finally {
            closeRead(fd);
          }
        }),
      ),
    create: (path) =>
      unless('EEXIST', null, () => openFile(calls, path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)),
    open: (path) => orNull(() => openFile(calls, path, O_RDWR | O_NOFOLLOW)),
    stamp: (path) =>
      orNull(async () => {
        const { size, mtimeNs, ino } = await result<fs.BigIntStats>((end) =>
          fs.stat(path, { bigint: true }, end),
        );
        return `${ino} ${size} ${mtimeNs}`;
      }),
    // A name in a folder that was written to just now is in memory: looking it up takes some microseconds, and handing
    // it to a thread beside a sync took a quarter of the time of that sync.
    exists: async (path) =>
      (await orNull(async () => fs.statSync(path, { throwIfNoEntry: false }) ?? null)) !== null,
    rename: (from, to) => done((end) => fs.rename(from, to, end)),
    async remove(path) {
      await orNull(() => done((end) => fs.unlink(path, end)));
    },
    removeFolder: (path) => done((end) => fs.rm(path, { recursive: true, force: true }, end)),
    syncFolder: (path) => calls.syncFolder(path),
  };
}

async function openFile({ write }: NodeCalls, path: string, flags: number): Promise<JournalFile> {
  const fd = await result<number>((end) => fs.open(path, flags, 0o600, end));
  return {
    write: (bytes, at) => writeAll(write, fd, bytes, at),
    sync: () => syncBytes(fd),
    truncate: (length) => done((end) => fs.ftruncate(fd, length, end)),
    close: () => done((end) => fs.close(fd, end)),
  };
}

function writeAll(write: NodeCalls['write'], fd: number, bytes: Uint8Array, at: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = (from: number): void => {
      write(fd, bytes, from, bytes.length - from, at + from, (error, written) => {
        if (error !== null) reject(error);
        else if (from + written < bytes.length) go(from + written);
        else resolve();
      });
    };
    go(0);
  });
}

/** Reads end up in a copy of the right size: most files are small, and buffers that are made anew are cleared first. */
const spare: Uint8Array[] = [];
const mostSpare = 16;

/** Up to `maxBytes`. */
async function readFrom(fd: number, from: number, maxBytes = Infinity): Promise<Uint8Array> {
  const scratch = spare.pop() ?? new Uint8Array(readChunkBytes);
  try {
    const most = Math.min(maxBytes, readChunkBytes);
    const first = await readOnce(fd, scratch, 0, most, from);
    if (first < most || most === maxBytes) return scratch.slice(0, first);
    return await readLong(fd, from, maxBytes, scratch);
  } finally {
    if (spare.length < mostSpare) spare.push(scratch);
  }
}

/** More than `head`, which was read already. */
async function readLong(fd: number, from: number, maxBytes: number, head: Uint8Array): Promise<Uint8Array> {
  let bytes = head;
  let { length } = head;
  for (;;) {
    if (length === bytes.length) {
      if (length >= maxBytes) return bytes;
      const { size } = await result<fs.Stats>((end) => fs.fstat(fd, end));
      // A byte more than there is, so that the end is seen; twice as much each time when the file grows meanwhile.
      const larger = new Uint8Array(Math.min(maxBytes, Math.max(size - from + 1, length * 2)));
      larger.set(bytes);
      bytes = larger;
    }
    length += await readOnce(fd, bytes, length, bytes.length - length, from + length);
    // There was room for more.
    if (length < bytes.length) return bytes.subarray(0, length);
  }
}

function readOnce(fd: number, into: Uint8Array, at: number, length: number, from: number): Promise<number> {
  return result<number>((end) => fs.read(fd, into, at, length, from, end));
}

/** Where a file that is open for reading cannot be synced, its owner still does so. */
async function syncWhatWasRead(fd: number): Promise<void> {
  try {
    await syncBytes(fd);
  } catch (error) {
    if (!['EPERM', 'EACCES', 'EBADF', 'EROFS', 'EINVAL', 'ENOTSUP'].includes(codeOf(error))) throw error;
  }
}

/** A folder above may belong to another user and not be readable. */
async function syncIfReadable(calls: NodeCalls, path: string): Promise<void> {
  try {
    await calls.syncFolder(path);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(codeOf(error))) throw error;
  }
}

/** Where nothing was written nothing is waited for, and a thread would take longer than the call. */
function closeRead(fd: number): void {
  fs.closeSync(fd);
}

function done(start: (end: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error === null ? resolve() : reject(error))));
}

function result<T>(start: (end: (error: Error | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) =>
    start((error, value) => (error === null ? resolve(value) : reject(error))),
  );
}

function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  return work().catch((error: unknown) => {
    if (leadsNowhere(error)) return null;
    throw error;
  });
}

function unless<T>(code: string, otherwise: T, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (codeOf(error) === code) return otherwise;
    throw error;
  });
}
