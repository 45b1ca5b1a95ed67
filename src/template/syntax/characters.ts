// Which characters are white space, and which can be in a name: as Python has it, since its Jinja is the model.
//
// JavaScript's `\s` and `trim` lack U+001C to U+001F and U+0085 and have U+FEFF, so they are not used.

/** For a regular expression: one white space character. */
export const spaceClass =
  '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';

/** `unit` is a UTF-16 unit: no white space is outside the first plane. */
export function isSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x1f);
  if (unit < 0x1680) return unit === 0x85 || unit === 0xa0;
  return (
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000
  );
}

/** The first offset from `from` on that holds no white space. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** The offset behind the last character of `text` before `to`, not before `from`, that is no white space. */
export function trimEndAt(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** Characters that hang together as a word; whether they are a name is decided by `isName`. */
export const wordPattern = /[\p{L}\p{N}\p{XID_Continue}_]+/uy;

const namePattern = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;

export function isName(word: string): boolean {
  return namePattern.test(word);
}

/** Whether a text holds nothing but white space. */
export function isBlank(text: string): boolean {
  return skipSpace(text, 0) === text.length;
}
