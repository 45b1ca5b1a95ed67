// JSON that is safe to show in a terminal.
//
// The value is unchanged: the characters in `hidden-characters.ts` are written as `\uXXXX`, which every JSON reader
// decodes.
import { escapeHidden } from './printable.ts';

/** `indent` as of JSON.stringify. */
export function renderJson(value: unknown, indent = 0): string {
  return escapeUnsafe(JSON.stringify(value, null, indent));
}

/** Most JSON is plain ASCII, and that is quickly seen. */
const plain = /^[\n -~]*$/;

/** The same for text that is JSON already. */
export function escapeUnsafe(json: string): string {
  return plain.test(json) ? json : escapeHidden(json, escapeUnits);
}

function escapeUnits(found: string): string {
  let escaped = '';
  for (let at = 0; at < found.length; at += 1)
    escaped += `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
}
