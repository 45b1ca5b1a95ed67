// A trigger whose words are in one sentence, in another order than its own -> from the first to the last of them.
//
//   "sort this issue and draft a reply":   "a reply to the issue, draft it, and sort it"
//
// In Chinese the words of a trigger without variables may change places where they are three or more, and their clause says little
// else: 测试为什么有时候会失败 for 为什么测试有时失败; two, where hardly anything stands between them: 周报生成一下 for 生成周报. That is as good as a fit. In other scripts it only shows what the message is about.
import type { Stretch } from '../guard/guard.ts';
import type { CompiledTrigger, TriggerLiteral } from './compile-trigger.ts';
import type { Word } from './message-words.ts';
import { segmentsOf } from '../text/segment-words.ts';
import { simplified } from '../text/simplified.ts';
import { gaps } from './message-words.ts';

export interface Scattered extends Stretch {
  /** As good as a fit. */
  readonly fits: boolean;
}

const han = /\p{Script=Han}/u;
const [leastWords, mostSpread, mostWords] = [3, 2.5, 40];

export function fitScattered(
  trigger: CompiledTrigger,
  words: readonly Word[],
  message: string,
): Scattered | null {
  const literals = trigger.parts.filter(
    (part) => part.kind === 'literal' && !part.optional && !part.light,
  ) as readonly TriggerLiteral[];
  if (literals.length < 2) return null;
  return han.test(trigger.phrase) ? inClause(trigger, words, message) : inSentence(literals, words);
}

function inSentence(literals: readonly TriggerLiteral[], words: readonly Word[]): Scattered | null {
  for (const [from, to] of runs(words, gaps.end)) {
    if (to - from > mostWords) continue;
    const run = words.slice(from, to);
    const places = literals.map(({ stem, alike }) =>
      run.findIndex(
        (word) => word.stem === stem || word.near?.has(stem) === true || alike?.has(word.stem) === true,
      ),
    );
    if (places.includes(-1)) continue;
    return {
      start: (run[Math.min(...places)] as Word).start,
      end: (run[Math.max(...places)] as Word).end,
      fits: false,
    };
  }
  return null;
}

function inClause(trigger: CompiledTrigger, words: readonly Word[], message: string): Scattered | null {
  if (trigger.parts.some(({ kind }) => kind === 'variable')) return null;
  const pieces = segmentsOf(trigger.phrase.toLowerCase());
  const areTwo = pieces.length === 2 && pieces.every((piece) => piece.length > 1);
  if (pieces.length < leastWords && !areTwo) return null;
  for (const [from, to] of runs(words, gaps.comma)) {
    const [start, end] = [(words[from] as Word).start, (words[to - 1] as Word).end];
    if (!areTwo && end - start > trigger.phrase.length * mostSpread) continue;
    const clause = simplified(message.slice(start, end)).toLowerCase();
    if (clause.length !== end - start) continue;
    const places = pieces.map((piece) => clause.indexOf(piece));
    if (places.includes(-1)) continue;
    if (areTwo && !isSwapped(clause, pieces, places)) continue;
    return {
      start: start + Math.min(...places),
      end: start + Math.max(...places.map((place, at) => place + (pieces[at] as string).length)),
      fits: true,
    };
  }
  return null;
}

const littleBetween = /^(?:一下|一遍|[一这那]?[个份篇张条次]|[的我好再])*$/;

function isSwapped(clause: string, pieces: readonly string[], places: readonly number[]): boolean {
  const [first, second] = (places[0] as number) < (places[1] as number) ? [0, 1] : [1, 0];
  const from = (places[first] as number) + (pieces[first] as string).length;
  return littleBetween.test(clause.slice(from, places[second]));
}

/** From each word after a gap to the next. */
function runs(words: readonly Word[], gap: number): readonly (readonly [number, number])[] {
  const starts = [...words.keys()].filter((at) => at === 0 || (words[at] as Word).gap >= gap);
  return starts.map((from, index) => [from, starts[index + 1] ?? words.length]);
}
