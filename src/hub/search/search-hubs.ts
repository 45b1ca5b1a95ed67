// Words and hubs -> the skills that fit, best first.
//
// Skills that have every word in their name or description come first, as in `techne search`; then those that the matcher finds
// for the words as a message, with its reason. Each hub has an index of its own, since two hubs may have a skill of one name; a
// hub that was asked earlier goes first among equals.
import { createMatcher } from '../../match/matcher.ts';
import { searchWords } from '../../match/search.ts';
import type { Publisher } from '../source/source.ts';
import type { ReadHub } from './read-hub.ts';

export interface HubHit {
  readonly name: string;
  readonly description: string;
  /** `null`: the hub does not say. */
  readonly version: string | null;
  readonly publisher: Publisher | null;
  readonly hub: string;
  /** What `techne add` takes: the hub. */
  readonly source: string;
  /** Why the matcher found it; `null`: it has the words. */
  readonly reason: string | null;
}

interface Ranked {
  readonly hit: HubHit;
  readonly confidence: number;
}

/** Without words every skill, by name. */
export function searchHubs(hubs: readonly ReadHub[], query: string): readonly HubHit[] {
  const words = query.split(/\s+/).filter((word) => word !== '');
  const everything = hubs.flatMap((hub) => hub.skills.map((skill) => hitOf(hub, skill)));
  const found = searchWords(everything, words);
  if (words.length === 0) return found;
  const known = new Set(found.map(keyOf));
  const ranked = hubs.flatMap((hub) => rank(hub, query)).filter(({ hit }) => !known.has(keyOf(hit)));
  return [...found, ...ranked.sort((a, b) => b.confidence - a.confidence).map(({ hit }) => hit)];
}

function rank(hub: ReadHub, query: string): readonly Ranked[] {
  const matcher = createMatcher();
  const named = new Map(hub.skills.map((skill) => [skill.name, skill]));
  for (const skill of hub.skills)
    matcher.set({
      name: skill.name,
      description: skill.description,
      triggers: 'triggers' in skill ? (skill.triggers ?? []) : [],
      sections: [],
      priority: 0,
    });
  const { matches } = matcher.match(query, { limit: 20 });
  return matches.flatMap(({ skill: name, confidence, reason }) => {
    const skill = named.get(name);
    return skill === undefined ? [] : [{ confidence, hit: { ...hitOf(hub, skill), reason } }];
  });
}

function hitOf({ address, publisher }: ReadHub, skill: ReadHub['skills'][number]): HubHit {
  return {
    name: skill.name,
    description: skill.description,
    version: 'version' in skill ? (skill.version ?? null) : null,
    publisher,
    hub: address,
    source: address,
    reason: null,
  };
}

function keyOf({ hub, name }: HubHit): string {
  return `${hub}\n${name}`;
}
