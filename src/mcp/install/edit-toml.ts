// A table put at the end of a TOML text, with every other byte left as it is.
//
// T1. Only what is certain is done: a text that has the table, or anything under its name, is left alone.
import type { EditedJson } from './edit-json.ts';

export interface TomlTable {
  /** `mcp_servers`, `techne`. */
  readonly path: readonly [string, string];
  readonly values: readonly (readonly [key: string, value: string | readonly string[]])[];
}

export function putTable(text: string, { path: [group, name], values }: TomlTable): EditedJson {
  const lines = values.map(([key, value]) => `${key} = ${typeof value === 'string' ? quoted(value) : `[${value.map(quoted).join(', ')}]`}`);
  const table = [`[${group}.${name}]`, ...lines, ''].join('\n');
  if (text.replaceAll('\r\n', '\n').includes(table.trimEnd())) return { kind: 'same', text };
  const named = `["']?${escaped(group)}["']?\\s*\\.\\s*["']?${escaped(name)}["']?`;
  if (new RegExp(`^\\s*\\[\\s*${named}\\s*[\\].]|^\\s*${named}\\s*[=.]`, 'm').test(text)) return { kind: 'fault', message: `it has a table [${group}.${name}] already` };
  if (new RegExp(`^\\s*["']?${escaped(group)}["']?\\s*=`, 'm').test(text)) return { kind: 'fault', message: `"${group}" is written as a value, not as tables` };
  const before = text === '' || text.endsWith('\n\n') ? text : text.endsWith('\n') ? `${text}\n` : `${text}\n\n`;
  return { kind: 'added', text: before + table };
}

function quoted(text: string): string {
  // The escapes of JSON are those of TOML.
  return JSON.stringify(text);
}

function escaped(text: string): string {
  return text.replace(/[^\w-]/g, '\\$&');
}
