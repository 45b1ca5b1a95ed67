// What is wrong with a JSON Schema itself, in the part that check-value.ts checks.
//
// A keyword that changes what is valid and is not checked here is a fault; one that only describes is not.
import type { Json } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { nearest } from '../nearest.ts';
import { compilePattern, isPatternFault } from '../pattern/pattern.ts';
import { jsonTypes } from './schema-words.ts';

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
