// Tracks the steps of a running plan from the events of its run.
//
// A step starts with its first call; retries, pauses and further items are not reported. Each step is reported once, even if the
// run pauses and resumes, and steps that ended before this process resumed the run are not reported again.
import type { PlannedStep, RunEvent } from '../../run/events.ts';
import type { RunView } from '../../run/history/inspect.ts';
import { createPaint } from '../io.ts';
import { durationText, nameKey } from './describe-effect.ts';
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
  /** null: this process performed no call for it. */
  readonly ms: number | null;
}

/** A step that takes longer gets a line while it runs. */
export const longMs = 1_000;

const plain = createPaint(false);

export class StepWatch {
  readonly #planned = new Map<string, PlannedStep>();
  readonly #running = new Map<string, { readonly sinceMs: number; readonly items: Set<string> }>();
  readonly #ended = new Set<string>();

  /** Steps that ended before. */
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

  /** In the order in which they started. */
  get running(): readonly RunningStep[] {
    return [...this.#running].map(([id, { sinceMs }]) => ({ id, does: this.#does(id), sinceMs }));
  }

  /** Whether the start of this call starts a step. */
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

  /** null: nothing to report. */
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

  /** The run pauses: running steps start again, for the watcher, when it resumes. */
  pause(): void {
    this.#running.clear();
  }

  #does(id: string): string {
    const step = this.#planned.get(id);
    return step === undefined ? '' : doesText(step);
  }
}
