// Adds a table to a TOML text and changes no other byte.
//
//   text, [mcp_servers.techne], values -> the text with the table, or why that is not possible
//
// A text that is not TOML is not changed, nor a table of this name that is not written under its own header with one line per key.
// The new text is parsed before it is returned, because the host must be able to read it. Only our own parts of an existing table
// are replaced (merge-entry.ts).
import type { EditedJson } from './edit-json.ts';
import { isRemote, mergeArguments } from './merge-entry.ts';
import type { TomlStatement, TomlValue } from './read-toml.ts';
import { TomlFault, readToml } from './read-toml.ts';

type OwnValue = string | boolean | readonly string[];

interface TomlTable {
  /** `mcp_servers`, `techne`. */
  readonly path: readonly [string, string];
  readonly values: readonly (readonly [key: string, value: OwnValue])[];
}

export function putTable(text: string, table: TomlTable): EditedJson {
  try {
    const edited = edit(text, table, readToml(text));
    if (edited.kind !== 'fault') readToml(edited.text);
    return edited;
  } catch (error) {
    if (error instanceof TomlFault) return { kind: 'fault', message: `line ${error.line}: ${error.message}` };
    throw error;
  }
}

/** Takes the table out, with the tables below it. `isOwn` judges its texts. */
export function removeTable(
  text: string,
  path: readonly [string, string],
  isOwn: (texts: readonly string[]) => boolean,
): EditedJson {
  try {
    const statements = readToml(text);
    const own = statements.filter((one) => one.path[0] === path[0] && one.path[1] === path[1]);
    if (own.length === 0) return { kind: 'same', text };
    const texts = own.flatMap(({ value }) =>
      value === null
        ? []
        : isTexts(value.read)
          ? value.read
          : typeof value.read === 'string'
            ? [value.read]
            : [],
    );
    const name = path.map(bareOrQuoted).join('.');
    if (own.some((one) => one.kind === 'pair' && one.path.length - one.written < 2))
      return { kind: 'fault', message: `[${name}] is written in another notation`, isThere: true };
    if (!isOwn(texts))
      return { kind: 'fault', message: `[${name}] is there, and it does not start techne`, isThere: true };
    const made = own
      .toReversed()
      .reduce((whole, { start, end }) => whole.slice(0, start) + whole.slice(end), text);
    const edited = made.replace(/(\r?\n)(?:\r?\n)+$/, '$1');
    readToml(edited);
    return { kind: 'replaced', text: edited };
  } catch (error) {
    if (error instanceof TomlFault) return { kind: 'fault', message: `line ${error.line}: ${error.message}` };
    throw error;
  }
}

function edit(text: string, { path, values }: TomlTable, statements: readonly TomlStatement[]): EditedJson {
  const [group] = path;
  const header = `[${path.map(bareOrQuoted).join('.')}]`;
  const isThere = (message: string): EditedJson => ({
    kind: 'fault',
    message: `it already has ${header}, ${message}`,
    isThere: true,
  });
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const asValue = statements.find(
    (one) => one.path.length === 1 && one.path[0] === group && one.kind !== 'table',
  );
  if (asValue !== undefined)
    return {
      kind: 'fault',
      message: `line ${asValue.line}: "${group}" is written as a value, not as tables`,
    };
  const own = statements.filter((one) => one.path[0] === path[0] && one.path[1] === path[1]);
  if (own.length === 0) {
    const before =
      text === '' || text.endsWith(newline + newline)
        ? text
        : text.endsWith('\n')
          ? text + newline
          : text + newline + newline;
    return {
      kind: 'added',
      text: before + [header, ...values.map(([key, value]) => lineOf(key, value)), ''].join(newline),
    };
  }
  const head = own.find((one) => one.kind === 'table' && one.path.length === 2);
  const pairs = own.filter((one) => one.kind === 'pair' && one.path.length === 3 && one.written === 1);
  if (head === undefined) return isThere('in another notation');
  if (isRemote(pairs.map((one) => one.path[2] as string))) return isThere('as a server with a URL');
  const changes: { readonly from: number; readonly to: number; readonly made: string }[] = [];
  const missing: string[] = [];
  for (const [key, value] of values) {
    const there = pairs.find((one) => one.path[2] === key)?.value ?? null;
    if (there === null && own.some((one) => one.path[2] === key))
      return isThere(`with "${key}" in another notation`);
    if (there === null) missing.push(lineOf(key, value));
    else {
      // Whether a server is required is the choice of the user, once it is written.
      if (typeof value === 'boolean') continue;
      const merged =
        typeof value !== 'string' && isTexts(there.read) ? mergeArguments(value, there.read) : value;
      if (!isSame(merged, there.read))
        changes.push({ from: there.from, to: there.to, made: rendered(merged) });
    }
  }
  if (changes.length === 0 && missing.length === 0) return { kind: 'same', text };
  const behindHeader = text.slice(0, head.end).endsWith('\n') ? '' : newline;
  const added =
    missing.length === 0
      ? []
      : [
          {
            from: head.end,
            to: head.end,
            made: behindHeader + missing.map((line) => line + newline).join(''),
          },
        ];
  const edited = [...changes, ...added]
    .sort((a, b) => b.from - a.from)
    .reduce((whole, { from, to, made }) => whole.slice(0, from) + made + whole.slice(to), text);
  return { kind: 'replaced', text: edited };
}

function isTexts(value: TomlValue): value is readonly string[] {
  return Array.isArray(value) && (value as readonly TomlValue[]).every((item) => typeof item === 'string');
}

function isSame(own: string | readonly string[], there: TomlValue): boolean {
  return typeof own === 'string'
    ? own === there
    : isTexts(there) && own.length === there.length && own.every((item, at) => item === there[at]);
}

function lineOf(key: string, value: OwnValue): string {
  return `${bareOrQuoted(key)} = ${rendered(value)}`;
}

function rendered(value: OwnValue): string {
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? quoted(value) : `[${value.map(quoted).join(', ')}]`;
}

function bareOrQuoted(key: string): string {
  return /^[\w-]+$/.test(key) ? key : quoted(key);
}

function quoted(text: string): string {
  // TOML has the escapes of JSON, and one more.
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}
