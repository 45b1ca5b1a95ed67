// inputs -> input keys, from each of the ways they are declared.
//
//   ["title|required", "domain|optional", "tone|optional|How it should sound"]
//   [{ name: title, required: true, description: … }]
//   { title: The title, tone: { type: string, default: plain } }       key -> description or schema
//   { type: object, properties: { … }, required: [title] }             a JSON Schema
//
// A key that is not marked as required is optional. Faults in a schema are reported and left out (input-schema.ts).
import type { Report } from '../../base/diagnostic.ts';
import { emptyObject } from '../../base/json.ts';
import { inputWords, readSchema } from './input-schema.ts';
import { describeValue, isNull, readBoolean, readText, readTextList, readTrimmed } from './read-value.ts';
import type { InputKey } from '../types.ts';
import type { YamlEntry, YamlMap, YamlNode } from '../yaml/node.ts';
import { entryOf, toJson } from '../yaml/node.ts';

const jsonTypes: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);

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
  if (!jsonTypes.has(word)) return { key, required, description: text.trim() || null, schema: null };
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
