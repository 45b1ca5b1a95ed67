// A message and what of it counts for a skill -> pieces of the message, each with what it is.
import type { OperationOutput } from '../../../../src/api/operation.ts';
import type { Operations } from '../../../../src/api/operations.ts';

export type Matched = OperationOutput<Operations['matchSkills']>;
export type ShownMatch = Matched['matches'][number];

export interface Piece {
  readonly text: string;
  /** `null`: it counts for nothing. */
  readonly what: 'name' | 'trigger' | 'variable' | 'word' | 'kept' | null;
  /** For people: `{place}`, `in its name`. */
  readonly title: string | null;
}

interface Mark extends Omit<Piece, 'text'> {
  readonly start: number;
  readonly end: number;
}

/** The most telling last: it is seen where marks overlap. */
const order = ['word', 'kept', 'trigger', 'variable', 'name'] as const;
const mostMarked = 20_000;

export function piecesOf(message: string, signs: ShownMatch['signs']): readonly Piece[] {
  if (signs === undefined || message.length > mostMarked) return [{ text: message, what: null, title: null }];
  const marks = marksOf(message, signs);
  const cuts = [...new Set([0, message.length, ...marks.flatMap(({ start, end }) => [start, end])])].toSorted(
    (a, b) => a - b,
  );
  const pieces: Piece[] = [];
  for (const [at, start] of cuts.slice(0, -1).entries()) {
    const end = cuts[at + 1] ?? message.length;
    const over = marks.findLast((mark) => mark.start <= start && end <= mark.end);
    const [text, what] = [message.slice(start, end), over?.what ?? null];
    const before = pieces.at(-1);
    if (before?.what === what && what !== 'variable')
      pieces[pieces.length - 1] = { ...before, text: before.text + text };
    else pieces.push({ text, what, title: over?.title ?? null });
  }
  return pieces;
}

function marksOf(
  message: string,
  { spans, words, guard }: NonNullable<ShownMatch['signs']>,
): readonly Mark[] {
  const marks: Mark[] = [
    ...words.flatMap(({ word, place, synonym, kept }) =>
      placesOf(message, word).map((stretch): Mark => ({
        ...stretch,
        what: kept === null ? 'word' : 'kept',
        title: kept ?? (synonym === null ? `in its ${place}` : `as "${synonym}" in its ${place}`),
      })),
    ),
    ...spans.map(({ start, end, what, name }): Mark => ({
      start,
      end,
      what: what === 'trigger' && guard?.outcome === 'held' ? 'kept' : what,
      title:
        what === 'variable' ? `{${name}}` : what === 'name' ? 'calls it' : (guard?.reason ?? 'its trigger'),
    })),
  ];
  return marks.toSorted((a, b) => order.indexOf(a.what ?? 'word') - order.indexOf(b.what ?? 'word'));
}

function placesOf(
  message: string,
  word: string,
): readonly { readonly start: number; readonly end: number }[] {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  // Chinese and Japanese words have no spaces around them.
  const isAlphabetic = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u.test(word);
  const pattern = isAlphabetic ? `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])` : escaped;
  return [...message.matchAll(new RegExp(pattern, 'giu'))].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
}

const modes: { readonly [mode: string]: { readonly word: string; readonly title: string } } = {
  explicit: { word: 'by name', title: 'The message calls it' },
  trigger: { word: 'trigger', title: 'The message has one of its triggers' },
  lexical: { word: 'words', title: 'The message shares words with it' },
  semantic: { word: 'meaning', title: 'No word is shared; its meaning is near' },
  fused: { word: 'words and meaning', title: 'Words are shared, and its meaning is near' },
};

export function modeOf(mode: string): { readonly word: string; readonly title: string } {
  return modes[mode] ?? { word: mode, title: mode };
}
