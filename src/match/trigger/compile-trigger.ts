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
import { determiners, doers, drafts, hanActs, makes, parting, prepositions } from './word-classes.ts';

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

const triggerLimits = { words: 40, phrase: 500 } as const;

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
  const verb = hanVerb(marked);
  const telling = required.filter(
    (part, index) =>
      index >= verb && !part.light && part.alike === null && !(index === 0 && makes.has(part.text)),
  );
  return {
    phrase,
    parts: marked,
    needed: [...new Set((telling.length > 0 ? telling : required).map((part) => part.stem))],
    joined: joinedOf(required),
  };
}

/** How many characters of a Chinese trigger are its verb: those before its variable, or the first; 0 where none is known. */
export function hanVerb(parts: CompiledTrigger['parts']): number {
  const at = parts.findIndex(({ kind }) => kind === 'variable');
  const length = at < 0 ? 1 : at;
  const rest = parts.slice(at < 0 ? 1 : at + 1);
  const [first] = parts;
  const isHan = [...parts.slice(0, length), ...rest].every((part) => part.kind === 'literal' && part.alone);
  if (!isHan || rest.length < 2 || first?.kind !== 'literal') return 0;
  return length === 2 || (length === 1 && hanActs.has(first.text)) ? length : 0;
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
