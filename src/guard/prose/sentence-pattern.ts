// A pattern over the concepts of a sentence.
//
//   "+UPLOAD PRIVATE|FILES UNKNOWN_HOST !UNLESS_ASKED"      all of them in one sentence, in any order
//   "NOT>TELL>USER"                                     one after the other, at most `usualGap` words apart
//   "NOT>3>ASK"                                         at most three words apart
//
// `+` in front of a chain: its first word is something the reader is told to do: not negated, not something that may happen. `~`: the same, or
// something that is said to be done ("are removed", "the script sends"). `!`: must not be there.
import type { Sentence } from './read-prose.ts';

type Mode = 'there' | 'directive' | 'asserted' | 'absent';

interface Chain {
  readonly mode: Mode;
  readonly steps: readonly { readonly concepts: readonly string[]; readonly gap: number }[];
}

export interface SentencePattern {
  readonly source: string;
  readonly chains: readonly Chain[];
}

const usualGap = 8;
const modes: { readonly [mark: string]: Mode } = { '+': 'directive', '~': 'asserted', '!': 'absent' };

export function parseSentencePattern(source: string): SentencePattern {
  const chains = source.split(' ').map((item): Chain => {
    const mode = modes[item[0] as string] ?? 'there';
    const steps: { concepts: string[]; gap: number }[] = [];
    let gap = usualGap;
    for (const part of (mode === 'there' ? item : item.slice(1)).split('>')) {
      if (/^\d+$/.test(part)) gap = Number(part);
      else {
        steps.push({ concepts: part.split('|'), gap });
        gap = usualGap;
      }
    }
    return { mode, steps };
  });
  return { source, chains };
}

/** Patterns by the concepts that one of them must have, so that a sentence is compared only with those that it can match. */
export class PatternIndex {
  readonly #byConcept = new Map<string, number[]>();
  readonly #patterns: readonly SentencePattern[];

  constructor(patterns: readonly SentencePattern[]) {
    this.#patterns = patterns;
    for (const [index, { chains }] of patterns.entries()) {
      const anchor = chains.find(({ mode }) => mode !== 'absent')?.steps[0]?.concepts ?? [];
      for (const concept of anchor) {
        const list = this.#byConcept.get(concept);
        if (list === undefined) this.#byConcept.set(concept, [index]);
        else list.push(index);
      }
    }
  }

  /** One for each pattern: whether it can match. */
  candidates(sentence: Sentence): Uint8Array {
    const can = new Uint8Array(this.#patterns.length);
    for (const concept of sentence.concepts.keys())
      for (const index of this.#byConcept.get(concept) ?? none) can[index] = 1;
    return can;
  }
}

/** The positions that make the pattern true; `null`: it is not. */
export function findInSentence(pattern: SentencePattern, sentence: Sentence): readonly number[] | null {
  const found: number[] = [];
  for (const { mode, steps } of pattern.chains) {
    const positions = findChain(sentence, steps, mode);
    if (mode === 'absent') {
      if (positions !== null) return null;
    } else if (positions === null) return null;
    else for (const position of positions) found.push(position);
  }
  return found;
}

function findChain(sentence: Sentence, steps: Chain['steps'], mode: Mode): readonly number[] | null {
  const first = steps[0] as Chain['steps'][number];
  for (const start of positionsOf(sentence, first.concepts)) {
    if (
      (mode === 'directive' || mode === 'asserted') &&
      !first.concepts.some((concept) => isDirective(sentence, concept, start, mode === 'asserted'))
    )
      continue;
    if (steps.length === 1) return [start];
    const positions = [start];
    for (let at = 1; at < steps.length; at += 1) {
      const next = nextOf(sentence, steps[at] as Chain['steps'][number], positions.at(-1) as number);
      if (next === -1) break;
      positions.push(next);
    }
    if (positions.length === steps.length) return positions;
  }
  return null;
}

const none: readonly number[] = [];

function positionsOf({ concepts: there }: Sentence, concepts: readonly string[]): readonly number[] {
  let only = none;
  let all: number[] | null = null;
  for (const concept of concepts) {
    const positions = there.get(concept);
    if (positions === undefined) continue;
    if (only === none) only = positions;
    else (all ??= [...only]).push(...positions);
  }
  return all === null ? only : all.sort((a, b) => a - b);
}

/** The first place of one of the concepts after `from`, within the gap; -1: there is none. */
function nextOf(
  { concepts: there }: Sentence,
  { concepts, gap }: Chain['steps'][number],
  from: number,
): number {
  let first = -1;
  for (const concept of concepts)
    for (const position of there.get(concept) ?? none) {
      if (position <= from) continue;
      if (position <= from + gap && (first === -1 || position < first)) first = position;
      break;
    }
  return first;
}

/** Words before which a base form is a noun: "the report", "expected output". */
const determiners = new Set(
  'the a an this that these those your its of each every any no my our their expected per in on by with from for new fresh old as his her whose which same'.split(
    ' ',
  ),
);

const passives = new Set('is are be gets get being been was were'.split(' '));

/** Told to be done: an imperative or what the skill does, with no negation and no "may" or "who" before it; or, if `asserted`, said to be done. */
function isDirective(sentence: Sentence, concept: string, position: number, asserted: boolean): boolean {
  if (sentence.concepts.get(concept)?.includes(position) !== true) return false;
  const form = sentence.forms.get(`${concept}:${position}`) ?? 'base';
  if (form === 'other') {
    const before = (distance: number): boolean =>
      passives.has(sentence.words[position - distance]?.text ?? '');
    if (!asserted || !(before(1) || before(2))) return false;
  } else if (form === 'third') {
    const actors = sentence.concepts.get('SKILL_ACTS') ?? [];
    if (!asserted && !actors.some((at) => at < position && position - at <= 8)) return false;
  } else if (determiners.has(sentence.words[position - 1]?.text ?? '')) return false;
  const { clause } = sentence.words[position] as { clause: number };
  for (const at of sentence.concepts.get('NOT') ?? [])
    if (at < position && position - at <= 7 && clause - (sentence.words[at]?.clause ?? 0) <= 3) return false;
  for (const at of sentence.concepts.get('MAYBE') ?? [])
    if (at < position && position - at <= 7 && sentence.words[at]?.clause === clause) return false;
  return true;
}
