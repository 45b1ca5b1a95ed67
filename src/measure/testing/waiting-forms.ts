// The forms that a run of a test still waits for, as whoever wrote the test has to know them: by which step, with which fields.
import { isJsonObject } from '../../base/json.ts';
import { missingFields } from '../../run/clarify/clarify.ts';
import { formOf } from '../../run/clarify/form.ts';
import type { PendingQuestion } from '../../run/result/result.ts';

/** A message for each; questions that are no forms have none. */
export function waitingForms(questions: readonly Pick<PendingQuestion, 'question'>[]): readonly string[] {
  return questions.flatMap(({ question }) => {
    if (!isJsonObject(question) || question['type'] !== 'form') return [];
    const { collected, error } = question;
    const form = formOf(question);
    const given = isJsonObject(collected) ? collected : {};
    const open = form.fields.filter(({ name }) => !Object.hasOwn(given, name));
    const needed = missingFields(form, given).map(({ name }) => `${name} (needed)`);
    const others = open.filter(({ required }) => !required).map(({ name }) => name);
    const why = typeof error === 'string' ? `; of the reply before: ${error}` : '';
    return [
      `no reply is scripted for the form "${form.step}", with the fields ${[...needed, ...others].join(', ')}${why}`,
    ];
  });
}
