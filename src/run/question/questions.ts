// The questions of one run: those in the journal, and new ones.
import type { JournalEntry, QuestionAnswered } from '../../journal/entry.ts';
import type { Json } from '../../base/json.ts';
import { rootOf } from '../effect/effect-keys.ts';
import type { OpenQuestion } from './question.ts';
import type { PendingQuestion } from '../result/result.ts';
import type { StoredValues } from '../stored-values.ts';

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
