// Which of the installed skills have something newer, for people.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { OutdatedSkill } from '../../hub/install/find-outdated.ts';
import type { Hub } from '../../hub/install/hub.ts';
import type { Scope } from '../../hub/install/place.ts';
import type { ShownOutdated } from './hub-job.ts';
import type { OpenHub } from './open-hub.ts';
import { versionText } from './words.ts';

/** The place of the named skills; without names the first that has a lock. Throws SKILL_UNKNOWN, USAGE. */
export async function hubOf(
  open: OpenHub,
  names: readonly string[] | null,
  scope: Scope | null,
): Promise<Hub> {
  if (names === null) {
    if (scope !== null) return open.at(scope);
    for (const hub of open.hubs)
      if ((await hub.lost()).length > 0 || (await hub.lock()).skills.length > 0) return hub;
    return open.at(open.preferred);
  }
  const hubs = await Promise.all(names.map((name) => open.holding(name, scope)));
  const [first] = hubs;
  if (first === undefined || hubs.some((hub) => hub !== first))
    throw new TechneError('USAGE', 'these skills are installed in different places', {
      hint: 'name those of the workspace and those of the user apart',
    });
  return first;
}

/** `names: null`: all that are installed. */
export async function findUpdates(
  open: OpenHub,
  names: readonly string[] | null,
  scope: Scope | null,
): Promise<readonly ShownOutdated[]> {
  const shown: ShownOutdated[] = [];
  const hubs = names === null ? open.hubs : [await hubOf(open, names, scope)];
  for (const hub of hubs) {
    if (scope !== null && hub.place.scope !== scope) continue;
    for (const one of await hub.outdated(names)) shown.push(shownOutdated(one, hub.place.scope));
  }
  return shown;
}

function shownOutdated({ entry, latest, fault }: OutdatedSkill, scope: Scope): ShownOutdated {
  const current = printableLine(versionText(entry.resolved));
  return {
    name: entry.name,
    scope,
    source: printableLine(entry.source),
    pinned: entry.pinned,
    current,
    latest: latest === null ? current : printableLine(versionText(latest)),
    outdated: fault === null ? latest !== null : null,
    fault:
      fault === null
        ? null
        : {
            code: fault.code,
            message: printableLine(fault.message),
            hint: fault.hint === null ? null : printableLine(fault.hint),
          },
  };
}
