// A question that a run waits for -> text, and the command that answers it.
import { inStore } from '../in-store.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printable, printableLine, renderJson } from '../../base/printable.ts';
import type { PendingQuestion } from '../../run/result/result.ts';
import { renderApproval } from './render-approval.ts';
import { isForm, openForm, renderForm } from './render-form.ts';

/** The fields that pending questions and questions of a journal share. */
export type AskedQuestion = Pick<PendingQuestion, 'id' | 'audience' | 'question'> & { readonly run: string };

export function isApproval(question: Json): boolean {
  return isJsonObject(question) && question['type'] === 'approval';
}

export function choicesOf(question: Json): readonly string[] | null {
  const choices = isJsonObject(question) ? question['choices'] : undefined;
  return Array.isArray(choices) ? (choices as readonly Json[]).map(String) : null;
}

export function schemaOf(question: Json): Json {
  return isJsonObject(question) ? (question['schema'] ?? null) : null;
}

/** Each of these words cancels the run. */
export function cancelWordsOf(question: Json): readonly string[] {
  const words = isJsonObject(question) ? question['cancel_words'] : undefined;
  return Array.isArray(words) ? (words as readonly Json[]).map(String) : [];
}

/** Lines without an indent. */
export function renderQuestion({
  question,
  audience,
}: Pick<AskedQuestion, 'question' | 'audience'>): readonly string[] {
  if (!isJsonObject(question)) return [renderJson(question)];
  if (isApproval(question)) return renderApproval(question);
  if (isForm(question)) return renderForm(question);
  const { prompt, purpose, error } = question;
  const choices = choicesOf(question);
  const schema = schemaOf(question);
  return [
    `An answer is needed from the ${audience}${typeof purpose === 'string' ? ` (${printableLine(purpose)})` : ''}:`,
    '',
    ...printable(typeof prompt === 'string' ? prompt : renderJson(question))
      .split('\n')
      .map((line) => (line === '' ? '' : `  ${line}`)),
    '',
    ...(typeof error === 'string' ? [`the last answer was not accepted: ${printableLine(error)}`] : []),
    ...(choices === null ? [] : [`one of: ${choices.map(printableLine).join(', ')}`]),
    ...(schema === null ? [] : [`as JSON that fits: ${renderJson(schema)}`]),
  ];
}

/** The command that answers it, and who may use it: a question for a person or the operator is not for the caller. */
export function howToAnswer(
  asked: AskedQuestion,
  isOnly: boolean,
  store: string | null = null,
): readonly string[] {
  const what = isOnly || !isForm(asked.question) ? '' : ` ${printableLine(formName(asked.question))}`;
  return [
    `To answer${what} and resume${byWhom[asked.audience]}:`,
    `  ${inStore(answerCommand(asked, isOnly), store)}`,
  ];
}

const byWhom: Record<AskedQuestion['audience'], string> = {
  caller: '',
  person: ' (a person answers, at a terminal; in a script: --as person)',
  operator: ' (a person decides, at a terminal)',
};

function formName({ step }: JsonObject): string {
  return typeof step === 'string' ? step : 'the form';
}

function answerCommand({ run, id, question }: AskedQuestion, isOnly: boolean): string {
  const { step } = isForm(question) ? question : {};
  const which = isOnly ? '' : ` --question ${typeof step === 'string' && /^[\w-]+$/.test(step) ? step : id}`;
  const value = isForm(question)
    ? formOptions(question)
    : isApproval(question)
      ? '--approve once|always|deny|never'
      : schemaOf(question) === null
        ? '--text="…"'
        : "--value '{…}'";
  return `techne answer ${run}${which} ${value}`;
}

function formOptions(question: JsonObject): string {
  const { fields, extract } = openForm(question);
  const needed = fields.filter(({ required }) => required);
  const set = (needed.length === 0 ? fields.slice(0, 1) : needed)
    .map(({ name }) => `--set ${name}=…`)
    .join(' ');
  return extract ? `${set}   (or --text "in your own words")` : set;
}
