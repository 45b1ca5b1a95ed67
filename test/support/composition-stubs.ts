// A world for compositions that nobody here wrote: every model, tool, entry point and person answers something that fits
// the question, whatever the composition is about.
//
//   a folder of skills -> a host whose answers follow from the plan alone
//
// U1. The same step gets the same answer, in every process: so a run can be resumed and replayed.
// U2. `eager` answers hold every text that a condition of the plan looks for in the output of that step, `plain` ones none
//     of them: the two take different branches. `failing` is eager, and every step that has a substitute fails.
// U3. A form is answered with a value of each field's type within its bounds; nothing is left to defaults but what the
//     form itself does not require, in `plain`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { nodeFrontmatter } from '../../src/node/yaml.ts';
import type { AskRequest } from '../../src/ports/answerer.ts';
import { compilePlan } from '../../src/plan/compile-plan.ts';
import type { Entrypoint } from '../../src/plan/entrypoint.ts';
import { entrypointOf } from '../../src/plan/entrypoint.ts';
import type { Plan, PlanStep } from '../../src/plan/plan.ts';
import { emptyWorld } from '../../src/plan/world.ts';
import { stepOfKey } from '../../src/run/plan/keys.ts';
import type { RunResult } from '../../src/run/result/result.ts';
import type { HostFilter } from '../../src/template/template.ts';
import { printed } from './fake-run-host.ts';
import type { PlanHost, PlanTexts } from './plan-host.ts';
import { planHost } from './plan-host.ts';
import { headOf } from './plan-texts.ts';

export type Manner = 'plain' | 'eager' | 'failing';

/** SKILL.md by the name of the skill, of every folder below these. */
export function readSkillTexts(folders: readonly string[]): PlanTexts {
  const texts: PlanTexts = {};
  for (const folder of folders) {
    for (const name of readdirSync(folder)) {
      const file = `${folder}/${name}/SKILL.md`;
      if (!existsSync(file)) continue;
      const text = readFileSync(file, 'utf8');
      texts[headOf(text, name).name] = text;
    }
  }
  return texts;
}

export function planOf(name: string, text: string): Plan {
  const { plan } = compilePlan(
    { head: headOf(text, name), frontmatter: nodeFrontmatter(text), world: emptyWorld },
    () => undefined,
  );
  if (plan === null) throw new Error(`${name} has no plan`);
  return plan;
}

/** Skills of `skill_exec` steps that come without an entry point: the host has to bring one. */
export function withoutEntrypoint(plan: Plan, texts: PlanTexts): readonly string[] {
  const named = plan.steps.flatMap(({ kind, skill, route }) =>
    kind === 'exec' ? [skill ?? '', ...route.map(({ to }) => to)] : [],
  );
  return [...new Set(named)]
    .filter((name) => {
      const text = texts[name];
      return typeof text !== 'string' || entrypointOf(headOf(text, name).frontmatter['entrypoint']) === null;
    })
    .sort();
}

export interface StubRun {
  readonly host: PlanHost;
  readonly result: RunResult;
  /** Forms that were answered, in order. */
  readonly forms: readonly string[];
}

export interface StubOptions {
  readonly manner: Manner;
  readonly filters?: { readonly [name: string]: HostFilter };
}

/** Runs a composition to its end; after each pause another host, as another process would, answers and goes on. */
export async function runWithStubs(
  name: string,
  texts: PlanTexts,
  { manner, filters = {} }: StubOptions,
): Promise<StubRun> {
  const plan = planOf(name, texts[name] as string);
  const given: PlanTexts = { ...texts };
  for (const skill of withoutEntrypoint(plan, texts)) given[skill] = stubSkill(skill);
  const open = (after?: PlanHost): PlanHost => {
    const host = planHost(given, {
      tools: plan.needs.tools,
      filters,
      ...(after === undefined ? {} : { after }),
    });
    for (const artifact of plan.outputContract?.artifacts ?? [])
      if (artifact.path !== null) host.artifacts.add(artifact.path);
    host.answerer.onAsk = (request) => answerTo(plan, request, manner);
    host.tools.onTool = (call) =>
      outputOf(
        plan,
        plan.steps.find(
          ({ tool, values }) =>
            tool === call.tool && Object.keys(values).join() === Object.keys(call.args).join(),
        ) ?? null,
        'text',
        manner,
      );
    host.commands.onCommand = (_call, { key }) => {
      const step = plan.steps.find(({ id }) => id === stepOfKey(key)) ?? null;
      return printed(outputOf(plan, step, parseOf(step, given), manner));
    };
    return host;
  };
  let host = open();
  let result = await host.start(name, inputFor(plan, manner));
  const forms: string[] = [];
  // A form is asked once, and each composition has a bounded number of them.
  for (let round = 0; result.status === 'paused' && round <= plan.steps.length; round += 1) {
    host = open(host);
    for (const { id, nonce, audience, key, question } of result.questions) {
      forms.push(key);
      await host.runner.answer(result.run as string, {
        question: id,
        nonce,
        from: audience,
        value: formAnswer(question, manner),
      });
    }
    result = await host.runner.resume(result.run as string);
  }
  return { host, result, forms };
}

function stubSkill(name: string): string {
  return `---\nname: ${name}\ndescription: Stands in for ${name}. Use in tests.\nentrypoint: {command: "stub ${name}"}\n---\n\nA stub.\n`;
}

function answerTo(plan: Plan, { kind, choices, purpose, schema }: AskRequest, manner: Manner): string {
  const step = plan.steps.find(({ id }) => id === purpose) ?? null;
  failIfSubstituted(step, manner);
  if (kind === 'classify')
    return (
      choices?.[
        manner === 'plain' ? 0 : manner === 'eager' ? Math.min(1, choices.length - 1) : choices.length - 1
      ] ?? ''
    );
  if (schema !== null) return JSON.stringify(valueFor(schema as JsonObject));
  return outputOf(plan, step, 'text', manner);
}

/** What a step gives: as a model, a tool or an entry point would. */
function outputOf(plan: Plan, step: PlanStep | null, parse: Entrypoint['parse'], manner: Manner): string {
  failIfSubstituted(step, manner);
  const sections = plan.outputContract?.requiredSections ?? [];
  const sought = manner === 'plain' || step === null ? [] : soughtIn(plan, step.id);
  if (parse === 'json') return JSON.stringify({ ok: true, path: 'out/result.md', sections, sought });
  return [
    `What ${step?.id ?? 'it'} gave.`,
    ...sections.map((section) => `## ${section}\n\nText.`),
    ...sought,
  ].join('\n');
}

function failIfSubstituted(step: PlanStep | null, manner: Manner): void {
  if (manner === 'failing' && step !== null && step.onFailure !== null) throw new Error('made to fail');
}

function parseOf(step: PlanStep | null, texts: PlanTexts): Entrypoint['parse'] {
  const skill = step?.skill ?? '';
  const text = texts[skill];
  return (
    (typeof text === 'string'
      ? entrypointOf(headOf(text, skill).frontmatter['entrypoint'])?.parse
      : undefined) ?? 'text'
  );
}

/** U2: constants that conditions look for in the output of a step, and none that they want not to be there. */
function soughtIn(plan: Plan, step: string): readonly string[] {
  return soughtWhere(plan, (place) =>
    new RegExp(`^outputs(?:\\.${step}\\b|\\.get\\(\\s*['"]${step}['"])`).test(place),
  );
}

function soughtWhere({ steps }: Plan, isPlace: (place: string) => boolean): readonly string[] {
  const conditions = steps.flatMap(({ when, route, clarify }) =>
    [when?.text, ...route.map((one) => one.when.text), clarify?.skipIf?.text].filter(
      (text) => text !== undefined,
    ),
  );
  const found = conditions.flatMap((text) =>
    [...text.matchAll(/(?:'([^']+)'|"([^"]+)")\s+(not\s+)?in\s+\(?\s*((?:inputs|outputs)\.[^\s|]*)/g)]
      .filter(([, , , , place]) => isPlace(place as string))
      .map(([, single, double, not]) => ({
        text: unescaped(single ?? double ?? ''),
        isWanted: not === undefined,
      })),
  );
  const unwanted = new Set(found.filter(({ isWanted }) => !isWanted).map((one) => one.text));
  return [...new Set(found.map((one) => one.text))].filter((one) => !unwanted.has(one));
}

function unescaped(text: string): string {
  return text.replaceAll('\\n', '\n');
}

/** What a run is started with; eager messages hold what conditions look for in them. */
function inputFor(plan: Plan, manner: Manner): JsonObject {
  const message = 'Please do what you are for, about tides.';
  if (manner === 'plain') return { user_message: message };
  const sought = (name: string): readonly string[] =>
    soughtWhere(
      plan,
      (place) => place.startsWith(`inputs.${name}`) || place.startsWith(`inputs.get('${name}'`),
    );
  return {
    user_message: [message, ...sought('user_message')].join('\n'),
    system_prompt: sought('system_prompt').join('\n'),
  };
}

/** U3. */
function formAnswer(question: Json, manner: Manner): JsonObject {
  const { fields = [] } = question as { readonly fields?: readonly JsonObject[] };
  const values: { [name: string]: Json } = {};
  for (const field of fields)
    if (field['required'] === true || manner !== 'plain') values[field['name'] as string] = fieldValue(field);
  return values;
}

function fieldValue({
  type,
  choices,
  min,
  max,
  min_chars: minChars,
  max_chars: maxChars,
  name,
}: JsonObject): Json {
  switch (type as string) {
    case 'enum':
      return (choices as readonly string[])[0] as string;
    case 'int':
      return Math.max(Number(min ?? 1), Math.min(Number(max ?? 3), 3));
    case 'bool':
      return true;
    default:
      return `a ${name as string} `
        .repeat(Math.max(1, Math.ceil(Number(minChars ?? 1) / 4)))
        .slice(0, Number(maxChars ?? 80))
        .trim();
  }
}

function valueFor(schema: JsonObject): Json {
  const { type, enum: choices, properties = {}, required = [], default: otherwise } = schema;
  if (otherwise !== undefined) return otherwise;
  if (Array.isArray(choices)) return choices[0] as Json;
  switch (type as string) {
    case 'object':
      return Object.fromEntries(
        (required as readonly string[]).map((key) => [
          key,
          valueFor(((properties as JsonObject)[key] ?? {}) as JsonObject),
        ]),
      );
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return 'text';
  }
}
