// Reads and checks the text of a configuration file.
//
//   text -> ConfigFile { the valid values, by key } + diagnostics for the rest
//
// Where something that names models cannot be read (the whole file, a value that is not an object, a misspelt key), a
// faulty entry takes its place (validate/model.ts): otherwise another model would be asked instead.
import type { Report } from '../base/diagnostic.ts';
import type { Json } from '../base/json.ts';
import { emptyObject } from '../base/json.ts';
import type { Span } from '../base/span.ts';
import { placeOf } from '../base/span.ts';
import { configKey, configKeys, topLevelKeys } from './keys.ts';
import { parseJsonNodes } from './parse-json.ts';
import type { JsonMember, JsonNode } from './parse-json.ts';
import { misnamedModel } from './validate/model.ts';
import { validateValue } from './validate/value.ts';
import { reportUnknown } from './validate/faults.ts';

interface ConfigValue {
  readonly value: Json;
  readonly span: Span;
  readonly line: number;
}

export interface ConfigFile {
  readonly path: string;
  readonly values: ReadonlyMap<string, ConfigValue>;
}

interface Fault {
  readonly fault: string;
  readonly hint: string | null;
}

const emptyMap: JsonNode = { kind: 'map', members: [], span: { start: 0, end: 0 } };

/** Never throws; a file that is not JSON at all has no values but a faulty entry for its models. `$schema` is allowed and ignored. */
export function parseConfig(text: string, path: string, report: Report): ConfigFile {
  const values = new Map<string, ConfigValue>();
  const lineOf = ({ start }: Span): number => placeOf(text, start).line;
  let last: Fault = { fault: '', hint: null };
  const heard: Report = (code, at, fault, hint) => {
    last = { fault, hint: hint ?? null };
    report(code, at, fault, hint);
  };
  const unread: { readonly under: string; readonly span: Span; readonly fault: Fault }[] = [];
  const bar = (under: string, span: Span): void => void unread.push({ under, span, fault: last });

  const keep = (keyPath: string, member: JsonMember): void => {
    const key = configKey(keyPath);
    if (key === undefined) return;
    const value = validateValue(keyPath, key.shape, member.value, heard);
    if (value === undefined) bar(keyPath, member.value.span);
    else values.set(keyPath, { value, span: member.value.span, line: lineOf(member.keySpan) });
  };
  const reportUnknownKey = (parent: string, member: JsonMember, known: readonly string[]): void => {
    const meant = reportUnknown(parent, member, known, heard);
    if (meant !== null) bar(parent === '' ? meant : `${parent}.${meant}`, member.keySpan);
  };

  const document = text.trim() === '' ? emptyMap : parseJsonNodes(text, heard);
  if (document?.kind === 'map') readMembers(document.members);
  else {
    if (document !== null) heard('CONFIG_TYPE', document.span, 'the configuration must be an object');
    bar('', document?.span ?? emptyMap.span);
  }
  // Otherwise another model would be asked.
  for (const { under, span, fault } of unread) {
    for (const key of namingModels(under)) {
      const there = values.get(key);
      values.set(key, {
        span,
        line: lineOf(span),
        ...there,
        value: Object.assign(emptyObject(), there?.value, { '': misnamedModel(fault) }),
      });
    }
  }
  return { path, values };

  function readMembers(members: readonly JsonMember[]): void {
    for (const member of members) {
      if (member.key === '$schema') continue;
      if (configKey(member.key) !== undefined) {
        keep(member.key, member);
        continue;
      }
      if (!topLevelKeys.includes(member.key)) {
        reportUnknownKey('', member, topLevelKeys);
        continue;
      }
      if (member.value.kind !== 'map') {
        heard('CONFIG_TYPE', member.value.span, `"${member.key}" must be an object`);
        bar(member.key, member.value.span);
        continue;
      }
      const known = configKeys
        .filter((key) => key.path.startsWith(`${member.key}.`))
        .map((key) => key.path.slice(member.key.length + 1));
      for (const inner of member.value.members) {
        if (known.includes(inner.key)) keep(`${member.key}.${inner.key}`, inner);
        else reportUnknownKey(member.key, inner, known);
      }
    }
  }
}

/** A file that is there and gives no text. */
export function unreadConfig(path: string, fault: string): ConfigFile {
  const value = Object.assign(emptyObject(), { '': misnamedModel({ fault, hint: null }) });
  return {
    path,
    values: new Map(namingModels('').map((key) => [key, { value, span: emptyMap.span, line: 1 }])),
  };
}

/** Keys at and below `under`; '' is all of them. */
function namingModels(under: string): readonly string[] {
  return configKeys
    .filter(
      ({ path, shape }) =>
        shape.kind === 'models' && (under === '' || path === under || path.startsWith(`${under}.`)),
    )
    .map(({ path }) => path);
}
