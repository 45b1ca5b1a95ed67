// The conversations of this user that something was added to since a time, newest first, each within a limit.
//
// A conversation that cannot be read is given with its reason: nothing is left out silently.
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import type { ChatEntry } from '../../chat/entry.ts';
import { ChatFiles } from '../../node/chat/chat-files.ts';
import { FileFault } from '../../ports/files.ts';

export type ReadChat =
  | { readonly id: string; readonly entries: readonly ChatEntry[]; readonly workspace: string | null }
  | { readonly id: string; readonly fault: string };

/** Of one conversation. */
const maxChatBytes = 64 * 1024 * 1024;

export function chatFiles(homeFolder: string): ChatFiles {
  return new ChatFiles(join(homeFolder, '.techne', 'chats'));
}

/** `only`: one of them. */
export async function* readChats(
  homeFolder: string,
  { sinceMs, only = null }: { readonly sinceMs: number; readonly only?: string | null },
): AsyncGenerator<ReadChat> {
  const files = chatFiles(homeFolder);
  for (const id of await files.ids()) {
    if (only !== null && id !== only) continue;
    try {
      if (only === null && (await files.changedMs(id)) < sinceMs) continue;
      const { entries } = await files.read(id, maxChatBytes);
      const [first] = entries;
      yield { id, entries, workspace: first?.type === 'chat.started' ? first.workspace : null };
    } catch (error) {
      if (!(error instanceof TechneError) && !(error instanceof FileFault)) throw error;
      yield { id, fault: error.message };
    }
  }
}
