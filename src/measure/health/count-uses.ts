// What happened with skills -> per skill how it is used.
//
//   activations, runs, misses -> uses, failures, cost, the last use
//
// A cost is that of runs, with the runs inside them; a conversation pays for all of its skills together, so what a body took of a
// prompt is given in tokens.

export type UseEvent =
  /** A body came before a model. */
  | {
      readonly kind: 'activation';
      readonly skill: string;
      readonly at: number;
      readonly reason: 'always' | 'on_demand' | 'auto_suggested';
      readonly tokens: number;
      readonly where: 'chat' | 'mcp' | 'run';
    }
  /** `ok` is `null` while it has not ended, or was cancelled. */
  | {
      readonly kind: 'run';
      readonly skill: string;
      readonly at: number;
      readonly ok: boolean | null;
      readonly costMicros: number;
      readonly isNested: boolean;
    }
  /** The model looked for the skill by itself: the message had not suggested it. */
  | { readonly kind: 'miss'; readonly skill: string; readonly at: number; readonly message: string };

export interface SkillUse {
  readonly skill: string;
  /** Activations and runs. */
  readonly uses: number;
  readonly activations: number;
  /** Of the activations: the message brought it, or it is in every prompt. */
  readonly suggested: number;
  readonly runs: number;
  readonly failures: number;
  readonly costMicros: number;
  /** What its bodies took of prompts. */
  readonly tokens: number;
  /** Milliseconds; `null`: never. */
  readonly lastUsed: number | null;
  readonly misses: number;
  /** The newest messages that missed it, at most five. */
  readonly missed: readonly string[];
}

const mostMissed = 5;

/** The most used first; skills of `known` that were not used come last. */
export function countUses(events: Iterable<UseEvent>, known: readonly string[] = []): readonly SkillUse[] {
  const counted = new Map<string, Counting>(known.map((skill) => [skill, new Counting()]));
  for (const event of events) {
    const here = counted.get(event.skill) ?? new Counting();
    counted.set(event.skill, here);
    here.add(event);
  }
  return [...counted]
    .map(([skill, counting]) => counting.of(skill))
    .toSorted((a, b) => b.uses - a.uses || b.misses - a.misses || (a.skill < b.skill ? -1 : 1));
}

class Counting {
  activations = 0;
  suggested = 0;
  runs = 0;
  failures = 0;
  costMicros = 0;
  tokens = 0;
  lastUsed: number | null = null;
  readonly missed: { readonly at: number; readonly message: string }[] = [];

  add(event: UseEvent): void {
    if (event.kind === 'miss') {
      this.missed.push(event);
      return;
    }
    this.lastUsed = Math.max(this.lastUsed ?? event.at, event.at);
    if (event.kind === 'activation') {
      this.activations += 1;
      this.tokens += event.tokens;
      if (event.reason !== 'on_demand') this.suggested += 1;
    } else {
      this.runs += 1;
      this.costMicros += event.costMicros;
      if (event.ok === false) this.failures += 1;
    }
  }

  of(skill: string): SkillUse {
    const { activations, suggested, runs, failures, costMicros, tokens, lastUsed, missed } = this;
    const newest = missed.toSorted((a, b) => b.at - a.at || (a.message < b.message ? -1 : 1));
    return {
      skill,
      uses: activations + runs,
      activations,
      suggested,
      runs,
      failures,
      costMicros,
      tokens,
      lastUsed,
      misses: missed.length,
      missed: [...new Set(newest.map(({ message }) => message))].slice(0, mostMissed),
    };
  }
}
