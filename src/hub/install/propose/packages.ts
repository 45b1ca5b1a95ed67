// Packages of a source -> a proposal: staged, compared with what is installed, scanned, described.
//
//   SkillPackage[] + a plan for each -> Proposal { skills, notProposed, stage }
//
// A skill that cannot be installed is named with the reason and does not keep the others back. If anything else fails, the
// stage is removed.
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Abort } from '../../../base/abort.ts';
import { TechneError } from '../../../base/error.ts';
import type { GuardFile } from '../../../guard/detector.ts';
import type { Report } from '../../../guard/report.ts';
import type { LockEntry } from '../../lock/lock.ts';
import { normalResolved } from '../../lock/lock-text.ts';
import { judgeAge } from '../../source/minimum-age.ts';
import type { Fetched, RefusedEntry, SkillPackage } from '../../source/source.ts';
import { isThere } from '../../stage/held-folder.ts';
import { guarded, openStage } from '../../stage/stage.ts';
import type { Stage, StagedSkill } from '../../stage/stage.ts';
import type { TreeFile } from '../../stage/tree.ts';
import { readTree } from '../../stage/tree.ts';
import { readDeclared, readUsed } from '../declared.ts';
import { seenKey } from '../first-seen.ts';
import type { HubPlace } from '../place.ts';
import type { HubPorts } from '../ports.ts';
import { hasOtherSource } from '../origin.ts';
import type { NotProposed, Proposal, ProposedSkill } from '../proposal.ts';
import type { Receipts } from '../receipts.ts';
import { hasChanges, notProposed } from '../refusals.ts';
import { lockResolved } from '../source-text.ts';
import { readReceipts } from '../transaction.ts';

/** What the lock is to say of a package. */
export interface Planned {
  readonly before: LockEntry | null;
  readonly source: string;
  readonly isPinned: boolean;
  readonly pinned: boolean;
  /** The entry stays as it is. */
  readonly restores?: LockEntry;
}

export async function scanFiles(
  ports: Pick<HubPorts, 'scan' | 'tell'>,
  name: string,
  files: readonly Pick<TreeFile, 'path' | 'size' | 'executable' | 'bytes'>[],
  refused: readonly RefusedEntry[],
): Promise<Report> {
  ports.tell({ phase: 'scan', what: name, doneBytes: null, totalBytes: null });
  return ports.scan(name, [
    ...files.map(({ path, size, executable, bytes }): GuardFile => ({
      path,
      kind: 'file',
      size,
      executable,
      bytes,
    })),
    // What was not taken was not scanned either.
    ...refused.map(({ path, reason }): GuardFile => ({
      path,
      kind: 'other',
      why: `it was not taken: ${reason}`,
      size: 0,
      executable: false,
      bytes: null,
    })),
  ]);
}

/** Throws SOURCE_TOO_NEW. A repository or hub of this machine is the person's own, however new it is. */
async function checkAge(
  { name, resolved }: SkillPackage,
  digest: string,
  { pinned, isUpdate }: { readonly pinned: boolean; readonly isUpdate: boolean },
  { minimumAgeHours, nowMs, firstSeen }: HubPorts,
): Promise<void> {
  if ((resolved.kind === 'git' || resolved.kind === 'well-known') && resolved.url.startsWith('file:')) return;
  const key = seenKey(resolved);
  // What the person named themselves is their decision.
  if (key === null || pinned || minimumAgeHours <= 0) return;
  const now = nowMs();
  const age = judgeAge(resolved, {
    nowMs: now,
    minimumHours: minimumAgeHours,
    firstSeen: await firstSeen(key, now),
    isUpdate,
  });
  if (age.ok) return;
  const since = age.isFirstSeen
    ? `was first seen on this machine at ${age.since} (earlier dates are its author's word)`
    : `is public since ${age.since}`;
  const pin = resolved.kind === 'git' ? `name the commit (#${resolved.commit}) or ` : '';
  throw new TechneError(
    'SOURCE_TOO_NEW',
    `"${name}" is not ${minimumAgeHours} hours old: ${age.what} ${since}`,
    {
      hint: `${age.until === null ? '' : `wait until ${age.until}; or, `}if you looked at it, ${pin}name its content (--expect ${digest}); hub.minimumAgeHours changes the time`,
    },
  );
}

export async function proposePackages(
  place: HubPlace,
  ports: HubPorts,
  fetched: Fetched,
  packages: readonly SkillPackage[],
  plan: (skill: SkillPackage, staged: StagedSkill) => Promise<Planned>,
): Promise<Proposal> {
  const stage = packages.length === 0 ? null : await openStage(place, ports.limits, ports.calls);
  const skills: ProposedSkill[] = [];
  const refusedSkills: NotProposed[] = [];
  try {
    const receipts = await guarded(place.receiptsFile, () => readReceipts(place, ports.calls));
    for (const skill of packages) {
      stopIfAborted(ports.signal);
      try {
        const staged = await (stage as Stage).add(skill);
        skills.push(await proposed(place, ports, skill, staged, await plan(skill, staged), receipts));
      } catch (error) {
        refusedSkills.push(notProposed(skill.name, error));
      }
      await hearInterrupt();
    }
    stopIfAborted(ports.signal);
  } catch (error) {
    await stage?.close();
    throw error;
  }
  const { pluginParts, refused } = fetched;
  return { place, skills, notProposed: refusedSkills, unchanged: [], pluginParts, refused, stage };
}

async function proposed(
  place: HubPlace,
  ports: HubPorts,
  skill: SkillPackage,
  staged: StagedSkill,
  { before, source, isPinned, pinned, restores }: Planned,
  receipts: Receipts,
): Promise<ProposedSkill> {
  const { name, refused } = skill;
  const { digest, files: manifest } = staged.manifest;
  const target = join(place.skills, name);
  const now = await guarded(target, () => readTree(ports.calls, target, ports.limits));
  // An entry that was taken out of the lock, of a skill that is still as it was installed: nothing of the person's is lost.
  const isLost =
    before === null && now?.strange.length === 0 && receipts.get(name)?.digest === now.manifest.digest;
  if (before === null && !isLost && now !== null && receipts.has(name)) throw hasChanges(name, null);
  if (before === null && !isLost && (now !== null || (await isThere(ports.calls, target))))
    throw new TechneError('TARGET_EXISTS', `"${target}" is there already, and was not installed by techne`, {
      hint: 'move it away or remove it; techne does not overwrite your own work',
    });
  const isAsLocked =
    before !== null && now !== null && now.strange.length === 0 && now.manifest.digest === before.digest;
  // Without its folder there is nothing that could be lost.
  if (before !== null && restores === undefined && !isAsLocked && now !== null)
    throw hasChanges(name, before);
  if (restores === undefined && before?.digest !== digest)
    await checkAge(skill, digest, { pinned: isPinned, isUpdate: before !== null }, ports);
  const report = await scanFiles(ports, name, staged.files, refused);
  const after: LockEntry = restores ?? {
    name,
    source,
    resolved: normalResolved(lockResolved(skill.resolved, place)),
    path: skill.path,
    pinned,
    adopted: false,
    digest,
    files: manifest,
    verdict: report.verdict,
    rulesVersion: report.rulesVersion,
    trusted: false,
  };
  const isSame = isAsLocked && before.digest === digest && before.source === after.source;
  return {
    name,
    target,
    change: restores !== undefined ? 'back' : before === null ? 'new' : isSame ? 'same' : 'changed',
    before,
    after,
    files: staged.files,
    filesNow: now?.files ?? null,
    report,
    declared: readDeclared(name, staged.files, ports.parseFull),
    declaredNow: now === null ? null : readDeclared(name, now.files, ports.parseFull),
    used: readUsed(staged.files),
    shadows: await ports.shadowsOf(name, place),
    refused,
    leftOut: staged.leftOut,
    isPinned,
    wasAgreed: receipts.get(name)?.digest === digest,
    isShipped: ports.isShipped(name),
    hasOtherSource: restores !== undefined && hasOtherSource(restores, place, ports.parseSource),
    expects:
      restores !== undefined || isLost || (before !== null && now === null)
        ? 'anything'
        : before === null
          ? 'nothing'
          : 'as-locked',
  };
}

/** A scan holds the event loop. A Ctrl-C of that time is heard after a full turn of it, which begins with the next one. */
async function hearInterrupt(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

function stopIfAborted(signal: Abort): void {
  if (signal.aborted)
    throw signal.reason instanceof Error
      ? signal.reason
      : new TechneError('ENVIRONMENT', 'it was interrupted');
}
