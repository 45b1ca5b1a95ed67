// What is known of the steps of a plan while it runs, from the events of its run.
//
// W1. A step begins with its first call, and a retry, a pause or another item is no news. It is told of once, also when the run
//     pauses and goes on; what had been decided before this process took the run up is not told again.
import type { PlannedStep, RunEvent } from '../../run/events.ts';
import type { RunView } from '../../run/history/inspect.ts';
import { createPaint } from '../colour.ts';
import { durationText } from './describe-effect.ts';
import { nameKey } from './name-key.ts';
import { doesText, outcomeText } from './render-steps.ts';

export interface RunningStep {
  readonly id: string;
  readonly does: string;
  readonly sinceMs: number;
}

export interface EndedStep {
  readonly id: string;
  readonly does: string;
  readonly status: 'ok' | 'failed' | 'skipped' | 'blocked';
  /** In words, without colours. */
  readonly outcome: string;
  /** null: nothing was done for it here. */
  readonly ms: number | null;
}

/** What takes longer is worth a line while it lasts. */
export const longMs = 1_000;

const plain = createPaint(false);

export class StepWatch {
  readonly #planned = new Map<string, PlannedStep>();
  readonly #running = new Map<string, { readonly sinceMs: number; readonly items: Set<string> }>();
  readonly #ended = new Set<string>();

  /** Those that were decided before. */
  constructor(before: RunView['steps']) {
    for (const { id, status } of before ?? [])
      if (status !== 'running' && status !== 'waiting') this.#ended.add(id);
  }

  open(steps: readonly PlannedStep[]): void {
    for (const step of steps) this.#planned.set(step.id, step);
  }

  /** `3 of 11`. */
  get count(): string {
    return `${this.#ended.size} of ${this.#planned.size}`;
  }

  /** In the order in which they began. */
  get running(): readonly RunningStep[] {
    return [...this.#running].map(([id, { sinceMs }]) => ({ id, does: this.#does(id), sinceMs }));
  }

  /** Whether it is news that this call begins. */
  begin(key: string, nowMs: number): RunningStep | null {
    const id = nameKey(key);
    if (!this.#planned.has(id)) return null;
    const known = this.#running.get(id);
    const [item] = /\[\d+\]/.exec(key) ?? [];
    if (item !== undefined) known?.items.add(item);
    if (known !== undefined) return null;
    this.#running.set(id, { sinceMs: nowMs, items: new Set(item === undefined ? [] : [item]) });
    return { id, does: this.#does(id), sinceMs: nowMs };
  }

  /** null: there is nothing to tell. */
  end(
    { step: id, status, code, attempts, reason }: Extract<RunEvent, { type: 'step.ended' }>,
    nowMs: number,
  ): EndedStep | null {
    const running = this.#running.get(id);
    this.#running.delete(id);
    if (this.#ended.has(id)) return null;
    this.#ended.add(id);
    if (running === undefined && status === 'ok') return null;
    const items = running?.items.size ?? 0;
    const ms = running === undefined ? null : nowMs - running.sinceMs;
    const outcome = outcomeText(
      {
        id,
        status,
        error: code === null ? null : { code, message: '' },
        reason,
        attempts,
        substitutedBy: null,
        items: items === 0 ? null : items,
      },
      { run: '', questions: [], undecided: [], nested: [], endedAt: null },
      plain,
    );
    return {
      id,
      does: this.#does(id),
      status,
      outcome: `${outcome}${ms === null ? '' : `, ${durationText(ms)}`}`,
      ms,
    };
  }

  /** The run waits: what is under way then goes on later, and begins anew for whoever watches. */
  pause(): void {
    this.#running.clear();
  }

  #does(id: string): string {
    const step = this.#planned.get(id);
    return step === undefined ? '' : doesText(step);
  }
}
