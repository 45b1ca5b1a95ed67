// `repr` of a string.
import type { Evaluation } from './evaluation.ts';

/** What Python does not print as it is: control and format characters, lone halves, unassigned ones, odd spaces. */
const unprintable = /[\p{C}\p{Z}]/u;

export function isPrintable(point: string): boolean {
  return point === ' ' || !unprintable.test(point);
}

const plain = /^[ !#-&(-[\]-~]*$/;
const shorthand: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\\', '\\\\'],
]);

export function quote(e: Evaluation, text: string): string {
  e.makeText(text.length + 2);
  if (plain.test(text)) return `'${text}'`;
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  e.work(text.length);
  let body = '';
  for (const point of text) body += point === mark ? `\\${mark}` : quotePoint(point);
  e.makeText(body.length);
  return mark + body + mark;
}

/** `repr` of bytes. */
export function quoteBytes(e: Evaluation, bytes: Uint8Array): string {
  e.makeText(bytes.length * 4 + 3);
  e.work(bytes.length);
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll(/[^ -~]|[\\'"]/g, (unit) =>
    unit === mark
      ? `\\${mark}`
      : (shorthand.get(unit) ?? (/[ -~]/.test(unit) ? unit : escapePoint(unit.charCodeAt(0)))),
  );
  return `b${mark}${escaped}${mark}`;
}

function quotePoint(point: string): string {
  const short = shorthand.get(point);
  if (short !== undefined) return short;
  if (isPrintable(point)) return point;
  return escapePoint(point.codePointAt(0) as number);
}

export function escapePoint(code: number): string {
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** `ascii(text)`, of the `repr` it is given. */
export function asciiOnly(text: string): string {
  let result = '';
  for (const point of text) {
    const code = point.codePointAt(0) as number;
    result += code < 0x80 ? point : escapePoint(code);
  }
  return result;
}
