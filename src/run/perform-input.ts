// An `input` of a plan -> a form for a person -> what they said, field by field.
//
// I1. The form is a question to a person, kept in the journal; whoever answers it may be another process, after a restart.
//     Entering the effect again asks nothing that is asked already and reads no reply twice.
// I2. A free reply is read by the answerer as a `chat` that is a part of this effect, with its own entries. What cannot be
//     read, or leaves something open, is asked again with the reasons; nothing is made up.
// I3. All questions of one form expire with the first one.
// I4. Before the first question the message of the run is read in the same way, by an answerer that can be asked right away
//     (clarify-prefill.ts). The form asks for the rest, and nobody when nothing is left.
import { emptyObject, isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { outcomeOf } from '../journal/run-state.ts';
import { noUsage } from './budgets.ts';
import { fillForm, formQuestion, missingFault, missingFields } from './clarify.ts';
import { extractPrompt, readExtracted } from './clarify-extract.ts';
import type { Form } from './clarify-form.ts';
import { formOf } from './clarify-form.ts';
import type { Prefilled } from './clarify-prefill.ts';
import { fieldsToFind, isAnswered, prefillPrompt, readPrefill } from './clarify-prefill.ts';
import type { Attempted, EffectDesk, Performed } from './effect-desk.ts';
import { attempt, failAtOnce, mustBeSame } from './effect-desk.ts';
import { failureOf } from './effect-entries.ts';
import { performAsk } from './perform-ask.ts';

export async function performInput(desk: EffectDesk, effect: Attempted): Promise<Performed> {
  if (desk.hasExpired(effect.key)) return failAtOnce(desk, effect, 'QUESTION_EXPIRED', 'nobody answered in time');
  const asked = formOf(effect.request);
  if (desk.known(effect.key) === null) await desk.begin(effect, 1);
  const startedMs = desk.monotonicMs();
  const questions = desk.questionsOf(effect.key);
  const prefilled = await prefill(desk, effect, asked, questions.length === 0);
  if (prefilled === 'waiting') return 'waiting';
  const { form, values: read } = prefilled;
  const given = Object.assign(emptyObject(), read);
  let faults: readonly string[] = [];
  for (const [at, { answered, value }] of questions.entries()) {
    if (answered === null) return 'waiting';
    if (isJsonObject(value)) {
      Object.assign(given, value);
      faults = [];
      continue;
    }
    const extracted = await extract(desk, effect, form, value as string, at + 1);
    if (extracted === 'waiting') return 'waiting';
    Object.assign(given, extracted.values);
    faults = extracted.faults;
    // Nothing is needed: what was said all the same is kept where notes go.
    if (extracted.isEmpty && missingFields(form, given).length === 0) {
      faults = [];
      if (form.fields.some(({ name }) => name === notesField)) given[notesField] ??= (value as string).trim().slice(0, maxNotesUnits);
    }
  }
  const missing = missingFields(form, given);
  if ((questions.length > 0 || isAnswered(prefilled)) && missing.length === 0 && faults.length === 0) {
    return { outcome: { ok: true, value: { ...fillForm(form, given, read) } }, ms: Math.max(0, Math.round(desk.monotonicMs() - startedMs)), usage: noUsage };
  }
  const why = questions.length === 0 ? null : [...faults, ...missing.map(missingFault)].join('; ');
  const [first] = questions;
  await desk.putQuestion(effect.key, 'person', formQuestion(form, given, why), first === undefined ? { ttlMs: form.expiresMs } : { at: first.asked.expiresAt });
  return 'waiting';
}

const notesField = 'additional_notes';
const maxNotesUnits = 2_000;

interface Extracted {
  readonly isEmpty: boolean;
  readonly values: JsonObject;
  readonly faults: readonly string[];
}

/** I4. The part 0; a reading that failed has found nothing. */
async function prefill(desk: EffectDesk, effect: Attempted, form: Form, isFirst: boolean): Promise<Prefilled | 'waiting'> {
  const nothing: Prefilled = { form, values: {} };
  const purpose = `read the request for ${form.step}`;
  if (fieldsToFind(form).length === 0) return nothing;
  if (desk.known(partKey(effect, 0)) === null && !(isFirst && desk.answerer.readsFor?.(purpose) === true && desk.budgets.refuseTurn() === null)) return nothing;
  const answer = await readingOf(desk, effect, form, 0, purpose, prefillPrompt(form));
  if (answer === 'waiting') return 'waiting';
  return answer.ok ? readPrefill(form, answerIn(answer.result)) : nothing;
}

/** I2. `number` is that of the reply, so that each has its own part. */
async function extract(desk: EffectDesk, effect: Attempted, form: Form, reply: string, number: number): Promise<Extracted | 'waiting'> {
  const answer = await readingOf(desk, effect, form, number, `read the reply to ${form.step}`, extractPrompt(form, reply));
  return answer === 'waiting' ? 'waiting' : taken(form, answer.ok, answer.result);
}

function partKey({ key }: Attempted, number: number): string {
  return `${key}/${number}`;
}

/** One question to the answerer, as a part of the form. */
async function readingOf(desk: EffectDesk, effect: Attempted, { model }: Form, number: number, purpose: string, prompt: string): Promise<{ readonly ok: boolean; readonly result: Json } | 'waiting'> {
  const request = { prompt, max_turns: 1, purpose, ...(model === null ? {} : { model }) };
  const part = attempt(desk.sha256, { key: partKey(effect, number), kind: 'chat', request, repeatable: true }, 0);
  const known = desk.known(part.key);
  if (known !== null) mustBeSame(known, part);
  const recorded = known === null ? null : outcomeOf(known);
  if (recorded !== null) return { ok: recorded.ok, result: await desk.load(recorded.result) };
  const refusal = desk.budgets.refuseTurn();
  const performed = refusal === null ? await performAsk(desk, part) : await failAtOnce(desk, part, refusal.code, refusal.message);
  if (performed === 'waiting') return 'waiting';
  await desk.end(part.key, part.kind, performed);
  const { outcome } = performed;
  return { ok: outcome.ok, result: outcome.ok ? outcome.value : { ...outcome } };
}

function answerIn(result: Json): string {
  return isJsonObject(result) && typeof result['answer'] === 'string' ? result['answer'] : '';
}

function taken(form: Form, ok: boolean, result: Json): Extracted {
  const hint = 'answer with "field: value" lines';
  if (!ok) return { isEmpty: false, values: {}, faults: [`the reply could not be read (${failureOf(result).message}); ${hint}`] };
  const read = readExtracted(form, answerIn(result));
  if (read === null) return { isEmpty: false, values: {}, faults: [`the reply could not be read; ${hint}`] };
  const isEmpty = Object.keys(read.values).length === 0 && read.faults.length === 0;
  return { isEmpty, values: read.values, faults: isEmpty ? [`nothing in the reply answers a field; ${hint}`] : read.faults };
}
