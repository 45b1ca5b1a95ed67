// Quotes a text as S2 does: in single quotes, or in double quotes if it holds only single ones.
import { escapeHidden } from '../base/printable.ts';

const escapes: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text
    .replace(/[\\\n\t]/g, (character) => escapes[character] ?? '\\\\')
    .replaceAll(mark, `\\${mark}`);
  return mark + escapeHidden(inside, escapeOf) + mark;
}

function escapeOf(character: string): string {
  const known = escapes[character];
  if (known !== undefined) return known;
  const point = character.codePointAt(0) as number;
  const digits = point.toString(16);
  return point > 0xffff
    ? `\\U${digits.padStart(8, '0')}`
    : point > 0xff
      ? `\\u${digits.padStart(4, '0')}`
      : `\\x${digits.padStart(2, '0')}`;
}
