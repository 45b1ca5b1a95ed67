// Floats <-> text, exactly as Python writes and rounds them.
//
// N1. `repr` gives the fewest digits that read back as the same float, with an exponent below 1e-4 and from 1e16 on.
// N2. Rounding to a number of digits is done on the exact value, half to even.

/** `repr(value)` */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const size = Math.abs(value);
  if (size === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  if (size >= 1e-4 && size < 1e16) return Number.isInteger(value) ? `${value}.0` : String(value);
  return wideExponent(value.toExponential());
}

/** Exponents have a sign and at least two digits. */
function wideExponent(text: string): string {
  const e = text.indexOf('e');
  const exponent = Number(text.slice(e + 1));
  return `${text.slice(0, e)}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
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

/** `|value|` with `digits` digits behind the point; finite. */
export function fixedText(value: number, digits: number): string {
  if (digits > maxFraction) return fixedText(value, maxFraction) + '0'.repeat(digits - maxFraction);
  const text = String(scaled(value, digits)).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
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
  let exponent = Math.floor(Math.log10(Math.abs(value)));
  // The logarithm of a number near a power of ten may be one off, and rounding may carry over.
  for (;;) {
    const text = String(scaled(value, digits - exponent));
    if (text.length === digits + 1) return { digits: text, exponent };
    exponent += text.length > digits + 1 ? 1 : -1;
  }
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

const floatPattern =
  /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/;

/** `float(text)`, or null when it is none. `text` has no white space around it. */
export function readFloat(text: string): number | null {
  if (floatPattern.test(text)) return Number(text.replaceAll('_', ''));
  const special = /^([+-]?)(inf(?:inity)?|nan)$/i.exec(text);
  if (special === null) return null;
  const size = (special[2] as string).toLowerCase() === 'nan' ? NaN : Infinity;
  return special[1] === '-' ? -size : size;
}
