// One step of a workflow or chain -> StepDraft.
//
// `tool` names a tool of the host, or one of techne's own step tools: ask, chat, classify, command, skill. Steps run
// in the order of the document: each waits for the one before it, unless it has `depends_on`.
import type { Report } from '../base/diagnostic.ts';
import type { JsonObject } from '../base/json.ts';
import { emptyObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import { isNull } from '../skill/fields/read-value.ts';
import { readToolList } from '../skill/tools/tool-list.ts';
import type { YamlEntry, YamlMap, YamlNode, YamlScalar } from '../skill/yaml/node.ts';
import { entryOf, toJson } from '../skill/yaml/node.ts';
import type { Named, Site, StepDraft, Writable } from './draft.ts';
import { templateSite, textsIn } from './draft.ts';
import type { PlanStep, StepKind } from './plan.ts';
import { asConstant, keysIn, misspelt, readChoices, readId, titleOf } from './read-composition-step.ts';
import { readExpression } from './read-expression.ts';
import { Fields, checkVariable } from './read-fields.ts';
import { readRunRules, runAliases, runKeys } from './read-run-rules.ts';
import { toolSites, wordSites } from './tool-sites.ts';

const aliases = {
  ...runAliases,
  when: 'condition',
  if: 'condition',
  dependsOn: 'depends_on',
  'depends-on': 'depends_on',
  onFailure: 'on_failure',
  outputChoices: 'output_choices',
};
const workflowStepKeys: readonly string[] = [
  'id',
  'tool',
  'skill',
  'params',
  'condition',
  'depends_on',
  'on_failure',
  'output_choices',
  'label',
  'label_zh',
  'label_en',
  ...runKeys,
];
const chainStepKeys: readonly string[] = [
  'id',
  'skill',
  'inputs',
  'condition',
  'depends_on',
  'on_failure',
  'label',
  'label_zh',
  'label_en',
  ...runKeys,
];
const same = { continueOnError: 'continue_on_error' };
const workflowKeys = {
  known: workflowStepKeys,
  same,
  aliases: {
    ...aliases,
    args: 'params',
    arguments: 'params',
    with: 'params',
    inputs: 'params',
    input: 'params',
    action: 'tool',
    uses: 'tool',
  },
  inert: ['name', 'description', 'comment', 'notes', 'output'],
};
const chainKeys = {
  known: chainStepKeys,
  same,
  aliases: { ...aliases, input: 'inputs', params: 'inputs', with: 'inputs', args: 'inputs' },
  inert: ['name', 'description', 'comment', 'notes', 'output'],
};

/** techne's own step tools. */
export const stepTools: { readonly [name: string]: StepKind } = {
  ask: 'agent',
  chat: 'chat',
  classify: 'classify',
  command: 'command',
  skill: 'skill',
};

export function readWorkflowStep(
  node: YamlNode,
  index: number,
  previous: string | null,
  report: Report,
): StepDraft | null {
  if (node.kind !== 'map') {
    report(
      'PLAN_TYPE',
      node.span,
      `step ${index + 1} must be a mapping with an id and a tool`,
      'write - id: name and tool: …',
    );
    return null;
  }
  const fields = new Fields(ownerOf(node, index), node, workflowKeys, report);
  const id = readId(fields, index);
  const toolNode = fields.get('tool');
  const toolName = fields.text('tool', 'the name of a tool')?.trim() ?? null;
  const skillName = fields.text('skill', 'the name of a skill')?.trim() ?? null;
  if (toolNode === null && fields.get('skill') === null)
    fields.missing(
      'tool is missing',
      `write tool: followed by a tool, or one of ${Object.keys(stepTools).join(', ')}`,
    );
  const kind: StepKind =
    toolName === null
      ? 'skill'
      : Object.hasOwn(stepTools, toolName)
        ? (stepTools[toolName] as StepKind)
        : 'tool';
  if (skillName !== null && toolName !== null && kind !== 'skill' && kind !== 'agent') {
    fields.report(
      'PLAN_FIELD_MISPLACED',
      fields.keySpan('skill'),
      `${fields.owner}: it has a tool and a skill`,
      'keep one of them',
    );
  }
  const params = fields.mapping('params');
  const sites: Site[] = [];
  checkParams(fields, kind, params);
  const skill = kind === 'skill' || kind === 'agent' ? readSkill(fields, kind, params) : null;
  const skillNode = fields.get('skill');
  if (skillNode?.kind === 'scalar' && skillName?.includes('{{') === true)
    sites.push(templateSite('skill', skillNode, 'name'));
  const values = readParams(kind, toolName, params, skillName !== null, sites);
  return finish(fields, {
    id,
    index,
    kind,
    previous,
    skill,
    values,
    sites,
    given: givenBy(kind, params),
    tool:
      kind === 'tool' && toolNode !== null && toolName !== null
        ? asConstant(fields, 'tool', toolName, toolNode)
        : null,
    choices: kind === 'classify' ? readStepChoices(fields, params) : null,
  });
}

export function readChainStep(
  node: YamlNode,
  index: number,
  previous: string | null,
  taken: ReadonlySet<string>,
  report: Report,
): StepDraft | null {
  if (node.kind === 'seq' || isNull(node)) {
    report(
      'PLAN_TYPE',
      node.span,
      `step ${index + 1} must be the name of a skill, or a mapping with a skill`,
      'write - skill: name',
    );
    return null;
  }
  const map: YamlMap =
    node.kind === 'map'
      ? node
      : {
          kind: 'map',
          flow: false,
          span: node.span,
          entries: [{ key: 'skill', keySpan: node.span, value: node }],
        };
  const fields = new Fields(ownerOf(map, index), map, chainKeys, report);
  const skillNode = fields.get('skill');
  const name =
    skillNode === null
      ? fields.missing('skill is missing', 'write skill: followed by the name of a skill')
      : fields.textOf('skill', skillNode);
  const sites: Site[] = [];
  if (skillNode?.kind === 'scalar' && name !== null && name.includes('{{'))
    sites.push(templateSite('skill', skillNode, 'name', false));
  const id =
    fields.get('id') === null ? freeName(name?.trim() ?? `step_${index + 1}`, taken) : readId(fields, index);
  const inputs = fields.mapping('inputs');
  for (const text of inputs === null ? [] : textsIn('inputs', inputs))
    sites.push(templateSite(text.label, text.node, 'data'));
  return finish(fields, {
    id,
    index,
    kind: 'skill',
    previous,
    sites,
    given: keysIn(inputs),
    tool: null,
    choices: null,
    skill: name === null || skillNode === null ? null : { name: name.trim(), span: skillNode.span },
    values: inputs === null ? emptyObject() : (toJson(inputs) as JsonObject),
  });
}

function ownerOf(map: YamlMap, index: number): string {
  const named = (entryOf(map, 'id') ?? entryOf(map, 'skill'))?.value;
  return named?.kind === 'scalar' && named.value !== null && named.raw !== ''
    ? `step "${printableLine(named.raw).slice(0, 60)}"`
    : `step ${index + 1}`;
}

/** The name of the skill is the id, with a number from its second use on. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name}_${count}`;
    if (!taken.has(candidate)) return candidate;
  }
}

interface Parts {
  readonly id: string | null;
  readonly index: number;
  readonly kind: StepKind;
  readonly previous: string | null;
  readonly skill: Named | null;
  readonly tool: Named | null;
  readonly values: JsonObject;
  readonly choices: readonly string[] | null;
  readonly sites: Site[];
  readonly given: readonly Named[];
}

function finish(
  fields: Fields,
  { id, index, kind, previous, skill, tool, values, choices, sites, given }: Parts,
): StepDraft {
  const when = readExpression(fields, 'condition');
  if (when !== null) sites.push(when.site);
  const declared = fields.names('depends_on');
  const dependsOn: readonly Named[] = (declared ?? []).map((node: YamlScalar) => ({
    name: node.raw.trim(),
    span: node.span,
  }));
  const onFailureName = fields.text('on_failure', 'the id of a step')?.trim() ?? null;
  const onFailureNode = fields.get('on_failure');
  const toolsNode = fields.get('tools');
  const step: Writable<PlanStep> = {
    id: id ?? `step ${index + 1}`,
    kind,
    label: fields.anyText('label') ?? titleOf(id ?? ''),
    labels: { zh: fields.anyText('label_zh'), en: fields.anyText('label_en') },
    dependsOn: declared === null && previous !== null ? [previous] : dependsOn.map(({ name }) => name),
    implied: [],
    when: when?.expression ?? null,
    route: [],
    skill: skill?.name ?? null,
    values,
    tool: tool?.name ?? null,
    choices,
    clarify: null,
    onFailure: onFailureName,
    substituteOf: null,
    ...readRunRules(fields, sites),
    tools:
      tool !== null
        ? [tool.name]
        : toolsNode === null
          ? null
          : readToolList('tools', toolsNode, fields.report),
    sideEffect: null,
    progress: true,
    span: fields.map.span,
  };
  return {
    step,
    dependsOn,
    onFailure:
      onFailureName === null || onFailureNode === null
        ? null
        : { name: onFailureName, span: onFailureNode.span },
    skill,
    tool,
    routes: [],
    sites,
    given,
    idSpan: fields.get('id')?.span ?? null,
  };
}

/** What each step tool takes; `null`: what the tool or skill itself takes. */
const paramKeys: {
  readonly [kind in StepKind]?: { readonly keys: readonly string[]; readonly needs: readonly string[] };
} = {
  agent: {
    keys: ['prompt', 'task', 'text', 'system', 'skill', 'max_turns', 'purpose', 'context', 'tools'],
    needs: ['prompt', 'task', 'text'],
  },
  chat: {
    keys: ['prompt', 'task', 'text', 'system', 'purpose', 'context', 'max_tokens'],
    needs: ['prompt', 'task', 'text'],
  },
  classify: {
    keys: ['text', 'prompt', 'task', 'input', 'choices', 'system', 'purpose'],
    needs: ['text', 'prompt', 'task', 'input'],
  },
  command: {
    keys: ['argv', 'command', 'cwd', 'stdin', 'env', 'timeout', 'purpose'],
    needs: ['argv', 'command'],
  },
};

function checkParams(fields: Fields, kind: StepKind, params: YamlMap | null): void {
  const rule = paramKeys[kind];
  if (rule === undefined) return;
  const given = params?.entries ?? [];
  for (const { key, keySpan } of given) {
    if (rule.keys.includes(key) || kind === 'agent' || kind === 'chat') continue;
    const near = nearest(key, rule.keys);
    if (near === null)
      fields.report(
        'PLAN_KEY_UNKNOWN',
        keySpan,
        `${fields.owner}: params.${printableLine(key).slice(0, 40)} is not something it takes; it takes ${rule.keys.join(', ')}`,
      );
    else
      fields.report(
        'PLAN_KEY_MISSPELT',
        keySpan,
        `${fields.owner}: params.${printableLine(key).slice(0, 40)} is not something it takes`,
        `did you mean "${near}"?`,
      );
  }
  if (!rule.needs.some((key) => given.some((entry) => entry.key === key && !isNull(entry.value)))) {
    fields.missing(
      `params.${rule.needs[0]} is missing`,
      misspelt(
        given.map(({ key }) => key),
        rule.needs,
      ) ?? `write params: and ${rule.needs[0]}: below it`,
    );
  }
  const argv = given.find(({ key }) => key === 'argv' || key === 'command');
  if (kind === 'command' && argv !== undefined && argv.value.kind !== 'seq') {
    fields.wrong(
      `params.${argv.key}`,
      argv.value,
      'a list: the program and each of its arguments',
      'write argv: [git, log, --oneline]; there is no shell',
    );
  } else if (kind === 'command' && argv?.value.kind === 'seq' && argv.value.items.length === 0) {
    fields.refuse(argv.value, `params.${argv.key} is empty`, 'write the program first');
  }
  const env = given.find(({ key }) => key === 'env')?.value;
  if (kind === 'command' && env?.kind === 'map')
    for (const { key, keySpan } of env.entries) checkVariable(fields, key, keySpan);
}

/** The skill that runs: `skill:` of the step, or of its params. */
function readSkill(fields: Fields, kind: StepKind, params: YamlMap | null): Named | null {
  const inner =
    params === null
      ? undefined
      : (entryOf(params, 'skill') ?? (kind === 'skill' ? entryOf(params, 'name') : undefined));
  const node = fields.get('skill') ?? inner?.value ?? null;
  if (node === null)
    return kind === 'skill' && fields.get('tool') !== null
      ? fields.missing('the skill is missing', 'write skill: followed by the name of a skill')
      : null;
  const name = fields.textOf('skill', node);
  return name === null ? null : { name: name.trim(), span: node.span };
}

/** A skill gets its params without its name, or only what is under `input`. */
function givenBy(kind: StepKind, params: YamlMap | null): readonly Named[] {
  if (kind === 'tool') return keysIn(params);
  if (kind !== 'skill' || params === null) return [];
  const rest = params.entries.filter(({ key }) => key !== 'skill' && key !== 'name');
  const [only] = rest;
  return keysIn(rest.length === 1 && only?.key === 'input' ? only.value : { ...params, entries: rest });
}

function readStepChoices(fields: Fields, params: YamlMap | null): readonly string[] | null {
  if (fields.get('output_choices') !== null) return readChoices(fields);
  const inner = params === null ? undefined : entryOf(params, 'choices');
  if (inner === undefined || params === null)
    return fields.missing(
      'params.choices must be a list with at least one choice',
      'write choices: [BUG, FEATURE, QUESTION]',
    );
  return readChoices(
    new Fields(
      `params of ${fields.owner}`,
      params,
      { known: params.entries.map(({ key }) => key) },
      fields.report,
    ),
    'choices',
  );
}

/** Params that choose the skill, tools or model, so that nothing from outside may be in them. `ofStep`: whether the step itself names its skill. */
function isName(kind: StepKind, key: string, ofStep: boolean): boolean {
  if (kind === 'skill') return !ofStep && (key === 'skill' || key === 'name');
  return (kind === 'agent' || kind === 'chat') && ['skill', 'tools', 'model'].includes(key);
}

function readParams(
  kind: StepKind,
  tool: string | null,
  params: YamlMap | null,
  ofStep: boolean,
  sites: Site[],
): JsonObject {
  if (params === null) return emptyObject();
  if (kind === 'tool')
    sites.push(...toolSites('params', tool, params.entries, { text: 'data', word: 'argv' }));
  else
    for (const { key, value } of params.entries) {
      if (kind === 'classify' && key === 'choices') continue;
      if ((key === 'argv' || key === 'command') && kind === 'command')
        sites.push(...wordSites(`params.${key}`, value, 'argv'));
      else
        for (const text of textsIn(`params.${key}`, value))
          sites.push(
            templateSite(
              text.label,
              text.node,
              isName(kind, key, ofStep) ? 'name' : kind === 'skill' || kind === 'command' ? 'data' : 'prompt',
            ),
          );
    }
  return toJson({ ...params, entries: params.entries.map(asArgv) }) as JsonObject;
  function asArgv(entry: YamlEntry): YamlEntry {
    return kind === 'command' && entry.key === 'command' ? { ...entry, key: 'argv' } : entry;
  }
}
