// The hubs that a command is about: those that have the named skills, else every one with a lock.
import type { Hub } from '../../hub/install/hub.ts';
import type { Scope } from '../../hub/install/place.ts';
import type { HubWork } from './with-hub.ts';

/** `withLost`: also one whose lock no longer has what was installed. `names: null`: all of that place. Gives the first exit code that is not 0. */
export async function eachHub(
  { hub: open }: HubWork,
  given: readonly string[],
  scope: Scope | null,
  work: (hub: Hub, names: readonly string[] | null) => Promise<number>,
  withLost = false,
): Promise<number> {
  const groups = new Map<Hub, string[] | null>();
  for (const name of given) {
    const hub = await open.holding(name, scope);
    groups.set(hub, [...(groups.get(hub) ?? []), name]);
  }
  if (given.length === 0) {
    const among = open.hubs.filter(({ place }) => scope === null || place.scope === scope);
    for (const hub of among) {
      const isLost = withLost && (await hub.lost()).length > 0;
      if (isLost || (await hub.lock()).skills.length > 0) groups.set(hub, null);
    }
    const [first] = among;
    // Something must be said where nothing is installed.
    if (groups.size === 0 && first !== undefined) groups.set(first, null);
  }
  let code = 0;
  for (const [hub, names] of groups) {
    const got = await work(hub, names);
    if (code === 0) code = got;
  }
  return code;
}
