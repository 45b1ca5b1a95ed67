// Why words of a message ask for nothing, although they match.
//
//   region = the words that show it (cue) + the words that it holds for (scope)
//
// A cue never guards itself: a trigger that overlaps it is judged by the other regions alone. `next` reaches only what
// directly follows the cue: "I don't X" refuses X, "I don't have time to X" does not.

export type Guard = 'negation' | 'quotation' | 'translation' | 'question' | 'pasted' | 'narration';

/** A stretch of the message, by code units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface Region {
  readonly guard: Guard;
  readonly cue: Stretch;
  readonly scope: Stretch;
  /** For a person: `"do not" comes before it`. */
  readonly reason: string;
  readonly reach?: 'next';
  /** It asks for nothing, but tells what the message is about: code. */
  readonly telling?: true;
  /** It is about a skill that is spoken of: not about one that a command calls. */
  readonly ofSkill?: true;
  /** Between cue and words: the region counts only if this fits. */
  readonly between?: RegExp;
  /** The region counts only if the words overlap each of these: a word that takes it back, unless it is the trigger's own. */
  readonly unless?: readonly Stretch[];
  /** After the words, up to the end of their sentence: the region counts only if this fits. */
  readonly after?: RegExp;
}

export function overlaps(a: Stretch, b: Stretch): boolean {
  return a.start < b.end && b.start < a.end;
}

export function holds(outer: Stretch, inner: Stretch): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** Stands for a character that is quoted or pasted, so that no cue is found in it; offsets stay. */
export const masked = '\uFFFC';

export function mask(text: string, stretches: readonly Stretch[]): string {
  let result = '';
  let at = 0;
  for (const { start, end } of [...stretches].sort((a, b) => a.start - b.start)) {
    if (end <= at || end === start) continue;
    const from = Math.max(start, at);
    result += text.slice(at, from) + text.slice(from, end).replace(/[^\n]/g, masked);
    at = end;
  }
  return result + text.slice(at);
}
