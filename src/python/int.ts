// Ints of any size. An int is a JavaScript number when it is a safe integer, else a bigint, and never -0.

export type Int = number | bigint;

export const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const MAX_SAFE_BIG = BigInt(MAX_SAFE);
const MIN_SAFE_BIG = -MAX_SAFE_BIG;

/** The one form of an int. */
export function intFromBigint(b: bigint): Int {
  return b <= MAX_SAFE_BIG && b >= MIN_SAFE_BIG ? Number(b) : b;
}

/** A finite float without its fraction. */
export function intFromFloat(n: number): Int {
  const whole = Math.trunc(n);
  return Number.isSafeInteger(whole) ? whole + 0 : BigInt(whole);
}

/** `a // b`, rounded down: `a / b` is off by less than the distance to the next integer it could be mistaken for. */
export function floorDivideNumbers(a: number, b: number): number {
  return Math.floor(a / b) + 0;
}

/** `a % b`, with the sign of `b`. */
export function moduloNumbers(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest + 0;
}

export function floorDivideBigints(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return quotient * b !== a && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

export function moduloBigints(a: bigint, b: bigint): bigint {
  const rest = a % b;
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
}

/** The base that a prefix such as `0x` stands for, by its letter; 0 when there is none. */
export function prefixBase(letter: number): number {
  switch (letter | 0x20) {
    case 0x62:
      return 2;
    case 0x6f:
      return 8;
    case 0x78:
      return 16;
    default:
      return 0;
  }
}

/** The value of an ASCII digit or letter; at least 36 for any other character. */
export function digitValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return unit < 0x80 && letter >= 0x61 && letter <= 0x7a ? letter - 0x61 + 10 : 36;
}

/** Bases that BigInt itself reads. */
const literalPrefixes: ReadonlyMap<number, string> = new Map([
  [2, '0b'],
  [8, '0o'],
  [10, ''],
  [16, '0x'],
]);

/** Whether reading `radix` takes the engine's own, faster way. */
export function isLiteralBase(radix: number): boolean {
  return literalPrefixes.has(radix);
}

// Ten digits of base 36 are a safe integer.
const BLOCK_DIGITS = 10;

/** The int that the digits `text[from:]` write. There is at least one, and all are digits of the base. */
export function bigintFromDigits(text: string, from: number, radix: number): bigint {
  const prefix = literalPrefixes.get(radix);
  if (prefix !== undefined) return BigInt(prefix + text.slice(from));
  const factor = BigInt(radix) ** BigInt(BLOCK_DIGITS);
  const first = from + ((text.length - from) % BLOCK_DIGITS);
  let value = first > from ? BigInt(Number.parseInt(text.slice(from, first), radix)) : 0n;
  for (let i = first; i < text.length; i += BLOCK_DIGITS) {
    value = value * factor + BigInt(Number.parseInt(text.slice(i, i + BLOCK_DIGITS), radix));
  }
  return value;
}
