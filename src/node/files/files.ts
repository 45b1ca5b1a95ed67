// The Files port over the real file system.
//
// Opening never blocks: FIFOs and devices are opened without blocking and refused before a byte is read.
// `writeAtomic` leaves the old file or the new one, complete, at every instant and after a crash; besides, a crash
// can only leave a temporary file, which no reader looks at.
import * as fs from 'node:fs';
import type { BigIntStats, Dirent } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { AsyncCalls } from './durable.ts';
import { replaceFile, syncFolder, makeFolders } from './durable.ts';
import { codeOf, faultOf, leadsNowhere } from './file-fault.ts';
import type { EntryKind, FileRead, FileSignature, Files, FolderEntry } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import { nodeCrypto } from '../environment.ts';

interface NodeFilesOptions {
  /** Default: `node:fs/promises`. */
  readonly calls?: AsyncCalls;
  /** How long `withLock` waits for a lock that is held. Default: 5000. */
  readonly lockWaitMs?: number;
}

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = fs.constants;
// On Windows the last three are undefined, which `|` takes for 0.
const readFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY;
const statOptions = { bigint: true, throwIfNoEntry: false } as const;

export function createNodeFiles(options: NodeFilesOptions = {}): Files {
  const calls = options.calls ?? fs.promises;
  const lockWaitMs = options.lockWaitMs ?? 5000;
  const memory = new HeadMemory();

  const user = process.geteuid?.();
  return {
    userId: user === undefined ? null : BigInt(user),
    // Without a closure: these run twice for each of thousands of skills.
    stat(path) {
      try {
        return fs.statSync(path, statOptions) ?? null;
      } catch (error) {
        return faultOrNull(error, path);
      }
    },
    lstat(path) {
      try {
        return fs.lstatSync(path, statOptions) ?? null;
      } catch (error) {
        return faultOrNull(error, path);
      }
    },
    realPath(path) {
      try {
        return fs.realpathSync.native(path);
      } catch (error) {
        return faultOrNull(error, path);
      }
    },

    list(path) {
      let entries: Dirent[];
      try {
        entries = fs.readdirSync(path, { withFileTypes: true });
      } catch (error) {
        // A file where the folder should be is worth a word; a path below a file leads nowhere.
        if (codeOf(error) === 'ENOTDIR' && fs.existsSync(path)) throw faultOf(error, path);
        if (leadsNowhere(error)) return null;
        throw faultOf(error, path);
      }
      const listed = entries.map(entryOf);
      return listed.length > 1 ? listed.sort(byName) : listed;
    },

    readHead(path, maxBytes, slot = 0) {
      let fd: number;
      try {
        fd = fs.openSync(path, readFlags);
      } catch (error) {
        if (leadsNowhere(error)) return null;
        throw faultOf(error, path);
      }
      try {
        const stat = fs.fstatSync(fd, { bigint: true });
        mustBeFile(stat, path);
        const start = memory.startOf(slot, maxBytes);
        const { bytes } = memory;
        const size = Math.min(maxBytes, Number(stat.size));
        let length = fs.readSync(fd, bytes, start, maxBytes, 0);
        // A short read is rare, and the end of the file is known.
        while (length < size) {
          const count = fs.readSync(fd, bytes, start + length, maxBytes - length, length);
          length += count;
          if (count === 0) break;
        }
        return { bytes: bytes.subarray(start, start + length), stat };
      } catch (error) {
        throw faultOf(error, path);
      } finally {
        fs.closeSync(fd);
      }
    },

    read: (path, maxBytes) => readWhole(calls, path, maxBytes),
    writeAtomic: (path, bytes, mode) => writeWhole(calls, path, bytes, mode),
    syncUpTo: (path, root) => syncUpTo(calls, path, root),

    async remove(path) {
      try {
        await calls.unlink(path);
      } catch (error) {
        if (!leadsNowhere(error)) throw faultOf(error, path);
      }
    },

    async withLock(path, work) {
      const { withLockFile } = await import('./lock-file.ts');
      return withLockFile(calls, path, lockWaitMs, work);
    },
  };
}

/** Where heads are read to. Slots other than 0 lie side by side, since they are read and looked at in a row. */
class HeadMemory {
  /** Of the slot that was asked for last. */
  bytes: Uint8Array = new Uint8Array(0);
  #own = this.bytes;
  #shared = this.bytes;
  #slotBytes = 0;

  startOf(slot: number, maxBytes: number): number {
    if (slot === 0) {
      if (this.#own.length < maxBytes) this.#own = new Uint8Array(Math.max(maxBytes, 64 * 1024));
      this.bytes = this.#own;
      return 0;
    }
    // Slices that were handed out keep the old buffer.
    if (this.#slotBytes < maxBytes || this.#shared.length < slot * this.#slotBytes) {
      this.#slotBytes = maxBytes;
      this.#shared = new Uint8Array(Math.max(64, slot) * maxBytes);
    }
    this.bytes = this.#shared;
    return (slot - 1) * this.#slotBytes;
  }
}

/** `null` for a path that does not exist. */
function faultOrNull(error: unknown, path: string): null {
  if (leadsNowhere(error)) return null;
  throw faultOf(error, path);
}

function entryOf(entry: Dirent): FolderEntry {
  return { name: entry.name, kind: kindOf(entry) };
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function byName(a: FolderEntry, b: FolderEntry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function mustBeFile(stat: BigIntStats, path: string): void {
  if (stat.isFile()) return;
  throw new FileFault(
    'not-a-file',
    path,
    `"${path}" is ${stat.isDirectory() ? 'a folder' : 'a special file'}, not a file`,
  );
}

function sameVersion(a: FileSignature, b: FileSignature): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

async function readWhole(calls: AsyncCalls, path: string, maxBytes: number): Promise<FileRead | null> {
  let handle: fs.promises.FileHandle;
  try {
    handle = await calls.open(path, readFlags);
  } catch (error) {
    if (leadsNowhere(error)) return null;
    throw faultOf(error, path);
  }
  try {
    const before = await handle.stat({ bigint: true });
    mustBeFile(before, path);
    if (before.size > BigInt(maxBytes)) {
      throw new FileFault(
        'too-large',
        path,
        `"${path}" has ${before.size} bytes, over the limit of ${maxBytes}`,
      );
    }
    // One byte more than expected, so that a file that grew is noticed.
    // Not a Buffer, whose `slice` does not copy.
    const bytes = new Uint8Array(Number(before.size) + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    const stat = await handle.stat({ bigint: true });
    if (BigInt(length) !== before.size || !sameVersion(before, stat)) {
      throw new FileFault('changed', path, `"${path}" was written to while it was read`);
    }
    return { bytes: bytes.subarray(0, length), stat };
  } catch (error) {
    throw faultOf(error, path);
  } finally {
    await handle.close();
  }
}

async function writeWhole(calls: AsyncCalls, path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const folder = dirname(path);
  // Private content gets private folders.
  const folderMode = (mode & 0o077) === 0 ? 0o700 : 0o777;
  const temporary = join(
    folder,
    `.${basename(path)}.${process.pid}.${nodeCrypto().randomBytes(6).toString('hex')}.tmp`,
  );
  try {
    const firstMade = await makeFolders(calls, folder, folderMode);
    await replaceFile(calls, {
      path,
      temporary,
      bytes,
      createMode: 0o600,
      mode: mode === 0o600 ? null : mode,
    });
    await syncFolder(folder, calls);
    // A new folder is durable once its parent is synced.
    const made = firstMade === undefined ? 0 : folder.slice(firstMade.length).split(sep).length;
    for (let parent = dirname(folder), left = made; left > 0; parent = dirname(parent), left -= 1)
      await syncFolder(parent, calls);
  } catch (error) {
    throw faultOf(error, path);
  }
}

async function syncUpTo(calls: AsyncCalls, path: string, root: string): Promise<boolean> {
  try {
    for (let at = path; ; at = dirname(at)) {
      await syncFolder(at, calls);
      if (at === root || at === dirname(at)) return true;
    }
  } catch (error) {
    if (leadsNowhere(error)) return false;
    // A folder above may belong to another user and not be readable.
    if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') return true;
    throw faultOf(error, path);
  }
}
