// Effects of a run that have not ended: those under way (TaskPool), those that wait (BlockedEffects), and the questions
// that they wait for (Questions).
import type { RunPaused, JournalEntry, QuestionAnswered } from '../../journal/entry.ts';
import type { Attempted } from '../effect/effect-context.ts';
import { decidedKind } from '../effect/effect-journal.ts';
import { rootOf } from '../effect/effect.ts';
import type { PendingQuestion, RunResult, UndecidedEffect } from '../result/result.ts';
import type { Json } from '../../base/json.ts';
import type { OpenQuestion } from '../question/question.ts';
import type { StoredValues } from '../run-facts.ts';

// Tasks beside the loop of a run: a number of slots, and a queue for them.
//
// `settled` resolves when nothing is under way; only then may a result be given. `changed` reports a change once for
// each wait.

interface TaskPoolOptions<T> {
  readonly parallel: number;
  readonly carryOut: (item: T) => Promise<void>;
  /** What `carryOut` rejected with. */
  readonly onError: (error: unknown) => void;
}

export class TaskPool<T> {
  readonly #options: TaskPoolOptions<T>;
  readonly #queue: T[] = [];
  #underWay = 0;
  #isHeld = false;
  #wake: (() => void) | null = null;

  constructor(options: TaskPoolOptions<T>) {
    this.#options = options;
  }

  /** Nothing is under way, and nothing will be begun. */
  get isIdle(): boolean {
    return this.#underWay === 0 && (this.#isHeld || this.#queue.length === 0);
  }

  get hasQueued(): boolean {
    return this.#queue.length > 0;
  }

  add(item: T): void {
    this.#queue.push(item);
    this.#fill();
  }

  /** Counts work that was begun elsewhere. */
  track(work: Promise<void>): void {
    this.#underWay += 1;
    work.then(this.#settle, this.#fail);
  }

  readonly #settle = (): void => {
    this.#underWay -= 1;
    this.#fill();
    this.wake();
  };

  readonly #fail = (error: unknown): void => {
    this.#options.onError(error);
    this.#settle();
  };

  /** Begins nothing any more; what is queued stays. */
  hold(): void {
    this.#isHeld = true;
    this.wake();
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  /** Resolves at the next `wake`, or when something has settled. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async settled(): Promise<void> {
    while (this.#underWay > 0) await this.changed();
  }

  #fill(): void {
    while (!this.#isHeld && this.#underWay < this.#options.parallel && this.#queue.length > 0)
      this.track(this.#options.carryOut(this.#queue.shift() as T));
  }
}

// Effects of the program that wait, and what for: an answer, a decision, or a nested run that waits itself.
//
// An effect may continue when nothing holds it or any of its parts.

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

// The questions of one run: those in the journal, and new ones.

export class Questions {
  readonly #byId = new Map<string, OpenQuestion>();
  readonly #byKey = new Map<string, OpenQuestion[]>();

  async load(entries: readonly JournalEntry[], values: StoredValues): Promise<void> {
    for (const entry of entries) {
      if (entry.type === 'question.asked')
        this.add({
          asked: entry,
          body: await values.load(entry.question),
          answered: null,
          value: null,
          used: false,
        });
      if (entry.type === 'effect.started') this.use(entry.key);
      if (entry.type !== 'question.answered') continue;
      const question = this.#byId.get(entry.id);
      if (question !== undefined) this.setAnswer(question, entry, await values.load(entry.answer));
    }
  }

  add(question: OpenQuestion): void {
    const { id, key } = question.asked;
    this.#byId.set(id, question);
    this.#byKey.set(key, [...this.of(key), question]);
  }

  setAnswer(question: OpenQuestion, answered: QuestionAnswered, value: Json): void {
    question.answered = answered;
    question.value = value;
  }

  /** The effect starts: an approval is used up by one start. */
  use(key: string): void {
    for (const question of this.of(key)) if (question.answered !== null) question.used = true;
  }

  get(id: string): OpenQuestion | null {
    return this.#byId.get(id) ?? null;
  }

  /** Of an effect, in the order in which they were asked. */
  of(key: string): readonly OpenQuestion[] {
    return this.#byKey.get(key) ?? [];
  }

  /** Whether an effect of the program, or a part of it, waits for an answer. */
  isOpen(root: string): boolean {
    for (const { asked, answered } of this.#byId.values())
      if (answered === null && rootOf(asked.key) === root) return true;
    return false;
  }

  hasExpired(key: string, nowMs: () => number): boolean {
    return (
      this.#byId.size > 0 &&
      this.of(key).some(
        ({ asked, answered }) => answered === null && asked.expiresAt !== null && nowMs() >= asked.expiresAt,
      )
    );
  }

  /** Open ones of effects of the program that wait. */
  pending(run: string, isWaiting: (root: string) => boolean): readonly PendingQuestion[] {
    return [...this.#byId.values()]
      .filter(({ answered, asked }) => answered === null && isWaiting(rootOf(asked.key)))
      .map(({ asked: { id, nonce, audience, key, expiresAt }, body }) => ({
        run,
        id,
        nonce,
        audience,
        key,
        question: body,
        expiresAt,
      }));
  }
}
