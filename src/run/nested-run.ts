// A nested run: its name, and what the outer run asks for.
//
// The name follows from the outer run and the key of the effect. So entering the effect again finds the run that it
// started, and resumes it or reads its result: nothing is done twice. It may use the asks, commands, runs, tokens, cost
// and time that the outer run has left (budgets.ts), and nests one deeper. It stops with the outer run. When the outer
// run ends without it, it is cancelled, because no one else may resume it.
import type { Abort } from '../base/abort.ts';
import type { Json } from '../base/json.ts';
import type { Sha256 } from '../ports/environment.ts';
import type { ToolScope } from '../ports/tool.ts';
import { isUlid } from '../journal/ulid.ts';
import type { Budgets } from './budget/budgets.ts';
import type { Ceilings } from './effect/capability-ceiling.ts';
import type { RunLimits } from './budget/limits.ts';
import type { RunResult } from './result/result.ts';

export interface NestedCall {
  /** Its name, which follows from the outer run and the key. */
  readonly run: string;
  /** Of the effect of the outer run. */
  readonly key: string;
  readonly skill: string;
  readonly input: Json;
  readonly signal: Abort;
}

/** The outer run. */
export interface OuterRun {
  readonly run: string;
  /** The run that all of it is part of: `run`, unless that is nested itself. */
  readonly outermost: string;
  readonly depth: number;
  readonly limits: RunLimits;
  readonly budgets: Budgets;
  readonly leftMs: number;
  /** Its own, and those of its outer runs. */
  readonly ceilings: Ceilings;
  /** The same of tools. */
  readonly scopes: readonly ToolScope[];
  /** It is a composition, or was started inside one. */
  readonly inComposition: boolean;
  readonly answerer: string;
}

export interface NestedRuns {
  /** Starts it, resumes it, or reads its result. Throws what `resume` throws. */
  run(call: NestedCall, outer: OuterRun): Promise<RunResult>;
  /** Whether someone has answered, decided or ended anything since this was its result. */
  hasNews(result: RunResult): Promise<boolean>;
  /** Cancels it, if it has not ended. */
  abandon(run: string): Promise<void>;
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A ULID with the time of the outer run and 80 bits of a hash. */
export function nestedRunName(sha256: Sha256, outer: string, key: string): string {
  const hash = sha256(`run ${outer} ${key}`);
  let name = isUlid(outer) ? outer.slice(0, 10) : '0000000000';
  // Five hex digits are four of base 32.
  for (let at = 0; at < 20; at += 5) {
    const bits = Number.parseInt(hash.slice(at, at + 5), 16);
    for (let shift = 15; shift >= 0; shift -= 5) name += digits[(bits >> shift) & 31];
  }
  return name;
}
