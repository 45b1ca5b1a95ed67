// When this user first saw a commit or a version.
//
//   ~/.techne/hub/first-seen.json: key -> time;   a key that is not there is seen now, and written down
//
// The date of a commit and the dates of an index are the word of whoever made them. This record is the user's own: what was
// seen for the first time just now has not been looked at by others for long, as far as anybody here can tell.
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { isJsonObject, jsonIn } from '../../base/json.ts';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { Files } from '../../ports/files.ts';
import type { Resolved } from '../source/source.ts';

/** The oldest are forgotten beyond this: they would count as seen now, never as older than they are. */
const mostKeys = 10_000;
const maxBytes = 8 * 1024 * 1024;

/** What is seen: something that cannot change. `null`: it has no age. */
export function seenKey(resolved: Resolved): string | null {
  switch (resolved.kind) {
    case 'git':
      return `git ${resolved.commit}`;
    case 'npm':
      return `npm ${resolved.name} ${resolved.version} ${resolved.integrity}`;
    case 'well-known':
      return `well-known ${resolved.digest}`;
    case 'folder':
    case 'archive':
    case 'mcp':
      return null;
  }
}

/** ISO 8601. Throws LOCK_INVALID for a record that cannot be used, and faults of files. */
export function firstSeen(files: Files, homeFolder: string, key: string, nowMs: number): Promise<string> {
  const file = join(homeFolder, '.techne', 'hub', 'first-seen.json');
  return files.withLock(`${file}.lock`, async () => {
    const read = await files.read(file, maxBytes);
    const seen = read === null ? new Map<string, string>() : parseSeen(decodeUtf8(read.bytes).text, file);
    const known = seen.get(key);
    if (known !== undefined) return known;
    const now = new Date(nowMs).toISOString();
    seen.set(key, now);
    const kept = [...seen].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0)).slice(-mostKeys);
    const text = `${JSON.stringify({ version: 1, seen: Object.fromEntries(kept) }, null, 2)}\n`;
    await files.writeAtomic(file, encodeUtf8(text), 0o600);
    return now;
  });
}

function parseSeen(text: string, file: string): Map<string, string> {
  const value = jsonIn(text);
  const seen = isJsonObject(value) && value['version'] === 1 ? value['seen'] : undefined;
  const entries = isJsonObject(seen) ? Object.entries(seen) : null;
  if (entries === null || entries.some(([, at]) => typeof at !== 'string' || Number.isNaN(Date.parse(at))))
    throw new TechneError(
      'LOCK_INVALID',
      `the record of what was first seen when, "${file}", cannot be used`,
      {
        hint: `remove "${file}": everything then counts as seen for the first time`,
      },
    );
  return new Map(entries as [string, string][]);
}
