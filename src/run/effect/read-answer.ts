// The text of an answer -> the value that `opts.schema` or a closed set asks for.
import { parseJson } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { quotedForModel } from './quote-text.ts';
import { checkSchema } from '../../base/schema/check-value.ts';

type ReadAnswer =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly faults: readonly string[] };

/** JSON as it is, or in one fenced block with words around it: models write both. */
export function readStructured(answer: string, schema: Json): ReadAnswer {
  const text = answer.trim();
  const fenced = /^[^`]*```(?:json)?[ \t]*\r?\n([^]*?)\r?\n[ \t]*```[^`]*$/i.exec(text)?.[1];
  for (const candidate of fenced === undefined ? [text] : [text, fenced]) {
    let value: Json;
    try {
      value = parseJson(candidate);
    } catch {
      continue;
    }
    const faults = checkSchema(schema, value, 'the answer');
    return faults.length === 0 ? { ok: true, value } : { ok: false, faults };
  }
  return { ok: false, faults: ['the answer is not JSON'] };
}

/** One of the choices, however it is quoted or ended; nothing is guessed, also not between choices that differ only in case. */
export function readChoice(answer: string, choices: readonly string[]): ReadAnswer {
  const bare = answer.trim().replaceAll(/^["'`*]+|["'`*.]+$/g, '');
  const same = choices.filter((choice) => choice.toLowerCase() === bare.toLowerCase());
  const found =
    choices.find((choice) => choice === answer.trim()) ??
    same.find((choice) => choice === bare) ??
    (same.length === 1 ? same[0] : undefined);
  return found === undefined
    ? { ok: false, faults: [`the answer must be one of ${JSON.stringify(choices)}`] }
    : { ok: true, value: found };
}

/** The prompt for another try. The last answer is labelled as data. */
export function retryPrompt(prompt: string, answer: string, faults: readonly string[]): string {
  return [
    prompt,
    '',
    'The last answer could not be used:',
    ...faults.map((fault) => `- ${fault}`),
    '',
    'The last answer was:',
    quotedForModel('answer', answer),
    '',
    'Answer again with nothing but what was asked for.',
  ].join('\n');
}

/** What is asked for besides the prompt, so that the first try can succeed. */
export function structuredPrompt(prompt: string, schema: Json): string {
  return `${prompt}\n\nAnswer with nothing but JSON that fits this JSON Schema:\n${JSON.stringify(schema)}`;
}
