// The source of some entries of the lock -> what it has now for each, fetched only where that is not known otherwise.
import type { Latest } from '../fetch/options.ts';
import type { LockEntry } from '../lock/lock.ts';
import type { Fetched, Source } from '../source/source.ts';
import type { Installation } from './installation.ts';
import { fullResolved } from './source-text.ts';

export interface AskedSource {
  readonly source: Source;
  readonly latest: ReadonlyMap<LockEntry, Latest>;
}

/** Throws what understanding and asking the source throws. */
export async function askSource(
  { place, ports }: Installation,
  text: string,
  entries: readonly LockEntry[],
): Promise<AskedSource> {
  const source = ports.parseSource(text, place.root);
  const skills = entries.map(({ name, path, digest, resolved }) => ({
    name,
    path,
    digest,
    resolved: fullResolved(resolved, place.root),
  }));
  const answers = await ports.latest(source, skills, ports.tell, ports.signal);
  const answerOf = (at: number): Latest => answers[at] ?? { kind: 'unknown' };
  return { source, latest: new Map(entries.map((entry, at) => [entry, answerOf(at)])) };
}

/** What the source names, or these skills where each is a download of its own. */
export function fetchNamed(
  { ports }: Installation,
  source: Source,
  names: readonly string[],
): Promise<Fetched> {
  const skills = isApart(source) && !names.includes('*') ? names : source.skills;
  return ports.fetch({ ...source, skills }, ports.tell, ports.signal);
}

/** Each skill of a site or a server is a download of its own; of other sources all come at once. */
function isApart({ kind }: Source): boolean {
  return kind === 'well-known' || kind === 'mcp';
}
