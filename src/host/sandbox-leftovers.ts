// What this process holds, on record, so that others can take it away when it is dead.
//
//   ~/.techne/held/<number>.json   {owner, paths}
//
// H1. A record is written before the first folder is made, and removed when the folders are about to be taken away.
// H2. At every start the records of dead owners are worked off: what they hold is taken away if it still is a placeholder, no
//     living owner holds it as well, and no sandbox uses it (P2). An owner that cannot be judged is alive (O1).
// H3. Where no record can be written a command runs all the same: it is the second net, below the cleaner.
import * as fs from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './file-fault.ts';
import { nodeCrypto } from './node-crypto.ts';
import type { OwnerRecord } from './owner-record.ts';
import { isDead, ownRecord } from './owner-record.ts';
import { takeAway } from './sandbox-placeholder.ts';

interface HoldRecord {
  readonly owner: OwnerRecord;
  readonly paths: readonly string[];
}

/** The file of the record; `null` where it could not be written (H3). */
export function writeHold(folder: string, paths: readonly string[]): string | null {
  const file = join(folder, `${nodeCrypto().randomBytes(12).toString('hex')}.json`);
  const record: HoldRecord = { owner: ownRecord(), paths };
  return tried(() => {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(`${file}.tmp`, JSON.stringify(record), { flag: 'wx', mode: 0o600 });
    fs.renameSync(`${file}.tmp`, file);
    return file;
  });
}

export function removeHold(file: string): void {
  tried(() => fs.unlinkSync(file));
}

/** Paths that a living owner has on record. */
export function heldByLiving(folder: string): ReadonlySet<string> {
  return new Set(records(folder).flatMap(({ record }) => (record === null || isDead(record.owner) ? [] : record.paths)));
}

/** H2. */
export function clearLeftovers(folder: string): void {
  const all = records(folder);
  const dead = all.filter(({ record }) => record === null || isDead(record.owner));
  const living = new Set(all.flatMap((one) => (dead.includes(one) ? [] : (one.record?.paths ?? []))));
  for (const { file, record } of dead) if (tried(() => takeAway((record?.paths ?? []).filter((path) => !living.has(path))))?.length === 0) removeHold(file);
}

/** A record that cannot be read was torn when the machine stopped: it was renamed when it was whole. */
function records(folder: string): readonly { readonly file: string; readonly record: HoldRecord | null }[] {
  const names = tried(() => fs.readdirSync(folder)) ?? [];
  return names.filter((name) => name.endsWith('.json')).flatMap((name) => {
    const text = tried(() => fs.readFileSync(join(folder, name), 'utf8'));
    return text === null ? [] : [{ file: join(folder, name), record: parseHold(text) }];
  });
}

function parseHold(text: string): HoldRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const { owner, paths } = (value ?? {}) as Partial<Record<keyof HoldRecord, unknown>>;
  if (typeof owner !== 'object' || owner === null || !Array.isArray(paths) || !paths.every((path) => typeof path === 'string')) return null;
  const { pid, host, startedAt, bootId, pidSpace } = owner as Partial<Record<keyof OwnerRecord, unknown>>;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof host !== 'string') return null;
  return { owner: { pid, host, startedAt: textOrNull(startedAt), bootId: textOrNull(bootId), pidSpace: textOrNull(pidSpace) }, paths };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** `null` for what the file system refuses. */
function tried<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return null;
  }
}
