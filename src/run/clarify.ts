// What is made of a reply to a form: accepted, refused with every reason, or read by the answerer first.
//
// C1. Values that were given are checked for their fields; keys that no field has are dropped. A value that does not fit
//     refuses the whole reply, so that the person can mend it: nothing is taken by halves.
// C2. `form` wants everything that is required in one reply. `chat` takes what there is and asks for the rest.
// C3. What is not given is what a step before found (shown with the form, and named as its source), else the default,
//     else it is not there. A required choice or yes is never taken from a step before: a person gives it.
// C4. Text that is no form of "field: value" is read by the answerer where the author says so (`nl_extract`), and what
//     comes of it is checked here like everything else.
import { emptyObject, isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Form, FormField } from './clarify-form.ts';
import { formSchema, formToJson, isSettled, readField } from './clarify-form.ts';
import { readReply } from './clarify-text.ts';

export type ReplyVerdict =
  /** By field, each of its type; or the text that the answerer is to read. */
  | { readonly kind: 'accept'; readonly value: JsonObject | string }
  | { readonly kind: 'refuse'; readonly faults: readonly string[] };

const maxFreeUnits = 64_000;

/** What a person is asked. `collected` is what they said before, `fault` what was wrong with it. */
export function formQuestion(form: Form, collected: JsonObject, fault: string | null): JsonObject {
  const { step, mode, intro, cancelWords, extract } = form;
  const given = Object.keys(collected).length > 0;
  return {
    type: 'form',
    kind: 'input',
    step,
    mode,
    prompt: intro === '' ? `The step "${step}" needs an answer.` : intro,
    fields: formToJson(form)['fields'] as Json,
    schema: formSchema({ fields: form.fields.filter(({ name }) => !Object.hasOwn(collected, name)) }),
    extract,
    ...(given ? { collected } : {}),
    ...(fault === null ? {} : { error: fault }),
    cancel_words: [...new Set(['/cancel', ...cancelWords])],
  };
}

/** `collected` is what was said before, in a chat or as the answerer read it. */
export function judgeReply(form: Form, given: Json, collected: JsonObject): ReplyVerdict {
  const open = form.fields.filter(({ name }) => !Object.hasOwn(collected, name));
  let values: JsonObject;
  if (isJsonObject(given)) values = given;
  else if (typeof given !== 'string') return { kind: 'refuse', faults: ['the answer must be an object of fields, or text'] };
  else {
    const reply = readReply(given, form.fields, open.length === 0 ? form.fields : open);
    // Lines without keys could as well be a sentence.
    if (form.extract && given.length <= maxFreeUnits && (!reply.ok || reply.how === 'places' || reply.how === 'numbers')) return { kind: 'accept', value: given };
    if (!reply.ok) return { kind: 'refuse', faults: reply.faults };
    values = reply.values;
  }
  const checked = checkValues(form, values);
  if (checked.faults.length > 0) return { kind: 'refuse', faults: checked.faults };
  const missing = missingFields(form, { ...collected, ...checked.values });
  if (missing.length > 0 && (form.mode === 'form' || Object.keys(checked.values).length === 0)) return { kind: 'refuse', faults: missing.map(missingFault) };
  return { kind: 'accept', value: checked.values };
}

/** Those that a field has and that fit, and what is wrong with the others. */
export function checkValues(form: Form, given: JsonObject): { readonly values: JsonObject; readonly faults: readonly string[] } {
  const values = emptyObject();
  const faults: string[] = [];
  for (const field of form.fields) {
    if (!Object.hasOwn(given, field.name)) continue;
    const read = readField(field, given[field.name] as Json);
    if (read === undefined) continue;
    if (read.ok) values[field.name] = read.value;
    else faults.push(read.fault);
  }
  return { values, faults };
}

/** Required, not given, and nothing stands for them (C3). */
export function missingFields(form: Form, given: JsonObject): readonly FormField[] {
  return form.fields.filter((field) => field.required && !Object.hasOwn(given, field.name) && !isSettled(field));
}

export function missingFault({ name, suggested }: FormField): string {
  return `${name} is missing${suggested === null ? '' : `; it was suggested to be ${JSON.stringify(suggested.value)}, and needs to be said`}`;
}

/** Where a value is from that the message of the run gave. */
export const messageSource = 'message';

export interface FilledForm {
  readonly values: JsonObject;
  /** `user`, `message`, `default`, or the step that found it. */
  readonly sources: JsonObject;
  /** `outputs.STEP`. */
  readonly text: string;
  readonly notes: string;
}

/** Nothing required may be missing. `read` is what the message of the run said; it is given too, unless something else was said since. */
export function fillForm(form: Form, given: JsonObject, read: JsonObject = {}): FilledForm {
  const values = emptyObject();
  const sources = emptyObject();
  for (const { name, suggested, default: otherwise } of form.fields) {
    if (Object.hasOwn(given, name)) [values[name], sources[name]] = [given[name] as Json, Object.hasOwn(read, name) && read[name] === given[name] ? messageSource : 'user'];
    else if (suggested !== null) [values[name], sources[name]] = [suggested.value, suggested.from];
    else if (otherwise !== undefined) [values[name], sources[name]] = [otherwise, 'default'];
  }
  const { additional_notes: notes } = values;
  return { values, sources, text: summaryOf(form, values, sources), notes: typeof notes === 'string' ? notes : '' };
}

const maxSummaryUnits = 1_000;
const maxValueUnits = 300;

function summaryOf(form: Form, values: JsonObject, sources: JsonObject): string {
  const lines: string[] = [];
  let units = 0;
  for (const { name } of form.fields) {
    if (!Object.hasOwn(values, name)) continue;
    const value = values[name] as Json;
    const whole = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ');
    const text = whole.length > maxValueUnits ? `${whole.slice(0, maxValueUnits).replace(/[\uD800-\uDBFF]$/, '')}…` : whole;
    const line = `- ${name}: ${text} (from ${sources[name] as string})`;
    if (units + line.length + 1 > maxSummaryUnits) {
      lines.push('- …');
      break;
    }
    lines.push(line);
    units += line.length + 1;
  }
  return lines.join('\n');
}
