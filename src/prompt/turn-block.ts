// The skills for one message: the text behind the cached prefix.
//
//   entries, best first + characters -> full descriptions of as many as fit, then names of as many more, then notes
//
// Certain matches come first, in full; cuts are made from the end of the ranking. The block is never longer than its
// budget, and empty if there is nothing to list.
import { countCodePoints } from '../skill/code-points.ts';
import type { IndexEntry } from './render-index.ts';
import { frameSize, indexLine, shortened } from './render-index.ts';

interface TurnBlock {
  readonly text: string;
  /** With a description, best first. */
  readonly described: readonly string[];
  /** By name alone. */
  readonly named: readonly string[];
}

const nothing: TurnBlock = { text: '', described: [], named: [] };
/** A description cut shorter than this is left out: the name alone is better. */
const leastDescription = 60;
const intro = {
  sure: 'These skills fit what was just asked. `skill_load(name)` gives the body of one.',
  unsure: 'These skills may fit what was just asked. `skill_load(name)` gives the body of one.',
};

export function renderTurnBlock(
  entries: readonly IndexEntry[],
  certainty: 'sure' | 'unsure',
  room: number,
  notes: readonly string[] = [],
): TurnBlock {
  const header = `## Skills for this message\n${intro[certainty]}`;
  let left = room - header.length;
  const lines: string[] = [];
  const described: string[] = [];
  const named: string[] = [];
  for (const [at, entry] of entries.entries()) {
    // What follows needs a little room for its names, lest one long description hides them all.
    const kept = Math.min(left, namesSize(entries.slice(at + 1)));
    const line = fitting(entry, left - Math.min(kept, Math.floor(room / 4)));
    if (line === null) break;
    lines.push(line);
    described.push(entry.name);
    left -= countCodePoints(line) + 1;
  }
  const also: string[] = [];
  for (const { name, label, size } of entries.slice(described.length)) {
    const cost = size.name + (also.length === 0 ? '\nAlso: '.length : 2);
    if (cost > left) continue;
    also.push(label);
    named.push(name);
    left -= cost;
  }
  if (described.length + named.length === 0) return nothing;
  const fits = notes.filter((note) => {
    const cost = countCodePoints(note) + 1;
    if (cost > left) return false;
    left -= cost;
    return true;
  });
  const text = [header, ...lines, ...(also.length === 0 ? [] : [`Also: ${also.join(', ')}`]), ...fits].join(
    '\n',
  );
  return { text, described, named };
}

/** The line of an entry, its description cut where it must be; `null` when too little of it would be left. */
function fitting(entry: IndexEntry, room: number): string | null {
  const { size, description } = entry;
  const frame = frameSize(entry) + 1;
  if (frame + size.description <= room) return indexLine(entry);
  const cap = room - frame;
  return cap < leastDescription ? null : indexLine({ ...entry, description: shortened(description, cap) });
}

function namesSize(entries: readonly IndexEntry[]): number {
  return entries.reduce((sum, { size }) => sum + size.name + 2, '\nAlso: '.length);
}
