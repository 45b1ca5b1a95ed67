// JSON -> YAML that people read and edit: blocks for texts of several lines, quotes where a reader could doubt.
//
// What is written is read back as the same value (yaml-text.test.ts), and shows no character that a terminal obeys.
import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { hasHiddenCharacters, renderJson } from '../../../base/printable.ts';

/** Lists and mappings of so few units stay on one line. */
const shortUnits = 100;

/** The lines of a mapping. */
export function yamlText(value: JsonObject): string {
  return `${mapLines(value).join('\n')}\n`;
}

function mapLines(value: JsonObject): readonly string[] {
  return Object.entries(value).flatMap(([key, item]) => entryLines(`${keyText(key)}:`, item));
}

function entryLines(head: string, value: Json): readonly string[] {
  const line = oneLine(value);
  if (line !== null) return [`${head} ${line}`];
  if (typeof value === 'string') return blockLines(head, value);
  if (Array.isArray(value))
    return [head, ...(value as readonly Json[]).flatMap((item) => indented(itemLines(item)))];
  return [head, ...indented(mapLines(value as JsonObject))];
}

function itemLines(value: Json): readonly string[] {
  if (isJsonObject(value) && oneLine(value) === null) {
    const [first = '', ...rest] = mapLines(value);
    return [`- ${first}`, ...indented(rest)];
  }
  const [first = '', ...rest] = entryLines('-', value);
  return [first, ...rest];
}

/** null: it is better on several. */
function oneLine(value: Json): string | null {
  if (typeof value === 'string') return isBlock(value) ? null : scalarText(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const items = Array.isArray(value)
    ? (value as readonly Json[]).map(oneLine)
    : Object.entries(value as JsonObject).map(([key, item]) => {
        const line = oneLine(item);
        return line === null ? null : `${keyText(key)}: ${line}`;
      });
  const isShort = items.every((item) => item !== null) && items.join(', ').length <= shortUnits;
  if (!isShort) return null;
  return Array.isArray(value) ? `[${items.join(', ')}]` : `{${items.join(', ')}}`;
}

function isBlock(text: string): boolean {
  return (
    text.includes('\n') &&
    text.trim() !== '' &&
    !/^[\n \t]|\n\n$|[ \t]\n|[ \t]$/.test(text) &&
    !text.includes('\r') &&
    !hasHiddenCharacters(text)
  );
}

function blockLines(head: string, text: string): readonly string[] {
  const ends = text.endsWith('\n');
  const lines = (ends ? text.slice(0, -1) : text).split('\n');
  return [`${head} |${ends ? '' : '-'}`, ...indented(lines)];
}

const plainWords = /^[A-Za-z][A-Za-z0-9_.]*(?:[ -][A-Za-z0-9_.]+)*$/;
const otherwiseMeant = /^(?:true|false|yes|no|on|off|null|y|n|inf|nan)$/i;

function scalarText(text: string): string {
  return plainWords.test(text) && !otherwiseMeant.test(text) ? text : renderJson(text);
}

function keyText(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) && !otherwiseMeant.test(key) ? key : renderJson(key);
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}
