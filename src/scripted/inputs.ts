// Scripted replies to the forms of a run, given as a person would.
//
// A form gets the first unused reply for its step, else the first one without a step. A reply that the form refuses
// is not given again; it is reported.
import { isJsonObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import type { ScriptedInput } from './script-file.ts';
import type { PendingQuestion } from '../run/result/result.ts';

export class ScriptedInputs {
  readonly #inputs: readonly ScriptedInput[];
  readonly #used = new Set<ScriptedInput>();

  constructor(inputs: readonly ScriptedInput[]) {
    this.#inputs = inputs;
  }

  unused(): readonly ScriptedInput[] {
    return this.#inputs.filter((input) => !this.#used.has(input));
  }

  /** null if the question is not a form, or no reply is left for it. */
  take({ question }: Pick<PendingQuestion, 'question'>): ScriptedInput | null {
    if (!isJsonObject(question) || question['type'] !== 'form') return null;
    const { step } = question;
    const left = this.unused();
    const found =
      left.find((input) => input.step === step) ?? left.find((input) => input.step === null) ?? null;
    if (found !== null) this.#used.add(found);
    return found;
  }

  /** The open form that a reply may be for, when its step is misspelt: `; did you mean "details"?`. */
  meantBy({ step }: ScriptedInput, questions: readonly Pick<PendingQuestion, 'question'>[]): string {
    const open = questions.flatMap(({ question }) =>
      isJsonObject(question) && typeof question['step'] === 'string' ? [question['step']] : [],
    );
    const near = step === null ? null : nearest(step, open);
    return near === null ? '' : `; did you mean "${near}"?`;
  }

  /** Of a run that was resumed: the replies to these have been given. */
  skip(questions: readonly Pick<PendingQuestion, 'question'>[]): void {
    for (const question of questions) this.take(question);
  }
}

export interface RefusedInput {
  readonly input: ScriptedInput;
  readonly message: string;
}
