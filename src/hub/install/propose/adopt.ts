// A skill as it is on the disk now -> what the lock would say of it, with its scan.
import { TechneError } from '../../../base/error.ts';
import type { Report } from '../../../guard/report.ts';
import type { Drift } from '../../drift/find-drift.ts';
import type { LockEntry } from '../../lock/lock.ts';
import { findEntry } from '../../lock/lock.ts';
import { refuseNames } from '../../stage/check-names.ts';
import type { Installation } from '../installation.ts';
import { scanFiles } from './packages.ts';

export interface Adoption {
  readonly before: LockEntry | null;
  readonly after: LockEntry;
  readonly report: Report;
  readonly drift: Drift;
}

/** Throws INSTALL_REFUSED where that cannot be. */
export async function proposeAdopt(at: Installation, name: string): Promise<Adoption> {
  await at.tidy();
  const before = findEntry(await at.lock(), name);
  const receipt = (await at.receipts()).get(name);
  if (before === null && receipt === undefined) await at.entry(name);
  const tree = await at.treeOf(name);
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
  return { before, after, report, drift };
}

export async function adopt(at: Installation, { before, after }: Adoption): Promise<void> {
  const tree = await at.treeOf(after.name);
  if (tree?.manifest.digest !== after.digest)
    throw new TechneError('STALE', `"${after.name}" changed while you looked at it`, {
      hint: 'run the command again',
    });
  await at.change([{ name: after.name, act: 'keep', before, after, expects: 'anything' }], null);
}
