// Floats <-> text, exactly as Python writes, reads and rounds them.
//
// The shortest form has the fewest digits that read back as the same float. Rounding to a number of digits is done on
// the exact value, half to even.

/** How `str` shows a float: from which size on with an exponent, and an infinity. */
export interface FloatStyle {
  readonly exponentFrom: number;
  readonly infinity: string;
}

const pythonStyle: FloatStyle = { exponentFrom: 1e16, infinity: 'inf' };

/** The shortest form: with an exponent below 1e-4 and for large numbers, else with a point. */
export function floatText(n: number, style = pythonStyle): string {
  const size = Math.abs(n);
  if (size >= 1e-4 && size < style.exponentFrom) return Number.isInteger(n) ? `${n}.0` : String(n);
  if (n === 0) return Object.is(n, -0) ? '-0.0' : '0.0';
  if (Number.isNaN(n)) return 'nan';
  if (size === Infinity) return n > 0 ? style.infinity : '-inf';
  return widenExponent(n.toExponential());
}

/** `1e+5` to `1e+05`. */
function widenExponent(text: string): string {
  const sign = text.indexOf('e') + 1;
  return text.length - sign > 2 ? text : `${text.slice(0, sign + 1)}0${text.slice(sign + 1)}`;
}

/** The exact value of a finite float: `mantissa * 2 ** exponent`, without its sign. */
function exact(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 };
}

/** `|value| * 10 ** digits`, to the nearest whole number, half to even. */
function scaled(value: number, digits: number): bigint {
  const { mantissa, exponent } = exact(value);
  let top = mantissa;
  let bottom = 1n;
  if (digits >= 0) top *= 10n ** BigInt(digits);
  else bottom *= 10n ** BigInt(-digits);
  if (exponent >= 0) top <<= BigInt(exponent);
  else bottom <<= BigInt(-exponent);
  const whole = top / bottom;
  const rest = (top - whole * bottom) * 2n;
  return rest > bottom || (rest === bottom && (whole & 1n) === 1n) ? whole + 1n : whole;
}

/** No float has more digits behind the point, or more digits in all, that are not 0. */
const maxFraction = 1074;
const maxSignificant = 800;
/** Digits that JavaScript writes itself. It rounds exactly too, but takes the larger of two equally near results. */
const maxNative = 99;

function isEvenDigit(text: string, at: number): boolean {
  return text.charCodeAt(at) % 2 === 0;
}

/** `|value|` with `digits` digits behind the point; finite. */
export function fixedText(value: number, digits: number): string {
  const size = Math.abs(value);
  if (digits > maxFraction) return fixedText(size, maxFraction) + '0'.repeat(digits - maxFraction);
  if (size >= 1e21 || digits > maxNative) {
    const text = String(scaled(size, digits)).padStart(digits + 1, '0');
    return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  }
  // A tie behind the last digit is an odd multiple of a power of two, and one more digit writes that exactly.
  const unit = 2 ** digits;
  if (Number.isInteger(size * unit * 2) && !Number.isInteger(size * unit)) {
    const tie = size.toFixed(digits + 1);
    const last = tie.length - (digits === 0 ? 3 : 2);
    if (isEvenDigit(tie, last)) return tie.slice(0, last + 1);
  }
  return size.toFixed(digits);
}

interface Decimal {
  /** One digit before the point and those behind it, without a point. */
  readonly digits: string;
  readonly exponent: number;
}

/** `|value|` with `digits` digits behind the first one; finite. */
function exponentDigits(value: number, digits: number): Decimal {
  if (digits > maxSignificant) {
    const exactly = exponentDigits(value, maxSignificant);
    return { digits: exactly.digits + '0'.repeat(digits - maxSignificant), exponent: exactly.exponent };
  }
  if (value === 0) return { digits: '0'.repeat(digits + 1), exponent: 0 };
  if (digits < maxNative) {
    const size = Math.abs(value);
    const near = size.toExponential(digits + 1);
    // Only a 5 behind the last digit can be a tie.
    if (near[near.indexOf('e') - 1] !== '5') return decimalOf(size.toExponential(digits));
  }
  let exponent = Math.floor(Math.log10(Math.abs(value)));
  // The logarithm of a number near a power of ten may be one off, and rounding may carry over.
  for (;;) {
    const text = String(scaled(value, digits - exponent));
    if (text.length === digits + 1) return { digits: text, exponent };
    exponent += text.length > digits + 1 ? 1 : -1;
  }
}

function decimalOf(text: string): Decimal {
  const e = text.indexOf('e');
  return { digits: text.slice(0, e).replace('.', ''), exponent: Number(text.slice(e + 1)) };
}

/** `1.50e+03` */
export function exponentText(value: number, digits: number, keepPoint = false): string {
  const decimal = exponentDigits(value, digits);
  return withExponent(decimal.digits, decimal.exponent, keepPoint);
}

function withExponent(digits: string, exponent: number, keepPoint: boolean): string {
  const point = digits.length > 1 || keepPoint ? '.' : '';
  return `${digits[0]}${point}${digits.slice(1)}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** `%g`: `precision` significant digits, without zeros at the end unless `keepZeros`. */
export function generalText(
  value: number,
  precision: number,
  keepZeros: boolean,
  exponentFrom = Math.max(precision, 1),
): string {
  const significant = Math.max(precision, 1);
  const { digits, exponent } = exponentDigits(value, significant - 1);
  if (exponent < -4 || exponent >= exponentFrom) {
    return withExponent(keepZeros ? digits : digits.replace(/(?<=.)0+$/, ''), exponent, keepZeros);
  }
  const fixed = fixedText(value, Math.max(significant - 1 - exponent, 0));
  if (keepZeros) return fixed.includes('.') ? fixed : `${fixed}.`;
  return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
}

/** `round(value, digits)` of a finite float. */
export function roundFloat(value: number, digits: number): number {
  // Beyond these no digit of a float is left, or all are.
  if (digits > 323) return value;
  if (digits < -308) return value < 0 || Object.is(value, -0) ? -0 : 0;
  const rounded = Number(`${scaled(value, digits)}e${-digits}`);
  return value < 0 || Object.is(value, -0) ? -rounded : rounded;
}

/** `base ** exponent` for a whole exponent of few digits, rounded once. */
export function wholePower(base: number, exponent: number): number {
  const { mantissa, exponent: shift } = exact(base);
  const times = Math.abs(exponent);
  const top = mantissa ** BigInt(times);
  const power = exponent < 0 ? ratio(1n, top, -shift * times) : ratio(top, 1n, shift * times);
  return base < 0 && times % 2 === 1 ? -power : power;
}

/** `top / bottom * 2 ** shift`, rounded once: through a decimal text, which JavaScript reads exactly. */
function ratio(top: bigint, bottom: bigint, shift: number): number {
  let [upper, lower] = shift >= 0 ? [top << BigInt(shift), bottom] : [top, bottom << BigInt(-shift)];
  const digits = 40 + Math.max(0, String(lower).length - String(upper).length);
  upper *= 10n ** BigInt(digits);
  const quotient = upper / lower;
  const isExact = quotient * lower === upper;
  // A digit behind the last one keeps what was cut off from looking like a tie.
  return Number(`${quotient}${isExact ? '0' : '1'}e${-digits - 1}`);
}

/**
 * `float(text)`, or null when the text is not a float. A number that is too large is an infinity.
 *
 *   decimal = ( digits [ "." [ digits ] ] | "." digits ) [ ( "e" | "E" ) [ "+" | "-" ] digits ]
 */
export function parseFloatText(text: string): number | null {
  const sign = text.charCodeAt(0);
  const at = sign === PLUS || sign === MINUS ? 1 : 0;
  if (isDecimalFrom(text, at)) return Number(text);
  const word = text.length <= 9 ? text.slice(at).toLowerCase() : '';
  if (word === 'inf' || word === 'infinity') return sign === MINUS ? -Infinity : Infinity;
  return word === 'nan' ? NaN : null;
}

function isDecimalFrom(text: string, from: number): boolean {
  let at = skipDigits(text, from);
  let digits = at - from;
  if (text.charCodeAt(at) === POINT) {
    const end = skipDigits(text, at + 1);
    digits += end - at - 1;
    at = end;
  }
  if (digits === 0) return false;
  const e = text.charCodeAt(at);
  if (e === 0x65 || e === 0x45) {
    at += 1;
    const sign = text.charCodeAt(at);
    if (sign === PLUS || sign === MINUS) at += 1;
    const end = skipDigits(text, at);
    return end > at && end === text.length;
  }
  return at === text.length;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  for (let unit = text.charCodeAt(at); unit >= 0x30 && unit <= 0x39; unit = text.charCodeAt(at)) at += 1;
  return at;
}

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
