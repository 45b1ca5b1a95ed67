// What is installed, and whether it is as its lock says.
import type { Scope } from '../../hub/install/place.ts';
import type { OpenHub } from './open-hub.ts';
import { driftLines, entryFacts, waysOut } from './words.ts';

export interface InstalledSkills {
  readonly found: readonly {
    readonly scope: Scope;
    readonly entry: Parameters<typeof entryFacts>[0];
    readonly own: Parameters<typeof entryFacts>[1];
    readonly hasOtherSource: boolean;
    readonly drift: readonly string[];
    /** Its folder is gone. */
    readonly isMissing: boolean;
    /** What to do about it. */
    readonly hint: string;
  }[];
  /** Installed once; the lock no longer has them. */
  readonly lost: readonly { readonly name: string; readonly scope: Scope; readonly hint: string }[];
}

/** `scope`: null is every place. */
export async function listInstalled(
  { hubs, ownRecords }: Pick<OpenHub, 'hubs' | 'ownRecords'>,
  scope: Scope | null,
): Promise<InstalledSkills> {
  const found: InstalledSkills['found'][number][] = [];
  const lost: InstalledSkills['lost'][number][] = [];
  for (const hub of hubs) {
    if (scope !== null && hub.place.scope !== scope) continue;
    const listed = await hub.list();
    const ownRecord = await ownRecords(hub);
    for (const { entry, drift, hasOtherSource } of listed)
      found.push({
        scope: hub.place.scope,
        entry,
        own: ownRecord(entry),
        hasOtherSource,
        drift: driftLines(drift),
        isMissing: drift.isMissing,
        hint: waysOut(entry, drift),
      });
    for (const { name, hint } of await hub.lost())
      lost.push({ name, scope: hub.place.scope, hint: hint ?? '' });
  }
  return { found, lost };
}

/** As `--json` and the API give it. */
export function describeInstalled({ found, lost }: InstalledSkills) {
  return {
    skills: found.map(({ scope, entry, own, hasOtherSource, drift }) => ({
      scope,
      hasOtherSource,
      drift,
      ...entryFacts(entry, own),
    })),
    notInLock: lost.map(({ name, scope }) => ({ name, scope })),
  };
}
