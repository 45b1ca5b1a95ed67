// The inbox of a run: a folder that anyone writes to and its owner empties.
//
// I1. A message is visible whole, under a name that sorts by the time it was posted.
// I2. What is in the folder and is no message stays there, and is not given to anyone.
import { join } from 'node:path';
import { parseMessage, renderMessage } from '../journal/inbox-message.ts';
import type { InboxMessage } from '../journal/run-store.ts';
import { isUlid } from '../journal/ulid.ts';
import type { JournalFiles } from './journal-files.ts';
import { nodeDecodeUtf8 } from './node-environment.ts';

export interface Inbox {
  /** Makes sure that there is a folder to watch. */
  open(): Promise<void>;
  post(id: string, message: InboxMessage): Promise<void>;
  /** In order, but for those in `given`, to which they are added. */
  unseen(given: Set<string>): Promise<readonly { readonly id: string; readonly message: InboxMessage }[]>;
  remove(id: string): Promise<void>;
  readonly folder: string;
}

export function createInbox(files: JournalFiles, runFolder: string, durable: boolean): Inbox {
  const folder = join(runFolder, 'inbox');
  const place = (id: string): string => join(folder, `${id}.json`);
  const open = async (): Promise<void> => {
    if ((await files.makeFolder(folder)) && durable) await files.syncFolder(runFolder);
  };
  return {
    folder,
    open,
    async post(id, message) {
      await open();
      const temporary = join(folder, `${id}.tmp`);
      const file = await files.create(temporary);
      if (file === null) throw new Error(`"${temporary}" is there already`);
      try {
        await file.write(Buffer.from(renderMessage(message)), 0);
        if (durable) await file.sync();
      } finally {
        await file.close();
      }
      await files.rename(temporary, place(id));
      if (durable) await files.syncFolder(folder);
    },
    async unseen(given) {
      const names = (await files.list(folder)) ?? [];
      const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
      const found: { id: string; message: InboxMessage }[] = [];
      for (const id of ids.sort()) {
        if (!isUlid(id) || given.has(id)) continue;
        const bytes = await files.read(place(id), 0, false);
        if (bytes === null) continue;
        given.add(id);
        const message = parseMessage(nodeDecodeUtf8(bytes).text);
        if (message !== null) found.push({ id, message });
      }
      return found;
    },
    async remove(id) {
      if (isUlid(id)) await files.remove(place(id));
    },
  };
}
