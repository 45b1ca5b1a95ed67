// A pattern over the concepts of a sentence.
//
//   "+UPLOAD PRIVATE|FILES UNKNOWN_HOST !UNLESS_ASKED"      all of them in one sentence, in any order
//   "NOT>TELL>USER"                                     one after the other, at most `usualGap` words apart
//   "NOT>3>ASK"                                         at most three words apart
//
// `+` in front of a chain: its first word is something the reader is told to do: not negated, not something that may happen. `!`: must not be there.
import type { Sentence } from './read-prose.ts';

interface Chain {
  readonly mode: 'there' | 'directive' | 'absent';
  readonly steps: readonly { readonly concepts: readonly string[]; readonly gap: number }[];
}

export interface SentencePattern {
  readonly source: string;
  readonly chains: readonly Chain[];
}

const usualGap = 8;

export function parseSentencePattern(source: string): SentencePattern {
  const chains = source.split(' ').map((item): Chain => {
    const mode = item.startsWith('+') ? 'directive' : item.startsWith('!') ? 'absent' : 'there';
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

/** The positions that make the pattern true; `null`: it is not. */
export function findInSentence(pattern: SentencePattern, sentence: Sentence): readonly number[] | null {
  const found: number[] = [];
  for (const { mode, steps } of pattern.chains) {
    const positions = findChain(sentence, steps, mode === 'directive');
    if (mode === 'absent') {
      if (positions !== null) return null;
    } else if (positions === null) return null;
    else for (const position of positions) found.push(position);
  }
  return found;
}

function findChain(sentence: Sentence, steps: Chain['steps'], directive: boolean): readonly number[] | null {
  const [first, ...rest] = steps as [Chain['steps'][number], ...Chain['steps'][number][]];
  for (const start of positionsOf(sentence, first.concepts)) {
    if (directive && !first.concepts.some((concept) => isDirective(sentence, concept, start))) continue;
    const positions = [start];
    for (const { concepts, gap } of rest) {
      const from = positions.at(-1) as number;
      const next = positionsOf(sentence, concepts).find(
        (position) => position > from && position <= from + gap,
      );
      if (next === undefined) break;
      positions.push(next);
    }
    if (positions.length === steps.length) return positions;
  }
  return null;
}

function positionsOf(sentence: Sentence, concepts: readonly string[]): readonly number[] {
  if (concepts.length === 1) return sentence.concepts.get(concepts[0] as string) ?? [];
  return concepts.flatMap((concept) => sentence.concepts.get(concept) ?? []).sort((a, b) => a - b);
}

/** Words before which a base form is a noun: "the report", "expected output". */
const determiners = new Set(
  'the a an this that these those your its of each every any no my our their expected per in on by with from for new fresh old as his her whose which same'.split(
    ' ',
  ),
);

/** Told to be done: an imperative or what the skill does, with no negation and no "may" or "who" before it. */
function isDirective(sentence: Sentence, concept: string, position: number): boolean {
  if (sentence.concepts.get(concept)?.includes(position) !== true) return false;
  const form = sentence.forms.get(`${concept}:${position}`) ?? 'base';
  if (form === 'other') return false;
  if (form === 'third') {
    const actors = sentence.concepts.get('SKILL_ACTS') ?? [];
    if (!actors.some((at) => at < position && position - at <= 8)) return false;
  } else if (determiners.has(sentence.words[position - 1]?.text ?? '')) return false;
  const { clause } = sentence.words[position] as { clause: number };
  for (const at of sentence.concepts.get('NOT') ?? [])
    if (at < position && position - at <= 7 && clause - (sentence.words[at]?.clause ?? 0) <= 3) return false;
  for (const at of sentence.concepts.get('MAYBE') ?? [])
    if (at < position && position - at <= 7 && sentence.words[at]?.clause === clause) return false;
  return true;
}
