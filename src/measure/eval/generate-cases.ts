// The triggers of a skill -> natural uses that should start it, and traps that should not.
//
// The same triggers, frames and seed give the same cases in the same order. Variables are filled with words that mean
// nothing to matching. A variable at the end of a trigger takes all that follows ("write {title} in capital letters"),
// so an unquoted mention cannot be distinguished from a request: such sentences are not generated.
import type { EvalCase, CaseKind } from './eval-case.ts';
import type { FrameKind, FrameSet } from './frames.ts';
import { frameKinds, frames as usualFrames } from './frames.ts';
import { seededRandom } from './random.ts';

interface GenerateOptions {
  /** The sentences. Default: all of frames.ts. */
  readonly frames?: FrameSet;
  /** The most frames of each kind for one trigger, chosen by the seed. Default: all. */
  readonly perKind?: number;
  /** Default 1. */
  readonly seed?: number;
}

const kindOf: Record<FrameKind, CaseKind> = {
  natural: 'positive',
  negation: 'negation',
  quotation: 'quotation',
  translation: 'translation',
  question: 'question',
  pasted: 'pasted-history',
  narration: 'narration',
};
const fillings = ['the blue boat', 'our garden', 'Lisbon', 'chapter two', 'a small bakery'];
const endsOpen = /\{[^{}]*\}\s*$/;
const runsOn = /^[^"'`“‘«]*\{(?:t|T|TT)\}\s+\p{L}/u;
const han = /\p{Script=Han}/u;

export function generateCases(
  skill: string,
  triggers: readonly string[],
  options: GenerateOptions = {},
): readonly EvalCase[] {
  const { frames = usualFrames, perKind = Infinity, seed = 1 } = options;
  const random = seededRandom(seed);
  const cases: EvalCase[] = [];
  for (const trigger of triggers) {
    const words = trigger.replace(
      /\{[^{}]*\}/g,
      () => fillings[Math.floor(random() * fillings.length)] as string,
    );
    for (const kind of frameKinds) {
      const all = han.test(words) ? [...frames[kind].zh, ...frames[kind].en] : frames[kind].en;
      const fitting =
        kind === 'quotation' && endsOpen.test(trigger) ? all.filter((frame) => !runsOn.test(frame)) : all;
      for (const frame of pick(fitting, perKind, random)) {
        cases.push({
          message: fill(frame, words),
          expected: kind === 'natural' ? skill : null,
          kind: kindOf[kind],
          about: skill,
        });
      }
    }
  }
  return cases;
}

function fill(frame: string, words: string): string {
  const capital = words.slice(0, 1).toUpperCase() + words.slice(1);
  return frame.replace(/\{(t|T|TT)\}/g, (_, form: string) =>
    form === 't' ? words : form === 'T' ? capital : words.toUpperCase(),
  );
}

function pick<T>(items: readonly T[], count: number, random: () => number): readonly T[] {
  if (count >= items.length) return items;
  const left = [...items];
  const chosen: T[] = [];
  while (chosen.length < count && left.length > 0)
    chosen.push(left.splice(Math.floor(random() * left.length), 1)[0] as T);
  return chosen;
}
