// An `input` of a plan -> a form for a person -> their values, field by field.
//
// The form is a question in the journal; another process may take the answer, after a restart. Entering the effect
// again repeats no question and reads no reply twice. All questions of one form expire with the first one.
//
// A free reply is read by the answerer as a `chat` that is a part of this effect, with entries of its own. A reply
// that cannot be read, answers no field, or leaves a field open is asked for again with the reasons. A value given by
// the name of its field is never replaced by a later reading. Before the first question the message of the run is read
// in the same way, if an answerer can answer immediately (clarify/prefill.ts); its values are suggested in the form.
import { emptyObject, isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { outcomeOf } from '../../journal/run-state.ts';
import { noUsage } from '../budget/budgets.ts';
import { fillForm, formQuestion, missingFault, missingFields } from '../clarify/clarify.ts';
import { extractPrompt, readExtracted } from '../clarify/read-with-model.ts';
import type { ClarifyForm } from '../clarify/form.ts';
import { formOf } from '../clarify/form.ts';
import { fieldsToFind, prefillPrompt, readPrefill } from '../clarify/prefill.ts';
import type { Attempted, EffectContext, Performed } from './effect-context.ts';
import { attempt, failAtOnce, mustBeSame } from './effect-context.ts';
import { failureOf } from './effect-journal.ts';
import { performAsk } from './perform-ask.ts';

export async function performInput(context: EffectContext, effect: Attempted): Promise<Performed> {
  if (context.hasExpired(effect.key))
    return failAtOnce(context, effect, 'QUESTION_EXPIRED', 'the question was not answered in time');
  const asked = formOf(effect.request);
  if (context.known(effect.key) === null) await context.begin(effect, 1);
  const startedMs = context.monotonicMs();
  const questions = context.questionsOf(effect.key);
  const form = await prefill(context, effect, asked, questions.length === 0);
  if (form === 'waiting') return 'waiting';
  const given = emptyObject();
  /** Fields whose values were given by name: no later reading replaces them. */
  const said = new Set<string>();
  let faults: readonly string[] = [];
  for (const [at, { answered, value }] of questions.entries()) {
    if (answered === null) return 'waiting';
    if (isJsonObject(value)) {
      Object.assign(given, value);
      for (const name of Object.keys(value)) said.add(name);
      faults = [];
      continue;
    }
    const open = { ...form, fields: form.fields.filter(({ name }) => !said.has(name)) };
    const extracted = await extract(context, effect, open, value as string, at + 1);
    if (extracted === 'waiting') return 'waiting';
    Object.assign(given, extracted.values);
    faults = extracted.faults;
  }
  const missing = missingFields(form, given);
  if (questions.length > 0 && missing.length === 0 && faults.length === 0) {
    return {
      outcome: { ok: true, value: { ...fillForm(form, given) } },
      ms: Math.max(0, Math.round(context.monotonicMs() - startedMs)),
      usage: noUsage,
    };
  }
  const why = questions.length === 0 ? null : [...faults, ...missing.map(missingFault)].join('; ');
  const [first] = questions;
  await context.putQuestion(
    effect.key,
    'person',
    formQuestion(form, given, why),
    first === undefined ? { ttlMs: form.expiresMs } : { at: first.asked.expiresAt },
  );
  return 'waiting';
}

interface Extracted {
  readonly values: JsonObject;
  readonly faults: readonly string[];
}

/** Reads the message of the run, as part 0; a reading that fails suggests nothing. */
async function prefill(
  context: EffectContext,
  effect: Attempted,
  form: ClarifyForm,
  isFirst: boolean,
): Promise<ClarifyForm | 'waiting'> {
  const purpose = `read the request for ${form.step}`;
  if (fieldsToFind(form).length === 0) return form;
  if (
    context.known(partKey(effect, 0)) === null &&
    !(isFirst && context.answerer.readsFor?.(purpose) === true && context.budgets.refuseTurn() === null)
  )
    return form;
  const answer = await readingOf(context, effect, form, 0, purpose, prefillPrompt(form));
  if (answer === 'waiting') return 'waiting';
  return answer.ok ? readPrefill(form, answerIn(answer.result)) : form;
}

/** Reads a free reply; `number` is that of the reply, so that each has its own part. */
async function extract(
  context: EffectContext,
  effect: Attempted,
  form: ClarifyForm,
  reply: string,
  number: number,
): Promise<Extracted | 'waiting'> {
  const answer = await readingOf(
    context,
    effect,
    form,
    number,
    `read the reply to ${form.step}`,
    extractPrompt(form, reply),
  );
  return answer === 'waiting' ? 'waiting' : taken(form, answer.ok, answer.result);
}

function partKey({ key }: Attempted, number: number): string {
  return `${key}/${number}`;
}

/** One question to the answerer, as a part of the form. */
async function readingOf(
  context: EffectContext,
  effect: Attempted,
  { model }: ClarifyForm,
  number: number,
  purpose: string,
  prompt: string,
): Promise<{ readonly ok: boolean; readonly result: Json } | 'waiting'> {
  const request = { prompt, max_turns: 1, purpose, ...(model === null ? {} : { model }) };
  const part = attempt(
    context.sha256,
    { key: partKey(effect, number), kind: 'chat', request, repeatable: true },
    0,
  );
  const known = context.known(part.key);
  if (known !== null) mustBeSame(known, part);
  const recorded = known === null ? null : outcomeOf(known);
  if (recorded !== null) return { ok: recorded.ok, result: await context.load(recorded.result) };
  const refusal = context.budgets.refuseTurn();
  const performed =
    refusal === null
      ? await performAsk(context, part)
      : await failAtOnce(context, part, refusal.code, refusal.message);
  if (performed === 'waiting') return 'waiting';
  await context.end(part.key, part.kind, performed);
  const { outcome } = performed;
  return { ok: outcome.ok, result: outcome.ok ? outcome.value : { ...outcome } };
}

function answerIn(result: Json): string {
  return isJsonObject(result) && typeof result['answer'] === 'string' ? result['answer'] : '';
}

function taken(form: ClarifyForm, ok: boolean, result: Json): Extracted {
  const hint = `answer with "field: value" lines${missingFields(form, {}).length === 0 ? ', or {} to leave it as it is' : ''}`;
  if (!ok)
    return { values: {}, faults: [`the reply could not be read (${failureOf(result).message}); ${hint}`] };
  const read = readExtracted(form, answerIn(result));
  if (read === null) return { values: {}, faults: [`the reply could not be read; ${hint}`] };
  const isEmpty = Object.keys(read.values).length === 0 && read.faults.length === 0;
  return {
    values: read.values,
    faults: isEmpty ? [`nothing in the reply answers a field; ${hint}`] : read.faults,
  };
}
