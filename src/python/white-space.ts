// White space, unit by unit: none of it is outside the first plane. JavaScript's `trim` and `\s` lack U+0085 and have
// U+FEFF, so they are not used.

/** White_Space, for the brackets of a regular expression. */
export const spaces = '\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
export const pythonSpaces = `\\x1c-\\x1f${spaces}`;

export type IsSpace = (unit: number) => boolean;

/** The characters of the Unicode property White_Space: those of Starlark. */
export function isUnicodeSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
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

/** Python's white space also has the four separators from U+001C on. */
export function isPythonSpace(unit: number): boolean {
  return isUnicodeSpace(unit) || (unit >= 0x1c && unit <= 0x1f);
}
