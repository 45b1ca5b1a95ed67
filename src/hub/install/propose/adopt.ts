// A skill as it is on the disk now -> what the lock would say of it, with its scan and what it differs in from the lock.
import { TechneError } from '../../../base/error.ts';
import type { Report } from '../../../guard/report.ts';
import type { Drift } from '../../drift/find-drift.ts';
import type { LockEntry } from '../../lock/lock.ts';
import { findEntry } from '../../lock/lock.ts';
import { refuseNames } from '../../stage/check-names.ts';
import type { TreeFile } from '../../stage/tree.ts';
import { digestOf, sameSkill } from '../choose-packages.ts';
import type { Declared } from '../declared.ts';
import { readDeclared } from '../declared.ts';
import type { Installation } from '../installation.ts';
import { shellWord, waysOut } from '../refusals.ts';
import { fullResolved } from '../source-text.ts';
import { scanFiles } from './packages.ts';

/** What the lock would say of a skill as it is now, and what that differs in from what it says. */
export interface Adoption {
  readonly before: LockEntry | null;
  readonly after: LockEntry;
  readonly report: Report;
  readonly drift: Drift;
  readonly files: readonly TreeFile[];
  readonly declared: Declared;
  /** What the lock has, fetched again; `null`: there is none, or it cannot be fetched. */
  readonly locked: { readonly files: readonly TreeFile[]; readonly declared: Declared } | null;
  /** Why it cannot be fetched. */
  readonly fault: TechneError | null;
}

/** Throws INSTALL_REFUSED where that cannot be. */
export async function proposeAdopt(at: Installation, name: string): Promise<Adoption> {
  await at.tidy();
  const before = findEntry(await at.lock(), name);
  const receipt = (await at.receipts()).get(name);
  if (before === null && receipt === undefined) await at.entry(name);
  const tree = await at.treeOf(name);
  if (tree === null)
    throw new TechneError('FILE_MISSING', `the folder of "${name}" is gone, so there is nothing to adopt`, {
      hint:
        before === null
          ? `techne add ${shellWord(receipt?.source ?? '')} --skill ${name} installs it again; techne remove ${name} forgets it`
          : waysOut(before, { isMissing: true, files: [], excluded: [] }),
    });
  const other =
    before === null || before.adopted
      ? `techne remove --force ${name} removes the skill`
      : `techne restore ${name} puts the skill back`;
  const fault =
    tree.strange.length > 0
      ? `"${tree.strange[0]}" is a link or no file`
      : refuseNames(tree.files.map(({ path }) => path));
  if (fault !== null)
    throw new TechneError('INSTALL_REFUSED', `"${name}" cannot be adopted: ${fault}`, {
      hint: `remove or rename it; ${other}`,
    });
  if (!tree.files.some(({ path }) => path === 'SKILL.md'))
    throw new TechneError('INSTALL_REFUSED', `"${name}" cannot be adopted: it has no SKILL.md`, {
      hint: `write one; ${other}`,
    });
  const report = await scanFiles(at.ports, name, tree.files, []);
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
    before === null ? { isMissing: false, files: [], excluded: tree.excluded } : await at.driftOf(before);
  const { parseFull } = at.ports;
  const declared = readDeclared(name, tree.files, parseFull);
  const { files: lockedFiles, fault: whyNot } = await fetchLocked(at, before);
  const locked =
    lockedFiles === null
      ? null
      : { files: lockedFiles, declared: readDeclared(name, lockedFiles, parseFull) };
  return { before, after, report, drift, files: tree.files, declared, locked, fault: whyNot };
}

/** For the person to compare with. A source that cannot be reached does not prevent adopting. */
async function fetchLocked(
  { place, ports }: Installation,
  entry: LockEntry | null,
): Promise<{ readonly files: readonly TreeFile[] | null; readonly fault: TechneError | null }> {
  if (entry === null) return { files: null, fault: null };
  try {
    const { name, path, resolved } = entry;
    const pinned = { name, path, resolved: fullResolved(resolved, place.root) };
    const { packages } = await ports.fetchResolved(pinned, ports.tell, ports.signal);
    const skill = sameSkill(packages, entry);
    if (skill === null || digestOf(skill) !== entry.digest)
      throw new TechneError('SOURCE_CHANGED', 'its source no longer has what was locked');
    const byPath = new Map(entry.files.map((file) => [file.path, file]));
    const files = [...skill.files].flatMap(([file, { bytes }]): readonly TreeFile[] => {
      const facts = byPath.get(file);
      return facts === undefined ? [] : [{ ...facts, bytes }];
    });
    return { files, fault: null };
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return { files: null, fault: error };
  }
}

export async function adopt(at: Installation, { before, after }: Adoption): Promise<void> {
  const tree = await at.treeOf(after.name);
  if (tree?.manifest.digest !== after.digest)
    throw new TechneError('STALE', `"${after.name}" changed while you looked at it`, {
      hint: 'run the command again',
    });
  await at.change([{ name: after.name, act: 'keep', before, after, expects: 'anything' }], null);
}
