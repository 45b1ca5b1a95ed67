// The inbox of a run: a folder that any process writes to and the owner empties.
//
// A message becomes visible as a whole, under a name that sorts after those that were there when it was posted, also
// within the same millisecond. Files that are not messages stay and are ignored; neither they nor unreadable files
// hold back the messages beside them.
import { join } from 'node:path';
import { decodeUtf8 } from '../../base/utf8.ts';
import { TechneError } from '../../base/error.ts';
import { maxMessageBytes, parseMessage, renderMessage } from '../../journal/inbox-message.ts';
import type { InboxMessage } from '../../ports/run-store.ts';
import type { NextUlid } from '../../journal/ulid.ts';
import { isUlid, ulidTimeMs } from '../../journal/ulid.ts';
import type { JournalFiles } from './journal-files.ts';

export interface Inbox {
  /** Makes sure that there is a folder to watch. */
  open(): Promise<void>;
  post(message: InboxMessage): Promise<void>;
  /** In order, without those in `given`, to which they are added. Nothing is read once it is closed. */
  unseen(
    given: Set<string>,
    isClosed: () => boolean,
  ): Promise<readonly { readonly id: string; readonly message: InboxMessage }[]>;
  remove(id: string): Promise<void>;
  readonly folder: string;
}

/** A name from further ahead was made by a clock that is wrong, and is not followed. */
const maxAheadMs = 60_000;

interface InboxOptions {
  readonly durable: boolean;
  readonly nextId: NextUlid;
  readonly nowMs: () => number;
}

export function createInbox(
  files: JournalFiles,
  runFolder: string,
  { durable, nextId, nowMs }: InboxOptions,
): Inbox {
  const folder = join(runFolder, 'inbox');
  const place = (id: string): string => join(folder, `${id}.json`);
  const open = async (): Promise<void> => {
    if ((await files.makeFolder(folder)) && durable) await files.syncFolder(runFolder);
  };
  const waiting = async (): Promise<string[]> => {
    const names = (await files.list(folder)) ?? [];
    const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
    return ids.filter(isUlid).sort();
  };
  const idBehindAll = async (): Promise<string> => {
    const latestMs = nowMs() + maxAheadMs;
    const times = (await waiting()).map((id) => ulidTimeMs(id) as number).filter((ms) => ms < latestMs);
    return nextId((times.at(-1) ?? -1) + 1);
  };
  return {
    folder,
    open,
    async post(message) {
      const bytes = Buffer.from(renderMessage(message));
      if (bytes.length > maxMessageBytes) {
        throw new TechneError(
          'ANSWER_REFUSED',
          `a message of ${bytes.length} bytes is over the limit of ${maxMessageBytes} for a run that a process drives`,
          { hint: 'give less, or wait until it pauses' },
        );
      }
      await open();
      const id = await idBehindAll();
      const temporary = join(folder, `${id}.tmp`);
      const file = await files.create(temporary);
      if (file === null) throw new Error(`"${temporary}" is there already`);
      try {
        await file.write(bytes, 0);
        if (durable) await file.sync();
      } finally {
        await file.close();
      }
      await files.rename(temporary, place(id));
      if (durable) await files.syncFolder(folder);
    },
    async unseen(given, isClosed) {
      const found: { id: string; message: InboxMessage }[] = [];
      for (const id of await waiting()) {
        if (isClosed()) break;
        if (given.has(id)) continue;
        // An unreadable file is tried again the next time.
        const bytes = await files.readSmall(place(id), maxMessageBytes).catch(() => null);
        if (bytes === null) continue;
        given.add(id);
        if (bytes === 'unfit') continue;
        const message = parseMessage(decodeUtf8(bytes).text);
        if (message !== null) found.push({ id, message });
      }
      return found;
    },
    async remove(id) {
      if (isUlid(id)) await files.remove(place(id));
    },
  };
}
