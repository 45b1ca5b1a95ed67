// The keywords of JSON Schema, and the values each of them accepts.
//
// Only the keyword itself is checked: the caller checks schemas inside it. It is strict because validators refuse a
// whole schema for one invalid keyword.
import { isJsonObject } from '../json.ts';
import type { Json } from '../json.ts';
import { isRegularExpression } from '../pattern/pattern.ts';

export const jsonTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;

export function isOfJsonType(type: Json, value: Json): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  return typeof value === type;
}

interface Rule {
  /** As in "must be …". */
  readonly wanted: string;
  readonly fits: (value: Json) => boolean;
}

const isSchema = (value: Json): boolean => typeof value === 'boolean' || isJsonObject(value);
const isListOf = (value: Json, fits: (item: Json) => boolean, least: number): boolean =>
  Array.isArray(value) && value.length >= least && (value as readonly Json[]).every(fits);
const isText = (value: Json): value is string => typeof value === 'string';
const isEachOnce = (value: Json): boolean =>
  Array.isArray(value) && new Set(value as readonly Json[]).size === value.length;

const anything: Rule = { wanted: 'anything', fits: () => true };
const text: Rule = { wanted: 'text', fits: isText };
const flag: Rule = { wanted: 'true or false', fits: (value) => typeof value === 'boolean' };
const number: Rule = { wanted: 'a number', fits: (value) => typeof value === 'number' };
const count: Rule = {
  wanted: 'a whole number from 0 on',
  fits: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
};
const schema: Rule = { wanted: 'a schema', fits: isSchema };
const schemas: Rule = { wanted: 'a list of schemas', fits: (value) => isListOf(value, isSchema, 1) };
const namedSchemas: Rule = {
  wanted: 'a mapping of schemas',
  fits: (value) => isJsonObject(value) && Object.values(value).every(isSchema),
};
const names: Rule = {
  wanted: 'a list of names, each once',
  fits: (value) => isListOf(value, isText, 0) && isEachOnce(value),
};

function isPattern(value: Json): boolean {
  return isText(value) && isRegularExpression(value);
}

function isType(value: Json): boolean {
  const isName = (one: Json): boolean => (jsonTypes as readonly Json[]).includes(one);
  return isName(value) || (isListOf(value, isName, 1) && isEachOnce(value));
}

function rulesOf(rule: Rule, ...words: readonly string[]): readonly (readonly [string, Rule])[] {
  return words.map((word) => [word, rule]);
}

const rules: ReadonlyMap<string, Rule> = new Map([
  ...rulesOf({ wanted: 'a type of JSON', fits: isType }, 'type'),
  ...rulesOf({ wanted: 'a list of choices', fits: (value) => isListOf(value, () => true, 1) }, 'enum'),
  ...rulesOf({ wanted: 'a regular expression', fits: isPattern }, 'pattern'),
  ...rulesOf(
    { wanted: 'a number over 0', fits: (value) => typeof value === 'number' && value > 0 },
    'multipleOf',
  ),
  ...rulesOf({ wanted: 'a list', fits: Array.isArray }, 'examples'),
  ...rulesOf(
    { wanted: 'a schema', fits: (value) => isSchema(value) || isListOf(value, isSchema, 1) },
    'items',
  ),
  ...rulesOf(
    {
      wanted: 'a mapping of lists of names',
      fits: (value) => isJsonObject(value) && Object.values(value).every(names.fits),
    },
    'dependentRequired',
  ),
  ...rulesOf(anything, 'const', 'default', 'example'),
  ...rulesOf(
    text,
    'title',
    'description',
    'format',
    'contentEncoding',
    'contentMediaType',
    '$comment',
    '$schema',
    '$id',
    '$ref',
    '$anchor',
    '$dynamicRef',
    '$dynamicAnchor',
  ),
  ...rulesOf(flag, 'uniqueItems', 'deprecated', 'readOnly', 'writeOnly', 'nullable'),
  ...rulesOf(number, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
  ...rulesOf(
    count,
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
    'minContains',
    'maxContains',
  ),
  ...rulesOf(names, 'required'),
  ...rulesOf(
    schema,
    'additionalProperties',
    'not',
    'if',
    'then',
    'else',
    'contains',
    'propertyNames',
    'unevaluatedItems',
    'unevaluatedProperties',
  ),
  ...rulesOf(schemas, 'anyOf', 'oneOf', 'allOf', 'prefixItems'),
  ...rulesOf(namedSchemas, 'properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'),
]);

export function isSchemaWord(word: string): boolean {
  return rules.has(word);
}

/** What a word of JSON Schema must be, or `null` when it is that. */
export function schemaWordFault(word: string, value: Json): string | null {
  const rule = rules.get(word);
  return rule === undefined || rule.fits(value) ? null : rule.wanted;
}
