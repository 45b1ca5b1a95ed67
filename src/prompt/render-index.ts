// The discovery index: what a model knows of every skill, in the cached part of the prompt.
//
//   entries by name + budget -> text, tier, and what it costs
//
// The text is S2's: the header, then `- {name}: {description}`, by name; ` [preloaded]` behind a name whose body is in
// the prompt; an executable skill ends with its form. Without skills there is no text. No line can begin a mark
// (marks.ts). The bytes depend on names, descriptions, forms, preloaded bodies and the budget alone. The tiers are
// full, shortened descriptions, names alone, and as many names as fit with the number of the others (index-layout.ts).
import type { IndexLayout, IndexRoom, IndexTier, LineSize } from './index-layout.ts';
import {
  charactersPerToken,
  chooseLayout,
  formMark,
  indexHeader,
  lineSize,
  omissionNote,
  onOneLine,
  sizeAt,
  sizeOfNames,
} from './index-layout.ts';
import { countCodePoints, cutCodePoints } from '../skill/code-points.ts';
import type { SkillCard } from '../skill/parse-head.ts';
import { unmarked } from './marks.ts';

export interface RenderedEntry {
  readonly name: string;
  readonly description: string;
  readonly card: Pick<SkillCard, 'form' | 'bar'>;
}

/** A skill as a line, made once and used in every tier. */
export interface IndexEntry {
  readonly name: string;
  /** The name, and whether its body is in the prompt. */
  readonly label: string;
  readonly description: string;
  readonly mark: string;
  readonly size: LineSize;
}

/** The list of skills as a text, and what had to be left out. */
export interface RenderedIndex {
  readonly text: string;
  readonly tier: IndexTier;
  readonly listed: number;
  readonly omitted: number;
  /** The most characters of a description, in the tier `shortened`; else `null`. */
  readonly descriptionLimit: number | null;
  readonly characters: number;
  /** Characters by four, as S2 measures. */
  readonly tokens: number;
}

interface EntryOptions {
  readonly preloaded: ReadonlySet<string>;
  /** Whether executable skills show their form. */
  readonly marks: boolean;
}

/** In the order of names, whatever the order given. */
export function indexEntries(
  skills: readonly RenderedEntry[],
  { preloaded, marks }: EntryOptions,
): readonly IndexEntry[] {
  return skills
    .map(({ name, description, card }) => {
      const shown = unmarked(onOneLine(name));
      const label = preloaded.has(name) ? `${shown} [preloaded]` : shown;
      const line = unmarked(onOneLine(description));
      const mark = marks ? formMark(card) : '';
      return { name, label, description: line, mark, size: lineSize(label, line, mark) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

export function renderIndex(entries: readonly IndexEntry[], room: IndexRoom): RenderedIndex {
  return renderLayout(
    entries,
    chooseLayout(
      entries.map(({ size }) => size),
      room,
    ),
    room.limit,
  );
}

function renderLayout(entries: readonly IndexEntry[], layout: IndexLayout, limit: number): RenderedIndex {
  const lines = linesOf(entries, layout);
  const whole = lines.reduce((sum, { size }) => sum + size + 1, indexHeader.length - 1);
  // Not even the note fits: the index is off.
  const isOff = lines.length === 0 || whole > limit;
  const characters = isOff ? 0 : whole;
  return {
    text: isOff ? '' : indexHeader + lines.map(({ text }) => text).join('\n'),
    tier: layout.tier,
    listed: layout.count,
    omitted: entries.length - layout.count,
    descriptionLimit: layout.tier === 'shortened' ? layout.cap : null,
    characters,
    tokens: tokensOf(characters),
  };
}

interface SizedLine {
  readonly text: string;
  readonly size: number;
}

/** Sizes come with the lines: counting the characters of a long index costs more than rendering it. */
function linesOf(entries: readonly IndexEntry[], { tier, cap, count }: IndexLayout): readonly SizedLine[] {
  switch (tier) {
    case 'full':
      return entries.map((entry) => ({
        text: indexLine(entry),
        size: frameSize(entry) + entry.size.description,
      }));
    case 'shortened':
      return entries.map((entry) => {
        if (entry.size.description <= cap)
          return { text: indexLine(entry), size: frameSize(entry) + entry.size.description };
        const description = shortened(entry.description, cap);
        return {
          text: `- ${entry.label}: ${description}${entry.mark}`,
          size: frameSize(entry) + countCodePoints(description),
        };
      });
    case 'names':
      return entries.map(nameLine);
    case 'omitted': {
      const note = omissionNote(entries.length - count, count);
      return [...entries.slice(0, count).map(nameLine), { text: note, size: note.length }];
    }
  }
}

function nameLine({ label, size }: IndexEntry): SizedLine {
  return { text: label, size: size.name };
}

/** Of a line, without its description. */
export function frameSize({ size, description }: IndexEntry): number {
  return 2 + size.name + (description === '' ? 0 : 2) + size.tail;
}

/** `- name: description (form)`. */
export function indexLine({ label, description, mark }: IndexEntry): string {
  return description === '' ? `- ${label}${mark}` : `- ${label}: ${description}${mark}`;
}

/** At most `limit` characters with the sign that something is missing; between words where one ends near. */
export function shortened(text: string, limit: number): string {
  const cut = cutCodePoints(text, Math.max(0, limit - 1));
  const space = cut.lastIndexOf(' ');
  let end = space > 0 && cut.length - space <= 12 ? space : cut.length;
  while (end > 0 && loose.includes(cut[end - 1] as string)) end -= 1;
  return `${cut.slice(0, end)}…`;
}

/** What should not stand before the sign that something is missing. */
const loose = ' ,;:.(–—-';

export interface TierCost {
  readonly tier: IndexTier;
  readonly characters: number;
  readonly tokens: number;
}

/** What the index costs when each skill has all of its description, at most `shortenedTo` characters of it, or its name alone. */
export function tierCosts(entries: readonly IndexEntry[], shortenedTo = 80): readonly TierCost[] {
  if (entries.length === 0) return [];
  const sizes = entries.map(({ size }) => size);
  const costs: readonly (readonly [IndexTier, number])[] = [
    ['full', sizeAt(sizes, Number.POSITIVE_INFINITY)],
    ['shortened', sizeAt(sizes, shortenedTo)],
    ['names', sizeOfNames(sizes)],
    ['omitted', indexHeader.length + omissionNote(entries.length, 0).length],
  ];
  return costs.map(([tier, characters]) => ({ tier, characters, tokens: tokensOf(characters) }));
}

export function tokensOf(characters: number): number {
  return characters === 0 ? 0 : Math.max(1, Math.floor(characters / charactersPerToken));
}
