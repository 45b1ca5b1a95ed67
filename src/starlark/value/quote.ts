// Strings and bytes as literals, between double quotes.
//
// The literal of valid text denotes that text. What cannot be seen is escaped: control characters, and code points
// that hide or reorder what is beside them. The set is fixed, so that no Unicode version changes a result. A lone
// surrogate is `\udXXX` and a byte outside of valid UTF-8 is `\xXX`.
import { codePointAt, pointBytes } from './utf8.ts';

const named: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);

/** Control characters, and code points that hide or reorder what is beside them. */
const invisible =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb';
/** Whole pairs are found too, so that only a half of one is escaped. */
const special = new RegExp(`["\\\\${invisible}]|[\\ud800-\\udbff][\\udc00-\\udfff]|[\\ud800-\\udfff]`, 'g');
const plain = /^[ !#-[\]-~]*$/;

export function quoteString(text: string): string {
  return plain.test(text)
    ? `"${text}"`
    : `"${text.replace(special, (found) => (found.length === 2 ? found : escapePoint(found.charCodeAt(0))))}"`;
}

function escapePoint(point: number): string {
  const name = named.get(point);
  if (name !== undefined) return name;
  if (point < 0x80) return `\\x${hex(point, 2)}`;
  return `\\u${hex(point, 4)}`;
}

export function quoteBytes(bytes: Uint8Array): string {
  const parts: string[] = ['b"'];
  for (let i = 0; i < bytes.length;) {
    const point = codePointAt(bytes, i);
    if (point < 0) {
      parts.push(`\\x${hex(bytes[i] as number, 2)}`);
      i += 1;
    } else {
      parts.push(quoteString(String.fromCodePoint(point)).slice(1, -1));
      i += pointBytes(point);
    }
  }
  parts.push('"');
  return parts.join('');
}

function hex(n: number, digits: number): string {
  return n.toString(16).padStart(digits, '0');
}
