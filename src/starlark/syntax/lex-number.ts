// Number literals.
//
//   int      = "0" {"0"} | "1"…"9" {digit} | "0x" hex {hex} | "0o" octal {octal} | "0b" bit {bit}
//   float    = digits "." [digits] [exponent] | digits exponent | "." digits [exponent]
//   exponent = ("e" | "E") ["+" | "-"] digits
//
// `0b` is not in the specification; other implementations and Python have it.
import { identifierEnd, isDigit } from './token.ts';
import type { Faults } from './cursor.ts';

/** An int literal may have as many bits as an int may have by default when a program runs. */
const maxLiteralBits = 65_536;

interface NumberToken {
  readonly kind: 'int literal' | 'float literal';
  readonly end: number;
  readonly value: number | bigint;
}

const radixes: Readonly<
  Record<
    string,
    { readonly radix: number; readonly bits: number; readonly name: string; readonly digits: RegExp }
  >
> = {
  x: { radix: 16, bits: 4, name: 'hex', digits: /[0-9a-fA-F]*/y },
  o: { radix: 8, bits: 3, name: 'octal', digits: /[0-7]*/y },
  b: { radix: 2, bits: 1, name: 'binary', digits: /[01]*/y },
};

/** Reads the number at `start`, where a digit is, or a point before a digit. */
export function lexNumber(text: string, start: number, faults: Faults): NumberToken {
  const form = text.charCodeAt(start) === 48 ? radixes[text.charAt(start + 1).toLowerCase()] : undefined;
  if (form !== undefined) {
    const { digits: pattern, name, bits } = form;
    pattern.lastIndex = start + 2;
    const digits = (pattern.exec(text) as RegExpExecArray)[0];
    const end = start + 2 + digits.length;
    if (digits === '') {
      faults.add(
        'STAR_NUMBER',
        start,
        end,
        `invalid ${name} literal: no digit follows ${text.slice(start, end)}`,
      );
      return { kind: 'int literal', end, value: 0 };
    }
    if (text.charCodeAt(end) === 95) return withUnderscores(text, start, faults);
    return { kind: 'int literal', end, value: intValue(text, start, end, digits.length * bits, faults) };
  }
  let end = digitsEnd(text, start);
  let isFloat = false;
  if (text.charCodeAt(end) === 46) {
    isFloat = true;
    end = digitsEnd(text, end + 1);
  }
  if ((text.charCodeAt(end) | 32) === 101) {
    const signed = text.charCodeAt(end + 1) === 43 || text.charCodeAt(end + 1) === 45;
    const digits = end + (signed ? 2 : 1);
    const exponentEnd = digitsEnd(text, digits);
    if (exponentEnd > digits) {
      isFloat = true;
      end = exponentEnd;
    } else if (signed || identifierEnd(text, end) === end + 1) {
      faults.add(
        'STAR_NUMBER',
        start,
        digits,
        'invalid float literal: the exponent has no digits',
        'write it as 1e5 or 1e-5',
      );
      return { kind: 'float literal', end: digits, value: 0 };
    }
  }
  if (text.charCodeAt(end) === 95) return withUnderscores(text, start, faults);
  const suffix = text.charAt(end).toLowerCase();
  if ((suffix === 'j' || suffix === 'l') && identifierEnd(text, end) === end + 1) {
    const what =
      suffix === 'j'
        ? 'complex numbers are not part of Starlark'
        : 'an int needs no suffix: it may have any size';
    faults.add(
      'STAR_NUMBER',
      start,
      end + 1,
      `invalid number literal: ${what}`,
      `write ${clip(text.slice(start, end))}`,
    );
    return { kind: isFloat ? 'float literal' : 'int literal', end: end + 1, value: 0 };
  }
  if (isFloat) {
    const value = Number(text.slice(start, end));
    if (Number.isFinite(value)) return { kind: 'float literal', end, value };
    faults.add(
      'STAR_NUMBER',
      start,
      end,
      'the float literal is too large',
      'the largest float is about 1.8e308',
    );
    return { kind: 'float literal', end, value: 0 };
  }
  if (text.charCodeAt(start) === 48 && /[1-9]/.test(text.slice(start, end))) {
    const digits = text.slice(start, end).replace(/^0+/, '');
    const octal = /^[0-7]+$/.test(digits);
    faults.add(
      'STAR_NUMBER',
      start,
      end,
      octal ? 'obsolete form of octal literal' : 'invalid int literal: it begins with 0',
      octal
        ? `write 0o${clip(digits)} for the octal number, or ${clip(digits)} for the decimal one`
        : `write ${clip(digits)}`,
    );
    return { kind: 'int literal', end, value: 0 };
  }
  // 3 bits and a third for each digit, rounded up.
  return {
    kind: 'int literal',
    end,
    value: intValue(text, start, end, Math.ceil(((end - start) * 10) / 3), faults),
  };
}

/** `bits` is at most a digit more than the value has. */
function intValue(text: string, start: number, end: number, bits: number, faults: Faults): number | bigint {
  if (bits <= 50) return Number(text.slice(start, end));
  if (bits <= maxLiteralBits + 64) {
    const value = BigInt(text.slice(start, end));
    if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
    if (value >> BigInt(maxLiteralBits) === 0n) return value;
  }
  faults.add('STAR_NUMBER', start, end, `the int literal has more than ${maxLiteralBits} bits`);
  return 0;
}

function withUnderscores(text: string, start: number, faults: Faults): NumberToken {
  const pattern = /[0-9A-Za-z_]*(?:\.[0-9][0-9_]*)?/y;
  pattern.lastIndex = start;
  const written = (pattern.exec(text) as RegExpExecArray)[0];
  const end = start + written.length;
  faults.scar(start);
  faults.add(
    'STAR_NUMBER',
    start,
    end,
    'invalid number literal: underscores are not allowed between digits',
    `write ${clip(written.replaceAll('_', ''))}`,
  );
  return { kind: 'int literal', end, value: 0 };
}

function digitsEnd(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function clip(digits: string): string {
  return digits.length <= 40 ? digits : `${digits.slice(0, 40)}…`;
}
