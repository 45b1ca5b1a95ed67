// The text of a configuration file, read and checked.
//
//   text -> ConfigFile { the values that are good, by key } + diagnostics for the rest
import type { Report } from '../base/diagnostic.ts';
import type { Json } from '../base/json.ts';
import type { Span } from '../base/span.ts';
import { placeOf } from '../base/span.ts';
import { configKey, configKeys, topLevelKeys } from './keys.ts';
import { parseJsonNodes } from './parse-json.ts';
import type { JsonMember } from './parse-json.ts';
import { validateValue } from './validate-value.ts';
import { reportUnknown } from './value-faults.ts';

export interface ConfigValue {
  readonly value: Json;
  readonly span: Span;
  readonly line: number;
}

export interface ConfigFile {
  readonly path: string;
  readonly values: ReadonlyMap<string, ConfigValue>;
}

/** Never throws; a file that is not JSON at all has no values. `$schema` is allowed and ignored. */
export function parseConfig(text: string, path: string, report: Report): ConfigFile {
  const values = new Map<string, ConfigValue>();
  const document = text.trim() === '' ? null : parseJsonNodes(text, report);
  if (document !== null && document.kind !== 'map') report('CONFIG_TYPE', document.span, 'the configuration must be an object');
  if (document?.kind !== 'map') return { path, values };

  const keep = (keyPath: string, member: JsonMember): void => {
    const key = configKey(keyPath);
    if (key === undefined) return;
    const value = validateValue(keyPath, key.shape, member.value, report);
    if (value !== undefined) values.set(keyPath, { value, span: member.value.span, line: placeOf(text, member.keySpan.start).line });
  };

  for (const member of document.members) {
    if (member.key === '$schema') continue;
    if (configKey(member.key) !== undefined) {
      keep(member.key, member);
      continue;
    }
    if (!topLevelKeys.includes(member.key)) {
      reportUnknown('', member, topLevelKeys, report);
      continue;
    }
    if (member.value.kind !== 'map') {
      report('CONFIG_TYPE', member.value.span, `"${member.key}" must be an object`);
      continue;
    }
    const known = configKeys.filter((key) => key.path.startsWith(`${member.key}.`)).map((key) => key.path.slice(member.key.length + 1));
    for (const inner of member.value.members) {
      if (known.includes(inner.key)) keep(`${member.key}.${inner.key}`, inner);
      else reportUnknown(member.key, inner, known, report);
    }
  }
  return { path, values };
}
