// The input of a run of a plan -> what its templates see as `inputs`.
//
// Facts of the run itself (its name, the working folder, the language, the answers of forms) are set last, so that no
// input can replace them; the taint check relies on it (plan/taint/step-scope.ts). Words that a trigger captures
// become inputs that the input does not have, converted for inputs declared as a number or a boolean. A word that
// cannot be converted stays text, and the schema refuses it.
import { emptyObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Plan, PlanInput } from '../../plan/plan.ts';
import { triggerVariable } from '../../skill/fields/apply-field.ts';
import type { Trigger } from '../../skill/types.ts';
import { fieldOfInput, readField } from '../clarify/form.ts';

export interface RunIdentity {
  /** Of the run that this one is, or was forked from: what effects are keyed by. */
  readonly run: string;
  readonly startedAtMs: number;
  /** How far the local time was ahead of UTC then. */
  readonly startedOffsetMinutes: number;
  readonly workspace: string;
}

export function planInputs(
  { form, inputs: declared }: Plan,
  input: JsonObject,
  { run, workspace }: RunIdentity,
): JsonObject {
  const inputs = emptyObject();
  if (form === 'composition') Object.assign(inputs, { user_message: '', system_prompt: '' });
  Object.assign(inputs, input);
  for (const { key, schema } of declared)
    if (!Object.hasOwn(inputs, key) && schema?.['default'] !== undefined) inputs[key] = schema['default'];
  if (form === 'composition') {
    const language =
      languageGiven(input) ??
      languageOf(typeof input['user_message'] === 'string' ? input['user_message'] : '');
    Object.assign(inputs, {
      user_language: language,
      language_instruction: instructionFor(language),
      collected: {},
      config: {},
      workspace_dir: workspace,
      meta_run_id: run,
      run_id: run,
    });
  } else if (!declared.some(({ key }) => key === 'collected')) delete inputs['collected'];
  return inputs;
}

/** The language, if the host knows it: only a tag such as `pt-BR`. */
function languageGiven({ user_language: given }: JsonObject): string | null {
  return typeof given === 'string' && /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/.test(given) ? given : null;
}

function instructionFor(language: string): string {
  if (language === 'zh') return 'Reply in Chinese.';
  if (language === 'en') return 'Reply in English.';
  return language === 'same'
    ? 'Reply in the language of the request.'
    : `Reply in the language "${language}".`;
}

function languageOf(message: string): 'zh' | 'en' | 'same' {
  if (/[\u3040-\u30FF\uAC00-\uD7AF]/.test(message)) return 'same';
  if (/[\u4E00-\u9FFF]/.test(message)) return 'zh';
  const letters = message.match(/\p{L}/gu) ?? [];
  return letters.length > 0 && letters.every((letter) => /[A-Za-z]/.test(letter)) ? 'en' : 'same';
}

/** Required, not given, and without a default: a workflow asks for them. */
export function missingInputs({ inputs: declared }: Plan, inputs: JsonObject): readonly PlanInput[] {
  return declared.filter(
    ({ key, required }) =>
      required && (!Object.hasOwn(inputs, key) || inputs[key] === null || inputs[key] === ''),
  );
}

/** The words of `message` that the first fitting trigger captures; none when no trigger fits. */
export function capturedInputs(
  triggers: readonly Trigger[],
  message: string,
  declared: readonly PlanInput[],
): JsonObject {
  for (const { phrase, variables } of triggers) {
    if (variables.length === 0) continue;
    const captured = capture(phrase, message);
    if (captured === null) continue;
    for (const input of declared)
      if (Object.hasOwn(captured, input.key))
        captured[input.key] = typed(input, captured[input.key] as string);
    return captured;
  }
  return {};
}

function typed(input: PlanInput, words: string): Json {
  const type = input.schema?.['type'];
  if (type === 'number' && /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(words)) return Number(words);
  if (type !== 'integer' && type !== 'boolean') return words;
  // The schema checks the range.
  const read = readField({ ...fieldOfInput(input), min: null, max: null }, words);
  return read?.ok === true ? read.value : words;
}

/** `explain {concept} to {whom}` against a message: the words between what is fixed, from left to right. */
function capture(phrase: string, message: string): { [key: string]: Json } | null {
  const parts = phrase.split(triggerVariable);
  const text = message.trim();
  const lower = text.toLowerCase();
  const captured = emptyObject();
  let at = 0;
  for (let index = 0; index < parts.length; index += 2) {
    const fixed = (parts[index] as string).toLowerCase().replaceAll(/\s+/g, ' ');
    const name = index === 0 ? null : (parts[index - 1] as string);
    const isLast = index === parts.length - 1;
    const start =
      isLast && fixed.trim() === ''
        ? text.length
        : lower.indexOf(index === 0 ? fixed.trimStart() : fixed, at);
    if (start < 0) return null;
    if (name !== null) {
      const words = text
        .slice(at, start)
        .trim()
        .replace(/[.!?]+$/, '');
      if (words === '') return null;
      captured[name] = words;
    }
    at = Math.min(text.length, start + (index === 0 ? fixed.trimStart() : fixed).length);
  }
  return captured;
}
