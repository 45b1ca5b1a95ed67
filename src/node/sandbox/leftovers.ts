// The record of the placeholders that this process holds, so that others can remove them when it is dead.
//
//   ~/.techne/held/<number>.json   {owner, folders}; <number>.ending when its owner is done with them
//
// If no record can be written the command runs anyway: the record is the second safety net, below the cleaner.
//
// leftovers#H1. A folder is on record once all folders of a command are made, before the command starts. A record is
//     ended before its folders are removed, and deleted when all of them are gone: an ended record does not stop
//     others from removing them.
// leftovers#H2. Every start processes ended records and those of dead owners: a folder is removed if it is still the
//     same placeholder (placeholder#P3), no living owner holds it, and no sandbox uses it. An owner that cannot be
//     judged counts as alive.
// leftovers#H4. A folder whose parent is not where it was may come back: its record is kept for a month.
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../files/file-fault.ts';
import { nodeCrypto } from '../environment.ts';
import type { OwnerRecord } from '../files/owner-record.ts';
import { isDead, ownRecord } from '../files/owner-record.ts';
import { takeAway } from './placeholder.ts';

export interface HeldFolder {
  readonly path: string;
  /** Identifies the folder (placeholder#P3). */
  readonly id: string;
  /** Device and number of the folder it is in. */
  readonly parent: string;
}

interface HoldRecord {
  readonly owner: OwnerRecord;
  readonly folders: readonly HeldFolder[];
}

const keptForMs = 30 * 24 * 60 * 60 * 1000;

export interface Hold {
  readonly file: string;
  /** Replaces the record, if it can be written. */
  write(folders: readonly HeldFolder[]): void;
  end(): void;
  /** After `end`. */
  remove(): void;
}

/** Nothing is written yet. */
export function createHold(folder: string): Hold {
  const name = join(folder, nodeCrypto().randomBytes(12).toString('hex'));
  const [file, ended] = [`${name}.json`, `${name}.ending`];
  return {
    file,
    write(folders) {
      const record: HoldRecord = { owner: ownRecord(), folders };
      tried(() => {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        fs.writeFileSync(`${file}.tmp`, JSON.stringify(record), { flag: 'wx', mode: 0o600 });
        fs.renameSync(`${file}.tmp`, file);
      });
    },
    end: () => void tried(() => fs.renameSync(file, ended)),
    remove: () => removeFile(ended),
  };
}

/** The `id` of folders that a living owner has on record. */
export function heldByLiving(folder: string): ReadonlySet<string> {
  return idsOf(records(folder).filter(isHeld));
}

/** The `id` of folders on any record: each was made by techne. */
export function onRecord(folder: string): ReadonlySet<string> {
  return idsOf(records(folder));
}

/** Removes the folders of dead owners and of ended records (leftovers#H2, leftovers#H4). */
export function clearLeftovers(folder: string): void {
  const all = records(folder);
  const living = idsOf(all.filter(isHeld));
  for (const one of all) {
    if (isHeld(one)) continue;
    const folders = (one.record?.folders ?? []).filter(({ id }) => !living.has(id));
    const left = tried(() => takeAway(folders.map((each) => ({ ...each, at: each.path }))));
    if (left?.length !== 0) continue;
    if (
      folders.every(({ path, parent }) => folderId(dirname(path)) === parent) ||
      one.writtenAt + keptForMs < Date.now()
    )
      removeFile(one.file);
  }
}

/** Device and inode, also of an open folder; `null` if it does not exist. */
export function folderId(folder: string | number): string | null {
  return tried(() => {
    const { dev, ino } =
      typeof folder === 'number'
        ? fs.fstatSync(folder, { bigint: true })
        : fs.lstatSync(folder, { bigint: true });
    return `${dev}:${ino}`;
  });
}

interface FoundRecord {
  readonly file: string;
  readonly writtenAt: number;
  readonly record: HoldRecord | null;
}

function isHeld({ file, record }: FoundRecord): boolean {
  return record !== null && file.endsWith('.json') && !isDead(record.owner);
}

function idsOf(found: readonly FoundRecord[]): ReadonlySet<string> {
  return new Set(found.flatMap(({ record }) => record?.folders.map(({ id }) => id) ?? []));
}

function removeFile(file: string): void {
  tried(() => fs.unlinkSync(file));
}

/** Records are renamed when complete, so an unreadable one was torn when the machine stopped. */
function records(folder: string): readonly FoundRecord[] {
  const names = tried(() => fs.readdirSync(folder)) ?? [];
  return names
    .filter((name) => name.endsWith('.json') || name.endsWith('.ending'))
    .flatMap((name) => {
      const file = join(folder, name);
      const found = tried(() => ({
        file,
        writtenAt: fs.statSync(file).mtimeMs,
        record: parseHold(fs.readFileSync(file, 'utf8')),
      }));
      return found === null ? [] : [found];
    });
}

function parseHold(text: string): HoldRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const { owner, folders } = (value ?? {}) as Partial<Record<keyof HoldRecord, unknown>>;
  if (typeof owner !== 'object' || owner === null || !Array.isArray(folders) || !folders.every(isHeldFolder))
    return null;
  const { pid, host, startedAt, bootId, pidSpace } = owner as Partial<Record<keyof OwnerRecord, unknown>>;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof host !== 'string')
    return null;
  return {
    owner: {
      pid,
      host,
      startedAt: textOrNull(startedAt),
      bootId: textOrNull(bootId),
      pidSpace: textOrNull(pidSpace),
    },
    folders,
  };
}

function isHeldFolder(value: unknown): value is HeldFolder {
  const { path, id, parent } = (value ?? {}) as Partial<Record<keyof HeldFolder, unknown>>;
  return [path, id, parent].every((each) => typeof each === 'string');
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
