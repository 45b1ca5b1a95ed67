// A trigger phrase -> the pattern that a message must fit.
//
//   "write a paper on {topic}" -> write [a] paper on <topic>;   "note: {entry}" -> note : <entry>
//
// A determiner before another word is optional; at the end of the phrase it counts. A phrase of variables alone is not
// a trigger. A first verb that only says that something is written or made may be another such verb. `shapes.ts` has the other
// orders in which it is said.
import { triggerVariable } from '../../skill/fields/apply-field.ts';
import { stem } from '../text/stem.ts';
import type { Gap, Word } from './message-words.ts';
import { gaps, wordsOf } from './message-words.ts';
import { determiners, doers, drafts, makes, parting, prepositions } from './word-classes.ts';

export interface TriggerLiteral {
  readonly kind: 'literal';
  readonly text: string;
  readonly stem: string;
  readonly alone: boolean;
  readonly optional: boolean;
  /** It says nothing about what is wanted: a preposition, "what", "is". */
  readonly light: boolean;
  /** Stems that stand for it. */
  readonly alike: ReadonlySet<string> | null;
  readonly gap: Gap;
}

export interface TriggerVariable {
  readonly kind: 'variable';
  readonly name: string;
  /** What may part it from the words before: a colon, where the phrase has one. */
  readonly gap: Gap;
}

export interface CompiledTrigger {
  readonly phrase: string;
  readonly parts: readonly (TriggerLiteral | TriggerVariable)[];
  /** The stems that must be in the message, each once. */
  readonly needed: readonly string[];
  /** Neighbours without a space: "voice over" is also "voiceover". */
  readonly joined: readonly string[];
}

export const triggerLimits = { words: 40, phrase: 500 } as const;

export function compileTrigger(phrase: string): CompiledTrigger | null {
  if (phrase.length > triggerLimits.phrase) return null;
  const parts: (TriggerLiteral | TriggerVariable)[] = [];
  let at = 0;
  for (const match of phrase.matchAll(triggerVariable)) {
    const before = phrase.slice(at, match.index);
    parts.push(...literalsOf(before), {
      kind: 'variable',
      name: match[1] as string,
      gap: /[:：]\s*$/.test(before) ? gaps.end : gaps.none,
    });
    at = match.index + match[0].length;
  }
  parts.push(...literalsOf(phrase.slice(at)));
  const literals = parts.filter((part) => part.kind === 'literal');
  if (literals.length === 0 || parts.length > triggerLimits.words) return null;
  const optional = parts.map(
    (part, index) =>
      part.kind === 'literal' &&
      determiners.has(part.text) &&
      parts.slice(index + 1).some((next) => next.kind === 'literal' && !determiners.has(next.text)),
  );
  const hasDoer = isDoer(parts.at(-1)) && literals.length > 1;
  const marked = parts.map((part, index) =>
    part.kind === 'literal'
      ? {
          ...part,
          optional: optional[index] === true,
          alike:
            hasDoer && index === parts.length - 1
              ? verbsOf(part.text)
              : index === 0 && drafts.has(part.text)
                ? drafts
                : null,
        }
      : part,
  );
  const required = marked.filter(
    (part) => part.kind === 'literal' && !part.optional,
  ) as readonly TriggerLiteral[];
  const telling = required.filter(
    (part, index) => !part.light && part.alike === null && !(index === 0 && makes.has(part.text)),
  );
  return {
    phrase,
    parts: marked,
    needed: [...new Set((telling.length > 0 ? telling : required).map((part) => part.stem))],
    joined: joinedOf(required),
  };
}

export function isDoer(part: TriggerLiteral | TriggerVariable | undefined): boolean {
  return part?.kind === 'literal' && doers.has(part.text);
}

/** The stems that its verb may have: "planner" -> plan, "writer" -> write. */
function verbsOf(doer: string): ReadonlySet<string> {
  const verb = doer.slice(0, -2);
  return new Set([verb, verb.replace(/(.)\1$/, '$1'), `${verb}e`].map(stem));
}

function literalsOf(text: string): readonly TriggerLiteral[] {
  return wordsOf(text).map((word: Word): TriggerLiteral => ({
    kind: 'literal',
    text: word.text,
    stem: word.stem,
    alone: word.alone,
    optional: false,
    light: parting.has(word.text) || prepositions.has(word.text),
    alike: null,
    gap: word.gap,
  }));
}

function joinedOf(literals: readonly TriggerLiteral[]): readonly string[] {
  const joined: string[] = [];
  for (const [index, { text, alone }] of literals.entries()) {
    const next = literals[index + 1];
    if (next !== undefined && !alone && !next.alone) joined.push(text + next.text);
  }
  return joined;
}
