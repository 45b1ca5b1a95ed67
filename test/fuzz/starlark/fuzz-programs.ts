// Programs by the number, from a seed, each checked.
//
// Z1. The same seed gives the same programs. A failure names the seed of its one program.
import { checkProgram } from './check-program.ts';
import type { Random } from './generate-program.ts';
import { generateProgram } from './generate-program.ts';
import { minimise } from './minimise.ts';
import { mutateProgram } from './mutate-program.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly count: number;
  readonly corpus: readonly string[];
  /** Milliseconds, for the guard against slowness. */
  readonly nowMs: () => number;
  /** Told before each program, so that a watcher knows what hangs. */
  readonly began?: (seed: number) => void;
}

export interface FuzzResult {
  /** How many programs ended with each code, or `done`. */
  readonly outcomes: Map<string, number>;
  readonly failures: readonly {
    readonly seed: number;
    readonly why: string;
    readonly program: string;
    readonly smallest: string;
  }[];
}

const maxLength = 6000;

/** mulberry32: small, and good enough to choose. */
function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A third as generated, a third generated and damaged, a third damaged files. */
export function programOf(seed: number, corpus: readonly string[]): string {
  const random = createRandom(seed);
  const kind = random(3);
  if (kind === 0) return generateProgram(random);
  return mutateProgram(
    kind === 1 ? generateProgram(random) : (corpus[random(corpus.length)] as string),
    random,
    corpus,
    maxLength,
  );
}

export function fuzzPrograms({ seed, count, corpus, nowMs, began }: FuzzOptions): FuzzResult {
  const outcomes = new Map<string, number>();
  const failures: { seed: number; why: string; program: string; smallest: string }[] = [];
  // Half the time would go into stacks that nobody reads.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  for (let at = 0; at < count; at += 1) {
    const own = (Math.imul(seed, 1_000_003) + at) >>> 0;
    began?.(own);
    const program = programOf(own, corpus);
    const { outcome, broken } = checkProgram(program, own, nowMs);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (broken === null) continue;
    Error.stackTraceLimit = 10;
    const kind = kindOf(checkProgram(program, own, nowMs).broken ?? broken);
    const smallest =
      kind === 'slow'
        ? program
        : minimise(program, (candidate) => kindOf(checkProgram(candidate, own, nowMs).broken) === kind);
    failures.push({ seed: own, why: checkProgram(smallest, own, nowMs).broken ?? broken, program, smallest });
    Error.stackTraceLimit = 0;
  }
  Error.stackTraceLimit = stackTraceLimit;
  return { outcomes, failures };
}

/** What makes two failures the same: the promise, and what was thrown where. */
function kindOf(broken: string | null): string | null {
  if (broken === null) return null;
  if (broken.startsWith('slow')) return 'slow';
  return broken.startsWith('threw')
    ? broken.split('\n').slice(0, 2).join('\n').replace(/\d+/g, '#')
    : (broken.split('\n')[0] as string);
}
