// Everything that changes what is installed in one place, the workspace's or the user's.
//
//   source -> fetch -> stage -> scan -> Proposal -> (a person agrees) -> install -> Installed[]
//   lock -> update, restore: the same;   remove, adopt, pin: the lock and a folder
//
// Nothing is installed by proposing; a proposal holds a stage and ends with `install` or `discard`. Nothing of a skill is ever
// executed here.
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { nearest } from '../../base/nearest.ts';
import type { Report } from '../../guard/report.ts';
import { findDrift, hasDrifted } from '../drift/find-drift.ts';
import type { Drift } from '../drift/find-drift.ts';
import type { Lock, LockEntry } from '../lock/lock.ts';
import { findEntry } from '../lock/lock.ts';
import type { Fetched, Resolved, SkillPackage, Source } from '../source/source.ts';
import { isThere } from '../stage/held-folder.ts';
import { guarded, openStage } from '../stage/stage.ts';
import type { Tree, TreeFile } from '../stage/tree.ts';
import { readTree } from '../stage/tree.ts';
import { refuseNames } from '../stage/check-names.ts';
import { choose, digestOf, groupBySource, joined, sameSkill } from './choose-packages.ts';
import { hasOtherSource } from './origin.ts';
import { cannotRestore, changedSource, gone, hasChanges, lostEntry, notProposed } from './refusals.ts';
import type { HubPlace } from './place.ts';
import type { HubPorts } from './ports.ts';
import type { NotProposed, Proposal } from './proposal.ts';
import { proposePackages, scanFiles } from './propose.ts';
import type { Receipts } from './receipts.ts';
import { fullResolved, isPinnedResolved, isPinnedSource, lockSource } from './source-text.ts';
import type { Change, TransactionOptions } from './transaction.ts';
import { clearLeftovers, commit, readLock, readReceipts } from './transaction.ts';

export interface AddRequest {
  readonly source: string;
  /** Where a relative path starts. */
  readonly cwd: string;
  /** Only these; empty: those that the source names, or all. */
  readonly skills: readonly string[];
  /** Digests of manifests; where there are any, each skill must have one of them, and is pinned by it. */
  readonly expect: readonly string[];
  /** Looks at each skill as it was fetched. Throws what keeps it from being installed. Default: none. */
  readonly verify?: (skill: SkillPackage) => void;
}

export interface InstalledSkill {
  readonly entry: LockEntry;
  readonly drift: Drift;
  /** The lock names a source that is not where the bytes come from. */
  readonly hasOtherSource: boolean;
}

export interface OutdatedSkill {
  readonly entry: LockEntry;
  /** `null`: the source has what is installed. */
  readonly latest: Resolved | null;
  /** Why it could not be found out. */
  readonly fault: TechneError | null;
}

export class Hub {
  readonly place: HubPlace;
  readonly #ports: HubPorts;
  readonly #options: TransactionOptions;

  constructor(place: HubPlace, ports: HubPorts) {
    this.place = place;
    this.#ports = ports;
    this.#options = { calls: ports.calls, limits: ports.limits, waitMs: ports.waitMs };
  }

  /** Throws LOCK_INVALID. */
  lock(): Promise<Lock> {
    return guarded(this.place.lockFile, () => readLock(this.place, this.#ports.calls));
  }

  receipts(): Promise<Receipts> {
    return guarded(this.place.receiptsFile, () => readReceipts(this.place, this.#ports.calls));
  }

  /** What was installed here on this machine and the lock no longer has. */
  async lost(): Promise<readonly NotProposed[]> {
    const { place } = this;
    const lock = await this.lock();
    const names = [...(await this.receipts()).keys()].filter((name) => findEntry(lock, name) === null);
    const hasLock = await guarded(place.lockFile, () => isThere(this.#ports.calls, place.lockFile));
    return names.map((name) => notProposed(name, lostEntry(name, place, hasLock)));
  }

  /** Every entry of the lock, with what differs on the disk. */
  async list(): Promise<readonly InstalledSkill[]> {
    const { skills } = await this.lock();
    const found: InstalledSkill[] = [];
    for (const entry of skills) {
      const isOther = !entry.adopted && hasOtherSource(entry, this.place, this.#ports.parseSource);
      found.push({ entry, drift: await this.#driftOf(entry), hasOtherSource: isOther });
    }
    return found;
  }

  /** The files of every skill of the lock; `null` for one that is not as locked. */
  async installedFiles(): Promise<
    readonly { readonly entry: LockEntry; readonly files: ReadonlyMap<string, TreeFile> | null }[]
  > {
    const found: { entry: LockEntry; files: ReadonlyMap<string, TreeFile> | null }[] = [];
    for (const entry of (await this.lock()).skills) {
      const tree = await this.#treeOf(entry.name);
      const isAsLocked = tree?.strange.length === 0 && tree.manifest.digest === entry.digest;
      found.push({ entry, files: isAsLocked ? new Map(tree.files.map((file) => [file.path, file])) : null });
    }
    return found;
  }

  /** Throws SKILL_UNKNOWN. */
  async entry(name: string): Promise<LockEntry> {
    const lock = await this.lock();
    const entry = findEntry(lock, name);
    if (entry !== null) return entry;
    const close = nearest(
      name,
      lock.skills.map((one) => one.name),
    );
    throw new TechneError('SKILL_UNKNOWN', `no skill "${name}" is installed there`, {
      hint: close === null ? '"techne hub list" shows what is installed' : `did you mean "${close}"?`,
    });
  }

  async proposeAdd(request: AddRequest): Promise<Proposal> {
    await this.#tidy();
    const { source: text, cwd, expect } = request;
    const source = this.#ports.parseSource(text, cwd);
    const wanted = request.skills.length > 0 ? request.skills : source.skills;
    // Each skill of a site or a server is a download of its own; of other sources `choose` has all names to suggest.
    const isApart = (source.kind === 'well-known' || source.kind === 'mcp') && !wanted.includes('*');
    const fetched = await this.#ports.fetch(
      isApart ? { ...source, skills: wanted } : source,
      this.#ports.tell,
      this.#ports.signal,
    );
    const packages = choose(fetched.packages, wanted, text);
    const lock = await this.lock();
    return proposePackages(this.place, this.#ports, fetched, packages, async (skill, staged) => {
      const before = findEntry(lock, skill.name);
      request.verify?.(skill);
      if (expect.length > 0 && !expect.includes(staged.manifest.digest))
        throw new TechneError(
          'SOURCE_CHANGED',
          `"${skill.name}" has the digest ${staged.manifest.digest}, which --expect does not name`,
          {
            hint: 'nothing was installed; look at what changed before you name the new digest',
          },
        );
      return {
        before,
        source: lockSource(text, cwd, this.place.root, this.#ports.homeFolder),
        isPinned: isPinnedSource(source) || expect.length > 0,
        pinned: before?.pinned ?? false,
      };
    });
  }

  /** `names: null`: every skill of the lock that is not pinned. */
  async proposeUpdate(names: readonly string[] | null): Promise<Proposal> {
    await this.#tidy();
    const lock = await this.lock();
    const entries = names === null ? lock.skills.filter(({ pinned }) => !pinned) : await this.#entries(names);
    const held: NotProposed[] = [];
    for (const entry of entries)
      if (entry.pinned)
        held.push({
          name: entry.name,
          code: 'INSTALL_REFUSED',
          message: 'it is pinned',
          hint: `techne unpin ${entry.name}`,
        });
    const free = entries.filter(({ pinned }) => !pinned);
    const packages: { readonly skill: SkillPackage; readonly entry: LockEntry; readonly source: Source }[] =
      [];
    const parts: Fetched[] = [];
    for (const [text, group] of groupBySource(free)) {
      try {
        const source = this.#ports.parseSource(text, this.place.root);
        const fetched = await this.#ports.fetch(
          { ...source, skills: [] },
          this.#ports.tell,
          this.#ports.signal,
        );
        parts.push(fetched);
        for (const entry of group) {
          const skill = sameSkill(fetched.packages, entry);
          if (skill === null) throw gone(entry);
          packages.push({ skill: { ...skill, name: entry.name }, entry, source });
        }
      } catch (error) {
        for (const entry of group)
          if (!packages.some((one) => one.entry === entry)) held.push(notProposed(entry.name, error));
      }
    }
    const proposal = await proposePackages(
      this.place,
      this.#ports,

      joined(parts),
      packages.map(({ skill }) => skill),
      async (skill) => {
        const { entry, source } = packages.find((one) => one.skill === skill) as (typeof packages)[number];
        return { before: entry, source: entry.source, isPinned: isPinnedSource(source), pinned: false };
      },
    );
    return { ...proposal, notProposed: [...held, ...proposal.notProposed] };
  }

  /** What is missing or drifted, fetched again as it was locked. `names: null`: all of the lock. */
  async proposeRestore(names: readonly string[] | null): Promise<Proposal> {
    await this.#tidy();
    const held = (await this.lost()).filter(({ name }) => names === null || names.includes(name));
    const known = names?.filter((name) => !held.some((lost) => lost.name === name)) ?? null;
    const entries = known === null ? (await this.lock()).skills : await this.#entries(known);
    const packages: { readonly skill: SkillPackage; readonly entry: LockEntry }[] = [];
    for (const entry of entries) {
      const drift = await this.#driftOf(entry);
      if (!hasDrifted(drift) && drift.excluded.length === 0) continue;
      try {
        const resolved = fullResolved(entry.resolved, this.place.root);
        const fetched = await this.#ports.fetchResolved(
          { name: entry.name, path: entry.path, resolved },
          this.#ports.tell,
          this.#ports.signal,
        );
        const skill = sameSkill(fetched.packages, entry);
        if (skill === null) throw gone(entry);
        packages.push({ skill: { ...skill, name: entry.name }, entry });
      } catch (error) {
        held.push(notProposed(entry.name, entry.adopted ? cannotRestore(entry) : error));
      }
    }
    const proposal = await proposePackages(
      this.place,
      this.#ports,

      { packages: [], pluginParts: [], refused: [] },
      packages.map(({ skill }) => skill),
      async (skill, staged) => {
        const { entry } = packages.find((one) => one.skill === skill) as (typeof packages)[number];
        if (staged.manifest.digest !== entry.digest)
          throw entry.adopted ? cannotRestore(entry) : changedSource(entry);
        const { source, resolved, pinned } = entry;
        return { before: entry, source, isPinned: isPinnedResolved(resolved), pinned, restores: entry };
      },
    );
    return { ...proposal, notProposed: [...held, ...proposal.notProposed] };
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
      this.#ports.tell({
        phase: 'install',
        what: chosen.map(({ name }) => name).join(', '),
        doneBytes: null,
        totalBytes: null,
      });
      await guarded(this.place.base, () =>
        commit(this.place, proposal.stage?.id ?? null, changes, this.#options),
      );
      return changes.map(({ after }) => after as LockEntry);
    } finally {
      await this.discard(proposal);
    }
  }

  async discard({ stage }: Proposal): Promise<void> {
    await stage?.close();
  }

  /** Takes a skill and its entry away. `force`: also one that drifted, or that only the receipts know. */
  async remove(name: string, force: boolean): Promise<void> {
    await this.#tidy();
    const before = findEntry(await this.lock(), name);
    if (before === null && !(await this.receipts()).has(name)) await this.entry(name);
    const drift = before === null ? null : await this.#driftOf(before);
    if (drift !== null && hasDrifted(drift) && !drift.isMissing && !force)
      throw hasChanges(name, `; techne remove --force ${name} removes it with the changes`);
    const stage = await openStage(this.place, this.#ports.limits, this.#ports.calls);
    try {
      const change: Change = { name, act: 'take', before, after: null, expects: 'anything' };
      await guarded(this.place.base, () => commit(this.place, stage.id, [change], this.#options));
    } finally {
      await stage.close();
    }
  }

  /** Keeps `update` from changing a skill, or lets it. Gives whether anything changed. */
  async pin(name: string, pinned: boolean): Promise<boolean> {
    await this.#tidy();
    const before = await this.entry(name);
    if (before.pinned === pinned) return false;
    await this.#keep(before, { ...before, pinned });
    return true;
  }

  /** What the lock would say of a skill as it is on the disk now, with its scan. Throws INSTALL_REFUSED where that cannot be. */
  async proposeAdopt(name: string): Promise<{
    readonly before: LockEntry | null;
    readonly after: LockEntry;
    readonly report: Report;
    readonly drift: Drift;
  }> {
    await this.#tidy();
    const before = findEntry(await this.lock(), name);
    const receipt = (await this.receipts()).get(name);
    if (before === null && receipt === undefined) await this.entry(name);
    const tree = await this.#treeOf(name);
    if (tree === null)
      throw new TechneError('FILE_MISSING', `the folder of "${name}" is gone`, {
        hint: `techne restore ${name}`,
      });
    const fault =
      tree.strange.length > 0
        ? `"${tree.strange[0]}" is a link or no file`
        : refuseNames(tree.files.map(({ path }) => path));
    if (fault !== null)
      throw new TechneError('INSTALL_REFUSED', `"${name}" cannot be adopted: ${fault}`, {
        hint: 'remove or rename it',
      });
    if (!tree.files.some(({ path }) => path === 'SKILL.md'))
      throw new TechneError('INSTALL_REFUSED', `"${name}" cannot be adopted: it has no SKILL.md`, {
        hint: `techne restore ${name}`,
      });
    const report = await scanFiles(this.#ports, name, tree.files, []);
    const base: Pick<LockEntry, 'source' | 'resolved' | 'path' | 'pinned'> = before ?? {
      source: receipt?.source ?? '.',
      resolved: { kind: 'folder', path: `./.techne/skills/${name}` },
      path: '',
      pinned: false,
    };
    const { files, digest } = tree.manifest;
    const after: LockEntry = {
      ...base,
      name,
      adopted: before === null || before.adopted || before.digest !== digest,
      digest,
      files,
      verdict: report.verdict,
      rulesVersion: report.rulesVersion,
      trusted: before !== null && before.digest === digest && before.trusted,
    };
    const drift =
      before === null
        ? { isMissing: false, files: [], excluded: tree.excluded }
        : await this.#driftOf(before);
    return { before, after, report, drift };
  }

  async adopt({
    before,
    after,
  }: {
    readonly before: LockEntry | null;
    readonly after: LockEntry;
  }): Promise<void> {
    const tree = await this.#treeOf(after.name);
    if (tree?.manifest.digest !== after.digest)
      throw new TechneError('STALE', `"${after.name}" changed while you looked at it`, {
        hint: 'run the command again',
      });
    await this.#keep(before, after);
  }

  async outdated(names: readonly string[] | null): Promise<readonly OutdatedSkill[]> {
    const entries = names === null ? (await this.lock()).skills : await this.#entries(names);
    const found = new Map<LockEntry, OutdatedSkill>();
    for (const [text, group] of groupBySource(entries)) {
      try {
        const source = this.#ports.parseSource(text, this.place.root);
        const { packages } = await this.#ports.fetch(
          { ...source, skills: [] },
          this.#ports.tell,
          this.#ports.signal,
        );
        for (const entry of group) {
          const skill = sameSkill(packages, entry);
          if (skill === null) found.set(entry, { entry, latest: null, fault: gone(entry) });
          else
            found.set(entry, {
              entry,
              latest: digestOf(skill) === entry.digest ? null : skill.resolved,
              fault: null,
            });
        }
      } catch (error) {
        if (!(error instanceof TechneError)) throw error;
        for (const entry of group) found.set(entry, { entry, latest: null, fault: error });
      }
    }
    return entries.map((entry) => found.get(entry) as OutdatedSkill);
  }

  async #keep(before: LockEntry | null, after: LockEntry): Promise<void> {
    const change: Change = { name: after.name, act: 'keep', before, after, expects: 'anything' };
    await guarded(this.place.base, () => commit(this.place, null, [change], this.#options));
  }

  #tidy(): Promise<void> {
    return clearLeftovers(this.place, this.#options);
  }

  #driftOf(entry: LockEntry): Promise<Drift> {
    return guarded(this.place.skills, () =>
      findDrift(this.place, entry, this.#ports.limits, this.#ports.calls),
    );
  }

  #treeOf(name: string): Promise<Tree | null> {
    const path = join(this.place.skills, name);
    return guarded(path, () => readTree(this.#ports.calls, path, this.#ports.limits));
  }

  async #entries(names: readonly string[]): Promise<readonly LockEntry[]> {
    const entries: LockEntry[] = [];
    for (const name of new Set(names)) entries.push(await this.entry(name));
    return entries;
  }
}
