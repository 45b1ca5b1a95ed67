// A prompt whose result is judged, with the skill and without it.
//
//   eval_prompts of a skill     [{name, prompt, rubric, input}]
//   cases of kind rubric        {message, expected, rubric, input}
//   evals.json with a rubric    its positive and explicit messages, where there is nothing else
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import type { EvalCase } from './eval-case.ts';

export interface OutputCase {
  /** For people: its own, or the number among those of the skill. */
  readonly name: string;
  readonly skill: string;
  readonly prompt: string;
  /** What a good result shows, one sentence each; at least one. */
  readonly rubric: readonly string[];
  /** What a skill that can be executed is run with. Default: the prompt, as behind `/name`. */
  readonly input?: JsonObject;
  /** Where it is written, for people. */
  readonly place?: string;
}

export interface ReadPrompts {
  readonly cases: readonly OutputCase[];
  /** What is wrong, each in a sentence. */
  readonly faults: readonly string[];
}

/** `fallback` is the rubric of the skill's evals.json, for prompts that bring none. */
export function readEvalPrompts(
  skill: string,
  value: Json | undefined,
  fallback: readonly string[],
): ReadPrompts {
  if (value === undefined || value === null) return { cases: [], faults: [] };
  if (!Array.isArray(value))
    return { cases: [], faults: ['eval_prompts must be a list of {name, prompt, rubric, input}'] };
  const cases: OutputCase[] = [];
  const faults: string[] = [];
  for (const [at, item] of (value as readonly Json[]).entries()) {
    const one = typeof item === 'string' ? { prompt: item } : item;
    const { name, prompt, rubric, input } = isJsonObject(one) ? one : {};
    if (typeof prompt !== 'string' || prompt.trim() === '') {
      faults.push(`eval_prompts[${at}] has no prompt`);
      continue;
    }
    const own = rubricOf(rubric);
    if (own === null) faults.push(`the rubric of eval_prompts[${at}] must be a list of sentences`);
    else if (own.length === 0 && fallback.length === 0)
      faults.push(`eval_prompts[${at}] has no rubric, and there is none in evals/evals.json`);
    else if (input !== undefined && !isJsonObject(input))
      faults.push(`the input of eval_prompts[${at}] must be a mapping`);
    else
      cases.push({
        name: typeof name === 'string' && name.trim() !== '' ? name : `prompt ${at + 1}`,
        skill,
        prompt,
        rubric: own.length === 0 ? fallback : own,
        ...(input === undefined ? {} : { input }),
      });
  }
  return { cases, faults };
}

/** Of a case file: its cases of kind `rubric`. */
export function rubricCases(cases: readonly EvalCase[]): ReadPrompts {
  const judged = cases.filter(({ kind }) => kind === 'rubric');
  return {
    cases: judged.flatMap(({ message, expected, rubric = [], ...more }, at) =>
      expected === null
        ? []
        : [{ name: `case ${at + 1}`, skill: expected, prompt: message, rubric, ...besides(more) }],
    ),
    faults: judged.flatMap(({ message, expected }) =>
      expected === null
        ? [`the case ${JSON.stringify(message.slice(0, 40))} names no skill to judge: "expected" is null`]
        : [],
    ),
  };
}

/** Messages that should start the skill, judged by the rubric of its file. */
export function casesUnderRubric(
  skill: string,
  cases: readonly EvalCase[],
  rubric: readonly string[],
): readonly OutputCase[] {
  if (rubric.length === 0) return [];
  const own = cases.filter(
    ({ kind, expected }) => expected === skill && (kind === 'positive' || kind === 'explicit'),
  );
  return own.map(({ message, kind, ...more }, at) => ({
    name: `${kind} ${at + 1}`,
    skill,
    prompt: message,
    rubric,
    ...besides(more),
  }));
}

function besides({ input, place }: Pick<EvalCase, 'input' | 'place'>): Pick<OutputCase, 'input' | 'place'> {
  return { ...(input === undefined ? {} : { input }), ...(place === undefined ? {} : { place }) };
}

/** What is behind `/name` or `$name` at the beginning, as when a person calls the skill; else the whole. */
export function withoutCall(prompt: string, skill: string): string {
  const text = prompt.trimStart();
  const called =
    text.startsWith(`/${skill}`) || text.startsWith(`$${skill}`) ? text.slice(skill.length + 1) : null;
  return called !== null && /^(?:\s|$)/.test(called) ? called.trim() : prompt;
}

/** `null`: it is not a rubric. */
export function rubricOf(value: Json | undefined): readonly string[] | null {
  if (value === undefined || value === null) return [];
  const list: readonly Json[] = Array.isArray(value) ? value : [value];
  const texts = list.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  return texts.length === list.length ? texts : null;
}
