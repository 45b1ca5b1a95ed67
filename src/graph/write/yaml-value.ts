// A value of a property -> YAML on one line, as Obsidian writes it: links and doubtful texts in double quotes.
import type { Json } from '../../base/json.ts';
import { resolvePlain } from '../../skill/yaml/plain/scalars.ts';

const plainText = /^[\p{L}\p{N}](?:[\p{L}\p{N} _./+-]*[\p{L}\p{N}_.+-])?$/u;
const day = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?$/;

/** `null` for what a property cannot hold: nothing, an empty list, a mapping. */
export function yamlValue(value: Json): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : scalar(value.trim());
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) return null;
  const items = (value as readonly Json[]).flatMap((item) =>
    Array.isArray(item) ? [] : (yamlValue(item) ?? []),
  );
  return items.length === 0 ? null : `[${items.join(', ')}]`;
}

function scalar(text: string): string {
  if (day.test(text)) return text;
  return plainText.test(text) && !/[:#]/.test(text) && typeof resolvePlain(text) === 'string'
    ? text
    : JSON.stringify(text);
}

/** `[[Name]]` as an item of a list. */
export function yamlLink(target: string): string {
  return JSON.stringify(`[[${target}]]`);
}
