// When the steps of a plan began and how long they took: from the first effect of each to the end of its last.
import type { EffectView } from '../history/inspect.ts';
import { stepKey, stepOfKey } from './keys.ts';
import type { StepView } from './view.ts';

/** A step of a run, with the time it took. */
export interface TimedStep extends StepView {
  /** null: it has not started. */
  readonly startedAt: number | null;
  /** With retries and the pauses between them; null while something is under way. */
  readonly ms: number | null;
  /** Items of for_each that have begun; null for a step without. */
  readonly items: number | null;
}

interface Span {
  startedAt: number;
  endedAt: number | null;
  readonly items: Set<string>;
}

type Timed = Pick<EffectView, 'key' | 'startedAt' | 'ms' | 'state'>;

export function timeSteps(
  steps: readonly StepView[] | null,
  effects: readonly Timed[],
): readonly TimedStep[] | null {
  if (steps === null) return null;
  const spans = new Map<string, Span>();
  for (const { key, startedAt, ms, state } of effects) {
    const step = stepOfKey(key);
    if (step === null) continue;
    const endedAt = state === 'under-way' ? null : startedAt + (ms ?? 0);
    const span = spans.get(step) ?? { startedAt, endedAt: startedAt, items: new Set() };
    spans.set(step, span);
    span.startedAt = Math.min(span.startedAt, startedAt);
    span.endedAt = span.endedAt === null || endedAt === null ? null : Math.max(span.endedAt, endedAt);
    const [item] = /\[\d+\]/.exec(key) ?? [];
    if (item !== undefined) span.items.add(item);
  }
  return steps.map((step) => {
    const { startedAt = null, endedAt = null, items } = spans.get(stepKey(step.id)) ?? {};
    return {
      ...step,
      startedAt,
      ms: startedAt === null || endedAt === null ? null : endedAt - startedAt,
      items: items === undefined || items.size === 0 ? null : items.size,
    };
  });
}
