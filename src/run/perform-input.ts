// An `input` of a plan -> a form for a person -> what they said, field by field.
//
// I1. The form is a question to a person, kept in the journal; whoever answers it may be another process, after a restart.
//     Entering the effect again asks nothing that is asked already and reads no reply twice.
// I2. A free reply is read by the answerer as a `chat` that is a part of this effect, with its own entries. What cannot be
//     read, or leaves something open, is asked again with the reasons; nothing is made up.
// I3. All questions of one form expire with the first one.
import { emptyObject, isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { outcomeOf } from '../journal/run-state.ts';
import { noUsage } from './budgets.ts';
import { fillForm, formQuestion, missingFault, missingFields } from './clarify.ts';
import { extractPrompt, readExtracted } from './clarify-extract.ts';
import type { Form } from './clarify-form.ts';
import { formOf } from './clarify-form.ts';
import type { Attempted, EffectDesk, Performed } from './effect-desk.ts';
import { attempt, failAtOnce, mustBeSame } from './effect-desk.ts';
import { failureOf } from './effect-entries.ts';
import { performAsk } from './perform-ask.ts';

export async function performInput(desk: EffectDesk, effect: Attempted): Promise<Performed> {
  if (desk.hasExpired(effect.key)) return failAtOnce(desk, effect, 'QUESTION_EXPIRED', 'nobody answered in time');
  const form = formOf(effect.request);
  if (desk.known(effect.key) === null) await desk.begin(effect, 1);
  const startedMs = desk.monotonicMs();
  const questions = desk.questionsOf(effect.key);
  const given = emptyObject();
  let faults: readonly string[] = [];
  for (const [at, { answered, value }] of questions.entries()) {
    if (answered === null) return 'waiting';
    if (isJsonObject(value)) {
      Object.assign(given, value);
      faults = [];
      continue;
    }
    const read = await extract(desk, effect, form, value as string, at + 1);
    if (read === 'waiting') return 'waiting';
    Object.assign(given, read.values);
    faults = read.faults;
    // Nothing is needed: what was said all the same is kept where notes go.
    if (read.isEmpty && missingFields(form, given).length === 0) {
      faults = [];
      if (form.fields.some(({ name }) => name === notesField)) given[notesField] ??= (value as string).trim().slice(0, maxNotesUnits);
    }
  }
  const missing = missingFields(form, given);
  if (questions.length > 0 && missing.length === 0 && faults.length === 0) {
    return { outcome: { ok: true, value: { ...fillForm(form, given) } }, ms: Math.max(0, Math.round(desk.monotonicMs() - startedMs)), usage: noUsage };
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

/** I2. `number` is that of the reply, so that each has its own part. */
async function extract(desk: EffectDesk, effect: Attempted, form: Form, reply: string, number: number): Promise<Extracted | 'waiting'> {
  const request = { prompt: extractPrompt(form, reply), max_turns: 1, purpose: `read the reply to ${form.step}`, ...(form.model === null ? {} : { model: form.model }) };
  const part = attempt(desk.sha256, { key: `${effect.key}/${number}`, kind: 'chat', request, repeatable: true }, 0);
  const known = desk.known(part.key);
  if (known !== null) mustBeSame(known, part);
  const recorded = known === null ? null : outcomeOf(known);
  if (recorded !== null) return taken(form, recorded.ok, await desk.load(recorded.result));
  const refusal = desk.budgets.refuseTurn();
  const performed = refusal === null ? await performAsk(desk, part) : await failAtOnce(desk, part, refusal.code, refusal.message);
  if (performed === 'waiting') return 'waiting';
  await desk.end(part.key, part.kind, performed);
  const { outcome } = performed;
  return taken(form, outcome.ok, outcome.ok ? outcome.value : { ...outcome });
}

function taken(form: Form, ok: boolean, result: Json): Extracted {
  const hint = 'answer with "field: value" lines';
  if (!ok) return { isEmpty: false, values: {}, faults: [`the reply could not be read (${failureOf(result).message}); ${hint}`] };
  const read = readExtracted(form, isJsonObject(result) && typeof result['answer'] === 'string' ? result['answer'] : '');
  if (read === null) return { isEmpty: false, values: {}, faults: [`the reply could not be read; ${hint}`] };
  const isEmpty = Object.keys(read.values).length === 0 && read.faults.length === 0;
  return { isEmpty, values: read.values, faults: isEmpty ? [`nothing in the reply answers a field; ${hint}`] : read.faults };
}
