// The conversations of a user: where they are kept, how one is found, and what a list says of them.
//
// An ID is a whole id, or the beginning or end of exactly one. The default is the newest conversation of this workspace.
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { ChatEntry } from '../../chat/entry.ts';
import { logVersion } from '../../chat/entry.ts';
import { ChatFiles } from '../../node/chat/chat-files.ts';

/** The same for every surface, so that each can continue what another began. */
export type StoredChats = ChatFiles;

export function openStoredChats(homeFolder: string): StoredChats {
  return new ChatFiles(join(homeFolder, '.techne', 'chats'));
}

/** The first entry of a conversation. */
export function startOf(given: {
  readonly chat: string;
  readonly workspace: string;
  readonly model: string;
  readonly at: number;
}): ChatEntry {
  return { type: 'chat.started', ...given, version: logVersion };
}

export interface ListedChat {
  readonly chat: string;
  readonly workspace: string;
  readonly model: string;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly messages: number;
  /** As a person named it; else the first message, or the first run. */
  readonly title: string;
}

export interface DamagedChat {
  readonly chat: string;
  readonly fault: string;
}

/** Newest first; of those that began before `cursor`. */
export async function listChats(
  files: StoredChats,
  limit = Number.POSITIVE_INFINITY,
  cursor: string | null = null,
  describe: (id: string) => Promise<ListedChat | null> = async (id) =>
    describeChat(id, (await files.read(id)).entries),
): Promise<readonly (ListedChat | DamagedChat)[]> {
  const listed: (ListedChat | DamagedChat)[] = [];
  for (const id of await files.ids()) {
    if (listed.length >= limit) break;
    if (cursor !== null && id >= cursor) continue;
    try {
      const found = await describe(id);
      if (found !== null) listed.push(found);
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      listed.push({ chat: id, fault: error.message });
    }
  }
  return listed;
}

/** null for an empty conversation. */
export function describeChat(chat: string, entries: readonly ChatEntry[]): ListedChat | null {
  const [start] = entries;
  const said = entries.filter((entry) => entry.type === 'user.said');
  const [first] = said;
  const ran = entries.find((entry) => entry.type === 'run.begun');
  const named = entries.findLast((entry) => entry.type === 'chat.renamed');
  const title = named?.title ?? first?.text ?? (ran === undefined ? null : `/${ran.skill}`);
  if (start?.type !== 'chat.started' || title === null) return null;
  return {
    chat,
    workspace: start.workspace,
    model: start.model,
    startedAt: start.at,
    lastAt: entries.at(-1)?.at ?? start.at,
    messages: said.length,
    title: title.trim().slice(0, 200),
  };
}

export async function findChat(files: StoredChats, given: string, workspace: string): Promise<string> {
  if (given === '' || given === 'last') {
    for (const id of await files.ids()) {
      const found = await files.read(id).then(
        ({ entries }) => describeChat(id, entries),
        (error: unknown) => {
          if (error instanceof TechneError) return null;
          throw error;
        },
      );
      if (found?.workspace === workspace) return id;
    }
    throw new TechneError('USAGE', 'there is no conversation to resume in this workspace', {
      hint: '"techne chat" starts one; "techne chat --list" shows those of other folders',
    });
  }
  const wanted = given.toUpperCase();
  const ids = await files.ids();
  if (ids.includes(wanted)) return wanted;
  const fitting = given.length < 3 ? [] : ids.filter((id) => id.startsWith(wanted) || id.endsWith(wanted));
  if (fitting.length === 1) return fitting[0] as string;
  if (fitting.length > 1)
    throw new TechneError('USAGE', `"${printableLine(given)}" matches ${fitting.length} conversations`, {
      hint: 'write more of the id',
    });
  throw new TechneError('USAGE', `there is no conversation "${printableLine(given)}"`, {
    hint: '"techne chat --list" lists them',
  });
}
