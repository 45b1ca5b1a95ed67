// A budget in tokens, in characters, or both -> characters. The smaller one counts.
import { charactersPerToken } from './index-layout.ts';

/** How much of the prompt may be used. */
export interface PromptBudget {
  /** By S2's measure, four characters each. Default: no limit. */
  readonly tokens?: number;
  /** Code points. Default: no limit. */
  readonly characters?: number;
}

export function charactersIn({
  tokens = Number.POSITIVE_INFINITY,
  characters = Number.POSITIVE_INFINITY,
}: PromptBudget): number {
  return Math.max(0, Math.min(tokens * charactersPerToken, characters));
}
