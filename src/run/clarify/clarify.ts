// A reply to a form -> accepted, refused with every reason, or to be read by the answerer first.
//
// Values are checked by their fields. A value that does not fit, or a key that no field has, refuses the whole reply,
// so that the person can correct it; from an answerer's reading, unknown keys are dropped. `form` wants all required
// fields in one reply. `chat` takes what there is and asks for the rest.
//
// A field that is not given has its default, or no value. Suggestions from an earlier step or from the message of the
// run are shown with the form. They count only when the reply states or accepts them (`/accept`), because anyone may
// have written those texts. A choice, a yes, and a field with a default are never accepted by `/accept`; the reply
// must state them.
//
// clarify#C4. Text that is not in the form "field: value" is read by the answerer where the author declares it
// (`nl_extract`), and checked here like any other reply. A reply that is exactly a value of the one field it must be
// for (`exactField`) needs no reader. This is decided when the reply is given: the journal has the values.
import { emptyObject, isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { ClarifyForm, FormField } from './form.ts';
import { formSchema, formToJson, isPrefilled, readField } from './form.ts';
import { readReply, unknownFieldKeys } from './read-reply.ts';

type ReplyVerdict =
  /** By field, each of its type; or the text that the answerer is to read. */
  | { readonly kind: 'accept'; readonly value: JsonObject | string }
  | { readonly kind: 'refuse'; readonly faults: readonly string[] };

const maxFreeUnits = 64_000;

/** As the whole reply: accepts the suggested values. */
const acceptWord = '/accept';

/** The question to a person. `collected` are the values so far, `fault` is what was wrong with the last reply. */
export function formQuestion(form: ClarifyForm, collected: JsonObject, fault: string | null): JsonObject {
  const { step, mode, intro, cancelWords, extract } = form;
  const given = Object.keys(collected).length > 0;
  const open = form.fields.filter(({ name }) => !Object.hasOwn(collected, name));
  return {
    type: 'form',
    kind: 'input',
    step,
    mode,
    prompt: intro === '' ? `The step "${step}" needs an answer.` : intro,
    fields: formToJson(form)['fields'] as Json,
    schema: formSchema({ fields: open }),
    extract,
    ...(given ? { collected } : {}),
    ...(fault === null ? {} : { error: fault }),
    cancel_words: [...new Set(['/cancel', ...cancelWords])],
    ...(open.some(isPrefilled) ? { accept_word: acceptWord } : {}),
  };
}

/** `collected` are the values so far, from a chat or from the answerer's reading. */
export function judgeReply(form: ClarifyForm, given: Json, collected: JsonObject): ReplyVerdict {
  const open = form.fields.filter(({ name }) => !Object.hasOwn(collected, name));
  if (isJsonObject(given)) return judgeValues(form, given, collected);
  if (typeof given !== 'string')
    return { kind: 'refuse', faults: ['the answer must be an object of fields, or text'] };
  if (given.trim().toLowerCase() === acceptWord && open.some(isPrefilled))
    return judgeValues(
      form,
      Object.fromEntries(
        open.filter(isPrefilled).map(({ name, suggested }) => [name, suggested?.value ?? null]),
      ),
      collected,
    );
  return judgeText(form, given, open.length === 0 ? form.fields : open, collected);
}

function judgeText(
  form: ClarifyForm,
  given: string,
  open: readonly FormField[],
  collected: JsonObject,
): ReplyVerdict {
  const reply = readReply(given, form.fields, open);
  if (reply.ok && (reply.how === 'json' || reply.how === 'keys'))
    return judgeValues(form, reply.values, collected);
  const exact = exactField(given, open);
  const verdict =
    exact === null
      ? null
      : judgeValues(form, { [exact.name]: given }, collected, [
          'write "field: value" on each line, or /cancel to end the run',
        ]);
  if (verdict?.kind === 'accept') return verdict;
  // Lines without keys could as well be a sentence.
  if (form.extract && given.length <= maxFreeUnits) return { kind: 'accept', value: given };
  if (verdict !== null) return verdict;
  return reply.ok
    ? judgeValues(form, reply.values, collected, yesAndNo(open))
    : { kind: 'refuse', faults: reply.faults };
}

/** `hints` go with what is missing. */
function judgeValues(
  form: ClarifyForm,
  values: JsonObject,
  collected: JsonObject,
  hints: readonly string[] = [],
): ReplyVerdict {
  const checked = checkValues(form, values);
  const faults = [...unknownFieldKeys(values, form.fields), ...checked.faults];
  if (faults.length > 0) return { kind: 'refuse', faults };
  const missing = missingFields(form, { ...collected, ...checked.values });
  if (missing.length > 0 && (form.mode === 'form' || Object.keys(checked.values).length === 0))
    return { kind: 'refuse', faults: [...missing.map(missingFault), ...hints] };
  return { kind: 'accept', value: checked.values };
}

/** A yes with other words around it became the text of another field: how to write it. */
function yesAndNo(open: readonly FormField[]): readonly string[] {
  return open
    .filter(({ type, required }) => type === 'bool' && required)
    .map(({ name }) => `write "${name}: yes" or "${name}: no"`);
}

/** The values that fit their fields, and what is wrong with the others. */
export function checkValues(
  form: ClarifyForm,
  given: JsonObject,
): { readonly values: JsonObject; readonly faults: readonly string[] } {
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

/** Required and not given; a suggestion does not count. */
export function missingFields(form: ClarifyForm, given: JsonObject): readonly FormField[] {
  return form.fields.filter(({ required, name }) => required && !Object.hasOwn(given, name));
}

export function missingFault(field: FormField): string {
  const { name, suggested } = field;
  if (suggested === null) return `${name} is missing`;
  return `${name} is missing; confirm the suggestion ${JSON.stringify(suggested.value)} by writing it${isPrefilled(field) ? `, or ${acceptWord} as the whole reply` : ''}`;
}

/** The source of suggestions from the message of the run. */
export const messageSource = 'message';

interface FilledForm {
  readonly values: JsonObject;
  /** `user`, with the step that suggested the same, or `default`. */
  readonly sources: JsonObject;
  /** `outputs.STEP`. */
  readonly text: string;
  readonly notes: string;
}

/** Nothing required may be missing. */
export function fillForm(form: ClarifyForm, given: JsonObject): FilledForm {
  const values = emptyObject();
  const sources = emptyObject();
  for (const { name, suggested, default: otherwise } of form.fields) {
    if (Object.hasOwn(given, name))
      [values[name], sources[name]] = [
        given[name] as Json,
        suggested !== null && suggested.value === given[name]
          ? `user, suggested by ${suggested.from}`
          : 'user',
      ];
    else if (otherwise !== undefined) [values[name], sources[name]] = [otherwise, 'default'];
  }
  const { additional_notes: notes } = values;
  return {
    values,
    sources,
    text: summaryOf(form, values, sources),
    notes: typeof notes === 'string' ? notes : '',
  };
}

const maxSummaryUnits = 1_000;
const maxValueUnits = 300;

function summaryOf(form: ClarifyForm, values: JsonObject, sources: JsonObject): string {
  const lines: string[] = [];
  let units = 0;
  for (const { name } of form.fields) {
    if (!Object.hasOwn(values, name)) continue;
    const value = values[name] as Json;
    const whole = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ');
    const text =
      whole.length > maxValueUnits
        ? `${whole.slice(0, maxValueUnits).replace(/[\uD800-\uDBFF]$/, '')}…`
        : whole;
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

const digits = /^[+-]?\d+$/;

/**
 * The field that a reply which is nothing but a value can be for: the only required field that is not a text or, where nothing is
 * required, the only field besides the notes. The reply must be exactly a value of it (a choice, a yes or no, a whole number) that
 * no other open field takes: beside a text field, `1` is neither a count nor a yes. `open` are the fields without a value.
 */
function exactField(reply: string, open: readonly FormField[]): FormField | null {
  const asked = open.filter(({ name }) => name !== 'additional_notes');
  const needed = asked.filter(({ required }) => required);
  const [meant, ...more] = needed.length === 0 ? asked : needed.filter(({ type }) => type !== 'string');
  if (meant === undefined || more.length > 0 || meant.type === 'string' || !takes(meant, reply)) return null;
  const isClear = asked.every(
    (field) =>
      field === meant || !(field.type === 'string' ? digits.test(reply.trim()) : takes(field, reply)),
  );
  return isClear ? meant : null;
}

function takes(field: FormField, reply: string): boolean {
  return readField(field, reply)?.ok === true;
}
