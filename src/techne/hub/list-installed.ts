// What is installed, and whether it is as its lock says.
import { printableLine } from '../../base/printable.ts';
import type { FileDrift } from '../../hub/drift/find-drift.ts';
import type { HubPlace, Scope } from '../../hub/install/place.ts';
import type { OpenHub } from './open-hub.ts';
import { driftLines, entryFacts, originText, signerText, versionText, waysOut } from './words.ts';

export interface InstalledSkills {
  readonly found: readonly {
    readonly scope: Scope;
    readonly entry: Parameters<typeof entryFacts>[0];
    readonly own: Parameters<typeof entryFacts>[1];
    readonly hasOtherSource: boolean;
    readonly drift: readonly string[];
    /** The same, for each file. */
    readonly files: readonly FileDrift[];
    /** Added to its folder, and no part of a skill. */
    readonly excluded: readonly string[];
    /** Its folder is gone. */
    readonly isMissing: boolean;
    /** What to do about it. */
    readonly hint: string;
  }[];
  /** Installed once; the lock no longer has them. */
  readonly lost: readonly { readonly name: string; readonly scope: Scope; readonly hint: string }[];
  readonly places: readonly { readonly place: HubPlace; readonly hasLock: boolean }[];
}

/** `scope`: null is every place. */
export async function listInstalled(
  { hubs, ownRecords }: Pick<OpenHub, 'hubs' | 'ownRecords'>,
  scope: Scope | null,
): Promise<InstalledSkills> {
  const found: InstalledSkills['found'][number][] = [];
  const lost: InstalledSkills['lost'][number][] = [];
  const places: InstalledSkills['places'][number][] = [];
  for (const hub of hubs) {
    if (scope !== null && hub.place.scope !== scope) continue;
    places.push({ place: hub.place, hasLock: await hub.hasLock() });
    const listed = await hub.list();
    const ownRecord = await ownRecords(hub);
    for (const { entry, drift, hasOtherSource } of listed)
      found.push({
        scope: hub.place.scope,
        entry,
        own: ownRecord(entry),
        hasOtherSource,
        drift: driftLines(drift),
        files: drift.files,
        excluded: drift.excluded,
        isMissing: drift.isMissing,
        hint: waysOut(entry, drift),
      });
    for (const { name, hint } of await hub.lost())
      lost.push({ name, scope: hub.place.scope, hint: hint ?? '' });
  }
  return { found, lost, places };
}

/** As `--json` gives it. */
export function describeInstalled({ found, lost }: Pick<InstalledSkills, 'found' | 'lost'>) {
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

const mostDrift = 200;

/** For surfaces that show it to people: texts are printable, and bounded. */
export function showInstalled({ found, lost, places }: InstalledSkills, shownPath: (path: string) => string) {
  return {
    places: places.map(({ place, hasLock }) => ({
      scope: place.scope,
      folder: shownPath(place.skills),
      lock: shownPath(place.lockFile),
      hasLock,
    })),
    skills: found.map((one) => {
      const { scope, entry, own, hasOtherSource, drift, files, excluded, isMissing, hint } = one;
      const signer = signerText(entry.resolved, own.trustedAs);
      return {
        name: entry.name,
        scope,
        digest: entry.digest,
        verdict: entry.verdict,
        files: entry.files.length,
        source: printableLine(entry.source),
        from: printableLine(originText(entry.resolved)),
        version: printableLine(versionText(entry.resolved)),
        signer: signer === null ? null : printableLine(signer),
        hasOtherSource,
        pinned: entry.pinned,
        adopted: entry.adopted,
        trusted: own.trusted,
        drift: drift.map(printableLine),
        driftFiles: files
          .slice(0, mostDrift)
          .map(({ path, what }) => ({ path: printableLine(path), what: what as string })),
        added: excluded.slice(0, mostDrift).map(printableLine),
        isMissing,
        hint: printableLine(hint),
      };
    }),
    notInLock: lost.map(({ name, scope, hint }) => ({ name, scope, hint: printableLine(hint) })),
  };
}
