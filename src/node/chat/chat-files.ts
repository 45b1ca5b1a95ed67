// Conversations on this machine: one append-only file each, ~/.techne/chats/ID.jsonl.
//
// An entry is synced to the disk before `append` resolves, and only the owner can read the files. A torn last line is
// cut off before the next entry is written; a failed append does not affect the next one. One process at a time
// continues a conversation; others get LOCKED with the name of the owner.
import type { FileHandle } from 'node:fs/promises';
import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import type { ChatLog } from '../../chat/chat.ts';
import type { ChatEntry } from '../../chat/entry.ts';
import { readLog, renderEntry } from '../../chat/read-log.ts';
import { syncFolder, makeFolders } from '../files/durable.ts';
import { codeOf, faultOf, leadsNowhere } from '../files/file-fault.ts';
import { holderOf, withLockFile } from '../files/lock-file.ts';

const suffix = '.jsonl';
/** More than a conversation ever has. */
const maxBytes = 512 * 1024 * 1024;
const lockWaitMs = 300;

interface StoredChat {
  readonly id: string;
  readonly entries: readonly ChatEntry[];
}

export interface OpenLog extends ChatLog {
  readonly entries: readonly ChatEntry[];
  /** Its last line was torn. */
  readonly torn: boolean;
}

export class ChatFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Newest first. */
  async ids(): Promise<readonly string[]> {
    try {
      return (await fs.readdir(this.folder))
        .filter((name) => name.endsWith(suffix))
        .map((name) => name.slice(0, -suffix.length))
        .sort()
        .reverse();
    } catch (error) {
      if (leadsNowhere(error)) return [];
      throw faultOf(error, this.folder);
    }
  }

  /** Throws FILE_MISSING, FILE_INVALID, FILE_LIMIT. `most`: in bytes. */
  async read(id: string, most = maxBytes): Promise<StoredChat> {
    const { entries } = await this.#read(id, most);
    return { id, entries };
  }

  /** The process that has the conversation now; null: none. */
  holderOf(id: string): Promise<{ readonly pid: number | null } | null> {
    return holderOf(fs, join(this.folder, `${id}.lock`));
  }

  /** In bytes; null: there is none. */
  async sizeOf(id: string): Promise<number | null> {
    try {
      return (await fs.stat(this.#path(id))).size;
    } catch (error) {
      if (leadsNowhere(error)) return null;
      throw faultOf(error, this.#path(id));
    }
  }

  /** Throws FILE_MISSING, and LOCKED while a process has it. */
  async remove(id: string): Promise<void> {
    await this.changedMs(id);
    await withLockFile(fs, join(this.folder, `${id}.lock`), lockWaitMs, async () => {
      try {
        await fs.unlink(this.#path(id));
      } catch (error) {
        throw faultOf(error, this.#path(id));
      }
      await syncFolder(this.folder);
    });
  }

  /** When something was last added to it. Throws FILE_MISSING. */
  async changedMs(id: string): Promise<number> {
    try {
      return (await fs.stat(this.#path(id))).mtimeMs;
    } catch (error) {
      throw faultOf(error, this.#path(id));
    }
  }

  /** Holds the conversation while `work` lasts. A new one begins with `first`. Throws FILE_MISSING for one that never began. */
  async open<T>(id: string, first: ChatEntry | null, work: (log: OpenLog) => Promise<T>): Promise<T> {
    await makeFolders(fs, this.folder, 0o700);
    return withLockFile(fs, join(this.folder, `${id}.lock`), lockWaitMs, async () => {
      const before = first === null ? await this.#read(id) : { entries: [], goodBytes: 0, torn: false };
      if (first === null && before.entries.length === 0) {
        throw new TechneError(
          'FILE_MISSING',
          `the conversation "${id}" is empty: techne was stopped as it began`,
          { hint: '"techne chat" begins a new one' },
        );
      }
      const handle = await this.#openFile(id, first !== null);
      try {
        if (before.torn) await handle.truncate(before.goodBytes);
        const log = createLog(handle, this.#path(id), before.goodBytes);
        if (first !== null) {
          await log.append(first);
          await syncFolder(this.folder);
        }
        return await work({
          entries: first === null ? before.entries : [first],
          torn: before.torn,
          append: (entry) => log.append(entry),
        });
      } finally {
        await handle.close();
      }
    });
  }

  #path(id: string): string {
    return join(this.folder, `${id}${suffix}`);
  }

  async #openFile(id: string, isNew: boolean): Promise<FileHandle> {
    try {
      return await fs.open(this.#path(id), isNew ? 'ax' : 'a', 0o600);
    } catch (error) {
      throw faultOf(error, this.#path(id));
    }
  }

  async #read(
    id: string,
    most = maxBytes,
  ): Promise<{ readonly entries: readonly ChatEntry[]; readonly goodBytes: number; readonly torn: boolean }> {
    const path = this.#path(id);
    let bytes: Uint8Array;
    try {
      const { size } = await fs.stat(path);
      if (size > most) throw new TechneError('FILE_LIMIT', `the conversation "${path}" has ${size} bytes`);
      bytes = await fs.readFile(path);
    } catch (error) {
      if (error instanceof TechneError) throw error;
      if (leadsNowhere(error))
        throw new TechneError('FILE_MISSING', `there is no conversation "${id}"`, {
          hint: '"techne chat --list" shows those there are',
        });
      throw faultOf(error, path);
    }
    const read = readLog(bytes);
    if (!read.ok)
      throw new TechneError(
        'FILE_INVALID',
        `the conversation "${path}" cannot be read, line ${read.line}: ${read.message}`,
        { hint: 'fix or remove that line, or start a new conversation without --resume' },
      );
    return read;
  }
}

/** `goodBytes`: what the file holds. */
export function createLog(
  handle: Pick<FileHandle, 'appendFile' | 'datasync' | 'truncate'>,
  path: string,
  goodBytes: number,
): ChatLog {
  let last: Promise<void> = Promise.resolve();
  let good = goodBytes;
  let isTorn = false;
  const write = async (entry: ChatEntry): Promise<void> => {
    const line = renderEntry(entry);
    try {
      if (isTorn) await handle.truncate(good);
      isTorn = true;
      await handle.appendFile(line);
      await handle.datasync();
      isTorn = false;
      good += Buffer.byteLength(line);
    } catch (error) {
      const full = ['ENOSPC', 'EDQUOT'].includes(codeOf(error));
      throw new TechneError(
        full ? 'JOURNAL_FULL' : 'JOURNAL_WRITE',
        full ? `there is no room for "${path}"` : `"${path}" cannot be written: ${(error as Error).message}`,
        { cause: error },
      );
    }
  };
  return {
    append(entry) {
      const written = last.then(() => write(entry));
      last = written.catch(() => {}); // the caller of `append` gets it
      return written;
    },
  };
}
