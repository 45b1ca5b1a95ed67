// A `clarify` of a plan and the outputs of earlier steps -> the request of an `input` effect.
//
// Lines `KEY: value` in those outputs suggest values for the fields of that name, with the step they came from; the
// last one counts. A value that does not fit its field, or that means "unknown", suggests nothing. Notes are never
// suggested: they are a person's own words.
import type { Json, JsonObject } from '../../base/json.ts';
import type { Clarify, ClarifyField } from '../../plan/plan.ts';
import type { FormField } from './form.ts';
import { formToJson, readField } from './form.ts';
import { fieldCalled } from './read-reply.ts';
import { cutText } from '../../base/cut-text.ts';

interface InputParts {
  readonly step: string;
  readonly clarify: Clarify;
  /** Rendered. */
  readonly intro: string;
  /** Outputs of steps before, in the order of the document. */
  readonly upstream: readonly { readonly step: string; readonly text: string }[];
  /** Picks the texts in that language, where there are some. */
  readonly language?: 'zh' | 'en' | null;
  /** What the run was asked for; read where the author says so (`nl_extract`). */
  readonly message?: Json;
}

const maxMessageUnits = 8_000;

export function inputRequest({
  step,
  clarify,
  intro,
  upstream,
  language = null,
  message = '',
}: InputParts): JsonObject {
  const fields = clarify.fields.map((field) => fieldOf(field, language));
  const found = suggestions(fields, upstream);
  return formToJson({
    step,
    mode: clarify.mode,
    intro: intro.trim(),
    fields: fields.map((field) => ({ ...field, suggested: found.get(field.name) ?? null })),
    cancelWords: clarify.cancelWords,
    expiresMs: clarify.timeoutHours * 3_600_000,
    extract: clarify.extract,
    model: clarify.extractModel,
    ...(clarify.extract && typeof message === 'string' && message.trim() !== ''
      ? { message: cutText(message.trim(), maxMessageUnits).text }
      : {}),
  });
}

function fieldOf(field: ClarifyField, language: 'zh' | 'en' | null): FormField {
  const { name, type, required, choices, min, max, minChars, maxChars } = field;
  const own = language === null ? null : field.prompts[language];
  const prompt = (own ?? (field.prompt || (field.prompts.en ?? field.prompts.zh ?? ''))).trim();
  return {
    name,
    type,
    required,
    prompt,
    choices,
    min,
    max,
    minChars,
    maxChars,
    default: field.hasDefault ? field.default : undefined,
    suggested: null,
  };
}

const line = /^\s*(?:[-*•]\s+)?\**([\p{L}_][\p{L}\p{N}_ -]{0,60}?)\**\s*[:：]\**\s*(.+?)\s*$/u;
const unknown =
  /^(?:unknown|n\/?a|none|null|nil|tbd|unspecified|not (?:given|specified|provided|stated|known)|unclear|\?+|-+|无|未知|未提供|不详)\.?$/i;
const maxScannedUnits = 20_000;

function suggestions(
  fields: readonly FormField[],
  upstream: InputParts['upstream'],
): ReadonlyMap<string, NonNullable<FormField['suggested']>> {
  const found = new Map<string, NonNullable<FormField['suggested']>>();
  for (const { step, text } of upstream) {
    for (const each of text.slice(0, maxScannedUnits).split('\n')) {
      const [, key, value] = line.exec(each.slice(0, 4_200)) ?? [];
      const name = fieldCalled(key, fields);
      if (name === null || name === 'additional_notes' || value === undefined || unknown.test(value))
        continue;
      const read = readField(fields.find((field) => field.name === name) as FormField, value);
      if (read?.ok === true) found.set(name, { value: read.value, from: step });
    }
  }
  return found;
}
