// Everything that changes what is installed in one place, the workspace's or the user's.
//
//   source -> fetch -> stage -> scan -> Proposal -> (a person agrees) -> install -> Installed[]
//   lock -> update, restore: the same;   remove, adopt, pin: the lock and a folder
//
// Nothing is installed by proposing; a proposal holds a stage and ends with `install` or `discard`. Nothing of a skill is ever
// executed here.
import { hasDrifted } from '../drift/find-drift.ts';
import type { Lock, LockEntry } from '../lock/lock.ts';
import { findEntry } from '../lock/lock.ts';
import { openStage } from '../stage/stage.ts';
import type { Adoption } from './propose/adopt.ts';
import { adopt, proposeAdopt } from './propose/adopt.ts';
import type { OutdatedSkill } from './find-outdated.ts';
import { findOutdated } from './find-outdated.ts';
import type { InstalledFiles, InstalledSkill, LostSkill } from './installation.ts';
import { Installation } from './installation.ts';
import type { HubPlace } from './place.ts';
import type { HubPorts } from './ports.ts';
import type { Proposal } from './proposal.ts';
import type { AddRequest } from './propose/add.ts';
import { proposeAdd } from './propose/add.ts';
import { proposeRestore } from './propose/restore.ts';
import { proposeUpdate } from './propose/update.ts';
import type { Receipts } from './receipts.ts';
import { hasChanges } from './refusals.ts';
import type { Change } from './transaction.ts';

/** What is installed in one place, and every way to change it. */
export class Hub {
  readonly place: HubPlace;
  readonly #at: Installation;

  /** @internal */
  constructor(place: HubPlace, ports: HubPorts) {
    this.place = place;
    this.#at = new Installation(place, ports);
  }

  /** Throws LOCK_INVALID. */
  lock(): Promise<Lock> {
    return this.#at.lock();
  }

  /** Whether there is a file of the lock at all, right or wrong. */
  hasLock(): Promise<boolean> {
    return this.#at.hasLock();
  }

  receipts(): Promise<Receipts> {
    return this.#at.receipts();
  }

  /** What was installed here on this machine, is there, and the lock no longer has. */
  lost(): Promise<readonly LostSkill[]> {
    return this.#at.lost();
  }

  /** Every entry of the lock, with what differs on the disk. */
  list(): Promise<readonly InstalledSkill[]> {
    return this.#at.list();
  }

  /** The files of every skill of the lock; `null` for one that is not as locked. */
  installedFiles(): Promise<readonly InstalledFiles[]> {
    return this.#at.files();
  }

  /** Throws SKILL_UNKNOWN. */
  entry(name: string): Promise<LockEntry> {
    return this.#at.entry(name);
  }

  proposeAdd(request: AddRequest): Promise<Proposal> {
    return proposeAdd(this.#at, request);
  }

  /** `names: null`: every skill of the lock that is not pinned. */
  proposeUpdate(names: readonly string[] | null): Promise<Proposal> {
    return proposeUpdate(this.#at, names);
  }

  /** What is missing or drifted, fetched again as it was locked. `names: null`: all of the lock. */
  proposeRestore(names: readonly string[] | null): Promise<Proposal> {
    return proposeRestore(this.#at, names);
  }

  /** Puts the named skills of the proposal into place, all or none, and ends it. Gives the new entries. */
  async install(
    proposal: Proposal,
    accepted: readonly string[],
    trusted: readonly string[],
  ): Promise<readonly LockEntry[]> {
    try {
      const chosen = proposal.skills.filter(
        ({ name, change }) => accepted.includes(name) && change !== 'same',
      );
      if (chosen.length === 0 || proposal.stage === null) return [];
      const changes = chosen.map(({ name, change, before, after, expects }): Change => ({
        name,
        act: 'put',
        before,
        // A restore leaves the lock as it is. What it says about trust is for people to read: nothing acts on it.
        after: change === 'back' ? after : { ...after, trusted: trusted.includes(name) },
        expects,
      }));
      this.#at.ports.tell({
        phase: 'install',
        what: chosen.map(({ name }) => name).join(', '),
        doneBytes: null,
        totalBytes: null,
      });
      await this.#at.change(changes, proposal.stage.id);
      return changes.map(({ after }) => after as LockEntry);
    } finally {
      await this.discard(proposal);
    }
  }

  /** Removes the private copies. */
  async discard(proposal: Proposal): Promise<void> {
    await proposal.stage?.close();
  }

  /** Takes a skill and its entry away. `force`: also one that drifted, or that only the receipts know. */
  async remove(name: string, force: boolean): Promise<void> {
    await this.#at.tidy();
    const before = findEntry(await this.lock(), name);
    if (before === null && !(await this.receipts()).has(name)) await this.entry(name);
    if (!force && (await this.#hasChanges(name, before))) throw hasChanges(name, before, true);
    const stage = await openStage(this.place, this.#at.ports.limits, this.#at.ports.calls);
    try {
      const change: Change = { name, act: 'take', before, after: null, expects: 'anything' };
      await this.#at.change([change], stage.id);
    } finally {
      await stage.close();
    }
  }

  /** Whether something of the person's would be lost with its folder. */
  async #hasChanges(name: string, entry: LockEntry | null): Promise<boolean> {
    if (entry === null) return (await this.#at.lost()).some((lost) => lost.name === name && lost.isChanged);
    const drift = await this.#at.driftOf(entry);
    return hasDrifted(drift) && !drift.isMissing;
  }

  /** Keeps `update` from changing a skill, or lets it. Gives whether anything changed. */
  async pin(name: string, pinned: boolean): Promise<boolean> {
    await this.#at.tidy();
    const before = await this.entry(name);
    if (before.pinned === pinned) return false;
    await this.#at.change(
      [{ name, act: 'keep', before, after: { ...before, pinned }, expects: 'anything' }],
      null,
    );
    return true;
  }

  /** What the lock would say of a skill as it is on the disk now. Throws INSTALL_REFUSED where that cannot be. */
  proposeAdopt(name: string): Promise<Adoption> {
    return proposeAdopt(this.#at, name);
  }

  /** Throws STALE where the skill changed since. */
  adopt(adoption: Adoption): Promise<void> {
    return adopt(this.#at, adoption);
  }

  /** Changes nothing. `names: null`: all of the lock. */
  outdated(names: readonly string[] | null): Promise<readonly OutdatedSkill[]> {
    return findOutdated(this.#at, names);
  }
}
