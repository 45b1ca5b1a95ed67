// The triggers of many skills -> pairs that the same message would start.
//
// Phrases are compared without case, width, punctuation and the names of their variables; in scripts without spaces
// each letter is a word. Equal phrases of two skills collide, and so do a phrase and one that contains it word by
// word. Each pair of skills is reported once, at the longer trigger, or at the one in the later skill.
import type { Span } from '../base/span.ts';

export interface TriggerOwner {
  readonly name: string;
  /** Of its SKILL.md. */
  readonly file: string;
  readonly priority: number;
  readonly triggers: readonly { readonly phrase: string; readonly span: Span | null }[];
}

interface TriggerCollision {
  readonly file: string;
  readonly span: Span | null;
  readonly message: string;
  readonly hint: string;
}

interface Phrase {
  readonly owner: TriggerOwner;
  readonly text: string;
  readonly span: Span | null;
  readonly words: readonly string[];
}

const maxWords = 24;
/** A phrase that this many skills have is reported for each with the first of them. */
const mostPartners = 20;

export function triggerCollisions(owners: readonly TriggerOwner[]): readonly TriggerCollision[] {
  const sorted = [...owners].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const phrases = sorted
    .flatMap((owner) =>
      owner.triggers.map(({ phrase, span }): Phrase => ({
        owner,
        text: phrase,
        span,
        words: wordsOf(phrase),
      })),
    )
    .filter(({ words }) => words.some((word) => word !== variable));
  const byKey = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    const key = phrase.words.join(' ');
    const equal = byKey.get(key);
    if (equal === undefined) byKey.set(key, [phrase]);
    else equal.push(phrase);
  }
  const found: TriggerCollision[] = [];
  const reported = new Set<string>();
  for (const phrase of phrases) {
    for (const key of partsOf(phrase.words)) {
      for (const other of (byKey.get(key) ?? []).slice(0, mostPartners)) {
        if (other.owner.name === phrase.owner.name) continue;
        const equal = other.words.length === phrase.words.length;
        // Of two equal ones, the later skill gets the diagnostic.
        if (equal && other.owner.name > phrase.owner.name) continue;
        const pair = [other.owner.name, phrase.owner.name].sort().join('\n');
        if (reported.has(pair)) continue;
        reported.add(pair);
        found.push({
          file: phrase.owner.file,
          span: phrase.span,
          message: describe(phrase, other, equal),
          hint: hintFor(phrase.owner, other.owner),
        });
      }
    }
  }
  return found;
}

function describe(phrase: Phrase, other: Phrase, equal: boolean): string {
  return equal
    ? `the trigger "${phrase.text}" is also one of the skill "${other.owner.name}"`
    : `the trigger "${phrase.text}" holds "${other.text}", a trigger of the skill "${other.owner.name}"`;
}

function hintFor(owner: TriggerOwner, other: TriggerOwner): string {
  if (owner.priority === other.priority)
    return 'make one of them more specific, or give one a higher meta_priority';
  const winner = owner.priority > other.priority ? owner : other;
  return `"${winner.name}" wins by meta_priority; make one of them more specific if that is not meant`;
}

const variable = '{}';
const alone = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function wordsOf(phrase: string): readonly string[] {
  const plain = phrase
    .replace(/\{[^{}]*\}/g, ' \u0000 ')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\u0000]+/gu, ' ');
  const words: string[] = [];
  for (const word of plain.split(' ')) {
    if (word === '') continue;
    if (word === '\u0000') words.push(variable);
    else if (alone.test(word)) words.push(...(word.match(/[a-z0-9]+|./gu) ?? []));
    else words.push(word);
  }
  return words.slice(0, maxWords);
}

/** Every sequence of words in it, as a key. */
function* partsOf(words: readonly string[]): Generator<string> {
  for (let from = 0; from < words.length; from += 1) {
    for (let to = words.length; to > from; to -= 1) yield words.slice(from, to).join(' ');
  }
}
