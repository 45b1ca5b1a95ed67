// inputs -> input keys, from each of the ways they are declared.
//
//   ["title|required", "domain|optional", "tone|optional|How it should sound"]
//   [{ name: title, required: true, description: … }]
//   { title: The title, tone: { type: string, default: plain } }       key -> description or schema
//   { type: object, properties: { … }, required: [title] }             a JSON Schema
//
// A key that is not marked as required is optional. Faults in a schema are reported and left out.
import type { Report } from '../../base/diagnostic.ts';
import { emptyObject, canonicalJson, isJsonObject } from '../../base/json.ts';
import { describeValue, isNull, readBoolean, readText, readTextList, readTrimmed } from './read-value.ts';
import type { InputKey } from '../types.ts';
import type { YamlEntry, YamlMap, YamlNode } from '../yaml/node.ts';
import { entryOf, toJson } from '../yaml/node.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { compilePattern, isPatternFault } from '../../base/pattern/pattern.ts';
import {
  checkedWords,
  uncheckedWords,
  isOfJsonType,
  isSchemaWord,
  jsonTypes,
  schemaWordFault,
} from '../../base/schema/schema.ts';
import { guessLimit } from './spelling.ts';

const typeWords: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);

function fromText(text: string, node: YamlNode, report: Report): InputKey | null {
  const [key = '', mark = 'optional', ...rest] = text.split('|').map((part) => part.trim());
  if (key === '') {
    report(
      'FIELD_VALUE',
      node.span,
      `${describeValue(node)} in inputs names no key`,
      'write "key|required" or "key|optional"',
    );
    return null;
  }
  const required = mark.toLowerCase() === 'required';
  if (!required && mark.toLowerCase() !== 'optional') {
    report(
      'FIELD_VALUE',
      node.span,
      `the input "${key}" is marked "${mark}"; it is read as optional`,
      'write "key|required" or "key|optional"',
    );
  }
  return { key, required, description: rest.join('|') || null, schema: null };
}

/** `{ description, required, type … }`; what is left after `required` and `description` is the schema. `taken`: what says its name. */
function fromMap(
  key: string,
  map: YamlMap,
  required: boolean,
  report: Report,
  taken: YamlEntry | null = null,
): InputKey {
  const owner = `the input "${key}"`;
  const rest: YamlEntry[] = [];
  let description: string | null = null;
  let isRequired = required;
  for (const entry of map.entries) {
    const { key: word, value } = entry;
    if (word === 'required' && value.kind === 'scalar')
      isRequired = readBoolean(`required of ${owner}`, value, report) ?? isRequired;
    else if (word === 'optional' && value.kind === 'scalar')
      isRequired = !(readBoolean(`optional of ${owner}`, value, report) ?? !isRequired);
    else if (word === 'description') description = readTrimmed(`description of ${owner}`, value, report);
    else if (entry !== taken) rest.push(entry);
  }
  const schema = readSchema(owner, map, rest, inputWords, report);
  return { key, required: isRequired, description, schema: Object.keys(schema).length === 0 ? null : schema };
}

function fromValue(key: string, value: YamlNode, required: boolean, report: Report): InputKey {
  if (value.kind === 'map') return fromMap(key, value, required, report);
  if (isNull(value)) return { key, required, description: null, schema: null };
  if (value.kind === 'seq') {
    const schema = emptyObject();
    schema['enum'] = toJson(value);
    return { key, required, description: null, schema };
  }
  const text = readText(`the input "${key}"`, value, report) ?? '';
  const word = text.trim().toLowerCase();
  if (word === 'required' || word === 'optional')
    return { key, required: word === 'required', description: null, schema: null };
  if (!typeWords.has(word)) return { key, required, description: text.trim() || null, schema: null };
  const schema = emptyObject();
  schema['type'] = word;
  return { key, required, description: null, schema };
}

function fromItem(item: YamlNode, report: Report): InputKey | null {
  if (item.kind === 'scalar') {
    const text = readText('an item of inputs', item, report);
    return text === null ? null : fromText(text, item, report);
  }
  if (item.kind === 'map') {
    const named = entryOf(item, 'name') ?? entryOf(item, 'key') ?? entryOf(item, 'id');
    if (named !== undefined) {
      const key = readTrimmed('name of an input', named.value, report);
      return key === null ? null : fromMap(key, item, false, report, named);
    }
    const only = item.entries.length === 1 ? item.entries[0] : undefined;
    if (only !== undefined) return fromValue(only.key, only.value, false, report);
  }
  report(
    'FIELD_TYPE',
    item.span,
    `an item of inputs must be "key|required" or a mapping with a name, not ${describeValue(item)}`,
  );
  return null;
}

export function readInputs(node: YamlNode, report: Report): readonly InputKey[] | null {
  if (isNull(node)) return null;
  const found: InputKey[] = [];
  const seen = new Set<string>();
  const add = (input: InputKey | null, at: YamlNode): void => {
    if (input === null) return;
    if (seen.has(input.key))
      report('FIELD_VALUE', at.span, `the input "${input.key}" is declared twice; the first one counts`);
    else found.push(input);
    seen.add(input.key);
  };
  if (node.kind === 'map') {
    const properties = entryOf(node, 'properties')?.value;
    if (properties?.kind === 'map') {
      const list = entryOf(node, 'required')?.value;
      const required = new Set(
        list === undefined ? [] : (readTextList('inputs.required', list, report) ?? []),
      );
      for (const { key, value } of properties.entries)
        add(fromValue(key, value, required.delete(key), report), value);
      for (const key of required)
        report(
          'FIELD_VALUE',
          list?.span ?? node.span,
          `inputs.required names "${key}", which is not among the properties`,
        );
      return found;
    }
    for (const { key, value } of node.entries) add(fromValue(key, value, false, report), value);
    return found;
  }
  for (const item of node.kind === 'seq' ? node.items : [node]) add(fromItem(item, report), item);
  return found;
}

// The declaration of an input -> a JSON Schema, with its faults reported.
//
// What is not JSON Schema (an unknown type, choices that are not a list) is reported at its place and left out, so that
// it is not checked: other hosts have types of their own, and their skills stay usable. An unknown keyword is kept. It is
// a warning where it looks like a misspelling, and a note otherwise. A default that its own type or choices refuse is
// reported and kept: either of the two may be wrong.

/** Types as other languages and hosts call them. */
const typesElsewhere: ReadonlyMap<string, string> = new Map([
  ['str', 'string'],
  ['text', 'string'],
  ['int', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['decimal', 'number'],
  ['bool', 'boolean'],
  ['list', 'array'],
  ['dict', 'object'],
  ['map', 'object'],
  ['none', 'null'],
]);

/** Words as other hosts write them: what JSON Schema has in their place, or `null` where it has nothing and none is a slip. */
const wordsElsewhere: ReadonlyMap<string, string | null> = new Map([
  ['min', 'minimum'],
  ['max', 'maximum'],
  ['choices', 'enum'],
  ['options', 'enum'],
  ['values', 'enum'],
  ['regex', 'pattern'],
  ['multiple', null],
]);

/** Words besides those of JSON Schema that an input can have. */
const inputWords: readonly string[] = ['required', 'optional', 'description'];

const meantWords: readonly string[] = [
  ...new Set([...checkedWords, 'title', 'description', 'default', 'examples', 'format']),
];

/** The schema in `entries` of `map`; `owner` is for messages, `own` are words that are read elsewhere. */
function readSchema(
  owner: string,
  map: YamlMap,
  entries: readonly YamlEntry[],
  own: readonly string[],
  report: Report,
): JsonObject {
  const schema = emptyObject();
  let guesses = 0;
  for (const entry of entries) {
    const { key: word, value } = entry;
    if (isSchemaWord(word)) {
      if (isUsable(owner, entry, report))
        schema[word] = readInner(`${word} of ${owner}`, word, value, report);
      continue;
    }
    schema[word] = toJson(value);
    if (word.startsWith('x-') || word.startsWith('x_')) continue;
    guesses += 1;
    reportUnknown(owner, entry, map, guesses > guessLimit ? [] : [...meantWords, ...own], report);
  }
  checkDefault(owner, map, schema, report);
  return schema;
}

/** Reports what is not JSON Schema, and leaves it out. */
function isUsable(owner: string, { key: word, keySpan, value }: YamlEntry, report: Report): boolean {
  if (isNull(value) && word !== 'default' && word !== 'const' && word !== 'example') return false;
  const json = toJson(value);
  const wanted = schemaWordFault(word, json);
  if (wanted === null) {
    if (uncheckedWords.includes(word))
      report('FIELD_UNKNOWN', keySpan, `${word} of ${owner} is kept, and not checked here`);
    if (word === 'pattern') {
      const pattern = compilePattern(json as string);
      if (pattern !== null && isPatternFault(pattern))
        report(
          'FIELD_VALUE',
          value.span,
          `pattern of ${owner} ${pattern.fault}; it is not checked`,
          pattern.hint,
        );
    }
    return true;
  }
  if (word === 'type') reportType(owner, value, report);
  else if (word === 'pattern' && typeof json === 'string')
    report(
      'FIELD_VALUE',
      value.span,
      `pattern of ${owner} is not a regular expression; it is ignored`,
      needlessEscape(json),
    );
  else
    report(
      'FIELD_TYPE',
      value.span,
      `${word} of ${owner} must be ${wanted}, not ${describeValue(value)}; it is ignored`,
      word === 'enum' && value.kind === 'scalar' ? `write enum: [${value.raw}]` : undefined,
    );
  return false;
}

function reportType(owner: string, value: YamlNode, report: Report): void {
  const known = `the types are ${jsonTypes.join(', ')}`;
  const wrong = (value.kind === 'seq' ? value.items : [value]).find(
    (one) => one.kind !== 'scalar' || !(jsonTypes as readonly Json[]).includes(one.value),
  );
  if (wrong === undefined)
    report('FIELD_VALUE', value.span, `type of ${owner} names no type, or one twice; it is ignored`, known);
  else if (wrong.kind !== 'scalar' || typeof wrong.value !== 'string')
    report(
      'FIELD_TYPE',
      wrong.span,
      `type of ${owner} must be a type of JSON, not ${describeValue(wrong)}; it is ignored`,
      known,
    );
  else {
    const word = wrong.value.trim().toLowerCase();
    const meant = typesElsewhere.get(word) ?? (word.length > 40 ? null : nearest(word, jsonTypes));
    report(
      'FIELD_VALUE',
      wrong.span,
      `type of ${owner} is ${describeValue(wrong)}, which is not a JSON type; it is ignored`,
      meant === null ? known : `did you mean "${meant}"?`,
    );
  }
}

/** A value with schemas in it is read as those are. */
function readInner(owner: string, word: string, value: YamlNode, report: Report): Json {
  const inner = (node: YamlNode): Json =>
    node.kind === 'map' ? readSchema(owner, node, node.entries, [], report) : toJson(node);
  switch (word) {
    case 'items':
    case 'not':
    case 'additionalProperties':
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return value.kind === 'seq' ? value.items.map(inner) : inner(value);
    case 'properties':
    case '$defs':
    case 'definitions': {
      const members = emptyObject();
      if (value.kind === 'map')
        for (const { key, value: member } of value.entries) members[key] = inner(member);
      return members;
    }
    default:
      return toJson(value);
  }
}

/** Reports an unknown keyword, and keeps it. */
function reportUnknown(
  owner: string,
  { key, keySpan }: YamlEntry,
  map: YamlMap,
  meant: readonly string[],
  report: Report,
): void {
  const elsewhere = wordsElsewhere.get(key.toLowerCase());
  const close = elsewhere !== undefined || key.length < 4 || key.length > 40 ? null : nearest(key, meant);
  if (close !== null && entryOf(map, close) === undefined) {
    report(
      'FIELD_MISSPELT',
      keySpan,
      `"${key}" of ${owner} is not a word techne knows; it is kept but not read`,
      `did you mean "${close}"?`,
    );
  } else {
    report(
      'FIELD_UNKNOWN',
      keySpan,
      `"${key}" of ${owner} is not a word of JSON Schema; it is kept as it is`,
      typeof elsewhere === 'string' ? `JSON Schema writes it "${elsewhere}"` : undefined,
    );
  }
}

/** Reports a default that its own type or choices refuse. `default:` without a value means that the default is nothing. */
function checkDefault(owner: string, map: YamlMap, schema: JsonObject, report: Report): void {
  const node = entryOf(map, 'default')?.value;
  const value = schema['default'] ?? null;
  if (node === undefined || value === null) return;
  const { type, enum: choices } = schema;
  const types = (type === undefined ? [] : Array.isArray(type) ? type : [type]) as readonly string[];
  const shown = Array.isArray(value) ? 'a list' : isJsonObject(value) ? 'a mapping' : describeValue(node);
  if (types.length > 0 && !types.some((one) => isOfJsonType(one, value))) {
    report(
      'FIELD_CONFLICT',
      node.span,
      `the default of ${owner} is ${shown}, but its type is ${types.join(' or ')}`,
      'write a default of that type, or change the type',
    );
  } else if (
    Array.isArray(choices) &&
    !(choices as readonly Json[]).some((choice) => canonicalJson(choice) === canonicalJson(value))
  ) {
    report(
      'FIELD_CONFLICT',
      node.span,
      `the default of ${owner} is ${shown}, which is none of its choices`,
      'add it to enum, or change it',
    );
  }
}

/** What most languages allow, and JSON Schema's do not. */
function needlessEscape(pattern: string): string | undefined {
  const escape = /\\([^\w\s^$\\.*+?()[\]{}|/-])/.exec(pattern)?.[1];
  return escape === undefined ? undefined : `"${escape}" needs no backslash before it`;
}
