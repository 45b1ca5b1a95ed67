// What single characters and escapes mean to the plain parser.

/** What `breaks` line ends between two lines of text become. */
export function foldOf(breaks: number): string {
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
}

/** A letter or digit: text that nobody could take for an indicator. */
export function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57);
}

export function isFlowIndicator(unit: number): boolean {
  return unit === 44 || unit === 91 || unit === 93 || unit === 123 || unit === 125;
}

/** The text of the escape whose letter is at `at`, or `null` for the rare ones. */
export function escapeAt(text: string, at: number): string | null {
  switch (text.charCodeAt(at)) {
    case 34:
      return '"';
    case 92:
      return '\\';
    case 47:
      return '/';
    case 110:
      return '\n';
    case 114:
      return '\r';
    case 116:
      return '\t';
    case 85 /* U */: {
      const point = hexAt(text, at + 1, 8);
      return point < 0 || point > 0x10ffff || isSurrogate(point) ? null : String.fromCodePoint(point);
    }
    case 117 /* u */: {
      const unit = hexAt(text, at + 1, 4);
      if (unit < 0 || (unit >= 0xdc00 && unit <= 0xdfff)) return null;
      if (!isSurrogate(unit)) return String.fromCharCode(unit);
      if (text.charCodeAt(at + 5) !== 92 || text.charCodeAt(at + 6) !== 117) return null;
      const low = hexAt(text, at + 7, 4);
      return low >= 0xdc00 && low <= 0xdfff ? String.fromCharCode(unit, low) : null;
    }
    default:
      return null;
  }
}

/** How long the escape is, its backslash included. */
export function escapeLength(text: string, at: number, escaped: string): number {
  const letter = text.charCodeAt(at);
  if (letter === 85) return 10;
  return letter === 117 ? 6 * escaped.length : 2;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** The value of `digits` hexadecimal digits, or -1. */
function hexAt(text: string, at: number, digits: number): number {
  let value = 0;
  for (let digit = at; digit < at + digits; digit += 1) {
    const next = hexValue(text.charCodeAt(digit));
    if (next < 0) return -1;
    value = value * 16 + next;
  }
  return value;
}

function hexValue(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  if (unit >= 97 && unit <= 102) return unit - 87;
  return unit >= 65 && unit <= 70 ? unit - 55 : -1;
}
