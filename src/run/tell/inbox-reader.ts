// Messages of the inbox -> what the owner does about them.
//
// A message is acknowledged only after its entries are durable; a message that can no longer be taken stays for the
// next owner. The rights of the sender are checked again here, because any process can write into an inbox.
import { unreachable } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { EffectDecided, QuestionAnswered } from '../../journal/entry.ts';
import type { InboxMessage } from '../../ports/run-store.ts';
import { decidedEntry } from '../effect/effect-journal.ts';
import type { Questions } from '../engine/pending-effects.ts';
import { answeredBy, judgeAnswer, namedAnswerer } from '../question/question.ts';
import type { OpenQuestion } from '../question/question.ts';
import type { StoredValues } from '../run-facts.ts';

interface InboxParts {
  readonly questions: Questions;
  readonly values: StoredValues;
  readonly nowMs: () => number;
  /** Whether entries can still be added. */
  readonly isOpen: () => boolean;
  /** Its kind, or null when it waits for no decision. */
  readonly undecidedKind: (key: string) => string | null;
  readonly onCancel: (by: string, reason: string) => void;
  readonly onAnswer: (question: OpenQuestion, entry: QuestionAnswered, value: Json) => void;
  readonly onDecision: (entry: EffectDecided) => void;
  readonly onRefused: (question: string, code: string, message: string) => void;
  /** Makes what was added durable, then acknowledges. */
  readonly acknowledge: (id: string) => Promise<void>;
  readonly onFault: (error: Error) => void;
}

export class InboxReader {
  readonly #parts: InboxParts;
  readonly #underWay = new Set<Promise<void>>();

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  take(id: string, message: InboxMessage): void {
    if (!this.#parts.isOpen()) return;
    const work = this.#take(id, message).catch((error: unknown) =>
      this.#parts.onFault(error instanceof Error ? error : new Error(String(error))),
    );
    this.#underWay.add(work);
    void work.then(() => this.#underWay.delete(work));
  }

  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #take(id: string, message: InboxMessage): Promise<void> {
    if (await this.#apply(message)) await this.#parts.acknowledge(id);
  }

  /** Gives whether it need not be looked at again. */
  async #apply(message: InboxMessage): Promise<boolean> {
    switch (message.kind) {
      case 'cancel':
        this.#parts.onCancel(message.by, message.reason);
        return true;
      case 'answer':
        return this.#answer(message);
      case 'decision':
        return this.#decide(message);
      default:
        return unreachable(message);
    }
  }

  async #answer(given: Extract<InboxMessage, { kind: 'answer' }>): Promise<boolean> {
    const id = given.question;
    const { questions, values, nowMs, onRefused, onCancel, onAnswer, isOpen } = this.#parts;
    const at = nowMs();
    const question = questions.get(id);
    if (question === null) {
      onRefused(id, 'QUESTION_UNKNOWN', `there is no question ${id}`);
      return true;
    }
    const verdict = judgeAnswer(question, given, at);
    if (verdict.kind === 'refuse') {
      onRefused(id, verdict.code, verdict.message);
      return true;
    }
    if (verdict.kind === 'cancel') {
      onCancel(namedAnswerer(given), 'the answer was a word that cancels');
      return true;
    }
    const answer = await values.store(verdict.value);
    if (question.answered !== null) return true;
    if (!isOpen()) return false;
    const { name } = given;
    const by = answeredBy(given);
    onAnswer(
      question,
      { type: 'question.answered', at, id, answer, by, ...(name === undefined ? {} : { name }) },
      verdict.value,
    );
    return true;
  }

  async #decide(message: Extract<InboxMessage, { kind: 'decision' }>): Promise<boolean> {
    const { undecidedKind, values, nowMs, isOpen, onDecision } = this.#parts;
    const kind = undecidedKind(message.key);
    if (kind === null) return true;
    const entry = await decidedEntry(kind, message, nowMs(), values);
    if (undecidedKind(message.key) === null) return true;
    if (!isOpen()) return false;
    onDecision(entry);
    return true;
  }
}
