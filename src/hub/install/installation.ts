// What is installed in one place: the lock, the receipts, and the folders that they speak of.
//
//   HubPlace -> entries of the lock, each with what differs on the disk; what the lock lost
//
// Reading changes nothing, except that `tidy` finishes or clears what a killed command left.
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { nearest } from '../../base/nearest.ts';
import { findDrift } from '../drift/find-drift.ts';
import type { Drift } from '../drift/find-drift.ts';
import type { Lock, LockEntry } from '../lock/lock.ts';
import { findEntry } from '../lock/lock.ts';
import { isThere } from '../stage/held-folder.ts';
import { guarded } from '../stage/stage.ts';
import type { Tree, TreeFile } from '../stage/tree.ts';
import { readTree } from '../stage/tree.ts';
import { hasOtherSource } from './origin.ts';
import type { HubPlace } from './place.ts';
import type { HubPorts } from './ports.ts';
import type { NotProposed } from './proposal.ts';
import type { Receipts } from './receipts.ts';
import { lostEntry, notProposed } from './refusals.ts';
import type { Change, TransactionOptions } from './transaction.ts';
import { clearLeftovers, commit, readLock, readReceipts } from './transaction.ts';

/** A skill of the lock, with what differs on the disk. */
export interface InstalledSkill {
  readonly entry: LockEntry;
  readonly drift: Drift;
  /** The lock names a source that is not where the bytes come from. */
  readonly hasOtherSource: boolean;
}

/** A skill that was installed on this machine, is there, and is no longer in the lock. */
export interface LostSkill extends NotProposed {
  /** It is not as it was installed. */
  readonly isChanged: boolean;
}

/** A skill of the lock with its files; `null`: it is not as locked. */
export interface InstalledFiles {
  readonly entry: LockEntry;
  readonly files: ReadonlyMap<string, TreeFile> | null;
}

export class Installation {
  readonly place: HubPlace;
  readonly ports: HubPorts;
  readonly #options: TransactionOptions;

  constructor(place: HubPlace, ports: HubPorts) {
    this.place = place;
    this.ports = ports;
    this.#options = { calls: ports.calls, limits: ports.limits, waitMs: ports.waitMs };
  }

  /** Throws LOCK_INVALID. */
  lock(): Promise<Lock> {
    return guarded(this.place.lockFile, () => readLock(this.place, this.ports.calls));
  }

  /** Whether there is a file of the lock at all, right or wrong. */
  hasLock(): Promise<boolean> {
    return guarded(this.place.lockFile, () => isThere(this.ports.calls, this.place.lockFile));
  }

  receipts(): Promise<Receipts> {
    return guarded(this.place.receiptsFile, () => readReceipts(this.place, this.ports.calls));
  }

  /** What was installed here on this machine, is there, and the lock no longer has. */
  async lost(): Promise<readonly LostSkill[]> {
    const lock = await this.lock();
    const hasLock = await this.hasLock();
    const lost: LostSkill[] = [];
    for (const [name, { digest }] of await this.receipts()) {
      if (findEntry(lock, name) !== null) continue;
      const tree = await this.treeOf(name);
      // Somebody took the entry and the folder away: nothing is left that could be loaded.
      if (tree === null) continue;
      const isChanged = tree.strange.length > 0 || tree.manifest.digest !== digest;
      lost.push({ ...notProposed(name, lostEntry(name, this.place, { hasLock, isChanged })), isChanged });
    }
    return lost;
  }

  /** Every entry of the lock, with what differs on the disk. */
  async list(): Promise<readonly InstalledSkill[]> {
    const { skills } = await this.lock();
    const found: InstalledSkill[] = [];
    for (const entry of skills) {
      const isOther = !entry.adopted && hasOtherSource(entry, this.place, this.ports.parseSource);
      found.push({ entry, drift: await this.driftOf(entry), hasOtherSource: isOther });
    }
    return found;
  }

  /** The files of every skill of the lock; `null` for one that is not as locked. */
  async files(): Promise<readonly InstalledFiles[]> {
    const found: InstalledFiles[] = [];
    for (const entry of (await this.lock()).skills) {
      const tree = await this.treeOf(entry.name);
      const isAsLocked = tree?.strange.length === 0 && tree.manifest.digest === entry.digest;
      found.push({ entry, files: isAsLocked ? new Map(tree.files.map((file) => [file.path, file])) : null });
    }
    return found;
  }

  /** Throws SKILL_UNKNOWN, and DRIFTED for one that the lock lost. */
  async entry(name: string): Promise<LockEntry> {
    const lock = await this.lock();
    const entry = findEntry(lock, name);
    if (entry !== null) return entry;
    const lost = (await this.lost()).find((one) => one.name === name);
    if (lost !== undefined)
      throw new TechneError(lost.code, `"${name}" has no entry: ${lost.message}`, { hint: lost.hint ?? '' });
    const close = nearest(
      name,
      lock.skills.map((one) => one.name),
    );
    throw new TechneError('SKILL_UNKNOWN', `no skill "${name}" is installed there`, {
      hint: close === null ? '"techne hub list" shows what is installed' : `did you mean "${close}"?`,
    });
  }

  /** Throws SKILL_UNKNOWN. */
  async entries(names: readonly string[]): Promise<readonly LockEntry[]> {
    const entries: LockEntry[] = [];
    for (const name of new Set(names)) entries.push(await this.entry(name));
    return entries;
  }

  driftOf(entry: LockEntry): Promise<Drift> {
    return guarded(this.place.skills, () =>
      findDrift(this.place, entry, this.ports.limits, this.ports.calls),
    );
  }

  /** `null`: there is no folder of that name. */
  treeOf(name: string): Promise<Tree | null> {
    const path = join(this.place.skills, name);
    return guarded(path, () => readTree(this.ports.calls, path, this.ports.limits));
  }

  tidy(): Promise<void> {
    return clearLeftovers(this.place, this.#options);
  }

  /** All or none. `stage`: the id of the stage that has what is put. */
  change(changes: readonly Change[], stage: string | null): Promise<void> {
    return guarded(this.place.base, () => commit(this.place, stage, changes, this.#options));
  }
}
