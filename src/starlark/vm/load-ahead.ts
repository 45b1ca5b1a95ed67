// A loader that may take its time -> one that answers immediately.
//
// Modules are asked for in the order in which a run does it: depth first, each name once for each file that loads it.
// What a loader throws is kept, and thrown when the program comes to that `load`. What lies deeper than calls may nest
// is not asked for: the run ends before it gets there.
import type { Program } from '../compile/program.ts';
import type { Load, Loaded } from '../options.ts';
import { ThrownByHost } from '../thrown.ts';
import { moduleKey } from './frame.ts';
import { faultOfLoaded, isProgram } from './load.ts';

type Entry = { readonly found: Loaded } | { readonly thrown: unknown };

export async function loadAhead(
  program: Program,
  load: (name: string, from: string) => Loaded | Promise<Loaded>,
  maxDepth: number,
  wait: <T>(promise: Promise<T>) => Promise<T>,
): Promise<Load> {
  const known = new Map<string, Entry>();
  const placeOf = (name: string, from: string): string => `${from}\0${name}`;
  const followed = new Set<string>();
  const ask = async (name: string, from: string): Promise<Entry> => {
    try {
      const found = await load(name, from);
      const fault = faultOfLoaded(found, name);
      return fault === null ? { found } : { thrown: new ThrownByHost(fault) };
    } catch (thrown) {
      return { thrown };
    }
  };
  // Not by recursion: a chain of modules may be long.
  const path: { readonly program: Program; next: number }[] = [{ program, next: 0 }];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const name = top.program.loads[top.next];
    top.next += 1;
    if (name === undefined) {
      path.pop();
      continue;
    }
    const place = placeOf(name, top.program.path);
    if (known.has(place)) continue;
    const entry = await wait(ask(name, top.program.path));
    known.set(place, entry);
    if (
      'thrown' in entry ||
      !isProgram(entry.found) ||
      path.length > maxDepth ||
      followed.has(moduleKey(entry.found))
    )
      continue;
    followed.add(moduleKey(entry.found));
    path.push({ program: entry.found, next: 0 });
  }
  return (name, from) => {
    const entry = known.get(placeOf(name, from));
    if (entry === undefined) return null;
    if ('thrown' in entry) throw entry.thrown;
    return entry.found;
  };
}
