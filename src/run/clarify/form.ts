// A form that a run waits for: its fields, and the values that each field accepts.
//
// A value is accepted as given or refused with the reason; nothing is guessed. Texts are parsed for the type of the
// field, because people and command lines give texts: `yes`, `12`, `Approve`. A form is JSON in the journal
// (`form.fields[…]`), so that any reader of the run can show it.
import { emptyObject, isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import type { InputFact } from '../../ports/skill-source.ts';
import { cutCodePoints } from '../../skill/code-points.ts';

export interface FormField {
  readonly name: string;
  readonly type: 'string' | 'enum' | 'int' | 'bool';
  readonly required: boolean;
  readonly prompt: string;
  readonly choices: readonly string[] | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly minChars: number | null;
  readonly maxChars: number | null;
  /** undefined: it has none. */
  readonly default: Json | undefined;
  /** The value that an earlier step found, and which step; it counts only when a person has confirmed it. */
  readonly suggested: { readonly value: Json; readonly from: string } | null;
}

export interface ClarifyForm {
  readonly step: string;
  readonly mode: 'form' | 'chat';
  readonly intro: string;
  readonly fields: readonly FormField[];
  /** Lower case; each of them is a whole reply. */
  readonly cancelWords: readonly string[];
  readonly expiresMs: number | null;
  /** Whether a free reply is read by the answerer. */
  readonly extract: boolean;
  readonly model: string | null;
  /** The message of the run; read for values before a person is asked (prefill.ts). */
  readonly message?: string;
}

/** An input as a field of a form. */
export function fieldOfInput({ key, description, schema }: InputFact): FormField {
  const choices = Array.isArray(schema?.['enum'])
    ? (schema['enum'] as readonly Json[]).filter((one) => typeof one === 'string')
    : [];
  const type =
    choices.length > 0
      ? 'enum'
      : schema?.['type'] === 'integer'
        ? 'int'
        : schema?.['type'] === 'boolean'
          ? 'bool'
          : 'string';
  const count = (name: string): number | null => (typeof schema?.[name] === 'number' ? schema[name] : null);
  return {
    name: key,
    type,
    required: true,
    prompt: description ?? key,
    choices: type === 'enum' ? choices : null,
    min: type === 'int' ? count('minimum') : null,
    max: type === 'int' ? count('maximum') : null,
    minChars: type === 'string' ? count('minLength') : null,
    maxChars: type === 'string' ? count('maxLength') : null,
    default: undefined,
    suggested: null,
  };
}

type ReadValue = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly fault: string };

/** Longer texts than any field may hold are never looked at. */
const maxUnits = 16_000;
export const defaultMaxChars = 4_000;

const yes: ReadonlySet<string> = new Set([
  'true',
  'yes',
  'y',
  '1',
  'on',
  'ok',
  '是',
  '好',
  '对',
  '可以',
  '确认',
]);
const no: ReadonlySet<string> = new Set(['false', 'no', 'n', '0', 'off', '否', '不', '不要', '不行', '不用']);

/** `undefined` for no value: null and empty text. */
export function readField(field: FormField, given: Json): ReadValue | undefined {
  if (given === null || (typeof given === 'string' && given.trim() === '')) return undefined;
  const refuse = (what: string): ReadValue => ({ ok: false, fault: `${field.name} ${what}` });
  if (typeof given === 'string' && given.length > maxUnits)
    return refuse(`has ${given.length} characters, over ${field.maxChars ?? defaultMaxChars}`);
  switch (field.type) {
    case 'string':
      return typeof given === 'string'
        ? readText(field, given)
        : refuse(`must be text, not ${describe(given)}`);
    case 'int': {
      const number =
        typeof given === 'string' && /^[+-]?\d{1,16}$/.test(given.trim()) ? Number(given) : given;
      if (typeof number !== 'number' || !Number.isSafeInteger(number))
        return refuse(`must be a whole number, not ${describe(given)}`);
      return (field.min !== null && number < field.min) || (field.max !== null && number > field.max)
        ? refuse(`must be ${rangeOf(field)}, not ${number}`)
        : { ok: true, value: number };
    }
    case 'bool': {
      if (typeof given === 'boolean') return { ok: true, value: given };
      const word =
        typeof given === 'string' || typeof given === 'number' ? String(given).trim().toLowerCase() : '';
      if (yes.has(word) || no.has(word)) return { ok: true, value: yes.has(word) };
      return refuse(`must be yes or no, not ${describe(given)}`);
    }
    case 'enum': {
      const choices = field.choices ?? [];
      if (typeof given !== 'string')
        return refuse(`must be one of ${choices.join(', ')}, not ${describe(given)}`);
      const word = given.trim();
      const exact = choices.find((choice) => choice === word);
      const same = choices.filter((choice) => choice.toLowerCase() === word.toLowerCase());
      const found = exact ?? (same.length === 1 ? same[0] : undefined);
      if (found !== undefined) return { ok: true, value: found };
      const meant = nearest(word, choices);
      return refuse(
        `must be one of ${choices.join(', ')}, not ${describe(given)}${meant === null ? '' : `; did you mean ${meant}?`}`,
      );
    }
  }
}

function readText({ name, minChars, maxChars }: FormField, given: string): ReadValue {
  const text = given.trim();
  const length = text.match(/[^]/gu)?.length ?? 0;
  const most = maxChars ?? defaultMaxChars;
  if (length > most) return { ok: false, fault: `${name} has ${length} characters, over ${most}` };
  if (minChars !== null && length < minChars)
    return { ok: false, fault: `${name} has ${length} characters, and needs ${minChars}` };
  return text.includes('\0')
    ? { ok: false, fault: `${name} holds a NUL character` }
    : { ok: true, value: text };
}

/** `from 1 to 5`, `at least 1`, `at most 5`, or empty. */
export function rangeOf({ min, max }: Pick<FormField, 'min' | 'max'>): string {
  if (min !== null && max !== null) return `from ${min} to ${max}`;
  return min !== null ? `at least ${min}` : max !== null ? `at most ${max}` : '';
}

function describe(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${cutCodePoints(text, 60)}…` : text;
}

export function formToJson(form: ClarifyForm): JsonObject {
  const { step, mode, intro, fields, cancelWords, expiresMs, extract, model, message } = form;
  return {
    step,
    mode,
    intro,
    fields: fields.map(fieldToJson),
    cancel_words: cancelWords,
    extract,
    ...(expiresMs === null ? {} : { expires_ms: expiresMs }),
    ...(model === null ? {} : { model }),
    ...(message === undefined ? {} : { message }),
  };
}

function fieldToJson(field: FormField): JsonObject {
  const { name, type, required, prompt, choices, min, max, minChars, maxChars, suggested } = field;
  const json: { [key: string]: Json } = { name, type, required };
  if (prompt !== '') json['prompt'] = prompt;
  if (choices !== null) json['choices'] = choices;
  if (min !== null) json['min'] = min;
  if (max !== null) json['max'] = max;
  if (minChars !== null) json['min_chars'] = minChars;
  if (maxChars !== null) json['max_chars'] = maxChars;
  if (field.default !== undefined) json['default'] = field.default;
  if (suggested !== null) json['suggested'] = { value: suggested.value, from: suggested.from };
  return json;
}

/** As `formToJson` wrote it, into the journal or into a question. Missing keys have their defaults. */
export function formOf(json: JsonObject): ClarifyForm {
  const {
    step,
    mode,
    intro,
    fields,
    cancel_words: words,
    expires_ms: expiresMs,
    extract,
    model,
    message,
  } = json;
  return {
    step: textOr(step, ''),
    mode: mode === 'chat' ? 'chat' : 'form',
    intro: textOr(intro, ''),
    fields: (Array.isArray(fields) ? (fields as readonly Json[]) : []).filter(isJsonObject).map(fieldOf),
    cancelWords: Array.isArray(words)
      ? (words as readonly Json[]).filter((word) => typeof word === 'string')
      : [],
    expiresMs: typeof expiresMs === 'number' ? expiresMs : null,
    extract: extract === true,
    model: typeof model === 'string' ? model : null,
    ...(typeof message === 'string' ? { message } : {}),
  };
}

function fieldOf(json: JsonObject): FormField {
  const { name, type, required, prompt, choices, suggested } = json;
  const number = (key: string): number | null => (typeof json[key] === 'number' ? json[key] : null);
  return {
    name: textOr(name, ''),
    type: type === 'enum' || type === 'int' || type === 'bool' ? type : 'string',
    required: required === true,
    prompt: textOr(prompt, ''),
    choices: Array.isArray(choices) ? (choices as readonly string[]) : null,
    min: number('min'),
    max: number('max'),
    minChars: number('min_chars'),
    maxChars: number('max_chars'),
    default: Object.hasOwn(json, 'default') ? (json['default'] as Json) : undefined,
    suggested: isJsonObject(suggested)
      ? { value: suggested['value'] ?? null, from: textOr(suggested['from'], '') }
      : null,
  };
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** JSON Schema of a whole answer: one flat object, as web forms and MCP elicitation take it. */
export function formSchema({ fields }: Pick<ClarifyForm, 'fields'>): JsonObject {
  const properties = emptyObject();
  for (const field of fields) properties[field.name] = propertyOf(field);
  return {
    type: 'object',
    properties,
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Whether the field is shown with its suggestion: never in place of a default, and never for a choice or a yes. */
export function isPrefilled({
  suggested,
  type,
  default: otherwise,
}: Pick<FormField, 'suggested' | 'type' | 'default'>): boolean {
  return suggested !== null && otherwise === undefined && (type === 'string' || type === 'int');
}

/** The value that the field is shown with; undefined: none. */
export function prefillOf(field: Pick<FormField, 'suggested' | 'type' | 'default'>): Json | undefined {
  return isPrefilled(field) ? field.suggested?.value : field.default;
}

function propertyOf(field: FormField): JsonObject {
  const { name, type, prompt, choices, min, max, minChars, maxChars, required } = field;
  const shown = prefillOf(field);
  const common: JsonObject = {
    title: name,
    ...(prompt === '' ? {} : { description: prompt }),
    ...(shown === undefined ? {} : { default: shown }),
  };
  switch (type) {
    case 'string':
      return {
        type: 'string',
        ...common,
        ...(minChars !== null ? { minLength: minChars } : required ? { minLength: 1 } : {}),
        maxLength: maxChars ?? defaultMaxChars,
      };
    case 'int':
      return {
        type: 'integer',
        ...common,
        ...(min === null ? {} : { minimum: min }),
        ...(max === null ? {} : { maximum: max }),
      };
    case 'bool':
      return { type: 'boolean', ...common };
    case 'enum':
      return { type: 'string', ...common, enum: choices ?? [] };
  }
}
