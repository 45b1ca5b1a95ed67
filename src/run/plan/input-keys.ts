// A plan -> the keys that its input may have.
//
// These are the keys that it declares, that its triggers capture and that its templates and conditions read, and
// `user_message`. Any other key would do nothing, so it is refused, with the key that may be meant. A plan that reads
// `inputs` as a whole, or by a computed name, takes any key. So does one that declares none and passes its input on to
// a skill. The host of a composition may give further facts, under the names of the format; facts of the run itself
// cannot be given.
import { nearest } from '../../base/nearest.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Plan, PlanStep } from '../../plan/plan.ts';
import type { SkillHead, Trigger } from '../../skill/types.ts';

export interface TakenKeys {
  readonly keys: readonly string[];
  /** Whether the plan takes any key. */
  readonly any: boolean;
}

/** Facts that the host of a composition may give. */
const handedByHosts = ['user_language', 'system_prompt', 'audience', 'language', 'preferences'];
/** Facts of the run, which replace any input of that name (inputs.ts). */
const factsOfRuns: ReadonlySet<string> = new Set([
  'workspace_dir',
  'meta_run_id',
  'run_id',
  'collected',
  'config',
  'language_instruction',
]);

/** `texts`: SKILL.md and the output templates. */
export function takenKeys(
  { form, inputs, steps, output }: Pick<Plan, 'form' | 'inputs' | 'steps' | 'output'>,
  triggers: readonly Trigger[],
  texts: readonly string[],
): TakenKeys {
  const read = [...texts.flatMap(templateParts), ...steps.flatMap(expressionsOf)].map(readKeys);
  const keys = new Set([
    'user_message',
    ...inputs.map(({ key }) => key),
    ...triggers.flatMap(({ variables }) => variables),
    ...read.flatMap((one) => one.keys),
    ...texts.flatMap((text) => readKeys(text).keys),
    ...(output === null ? [] : ['variant']),
    ...(form === 'composition' ? handedByHosts : []),
  ]);
  if (form === 'composition') for (const fact of factsOfRuns) keys.delete(fact);
  return {
    keys: [...keys],
    any: read.some(({ any }) => any) || (inputs.length === 0 && steps.some(isHandedOn)),
  };
}

/** It declares no input, so it gets that of the run. */
export function isHandedOn({ kind, values }: PlanStep): boolean {
  return kind === 'skill' && Object.keys(values).length === 0;
}

/**
 * Of a skill that gets the input of its run (requests.ts), from its SKILL.md alone; null when it takes any key.
 * A program takes any key unless it declares some.
 */
export function keysOfSkill(
  { form, inputs, triggers, output }: SkillHead,
  text: string,
): readonly string[] | null {
  if (form === 'instructions') return null;
  const declared = inputs ?? [];
  if (form === 'program') return declared.length === 0 ? null : declared.map(({ key }) => key);
  const { keys, any } = takenKeys(
    {
      form,
      inputs: declared,
      steps: [],
      output: output === null ? null : { path: output, variants: {}, refine: false },
    },
    triggers,
    [text],
  );
  return any ? null : keys;
}

/** Found without a regular expression, which would scan the rest of the text for every unclosed brace. */
function templateParts(text: string): readonly string[] {
  return [
    ['{{', '}}'],
    ['{%', '%}'],
  ].flatMap(([open, close]) => {
    const parts: string[] = [];
    for (let start = text.indexOf(open as string); start >= 0; start = text.indexOf(open as string, start)) {
      const end = text.indexOf(close as string, start);
      if (end < 0) break;
      parts.push(text.slice(start, end));
      start = end;
    }
    return parts;
  });
}

function expressionsOf({ when, route, forEach, clarify }: PlanStep): readonly string[] {
  return [when, ...route.map((one) => one.when), forEach?.items ?? null, clarify?.skipIf ?? null].flatMap(
    (one) => (one === null ? [] : [one.text]),
  );
}

const inputsRead =
  /(?:["']([^"']+)["']\s+(?:not\s+)?in\s+)?(?<![\w.])inputs\b(?:\s*\.\s*([A-Za-z_]\w*)|\s*\[\s*["']([^"']+)["']\s*\])?(?:\s*\(\s*(?:["']([^"']+)["'])?)?/g;
const methods: ReadonlySet<string> = new Set(['get', 'items', 'keys', 'values']);

function readKeys(expression: string): TakenKeys {
  const keys: string[] = [];
  let any = false;
  for (const [, tested, attribute, index, argument] of expression.matchAll(inputsRead)) {
    const name =
      attribute !== undefined && methods.has(attribute)
        ? attribute === 'get'
          ? argument
          : undefined
        : (attribute ?? index ?? tested);
    if (name === undefined) any = true;
    else keys.push(name);
  }
  return { keys, any };
}

/** What is wrong with the keys of an input, key by key. */
export function keyFaults(
  { keys, any }: TakenKeys,
  form: Plan['form'],
  input: JsonObject,
): readonly string[] {
  return Object.keys(input).flatMap((key) => {
    if (form === 'composition' && factsOfRuns.has(key))
      return [`"${key}" is a fact of the run, and cannot be given`];
    if (any || keys.includes(key)) return [];
    const meant =
      nearest(key, keys) ??
      (Object.hasOwn(input, 'user_message') || nearest(key, wordsForMessage) === null
        ? null
        : 'user_message');
    return [
      `${JSON.stringify(key)} is not one of its keys${meant === null ? '' : `; did you mean ${JSON.stringify(meant)}?`}`,
    ];
  });
}

/** What people write for the message. */
const wordsForMessage = ['message', 'request', 'prompt', 'query', 'text', 'input', 'question'];
