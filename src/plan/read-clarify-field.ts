// One field of a form -> ClarifyField.
import type { Json } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import { isLongerThan } from '../skill/code-points.ts';
import type { YamlNode, YamlScalar } from '../skill/yaml/node.ts';
import type { ClarifyField } from './plan.ts';
import { Fields } from './read-fields.ts';

const keys = {
  known: [
    'name',
    'type',
    'required',
    'default',
    'choices',
    'min',
    'max',
    'max_chars',
    'min_chars',
    'prompt',
    'prompt_zh',
    'prompt_en',
  ],
  aliases: {
    options: 'choices',
    enum: 'choices',
    max_length: 'max_chars',
    maxLength: 'max_chars',
    min_length: 'min_chars',
    minLength: 'min_chars',
    label: 'prompt',
    question: 'prompt',
    minimum: 'min',
    maximum: 'max',
  },
};

const types: { readonly [word: string]: ClarifyField['type'] } = {
  string: 'string',
  enum: 'enum',
  int: 'int',
  bool: 'bool',
};
const otherTypes: { readonly [word: string]: ClarifyField['type'] } = {
  integer: 'int',
  boolean: 'bool',
  text: 'string',
  str: 'string',
  choice: 'enum',
  select: 'enum',
};

export function readClarifyField(form: Fields, node: YamlNode, index: number): ClarifyField | null {
  if (node.kind !== 'map')
    return form.wrong(`fields[${index}]`, node, 'a mapping', 'write - name: … and type: …');
  const fields = new Fields(`field ${index + 1} of ${form.owner}`, node, keys, form.report);
  const name = readName(fields);
  const known = readType(fields);
  // Without a type, what depends on it cannot be judged; the rest can.
  if (
    known === null &&
    (fields.has('min') ||
      fields.has('max') ||
      fields.has('max_chars') ||
      fields.has('choices') ||
      fields.has('default'))
  )
    return null;
  const type = known ?? 'string';
  const required = fields.flag('required') ?? false;
  const choices = readChoices(fields, type);
  const numbered = (key: string, least: number, most: number, only: ClarifyField['type']): number | null => {
    if (!fields.has(key)) return null;
    if (type === only) return fields.integer(key, least, most);
    fields.report(
      'PLAN_FIELD_MISPLACED',
      fields.keySpan(key),
      `${fields.owner}: ${key} is only for type: ${only}`,
      `remove it, or write type: ${only}`,
    );
    return null;
  };
  const min = numbered('min', -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'int');
  const max = numbered('max', -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'int');
  const maxChars = numbered('max_chars', 1, 4000, 'string');
  const minChars = numbered('min_chars', 0, 4000, 'string');
  if (min !== null && max !== null && min > max)
    fields.refuse(fields.get('min') as YamlNode, `min is ${min}, over max, ${max}`);
  const given = fields.get('default');
  if (given !== null && required)
    fields.report(
      'PLAN_VALUE',
      fields.keySpan('default'),
      `${fields.owner}: a required field cannot have a default`,
      'remove required or default',
    );
  const field: ClarifyField = {
    name: name ?? '',
    type,
    required,
    prompt: fields.anyText('prompt') ?? '',
    prompts: { zh: fields.anyText('prompt_zh'), en: fields.anyText('prompt_en') },
    choices,
    min,
    max,
    minChars,
    maxChars,
    hasDefault: given !== null,
    default: null,
  };
  const whole = given === null ? field : { ...field, default: readDefault(fields, given, field) };
  return name === null || known === null ? null : whole;
}

function readName(fields: Fields): string | null {
  const node = fields.get('name');
  if (node === null)
    return fields.missing('name is missing', 'write name: followed by lower-case letters, digits and "_"');
  const name = fields.textOf('name', node);
  if (name === null) return null;
  if (/^[a-z][a-z0-9_]{0,31}$/.test(name)) return name;
  return fields.refuse(
    node,
    `"${printableLine(name).slice(0, 40)}" cannot be the name of a field`,
    'use at most 32 lower-case letters, digits and "_", with a letter first',
  );
}

function readType(fields: Fields): ClarifyField['type'] | null {
  const node = fields.get('type');
  if (node === null) return fields.get('choices') === null ? 'string' : 'enum';
  const word = node.kind === 'scalar' ? node.raw : '';
  if (Object.hasOwn(types, word)) return types[word] as ClarifyField['type'];
  if (Object.hasOwn(otherTypes, word)) {
    fields.report(
      'PLAN_ALIAS',
      node.span,
      `${fields.owner}: type ${word} is read as ${otherTypes[word]}`,
      `write type: ${otherTypes[word]}`,
    );
    return otherTypes[word] as ClarifyField['type'];
  }
  const near = nearest(word, [...Object.keys(types), ...Object.keys(otherTypes)]);
  return fields.refuse(
    node,
    `"${printableLine(word).slice(0, 40)}" is not a type; there are string, enum, int and bool`,
    near === null ? undefined : `did you mean "${types[near] ?? otherTypes[near]}"?`,
  );
}

function readChoices(fields: Fields, type: ClarifyField['type']): readonly string[] | null {
  if (type !== 'enum') {
    if (fields.has('choices'))
      fields.report(
        'PLAN_FIELD_MISPLACED',
        fields.keySpan('choices'),
        `${fields.owner}: choices is only for type: enum`,
        'remove it, or write type: enum',
      );
    return null;
  }
  const list = fields.list('choices');
  if (list === null || list.items.length === 0) {
    if (fields.get('choices') === null || list !== null)
      fields.missing('type enum needs choices, a list with at least one', 'write choices: [yes, no]');
    return null;
  }
  const seen = new Set<string>();
  list.items.forEach((item, index) => {
    const choice = fields.textOf(`choices[${index}]`, item);
    if (choice !== null && seen.has(choice))
      fields.refuse(item, `choices has "${printableLine(choice)}" twice`);
    if (choice !== null) seen.add(choice);
  });
  return [...seen];
}

function readDefault(
  fields: Fields,
  node: YamlNode,
  { type, choices, min, max, maxChars }: ClarifyField,
): Json {
  const value = (node as YamlScalar).value;
  if (node.kind !== 'scalar') return fields.wrong('default', node, 'a single value');
  switch (type) {
    case 'string':
      if (typeof value !== 'string') return fields.wrong('default', node, 'text');
      if (maxChars !== null && isLongerThan(value, maxChars))
        return fields.refuse(node, `the default has over ${maxChars} characters, which max_chars allows`);
      return value;
    case 'int':
      if (typeof value !== 'number' || !Number.isSafeInteger(value))
        return fields.wrong('default', node, 'a whole number');
      if ((min !== null && value < min) || (max !== null && value > max))
        return fields.refuse(node, `the default ${value} is outside min and max`);
      return value;
    case 'bool':
      return typeof value === 'boolean' ? value : fields.wrong('default', node, 'true or false');
    case 'enum':
      if (typeof value !== 'string') return fields.wrong('default', node, 'one of the choices');
      if (choices !== null && !choices.includes(value))
        return fields.refuse(
          node,
          `the default "${printableLine(value).slice(0, 40)}" is not one of the choices`,
        );
      return value;
  }
}
