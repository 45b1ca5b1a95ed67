// What is done at once to an installed skill: removed, pinned. Recorded before it is done.
import type { Scope } from '../../hub/install/place.ts';
import { findEntry } from '../../hub/lock/lock.ts';
import type { SkillLibrary } from '../open-skills.ts';
import type { DecisionLog } from './decision-log.ts';
import { openHub } from './open-hub.ts';

export interface InstalledChange {
  readonly library: SkillLibrary;
  readonly log: DecisionLog;
  readonly name: string;
  /** `null`: where it is. */
  readonly scope: Scope | null;
  readonly by: string;
  readonly nowMs: () => number;
}

/** `force`: also with changes that would be lost. Throws SKILL_UNKNOWN, DRIFTED. */
export async function removeInstalled(
  { library, log, name, scope, by, nowMs }: InstalledChange,
  force: boolean,
): Promise<Scope> {
  const open = await openHub({ library });
  const hub = await open.holding(name, scope);
  const entry = findEntry(await hub.lock(), name);
  await log.record([
    {
      at: nowMs(),
      by,
      act: 'remove',
      scope: hub.place.scope,
      skill: name,
      digest: entry?.digest ?? null,
      before: entry?.digest ?? null,
      verdict: entry?.verdict ?? null,
      source: entry?.source ?? null,
    },
  ]);
  await hub.remove(name, force);
  await open.untrust(hub, name);
  return hub.place.scope;
}

/** Gives whether anything changed. Throws SKILL_UNKNOWN. */
export async function pinInstalled(
  { library, log, name, scope, by, nowMs }: InstalledChange,
  pinned: boolean,
): Promise<boolean> {
  const hub = await (await openHub({ library })).holding(name, scope);
  const { digest, verdict, source, pinned: was } = await hub.entry(name);
  if (was === pinned) return false;
  await log.record([
    {
      at: nowMs(),
      by,
      act: pinned ? 'pin' : 'unpin',
      scope: hub.place.scope,
      skill: name,
      digest,
      before: digest,
      verdict,
      source,
    },
  ]);
  return hub.pin(name, pinned);
}
