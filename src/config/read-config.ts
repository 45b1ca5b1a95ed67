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

  function readMembers(members: readonly JsonMember[], parent = ''): void {
    const known = keysIn(parent);
    for (const member of members) {
      if (parent === '' && member.key === '$schema') continue;
      const keyPath = parent === '' ? member.key : `${parent}.${member.key}`;
      if (configKey(keyPath) !== undefined) keep(keyPath, member);
      else if (!known.includes(member.key)) reportUnknownKey(parent, member, known);
      else if (member.value.kind === 'map') readMembers(member.value.members, keyPath);
      else {
        heard('CONFIG_TYPE', member.value.span, `"${keyPath}" must be an object`);
        bar(keyPath, member.value.span);
      }
    }
  }
}

/** The names directly below a path of the table; '' is its top. */
function keysIn(parent: string): readonly string[] {
  if (parent === '') return topLevelKeys;
  const prefix = `${parent}.`;
  const names = configKeys.flatMap(({ path }) =>
    path.startsWith(prefix) ? [path.slice(prefix.length).split('.')[0] as string] : [],
  );
  return [...new Set(names)];
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
