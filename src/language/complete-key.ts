// A place where a key or an item of a list may stand -> the keys and items, with the lines that they begin.
import type { JsonObject } from '../base/json.ts';
import { frontmatterFields } from '../skill/fields/field-table.ts';
import { pathKey, valueOf } from './declared.ts';
import type { Completion, Completions, LanguageWorld } from './language.ts';
import { completion, unique } from './language.ts';
import type { Outline, OutlineEntry, OutlinePath, OutlinePlace } from './outline.ts';
import type { KnownKey } from './schema-at.ts';
import { keysAt, schemasAt, schemasOf, typeText } from './schema-at.ts';
import { stepValues } from './step-values.ts';
import type { Span } from '../base/span.ts';

export function completeKey(
  outline: Outline,
  offset: number,
  { parent, span }: Extract<OutlinePlace, { kind: 'key' }>,
  world: LanguageWorld,
  /** What a value may name. */
  named: (path: OutlinePath) => readonly Completion[],
): Completions {
  const { text, entries } = outline;
  const used = new Set(
    entries
      .filter(({ path, key }) => key !== null && !(key.start === span.start) && isChild(path, parent))
      .map(({ path }) => String(path.at(-1))),
  );
  const isTyped = /^[^\n]*:/.test(text.slice(span.end, span.end + 40));
  const behind = isTyped ? '' : ': ';
  const column = columnOf(text, span.start);
  const known = keysAt(parent).map((key) => keyCompletion(key, isTyped ? null : column, behind));
  const items = [
    ...(parent.length === 0 ? known.toSorted(byDialect) : known),
    ...stepValues(outline, parent).map((one) =>
      completion('field', one.name, one.description, { insert: `${one.name}${behind}` }),
    ),
    ...inputsOf(outline, parent, world).map((one) => ({ ...one, insert: `${one.label}${behind}` })),
  ].filter(({ label }) => !used.has(label));
  const fence = parent.length === 0 ? (closingFence(outline, offset)?.items ?? []) : [];
  const found = items.length > 0 || column === null ? items : newItems(parent, column, named);
  return {
    span: { start: span.start, end: Math.max(offset, span.start) },
    items: unique([...found, ...fence]),
  };
}

/** The keys of an item that is empty or one word, and may become a mapping. */
export function keysOfItem(
  { text, entries }: Outline,
  path: OutlinePath,
  { start, end }: Span,
): readonly Completion[] {
  if (typeof path.at(-1) !== 'number' || !/^\w*$/.test(text.slice(start, end))) return [];
  if (entries.some((entry) => isChild(entry.path, path))) return [];
  const column = columnOf(text, start);
  return keysAt(path).map((key) => keyCompletion(key, column, ': '));
}

/** The first line of a list: its items behind a dash. */
function newItems(
  parent: OutlinePath,
  column: number,
  named: (path: OutlinePath) => readonly Completion[],
): readonly Completion[] {
  if (!schemasAt(parent).some(({ type }) => type === 'array')) return [];
  const item = [...parent, 0];
  const keys = keysAt(item).map((key) => keyCompletion(key, column + 2, ': '));
  return [...named(item), ...keys].map((one) => ({ ...one, insert: `- ${one.insert}` }));
}

function keyCompletion(
  { name, schema, description }: KnownKey,
  /** Of the key; `null`: what is behind it stays in its line. */
  column: number | null,
  behind: string,
): Completion {
  const insert = column === null ? `${name}${behind}` : `${name}:${blockBehind(schema, column)}`;
  return completion('field', name, description, { detail: typeText(schema), insert });
}

/** What follows the colon: a line for the first key or item where the value is a mapping or a list, else a blank. */
function blockBehind(schema: JsonObject, column: number): string {
  const below = `\n${' '.repeat(column + 2)}`;
  const first = schemasOf(schema).find(
    ({ type, enum: choices }) => type !== undefined || choices !== undefined,
  );
  if (first?.['type'] === 'array') return `${below}- `;
  return first?.['type'] === 'object' ? below : ' ';
}

/** Where a block may be written: behind blanks and dashes; `null` inside of brackets. */
function columnOf(text: string, at: number): number | null {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ -]*$/.test(before) ? before.length : null;
}

/** The line that ends a frontmatter without an end, where nothing or dashes are typed; `null`: not here. */
export function closingFence({ text, yaml }: Outline, offset: number): Completions | null {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  if (yaml === null || yaml.end !== text.length || start < yaml.start) return null;
  if (!/^-{0,2}$/.test(text.slice(start, offset)) || !['', '\n'].includes(text.charAt(offset))) return null;
  const description = 'Ends the frontmatter; the text of the skill follows.';
  return {
    span: { start, end: offset },
    items: [completion('keyword', '---', description, { insert: '---\n\n' })],
  };
}

function isChild(path: OutlinePath, parent: OutlinePath): boolean {
  return path.length === parent.length + 1 && parent.every((step, index) => path[index] === step);
}

const rank: ReadonlyMap<string, number> = new Map(
  frontmatterFields.map(({ name, dialect }, index) => [
    name,
    index +
      (dialect === 'standard' ? 0 : dialect === 'techne' ? 1_000 : dialect === 'common' ? 9_000 : 2_000),
  ]),
);

/** The fields of the standard first, then ours; descriptions that no host acts on last. */
function byDialect(a: Completion, b: Completion): number {
  return (rank.get(a.label) ?? 9_999) - (rank.get(b.label) ?? 9_999);
}

const inputKeys: ReadonlySet<unknown> = new Set(['inputs', 'with', 'params', 'tool_args']);

/** The inputs of the skill or tool that a step names. */
function inputsOf(outline: Outline, parent: OutlinePath, world: LanguageWorld): readonly Completion[] {
  if (parent.length < 2 || !inputKeys.has(parent.at(-1))) return [];
  const beside = (key: string): string => {
    const wanted = pathKey([...parent.slice(0, -1), key]);
    const entry: OutlineEntry | undefined = outline.entries.find(({ path }) => pathKey(path) === wanted);
    return entry === undefined ? '' : valueOf(outline, entry);
  };
  const skill = world.skills.find(({ name }) => name === beside('skill'));
  const tool = world.tools.find(({ name }) => name === beside('tool'));
  return [skill, tool].flatMap((owner) =>
    (owner?.inputs ?? []).map(({ name, description }) =>
      completion('input', name, description, { detail: `input of ${owner?.name ?? ''}` }),
    ),
  );
}
