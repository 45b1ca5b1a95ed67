// The bytes of a conversation -> its entries.
//
// A torn last line (no end, or not JSON) is dropped: its writer did not live to act on it. The number of good bytes is
// returned, so that the next entry replaces it. Damage anywhere else is reported with its line, and nothing is guessed.
// A last line that is JSON but lacks a field is damage, too: it was not torn.
import { decodeUtf8 } from '../base/utf8.ts';
import type { JsonObject } from '../base/json.ts';
import { parseJson } from '../base/json.ts';
import { entryFault } from './check-entry.ts';
import type { ChatEntry } from './entry.ts';
import { parseChatEntry, logVersion } from './entry.ts';

type ReadLog =
  | {
      readonly ok: true;
      readonly entries: readonly ChatEntry[];
      readonly goodBytes: number;
      readonly torn: boolean;
    }
  | { readonly ok: false; readonly line: number; readonly message: string };

const lineFeed = 0x0a;

export function readLog(bytes: Uint8Array): ReadLog {
  const entries: ChatEntry[] = [];
  let start = 0;
  for (let line = 1; start < bytes.length; line += 1) {
    const end = bytes.indexOf(lineFeed, start);
    const entry = end < 0 ? null : parseLine(bytes.subarray(start, end));
    const isLast = end < 0 || end === bytes.length - 1;
    if (entry === null && isLast) return whole(entries, start, true);
    if (entry === null) return { ok: false, line, message: 'the line is not an entry' };
    const fault = entryFault(entry);
    if (fault !== null)
      return {
        ok: false,
        line,
        message: `the entry ${JSON.stringify(entry['type'])} has no ${JSON.stringify(fault)} that could be used`,
      };
    entries.push(entry as unknown as ChatEntry);
    start = end + 1;
  }
  return whole(entries, start, false);
}

function whole(entries: readonly ChatEntry[], goodBytes: number, torn: boolean): ReadLog {
  const [first] = entries;
  if (first === undefined) return { ok: true, entries, goodBytes, torn };
  if (first.type !== 'chat.started')
    return { ok: false, line: 1, message: 'it does not begin with the start of a conversation' };
  if (first.version > logVersion)
    return { ok: false, line: 1, message: 'it was written by a newer version of techne' };
  return { ok: true, entries, goodBytes, torn };
}

function parseLine(bytes: Uint8Array): JsonObject | null {
  const { text, valid } = decodeUtf8(bytes);
  if (!valid) return null;
  try {
    return parseChatEntry(parseJson(text));
  } catch {
    return null; // the caller reports the place
  }
}

export function renderEntry(entry: ChatEntry): string {
  return `${JSON.stringify(entry)}\n`;
}
