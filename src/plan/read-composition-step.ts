// One step of a composition -> StepDraft.
//
// A key that belongs to another kind of step is an error: the author meant something else. What the original refuses
// is refused; what it ignores silently is reported as well.
import type { Report } from '../base/diagnostic.ts';
import type { JsonObject } from '../base/json.ts';
import { emptyObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import { readToolList } from '../skill/tools/tool-list.ts';
import type { YamlMap, YamlNode, YamlScalar } from '../skill/yaml/node.ts';
import { toJson } from '../skill/yaml/node.ts';
import type { Named, Sink, Site, StepDraft, Writable } from './draft.ts';
import { templateSite, textsIn } from './draft.ts';
import type { PlanStep, StepKind } from './plan.ts';
import { readClarify } from './read-clarify.ts';
import { readExpression } from './read-expression.ts';
import { Fields } from './read-fields.ts';
import { readRunRules, runAliases, runKeys } from './read-run-rules.ts';
import { toolSites } from './tool-sites.ts';

const compositionKinds: { readonly [word: string]: StepKind } = {
  agent: 'agent',
  llm_chat: 'chat',
  llm_classify: 'classify',
  user_input: 'input',
  tool_call: 'tool',
  skill_exec: 'exec',
};

export const compositionStepKeys: readonly string[] = [
  'id',
  'kind',
  'skill',
  'depends_on',
  'with',
  'when',
  'route',
  'on_failure',
  'output_choices',
  'clarify',
  'tool',
  'tool_args',
  'tool_allowlist',
  'side_effect',
  'label',
  'label_zh',
  'label_en',
  'progress_emits',
  ...runKeys,
];

const keys = {
  known: compositionStepKeys,
  aliases: {
    ...runAliases,
    dependsOn: 'depends_on',
    'depends-on': 'depends_on',
    onFailure: 'on_failure',
    outputChoices: 'output_choices',
    toolArgs: 'tool_args',
    condition: 'when',
    type: 'kind',
  },
  inert: ['read_only', 'write_access', 'network_access', 'capability_ref', 'description', 'comment', 'notes'],
};

/** Only for these kinds. */
const belongsTo: { readonly [key: string]: readonly StepKind[] } = {
  output_choices: ['classify'],
  clarify: ['input'],
  tool: ['tool'],
  tool_args: ['tool'],
  tool_allowlist: ['tool'],
  tools: ['agent'],
  max_turns: ['agent'],
};

const sinkOf: { readonly [kind in StepKind]: Sink } = {
  agent: 'prompt',
  chat: 'prompt',
  classify: 'prompt',
  input: 'person',
  tool: 'tool',
  command: 'argv',
  exec: 'exec',
  skill: 'data',
};

export function readCompositionStep(node: YamlNode, index: number, report: Report): StepDraft | null {
  if (node.kind !== 'map') {
    report('PLAN_TYPE', node.span, `step ${index + 1} must be a mapping with an id`, 'write - id: name');
    return null;
  }
  const fields = new Fields(stepName(node, index), node, keys, report);
  const id = readId(fields, index);
  const kind = readKind(fields);
  // Its other keys mean nothing without a kind, but others may depend on it.
  if (kind === null) return emptyDraft(id ?? `step ${index + 1}`, node);
  checkPlaces(fields, kind);

  const sites: Site[] = [];
  const when = readExpression(fields, 'when');
  if (when !== null) sites.push(when.site);
  const route = readRoute(fields, kind, sites);
  const dependsOn = (fields.names('depends_on') ?? []).map(named);
  const onFailure = readOnFailure(fields);
  const skill = readSkill(fields, kind);
  const tool = kind === 'tool' ? readTool(fields) : null;
  const values = readValues(fields, kind, tool?.name ?? null, sites);
  const rules = readRunRules(fields, sites);
  const step: Writable<PlanStep> = {
    id: id ?? `step ${index + 1}`,
    kind,
    label: fields.anyText('label') ?? titleOf(id ?? ''),
    labels: { zh: fields.anyText('label_zh'), en: fields.anyText('label_en') },
    dependsOn: dependsOn.map(({ name }) => name),
    implied: [],
    when: when?.expression ?? null,
    route: route.map(({ when: test, to }) => ({ when: test, to: to.name })),
    skill: skill?.name ?? null,
    values,
    tool: tool?.name ?? null,
    choices: kind === 'classify' ? readChoices(fields) : null,
    clarify: kind === 'input' ? readClarify(fields, sites) : null,
    onFailure: onFailure?.name ?? null,
    substituteOf: null,
    ...rules,
    continueOnError: rules.continueOnError || takesErrorsFrom(fields),
    tools:
      kind === 'tool'
        ? readAllowlist(fields, tool?.name ?? null)
        : kind === 'agent'
          ? readTools(fields)
          : null,
    sideEffect: readSideEffect(fields, kind),
    progress: fields.flag('progress_emits') ?? kind !== 'tool',
    span: node.span,
  };
  return {
    step,
    dependsOn,
    onFailure,
    skill,
    tool,
    routes: route.map(({ to }) => to),
    sites,
    given: kind === 'tool' ? keysIn(fields.get('tool_args')) : [],
    idSpan: fields.get('id')?.span ?? null,
  };
}

function emptyDraft(id: string, { span }: YamlMap): StepDraft {
  const step: Writable<PlanStep> = {
    id,
    kind: 'chat',
    label: '',
    labels: { zh: null, en: null },
    dependsOn: [],
    implied: [],
    when: null,
    route: [],
    skill: null,
    values: emptyObject(),
    tool: null,
    choices: null,
    clarify: null,
    onFailure: null,
    substituteOf: null,
    timeoutMs: null,
    retry: { maxAttempts: 1, backoffMs: 0 },
    forEach: null,
    continueOnError: false,
    outputSchema: null,
    model: null,
    maxTurns: null,
    tools: null,
    idempotent: false,
    sideEffect: null,
    progress: true,
    span,
  };
  return { step, dependsOn: [], onFailure: null, skill: null, tool: null, routes: [], sites: [] };
}

function stepName(map: YamlMap, index: number): string {
  const id = map.entries.find(({ key }) => key === 'id')?.value;
  return id?.kind === 'scalar' && id.value !== null && id.raw !== ''
    ? `step "${printableLine(id.raw).slice(0, 60)}"`
    : `step ${index + 1}`;
}

/** `collect_sources` -> `Collect Sources` */
export function titleOf(id: string): string {
  return id
    .replace(/[_-]+/g, ' ')
    .trim()
    .replace(/(^|\s)\S/g, (letter) => letter.toUpperCase());
}

export function readId(fields: Fields, index: number): string | null {
  const node = fields.get('id');
  if (node === null)
    return fields.missing('id is missing', `write id: followed by a name, such as step_${index + 1}`);
  if (node.kind !== 'scalar' || typeof node.value === 'boolean') return fields.wrong('id', node, 'text');
  const id = node.raw.trim();
  if (id === '') return fields.missing('id is blank', 'write id: followed by a name');
  if (id.length > 200) return fields.refuse(node, `the id has ${id.length} characters, over 200`);
  return id;
}

function readKind(fields: Fields): StepKind | null {
  const node = fields.get('kind');
  if (node === null) return 'agent';
  const word = node.kind === 'scalar' ? node.raw : '';
  if (Object.hasOwn(compositionKinds, word)) return compositionKinds[word] as StepKind;
  const words = Object.keys(compositionKinds);
  const near = nearest(word, words);
  fields.report(
    'PLAN_VALUE',
    node.span,
    `${fields.owner}: "${printableLine(word).slice(0, 40)}" is not a kind of step; there are ${words.join(', ')}`,
    near === null ? undefined : `did you mean "${near}"?`,
  );
  return null;
}

function checkPlaces(fields: Fields, kind: StepKind): void {
  for (const [key, kinds] of Object.entries(belongsTo)) {
    if (!fields.has(key) || kinds.includes(kind)) continue;
    const words = Object.entries(compositionKinds)
      .filter(([, one]) => kinds.includes(one))
      .map(([word]) => word);
    fields.report(
      'PLAN_FIELD_MISPLACED',
      fields.keySpan(key),
      `${fields.owner}: ${key} is only for ${words.join(' and ')}`,
      `remove it, or write kind: ${words[0]}`,
    );
  }
  if (kind === 'tool' && fields.get('with') !== null && fields.get('tool_args') === null) {
    fields.report(
      'PLAN_KEY_UNKNOWN',
      fields.keySpan('with'),
      `${fields.owner}: with is not given to a tool`,
      'write tool_args',
    );
  }
}

/** The keys of a mapping, at their places. */
export function keysIn(node: YamlNode | null): readonly Named[] {
  return node?.kind === 'map' ? node.entries.map(({ key, keySpan }) => ({ name: key, span: keySpan })) : [];
}

function named(node: YamlScalar): Named {
  return { name: node.raw.trim(), span: node.span };
}

function readRoute(
  fields: Fields,
  kind: StepKind,
  sites: Site[],
): { readonly when: NonNullable<PlanStep['when']>; readonly to: Named }[] {
  const list = fields.list('route');
  if (list === null) return [];
  if (kind !== 'agent' && kind !== 'exec')
    fields.report(
      'PLAN_UNREACHABLE',
      fields.keySpan('route'),
      `${fields.owner}: route chooses a skill, which only agent and skill_exec have; it has no effect`,
    );
  return list.items.flatMap((item, index) => {
    if (item.kind !== 'map') {
      fields.wrong(`route[${index}]`, item, 'a mapping', 'write - when: … and to: …');
      return [];
    }
    const inner = new Fields(
      `route[${index}] of ${fields.owner}`,
      item,
      { known: ['when', 'to'], aliases: { if: 'when', condition: 'when', skill: 'to' } },
      fields.report,
    );
    const to = inner.get('to');
    const name =
      to === null
        ? inner.missing('to is missing', 'write to: followed by the name of a skill')
        : inner.textOf('to', to);
    if (inner.get('when') === null) inner.missing('when is missing', 'write when: followed by an expression');
    const when = readExpression(inner, 'when');
    if (when === null || name === null || to === null) return [];
    sites.push({ ...when.site, label: `route[${index}].when` });
    return [{ when: when.expression, to: { name: name.trim(), span: to.span } }];
  });
}

function readOnFailure(fields: Fields): Named | null {
  const name = fields.text('on_failure', 'the id of a step');
  const node = fields.get('on_failure');
  return name === null || node === null ? null : { name: name.trim(), span: node.span };
}

function readSkill(fields: Fields, kind: StepKind): Named | null {
  const name = fields.text('skill', 'the name of a skill');
  const node = fields.get('skill');
  if (kind !== 'agent' && kind !== 'exec') return null;
  if (node === null)
    return fields.missing(
      `${kind === 'agent' ? 'an agent' : 'skill_exec'} needs a skill`,
      fields.get('route') === null
        ? 'write skill: followed by the name of a skill'
        : 'write skill: too, for when no route holds',
    );
  return name === null ? null : asConstant(fields, 'skill', name.trim(), node);
}

/** Which skill runs must be known before the run. */
export function asConstant(
  fields: Fields,
  key: 'skill' | 'tool',
  name: string,
  node: YamlNode,
): Named | null {
  if (!/\{[{%]/.test(name)) return { name, span: node.span };
  return fields.refuse(
    node,
    `${key} cannot be a template: what runs must be known before`,
    key === 'skill' ? 'choose between skills with route' : 'write a step for each tool, with when',
  );
}

function readTool(fields: Fields): Named | null {
  const node = fields.get('tool');
  if (node === null)
    return fields.missing('tool_call needs a tool', 'write tool: followed by the name of a tool');
  const name = fields.textOf('tool', node);
  return name === null ? null : asConstant(fields, 'tool', name.trim(), node);
}

function readValues(fields: Fields, kind: StepKind, tool: string | null, sites: Site[]): JsonObject {
  const own = kind === 'tool' ? 'tool_args' : 'with';
  const map = fields.mapping(own);
  if (kind === 'tool' && fields.get('with') !== null) fields.mapping('with');
  if (map === null) {
    if (kind === 'classify' && fields.get('with') === null)
      fields.report(
        'PLAN_INPUT_MISSING',
        fields.keySpan('kind'),
        `${fields.owner}: llm_classify is given nothing to classify`,
        'write with: and text: below it',
      );
    if (kind === 'chat')
      fields.missing('llm_chat needs with.task, with.prompt or with.text', 'write with: and task: below it');
    return emptyObject();
  }
  const entries = map.entries.filter(({ key }) => key !== 'continue_on_error');
  const aliased = entries.map((entry) => ({
    ...entry,
    key: chatKey(fields, kind, entry.key, map, entry.keySpan),
  }));
  if (kind === 'tool') sites.push(...toolSites(own, tool, aliased, { text: 'tool', word: 'tool-argv' }));
  else
    for (const { key, value } of aliased)
      for (const text of textsIn(`${own}.${key}`, value))
        sites.push(templateSite(text.label, text.node, sinkOf[kind]));
  if (
    kind === 'chat' &&
    !aliased.some(
      ({ key, value }) =>
        taskKeys.includes(key) && !(value.kind === 'scalar' && (value.value === null || value.value === '')),
    )
  ) {
    fields.report(
      'PLAN_FIELD_MISSING',
      fields.keySpan('with'),
      `${fields.owner}: llm_chat needs with.task, with.prompt or with.text`,
      misspelt(
        aliased.map(({ key }) => key),
        taskKeys,
      ) ?? 'write task: below with:',
    );
  }
  return toJson({ ...map, entries: aliased }) as JsonObject;
}

/** A hint that names the one of `wanted` that one of the keys may be meant as. */
export function misspelt(written: readonly string[], wanted: readonly string[]): string | null {
  for (const key of written) {
    const near = nearest(key, wanted);
    if (near !== null) return `did you mean "${near}" where "${printableLine(key).slice(0, 40)}" is written?`;
  }
  return null;
}

const taskKeys: readonly string[] = ['task', 'prompt', 'text'];
const chatAliases: { readonly [key: string]: string } = { system_prompt: 'system', input: 'task' };

/** `with.system_prompt` and `with.input` of another dialect, where ours are not given. */
function chatKey(fields: Fields, kind: StepKind, key: string, map: YamlMap, at: YamlMap['span']): string {
  const ours = kind === 'chat' && Object.hasOwn(chatAliases, key) ? (chatAliases[key] as string) : key;
  if (
    ours === key ||
    map.entries.some((entry) => entry.key === ours || (ours === 'task' && taskKeys.includes(entry.key)))
  )
    return key;
  fields.report('PLAN_ALIAS', at, `${fields.owner}: with.${key} is read as with.${ours}`, `write ${ours}`);
  return ours;
}

/** `with.continue_on_error` of another dialect. */
function takesErrorsFrom(fields: Fields): boolean {
  const map = fields.get('with');
  const entry = map?.kind === 'map' ? map.entries.find(({ key }) => key === 'continue_on_error') : undefined;
  if (entry === undefined) return false;
  fields.report(
    'PLAN_ALIAS',
    entry.keySpan,
    `${fields.owner}: with.continue_on_error is read as continue_on_error of the step`,
    'move it out of with',
  );
  return entry.value.kind === 'scalar' && entry.value.value === true;
}

export function readChoices(fields: Fields, key = 'output_choices'): readonly string[] | null {
  const list = fields.list(key);
  if (list === null || list.items.length === 0) {
    if (fields.get(key) === null || list !== null)
      fields.missing(
        `${key} must be a list with at least one choice`,
        `write ${key}: [BUG, FEATURE, QUESTION]`,
      );
    return null;
  }
  const seen = new Set<string>();
  list.items.forEach((item, index) => {
    const choice = fields.textOf(`${key}[${index}]`, item);
    if (choice === null) return;
    if (seen.has(choice))
      fields.refuse(
        item,
        `${key} has "${printableLine(choice)}" twice`,
        'each choice must differ from the others',
      );
    seen.add(choice);
  });
  return [...seen];
}

function readAllowlist(fields: Fields, tool: string | null): readonly string[] | null {
  const list = fields.texts('tool_allowlist');
  if (list === null || list.length === 0) return tool === null ? null : [tool];
  if (tool !== null && !list.includes(tool))
    fields.refuse(
      fields.get('tool_allowlist') as YamlNode,
      `tool_allowlist does not have the tool "${tool}"`,
      `add ${tool} to it`,
    );
  return list;
}

function readTools(fields: Fields): readonly string[] | null {
  const node = fields.get('tools');
  return node === null ? null : readToolList('tools', node, fields.report);
}

function readSideEffect(fields: Fields, kind: StepKind): PlanStep['sideEffect'] {
  const node = fields.get('side_effect');
  if (node === null) return null;
  if (node.kind !== 'scalar' || node.value !== 'external_paid_submit')
    return fields.refuse(
      node,
      'side_effect can only be external_paid_submit',
      'write external_paid_submit, or leave it out',
    );
  if (kind === 'exec') return 'external_paid_submit';
  fields.report(
    'PLAN_FIELD_MISPLACED',
    fields.keySpan('side_effect'),
    `${fields.owner}: external_paid_submit is only for skill_exec`,
    'remove it, or write kind: skill_exec',
  );
  return null;
}
