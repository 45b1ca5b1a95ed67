// Effects of the program that wait, and what for: an answer, a decision, or a nested run that waits itself.
//
// An effect may continue when nothing holds it or any of its parts.
import type { RunPaused } from '../../journal/entry.ts';
import type { Attempted } from './effect-context.ts';
import { decidedKind } from './effect-entries.ts';
import { rootOf } from './effect-keys.ts';
import type { Questions } from '../question/questions.ts';
import type { PendingQuestion, RunResult, UndecidedEffect } from '../result/result.ts';

export class BlockedEffects {
  readonly #run: string;
  readonly #questions: Questions;
  readonly #waiting = new Map<string, Attempted>();
  /** Also parts. */
  readonly #undecided = new Map<string, Attempted>();
  /** By the part that they are. */
  readonly #nested = new Map<string, RunResult>();

  constructor(run: string, questions: Questions) {
    this.#run = run;
    this.#questions = questions;
  }

  add(effect: Attempted): void {
    this.#waiting.set(effect.key, effect);
  }

  setUndecided(effect: Attempted): void {
    this.#undecided.set(effect.key, effect);
  }

  setNested(key: string, result: RunResult): void {
    this.#nested.set(key, result);
  }

  /** Null when it waits for no decision. */
  undecidedKind(key: string): string | null {
    const effect = this.#undecided.get(key);
    return effect === undefined ? null : decidedKind(effect.kind, effect.request);
  }

  decide(key: string): void {
    this.#undecided.delete(key);
  }

  /** The effect of the program, if it waited and nothing holds it any more. */
  take(root: string): Attempted | null {
    const effect = this.#waiting.get(root);
    if (effect === undefined || this.#isHeld(root)) return null;
    this.#waiting.delete(root);
    return effect;
  }

  #isHeld(root: string): boolean {
    return (
      this.#questions.isOpen(root) ||
      [...this.#undecided.keys(), ...this.#nested.keys()].some((key) => rootOf(key) === root)
    );
  }

  /** Effects that may continue because a nested run has changed. */
  async takeNews(hasNews: (result: RunResult) => Promise<boolean>): Promise<readonly Attempted[]> {
    const found: Attempted[] = [];
    for (const [key, result] of this.#nested) {
      if (!(await hasNews(result))) continue;
      this.#nested.delete(key);
      const effect = this.take(rootOf(key));
      if (effect !== null) found.push(effect);
    }
    return found;
  }

  questions(): readonly PendingQuestion[] {
    return [
      ...this.#questions.pending(this.#run, (root) => this.#waiting.has(root)),
      ...[...this.#nested.values()].flatMap(({ questions }) => questions),
    ];
  }

  undecided(): readonly UndecidedEffect[] {
    const own = [...this.#undecided.values()].map(({ key, kind, request }) => ({
      run: this.#run,
      key,
      kind,
      request,
    }));
    return [...own, ...[...this.#nested.values()].flatMap(({ undecided }) => undecided)];
  }

  /** Null when there is nothing to wait for. `stopped`: a nested run was stopped, and waits for no answer either. */
  reason(): RunPaused['reason'] | null {
    if (this.undecided().length > 0) return 'decision';
    if (this.questions().length > 0) return 'question';
    return this.#nested.size > 0 ? 'stopped' : null;
  }
}
