// JSON Schema itself: its keywords, the values each of them accepts, and what is wrong with a schema.
//
// A keyword is checked strictly, because validators refuse a whole schema for one invalid keyword; the caller of
// `schemaWordFault` checks the schemas inside it.
import { isJsonObject } from '../json.ts';
import type { Json } from '../json.ts';
import { isRegularExpression, compilePattern, isPatternFault } from '../pattern/pattern.ts';
import { nearest } from '../nearest.ts';

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
const aText: Rule = { wanted: 'text', fits: isText };
const flag: Rule = { wanted: 'true or false', fits: (value) => typeof value === 'boolean' };
const number: Rule = { wanted: 'a number', fits: (value) => typeof value === 'number' };
const count: Rule = {
  wanted: 'a whole number from 0 on',
  fits: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
};
const aSchema: Rule = { wanted: 'a schema', fits: isSchema };
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
    aText,
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
    aSchema,
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

// What is wrong with a JSON Schema itself, in the part that check-value.ts checks.
//
// A keyword that changes what is valid and is not checked here is a fault; one that only describes is not.

const maxFaults = 10;
const maxDepth = 60;

export const checkedWords: readonly string[] = [
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  '$ref',
  '$defs',
  'definitions',
  'minProperties',
  'maxProperties',
];
const annotations = [
  'title',
  'description',
  'default',
  'examples',
  'example',
  'format',
  '$schema',
  '$id',
  '$comment',
  'deprecated',
  'readOnly',
  'writeOnly',
  'nullable',
];
/** Words that change what is valid, and are not checked here. */
export const uncheckedWords: readonly string[] = [
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'contains',
  'minContains',
  'maxContains',
  'prefixItems',
  'unevaluatedItems',
  'unevaluatedProperties',
  '$dynamicRef',
  '$anchor',
];

/** Each with its path; empty when there is nothing wrong with it. */
export function schemaFaults(schema: Json): readonly string[] {
  const faults: string[] = [];
  inspect(schema, [], 0, faults);
  return faults.slice(0, maxFaults);
}

function inspect(schema: Json, path: readonly (string | number)[], depth: number, faults: string[]): void {
  const fault = (message: string): void => {
    faults.push(`the schema${renderPath(path)} ${message}`);
  };
  if (typeof schema === 'boolean') return;
  if (!isJsonObject(schema)) return fault(`must be an object, not ${describeJson(schema)}`);
  if (depth > maxDepth) return fault('is nested too deeply');
  for (const [word, value] of Object.entries(schema)) {
    const at = [...path, word];
    if (uncheckedWords.includes(word)) fault(`uses ${word}, which is not supported`);
    else if (word === 'type') inspectType(value, fault);
    else if (word === 'pattern') inspectPattern(value, fault);
    else if (word === '$ref' && (typeof value !== 'string' || !/^#(?:\/|$)/.test(value)))
      fault('refers to something outside of itself');
    else if (
      ['items', 'not'].includes(word) ||
      (word === 'additionalProperties' && typeof value !== 'boolean')
    )
      inspect(value, at, depth + 1, faults);
    else if (['anyOf', 'oneOf', 'allOf'].includes(word)) {
      if (!Array.isArray(value) || value.length === 0) fault(`${word} must be a list of schemas`);
      else
        for (const [index, one] of (value as readonly Json[]).entries())
          inspect(one, [...at, index], depth + 1, faults);
    } else if (['properties', '$defs', 'definitions'].includes(word)) {
      if (isJsonObject(value))
        for (const [key, one] of Object.entries(value)) inspect(one, [...at, key], depth + 1, faults);
      else fault(`${word} must be an object of schemas`);
    } else if (!checkedWords.includes(word) && !annotations.includes(word) && !word.startsWith('x-')) {
      const close = nearest(word, checkedWords);
      if (close !== null)
        fault(`has the unknown keyword ${JSON.stringify(word)}; did you mean ${JSON.stringify(close)}?`);
    }
  }
}

function inspectType(type: Json, fault: (message: string) => void): void {
  for (const one of (Array.isArray(type) ? type : [type]) as readonly Json[]) {
    if (typeof one === 'string' && (jsonTypes as readonly string[]).includes(one)) continue;
    const close = typeof one === 'string' ? nearest(one, jsonTypes) : null;
    fault(`has the unknown type ${valueExcerpt(one)}${close === null ? '' : `; did you mean "${close}"?`}`);
  }
}

function inspectPattern(pattern: Json, fault: (message: string) => void): void {
  const compiled = typeof pattern === 'string' ? compilePattern(pattern) : null;
  if (compiled === null) fault(`has a pattern that is no regular expression: ${valueExcerpt(pattern)}`);
  else if (isPatternFault(compiled))
    fault(`has a pattern that ${compiled.fault}: ${valueExcerpt(pattern)}; ${compiled.hint}`);
}

/** As in `a.b[0]`. */
export function renderPath(path: readonly (string | number)[]): string {
  return path
    .map((part) =>
      typeof part === 'number' ? `[${part}]` : /^\w+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`,
    )
    .join('');
}

export function describeJson(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number') return `the number ${value}`;
  return typeof value === 'string' ? `the string ${valueExcerpt(value)}` : String(value);
}

export function valueExcerpt(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}
