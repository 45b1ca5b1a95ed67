// The keys that every kind of step shares: timeout, retry, for_each, continue_on_error, output_schema, model.
import type { JsonObject } from '../base/json.ts';
import { emptyObject } from '../base/json.ts';
import { schemaFaults } from '../base/schema/schema.ts';
import type { YamlMap, YamlNode, YamlScalar } from '../skill/yaml/node.ts';
import { toJson } from '../skill/yaml/node.ts';
import type { Site } from './draft.ts';
import { templateSite, textsIn } from './draft.ts';
import type { ForEach, PlanStep } from './plan.ts';
import { planDefaults } from './plan.ts';
import { expressionOf } from './read-expression.ts';
import { Fields } from './read-fields.ts';

export const runKeys: readonly string[] = [
  'timeout',
  'retry',
  'for_each',
  'as',
  'concurrency',
  'merge',
  'continue_on_error',
  'output_schema',
  'model',
  'tools',
  'max_turns',
  'idempotent',
];

export const runAliases: { readonly [key: string]: string } = {
  continueOnError: 'continue_on_error',
  'continue-on-error': 'continue_on_error',
  timeout_seconds: 'timeout',
  timeoutSeconds: 'timeout',
  fan_out: 'for_each',
  forEach: 'for_each',
  foreach: 'for_each',
  'for-each': 'for_each',
  outputSchema: 'output_schema',
  output_contract: 'output_schema',
  maxTurns: 'max_turns',
};

type RunRules = Pick<
  PlanStep,
  'timeoutMs' | 'retry' | 'forEach' | 'continueOnError' | 'outputSchema' | 'model' | 'maxTurns' | 'idempotent'
>;

const dayMs = 86_400_000;
const units: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1000,
  sec: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
};

export function readRunRules(fields: Fields, sites: Site[]): RunRules {
  return {
    timeoutMs: readTimeout(fields),
    retry: readRetry(fields),
    forEach: readForEach(fields, sites),
    continueOnError: fields.flag('continue_on_error') ?? false,
    outputSchema: readOutputSchema(fields),
    model: fields.text('model', 'the name of a model'),
    maxTurns: fields.integer('max_turns', 1, 1000),
    idempotent: fields.flag('idempotent') ?? false,
  };
}

/** Seconds, or text with a unit: 30, 1.5, "500ms", "2m". */
function readTimeout(fields: Fields): number | null {
  const node = fields.get('timeout');
  if (node === null) return null;
  const raw =
    node.kind === 'scalar' && node.value !== null && typeof node.value !== 'boolean' ? node.raw.trim() : '';
  const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,6})?)\s*(ms|s|sec|m|min|h)?$/.exec(raw) ?? [];
  if (amount === undefined)
    return fields.wrong('timeout', node, 'seconds, or a text such as 500ms, 30s or 2m');
  const ms = Math.round(Number(amount) * (units[unit] as number));
  if (ms < 1 || ms > 7 * dayMs)
    return fields.refuse(node, `timeout is ${raw}; it must be more than nothing and at most 7 days`);
  return ms;
}

function readRetry(fields: Fields): PlanStep['retry'] {
  const none = { maxAttempts: 1, backoffMs: 0 };
  const node = fields.get('retry');
  if (node === null) return none;
  if (node.kind === 'scalar' && typeof node.value === 'number' && Number.isSafeInteger(node.value)) {
    if (node.value >= 1 && node.value <= 20) return { maxAttempts: node.value, backoffMs: 0 };
    fields.refuse(node, `retry is ${node.value}; it must be from 1 to 20 attempts`);
    return none;
  }
  if (node.kind !== 'map') {
    fields.wrong('retry', node, 'a mapping', 'write retry: {max_attempts: 3, backoff_ms: 500}');
    return none;
  }
  const inner = new Fields(
    `retry of ${fields.owner}`,
    node,
    {
      known: ['max_attempts', 'backoff_ms'],
      aliases: {
        maxAttempts: 'max_attempts',
        attempts: 'max_attempts',
        backoffMs: 'backoff_ms',
        backoff: 'backoff_ms',
      },
    },
    fields.report,
  );
  return {
    maxAttempts: inner.integer('max_attempts', 1, 20) ?? 2,
    backoffMs: inner.integer('backoff_ms', 0, 3_600_000) ?? 0,
  };
}

const mergeWords: { readonly [word: string]: ForEach['merge'] } = {
  list: 'list',
  json_array: 'list',
  array: 'list',
  concat: 'concat',
  text: 'concat',
  first: 'first',
  last: 'last',
};
const loopKeys = {
  known: ['items', 'as', 'concurrency', 'merge'],
  aliases: {
    iterable: 'items',
    in: 'items',
    list: 'items',
    var: 'as',
    variable: 'as',
    item: 'as',
    fan_out_max_concurrency: 'concurrency',
    max_concurrency: 'concurrency',
    parallel: 'concurrency',
    fan_out_merge_mode: 'merge',
    merge_mode: 'merge',
  },
  inert: ['fan_out_template'],
};

/** `for_each: expression`, `for_each: [a, b]`, or a mapping with items, as, concurrency and merge. */
function readForEach(fields: Fields, sites: Site[]): ForEach | null {
  const node = fields.get('for_each');
  if (node === null) {
    for (const key of ['as', 'concurrency', 'merge'])
      if (fields.has(key))
        fields.report(
          'PLAN_FIELD_MISPLACED',
          fields.keySpan(key),
          `${fields.owner}: ${key} belongs to for_each, which is not given`,
          'add for_each, or remove it',
        );
    return null;
  }
  const inner =
    node.kind === 'map' ? new Fields(`for_each of ${fields.owner}`, node, loopKeys, fields.report) : fields;
  const source = node.kind === 'map' ? inner.get('items') : node;
  if (source === null)
    return inner.missing('items is missing', 'write items: followed by an expression for a list');
  const loop = readItems(inner, node.kind === 'map' ? 'items' : 'for_each', source, sites);
  return loop === null
    ? null
    : {
        ...loop,
        as: readName(inner),
        concurrency: inner.integer('concurrency', 1, 100) ?? planDefaults.concurrency,
        merge: readMerge(inner),
      };
}

function readItems(
  fields: Fields,
  label: string,
  node: YamlNode,
  sites: Site[],
): Pick<ForEach, 'items' | 'list'> | null {
  if (node.kind === 'seq') {
    if (node.items.length === 0)
      fields.report(
        'PLAN_UNREACHABLE',
        node.span,
        `${fields.owner}: ${label} is an empty list, so the step never runs`,
      );
    for (const text of textsIn(label, node)) sites.push(templateSite(text.label, text.node, 'none', false));
    return { items: null, list: node.items.map(toJson) };
  }
  if (node.kind === 'map') return fields.wrong(label, node, 'a list, or an expression for one');
  const read = expressionOf(fields, label, node as YamlScalar);
  if (read === null) return null;
  sites.push(read.site);
  return { items: read.expression, list: null };
}

function readName(fields: Fields): string {
  const name = fields.text('as', 'a name');
  if (name === null) return 'item';
  if (
    /^[A-Za-z_]\w{0,63}$/.test(name) &&
    !['inputs', 'outputs', 'loop', 'errors', 'error', 'with'].includes(name)
  )
    return name;
  fields.refuse(
    fields.get('as') as YamlNode,
    `"${name}" cannot be the name of an item`,
    'use letters, digits and "_", as in item',
  );
  return 'item';
}

function readMerge(fields: Fields): ForEach['merge'] {
  const word = fields.text('merge', 'list');
  if (word === null) return 'list';
  if (Object.hasOwn(mergeWords, word)) return mergeWords[word] as ForEach['merge'];
  fields.refuse(fields.get('merge') as YamlNode, `merge is "${word}"; it can be list, concat, first or last`);
  return 'list';
}

/** A JSON Schema, or the `{format, required_properties}` of another dialect. */
function readOutputSchema(fields: Fields): JsonObject | null {
  const map = fields.mapping('output_schema');
  if (map === null) return null;
  const required = map.entries.find(({ key }) => key === 'required_properties')?.value;
  if (required?.kind !== 'seq') {
    const written = withoutFormat(map);
    for (const fault of schemaFaults(written))
      fields.refuse(map, fault.replace(/^the schema/, 'output_schema'));
    return written;
  }
  const schema = emptyObject();
  schema['type'] = 'object';
  schema['required'] = required.items.map(toJson).filter((item) => typeof item === 'string');
  return schema;
}

function withoutFormat(map: YamlMap): JsonObject {
  const json = toJson(map) as JsonObject;
  const schema = emptyObject();
  for (const key of Object.keys(json))
    if (key !== 'format' || map.entries.some((entry) => entry.key === 'type'))
      schema[key] = json[key] as JsonObject;
  return schema;
}
