// How much of each skill the discovery index holds: a tier that depends on the skills and the budget alone.
//
//   sizes of lines, in the order of names + characters -> full | shortened | names | omitted
//
// It is the best tier in which everything fits; in the last one as many names as fit beside the note about the rest.
// Both are found by bisection. The full tier may use the whole budget. The others leave a share of it to the block of
// the turn, which then gives the full text of what the index shortened. A note that no name fits beside may use that
// share; names that take no more than that note replace it.
//
// "Characters" are code points. A name and a description take one line each, without invisible characters: an author
// cannot forge a line of the index.
import { escapeHidden } from '../base/printable.ts';
import type { CountListed } from '../registry/types.ts';
import type { SkillCard } from '../skill/parse-head.ts';
import { countCodePoints } from '../skill/code-points.ts';

export const indexHeader =
  '## Available skills\nUse `skill_search(query)` to filter and `skill_load(name)` to read a body.\n';
/** S2's measure. */
export const charactersPerToken = 4;
/** A description cut shorter than this is of little use: names alone are better. */
export const leastDescription = 24;
const shareOfTurn = 0.4;

/** How much of each skill the index shows, from everything to nothing. */
export type IndexTier = 'full' | 'shortened' | 'names' | 'omitted';
export const indexTiers: readonly IndexTier[] = ['full', 'shortened', 'names', 'omitted'];

/** Of one skill, in characters. */
export interface LineSize {
  /** The name, with a mark behind it. */
  readonly name: number;
  readonly description: number;
  /** The text after the description. */
  readonly tail: number;
}

export interface IndexLayout {
  readonly tier: IndexTier;
  /** The most characters of a description: of the tier `shortened`. */
  readonly cap: number;
  /** How many skills have a line. */
  readonly count: number;
}

export interface IndexRoom {
  /** Characters of the whole. 0: no index. */
  readonly limit: number;
  /** Of these, what the block of a turn may take where the index is degraded; at most two fifths. */
  readonly turn: number;
}

/** What is left for the block of the turn. */
export function turnShare({ limit, turn }: IndexRoom): number {
  return Math.min(turn, Math.floor(limit * shareOfTurn));
}

export function chooseLayout(sizes: readonly LineSize[], room: IndexRoom): IndexLayout {
  if (sizes.length === 0) return { tier: 'full', cap: 0, count: 0 };
  if (sizeAt(sizes, Number.POSITIVE_INFINITY) <= room.limit)
    return { tier: 'full', cap: 0, count: sizes.length };
  const limit = room.limit - turnShare(room);
  const cap = largest(leastDescription, 4096, (each) => sizeAt(sizes, each) <= limit);
  if (cap !== null) return { tier: 'shortened', cap, count: sizes.length };
  return namesThatFit(sizes, limit, room.limit);
}

/** The length of the index when descriptions have at most `cap` characters. */
export function sizeAt(sizes: readonly LineSize[], cap: number): number {
  let size = indexHeader.length - 1;
  for (const { name, description, tail } of sizes)
    size += 3 + name + tail + (description === 0 ? 0 : 2 + Math.min(description, cap));
  return size;
}

export function sizeOfNames(sizes: readonly LineSize[]): number {
  return sizes.reduce((size, { name }) => size + name + 1, indexHeader.length - 1);
}

function namesThatFit(sizes: readonly LineSize[], limit: number, whole: number): IndexLayout {
  const noteAlone = indexHeader.length + omissionNote(sizes.length, 0).length;
  if (sizeOfNames(sizes) <= Math.max(limit, noteAlone <= whole ? noteAlone : 0))
    return { tier: 'names', cap: 0, count: sizes.length };
  const ends = [indexHeader.length - 1];
  for (const { name } of sizes) ends.push((ends.at(-1) as number) + name + 1);
  const fits = (count: number): boolean =>
    (ends[count] as number) + 1 + omissionNote(sizes.length - count, count).length <= limit;
  return { tier: 'omitted', cap: 0, count: largest(0, sizes.length - 1, fits) ?? 0 };
}

/** The note about skills without a line, and how to find them. */
export function omissionNote(omitted: number, listed: number): string {
  return `(${omitted} ${listed === 0 ? '' : 'more '}skill${omitted === 1 ? '' : 's'} not listed: find ${omitted === 1 ? 'it' : 'them'} with \`skill_search(query)\`.)`;
}

/** The largest number from `low` to `high` that fits, or `null`; whatever fits, smaller ones do too. */
function largest(low: number, high: number, fits: (value: number) => boolean): number | null {
  if (!fits(low)) return null;
  let best = low;
  let over = high + 1;
  while (over - best > 1) {
    const middle = (best + over) >> 1;
    if (fits(middle)) best = middle;
    else over = middle;
  }
  return best;
}

const unusual = /[^\S ]|\s\s|^\s|\s$/;

export function onOneLine(text: string): string {
  if (isPlain(text)) return text;
  const shown = escapeHidden(unusual.test(text) ? text.replace(/\s+/g, ' ') : text, () => '');
  return shown.trim();
}

/** Seen characters with single blanks between: nearly every description, and far faster to see than by a pattern. */
function isPlain(text: string): boolean {
  let before = 0x20;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || (unit > 0x7e && !isSeen(unit)) || (unit === 0x20 && before === 0x20)) return false;
    before = unit;
  }
  return before !== 0x20 || text === '';
}

/** Latin letters, dashes and quotes, arrows and signs, Chinese, Japanese and Korean: none of them hidden or blank. */
function isSeen(unit: number): boolean {
  return (
    (unit >= 0xae && unit <= 0x17f) ||
    (unit >= 0x2010 && unit <= 0x2027) ||
    (unit >= 0x2190 && unit <= 0x27ff) ||
    (unit >= 0x3001 && unit <= 0x30ff) ||
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3)
  );
}

/** The form of an executable skill; '' for others. */
export function formMark({ form, bar }: Pick<SkillCard, 'form' | 'bar'>): string {
  if (form === 'instructions' || bar !== null) return '';
  return form === 'program' ? ' (metaskill: starlark)' : ` (${form})`;
}

export function lineSize(name: string, description: string, tail: string): LineSize {
  return { name: countCodePoints(name), description: countCodePoints(description), tail: tail.length };
}

/**
 * How many of `skills`, which are in the order of names, have a line in the index. Marks of preloaded skills are not
 * known here: where not even names fit, they may take the place of one or two more.
 */
export const countListed: CountListed = (skills, { budgetTokens, turnTokens }) => {
  const room = { limit: budgetTokens * charactersPerToken, turn: turnTokens * charactersPerToken };
  // Descriptions matter only where names alone would not do and everything might: they take long to measure.
  const names = skills.map(({ name }) => lineSize(onOneLine(name), '', ''));
  const least = sizeOfNames(names);
  if (least <= room.limit - turnShare(room)) return skills.length;
  const sizes =
    least > room.limit
      ? names
      : skills.map(({ name, description, card }) =>
          lineSize(onOneLine(name), onOneLine(description), formMark(card)),
        );
  return chooseLayout(sizes, room).count;
};
