// A character that begins no token.
//
//   text at a place -> what was most likely meant, fault
//
// What cannot be misread is read as what was meant: a string in typographic quotes, a dash, `!`. Anything else is
// passed over.
import { isDash, isLineEnd, nameCharacter, typographicQuotes } from './token.ts';
import type { Faults } from './cursor.ts';

interface Meant {
  /** `null`: nothing that could be read. */
  readonly kind: 'string literal' | '-' | 'not' | null;
  readonly end: number;
}

export function lexUnexpected(text: string, at: number, faults: Faults): Meant {
  const unit = text.charCodeAt(at);
  const codePoint = text.codePointAt(at) as number;
  const closing = typographicQuotes.get(unit);
  const message = `unexpected character ${nameCharacter(codePoint)}`;
  if (closing !== undefined) {
    let end = at + 1;
    while (end < text.length && !isLineEnd(text.charCodeAt(end)) && !closing.includes(text.charAt(end)))
      end += 1;
    if (closing.includes(text.charAt(end)) && end < text.length) end += 1;
    faults.add('STAR_CHARACTER', at, at + 1, message, 'write a string in straight quotes, " or \'');
    faults.scar(at);
    return { kind: 'string literal', end };
  }
  if (isDash(unit)) {
    faults.add('STAR_CHARACTER', at, at + 1, message, 'write -');
    return { kind: '-', end: at + 1 };
  }
  if (unit === 33) {
    faults.add('STAR_OPERATOR', at, at + 1, "unexpected character '!'", 'write not');
    return { kind: 'not', end: at + 1 };
  }
  const end = at + (codePoint > 0xffff ? 2 : 1);
  faults.scar(at);
  if (unit === 63) {
    faults.add('STAR_TERNARY', at, end, "unexpected character '?'", 'write a if condition else b');
  } else if (unit < 0xd800 || unit > 0xdfff || end === at + 2) {
    // Full-width forms of ASCII signs.
    const narrow =
      codePoint > 0xff00 && codePoint < 0xff5f
        ? `write ${String.fromCharCode(codePoint - 0xfee0)}`
        : undefined;
    faults.add('STAR_CHARACTER', at, end, message, narrow);
  }
  return { kind: null, end };
}
