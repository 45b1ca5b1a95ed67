// A form that a run waits for -> text.
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printable, printableLine, renderJson } from '../../base/printable.ts';
import type { ClarifyForm, FormField } from '../../run/clarify/form.ts';
import { defaultMaxChars, formOf, rangeOf } from '../../run/clarify/form.ts';

export function isForm(question: Json): question is JsonObject {
  return isJsonObject(question) && question['type'] === 'form';
}

/** Values that are known already, from a chat or from the answerer. */
function collectedIn(question: JsonObject): JsonObject {
  const { collected } = question;
  return isJsonObject(collected) ? collected : {};
}

/** Its fields that are still open. */
export function openForm(question: JsonObject): ClarifyForm {
  const form = formOf(question);
  const given = collectedIn(question);
  return { ...form, fields: form.fields.filter(({ name }) => !Object.hasOwn(given, name)) };
}

/** Lines without an indent. */
export function renderForm(question: JsonObject): readonly string[] {
  const { step, prompt, error } = question;
  const { fields } = openForm(question);
  const width = Math.max(0, ...fields.map(({ name }) => name.length));
  const given = Object.entries(collectedIn(question));
  return [
    `A person is asked to fill in a form (${printableLine(typeof step === 'string' ? step : '')}):`,
    '',
    ...printable(typeof prompt === 'string' ? prompt : '')
      .split('\n')
      .map((line) => (line === '' ? '' : `  ${line}`)),
    '',
    ...fields.map((field) => `  ${printableLine(field.name).padEnd(width)}  ${renderField(field)}`),
    ...(given.length === 0
      ? []
      : [
          '',
          `already answered: ${given.map(([name, value]) => `${printableLine(name)} = ${printableLine(shownValue(value))}`).join(', ')}`,
        ]),
    ...(typeof error === 'string' ? ['', `the last answer was not accepted: ${printableLine(error)}`] : []),
  ];
}

/** `one of kind, plain; default: kind. The tone` */
export function renderField(field: FormField): string {
  const { required, prompt, suggested, default: otherwise } = field;
  const notes = [
    typeText(field),
    ...(required ? ['required'] : []),
    ...(otherwise === undefined ? [] : [`default: ${shownValue(otherwise) || 'nothing'}`]),
    ...(suggested === null ? [] : [`${shownValue(suggested.value)} is suggested by "${suggested.from}"`]),
  ];
  return printableLine(`${notes.join('; ')}${saysMore(field) ? `. ${prompt}` : ''}`);
}

/** A field without a description has its name as the prompt. */
export function saysMore({ name, prompt }: Pick<FormField, 'name' | 'prompt'>): boolean {
  return prompt !== '' && prompt !== name;
}

function typeText({ type, choices, min, max, maxChars }: FormField): string {
  switch (type) {
    case 'string':
      return maxChars === null || maxChars === defaultMaxChars
        ? 'text'
        : `text of at most ${maxChars} characters`;
    case 'int':
      return `a whole number ${rangeOf({ min, max })}`.trim();
    case 'bool':
      return 'yes or no';
    case 'enum':
      return `one of ${(choices ?? []).join(', ')}`;
  }
}

export function shownValue(value: Json): string {
  return typeof value === 'string'
    ? value
    : typeof value === 'boolean'
      ? value
        ? 'yes'
        : 'no'
      : renderJson(value);
}
