// `format % values`, as Python's printf-style formatting.
//
//   conversion = "%" ["(" key ")"] {flag} [width | "*"] ["." [precision | "*"]] [length] type
import { type Int, intFromFloat } from '../../python/int.ts';
import { Dict } from '../value/dict.ts';
import { escapeMarkup } from '../value/escape.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { negateInt } from '../value/int.ts';
import { View } from '../value/iterables.ts';
import { exponentText, fixedText, generalText } from '../../python/float-text.ts';
import { asFloat, asInt } from '../value/numbers.ts';
import { asciiOnly } from '../value/quote.ts';
import { intText, reprOf, strOf } from '../value/repr.ts';
import { failUndefined, TemplateError, typeError, valueError } from '../value/template-error.ts';
import { asText, lengthOf, slicePoints } from '../value/text.ts';
import { typeName } from '../value/type-name.ts';
import { Float, List, Tuple, Undefined, type Value } from '../value/value.ts';

interface Conversion {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | null;
  readonly type: string;
}

const conversion = /([-#0 +]*)(\*|\d*)(?:\.(\*|\d*))?[hlL]?([^])?/uy;

/** `isEscaping`: the format is `Markup`, so that values are escaped. */
export function formatPercent(e: Evaluation, format: string, values: Value, isEscaping: boolean): string {
  return new PercentFormatter(e, values, isEscaping).run(format);
}

class PercentFormatter {
  private readonly e: Evaluation;
  private readonly args: readonly Value[];
  private readonly mapping: Value | null;
  private readonly isEscaping: boolean;
  private taken = 0;

  constructor(e: Evaluation, values: Value, isEscaping: boolean) {
    this.e = e;
    this.isEscaping = isEscaping;
    this.args = values instanceof Tuple ? values.items : [values];
    this.mapping =
      values instanceof Dict ||
      values instanceof List ||
      values instanceof View ||
      values instanceof Undefined
        ? values
        : null;
  }

  run(format: string): string {
    const { e } = this;
    e.scan(format.length);
    let result = '';
    let at = 0;
    for (let sign = format.indexOf('%'); sign >= 0; sign = format.indexOf('%', at)) {
      result += format.slice(at, sign);
      const { text, next } = this.one(format, sign + 1);
      e.makeText(text.length);
      result += text;
      at = next;
    }
    if (this.mapping === null && this.taken < this.args.length)
      typeError('not all arguments converted during string formatting');
    return result + format.slice(at);
  }

  private one(format: string, from: number): { text: string; next: number } {
    let at = from;
    let keyed: Value | undefined;
    if (format[at] === '(') {
      const end = closingBracket(format, at);
      if (end < 0) return valueError('incomplete format key');
      keyed = this.lookUp(format.slice(at + 1, end));
      at = end + 1;
    }
    conversion.lastIndex = at;
    const [all, flags = '', width = '', precision, type] = conversion.exec(format) as unknown as [
      string,
      string?,
      string?,
      string?,
      string?,
    ];
    const isLeft = { value: flags };
    const wide = width === '*' ? this.star(isLeft) : readCount(width === '' ? '0' : width, 'width');
    const precise =
      precision === '*'
        ? Math.max(0, this.starValue())
        : precision === undefined
          ? null
          : readCount(precision === '' ? '0' : precision, 'precision');
    if (type === undefined) return valueError('incomplete format');
    const spec = { flags: isLeft.value, width: wide, precision: precise, type };
    const next = at + all.length;
    if (type === '%') return { text: '%', next };
    return { text: this.convert(spec, keyed === undefined ? this.take() : keyed, next - 1), next };
  }

  private lookUp(key: string): Value {
    const { mapping } = this;
    if (mapping instanceof Undefined) failUndefined(mapping);
    if (mapping instanceof List || mapping instanceof View)
      return typeError(`${typeName(mapping)} indices must be integers or slices, not str`);
    if (!(mapping instanceof Dict)) return typeError('format requires a mapping');
    const value = mapping.get(key);
    if (value === undefined) throw new TemplateError('EVAL_KEY', `there is no key '${key}'`);
    return value;
  }

  private take(): Value {
    const value = this.args[this.taken];
    if (value === undefined) return typeError('not enough arguments for format string');
    this.taken += 1;
    return value;
  }

  private starValue(): number {
    const value = asInt(this.take());
    if (value === null) return typeError('* wants int');
    return typeof value === 'number' ? value : valueError('width too big');
  }

  /** A negative width puts the text to the left. */
  private star(flags: { value: string }): number {
    const width = this.starValue();
    if (width < 0) flags.value += '-';
    return Math.abs(width);
  }

  private convert(spec: Conversion, value: Value, index: number): string {
    const { e } = this;
    switch (spec.type) {
      case 's':
        return this.text(spec, this.isEscaping ? escapeMarkup(e, value) : strOf(e, value));
      case 'r':
        return this.text(spec, this.escaped(reprOf(e, value)));
      case 'a':
        return this.text(spec, asciiOnly(this.escaped(reprOf(e, value))));
      case 'c':
        return this.text({ ...spec, precision: null }, character(value));
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        return this.int(spec, value);
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        return this.float(spec, value);
      default:
        return valueError(
          `unsupported format character '${spec.type}' (0x${(spec.type.codePointAt(0) as number).toString(16)}) at index ${index}`,
        );
    }
  }

  private escaped(text: string): string {
    return this.isEscaping ? escapeMarkup(this.e, text) : text;
  }

  private text(spec: Conversion, text: string): string {
    this.e.scan(text.length);
    const cut =
      spec.precision !== null && lengthOf(text) > spec.precision
        ? slicePoints(text, 0, spec.precision)
        : text;
    return this.padded(spec, '', cut, ' ');
  }

  private int(spec: Conversion, value: Value): string {
    const { e } = this;
    const isDecimal = spec.type === 'd' || spec.type === 'i' || spec.type === 'u';
    if (value instanceof Undefined && isDecimal) failUndefined(value);
    const int = value instanceof Float && isDecimal ? truncateFloat(value.value) : asInt(value);
    if (int === null)
      return typeError(
        `%${spec.type} format: ${isDecimal ? 'a real number' : 'an integer'} is required, not ${typeName(value)}`,
      );
    const size = int < 0 ? negateInt(int) : int;
    const digits = isDecimal ? intText(e, size) : size.toString(spec.type === 'o' ? 8 : 16);
    if (spec.precision !== null) e.makeText(spec.precision);
    const precise = digits.padStart(spec.precision ?? 0, '0');
    const prefix = spec.flags.includes('#') && !isDecimal ? `0${spec.type}` : '';
    return this.padded(
      spec,
      signOf(int < 0, spec) + prefix,
      spec.type === 'X' ? precise.toUpperCase() : precise,
      '0',
    );
  }

  private float(spec: Conversion, value: Value): string {
    const { e } = this;
    if (value instanceof Undefined) failUndefined(value);
    const float = asFloat(value) ?? typeError(`must be real number, not ${typeName(value)}`);
    e.makeText((spec.precision ?? 6) + 400);
    e.work(64);
    const size = Math.abs(float);
    const body = Number.isFinite(size) ? floatBody(size, spec) : Number.isNaN(size) ? 'nan' : 'inf';
    const isUpper = spec.type === 'E' || spec.type === 'F' || spec.type === 'G';
    return this.padded(
      spec,
      signOf(float < 0 || Object.is(float, -0), spec),
      isUpper ? body.toUpperCase() : body,
      '0',
    );
  }

  private padded({ flags, width }: Conversion, sign: string, body: string, zero: '0' | ' '): string {
    const missing = width - lengthOf(sign) - lengthOf(body);
    if (missing <= 0) return sign + body;
    this.e.makeText(missing + sign.length + body.length);
    if (flags.includes('-')) return sign + body + ' '.repeat(missing);
    if (flags.includes('0') && zero === '0') return sign + '0'.repeat(missing) + body;
    return ' '.repeat(missing) + sign + body;
  }
}

function signOf(isNegative: boolean, { flags }: Conversion): string {
  return isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
}

function floatBody(size: number, { type, precision, flags }: Conversion): string {
  const digits = precision ?? 6;
  const isAlternate = flags.includes('#');
  if (type === 'e' || type === 'E') return exponentText(size, digits, isAlternate);
  if (type === 'f' || type === 'F') return fixedText(size, digits) + (isAlternate && digits === 0 ? '.' : '');
  return generalText(size, digits, isAlternate);
}

function closingBracket(format: string, open: number): number {
  let depth = 0;
  for (let at = open; at < format.length; at += 1) {
    if (format[at] === '(') depth += 1;
    else if (format[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function readCount(digits: string, what: string): number {
  const count = Number(digits);
  return count <= Number.MAX_SAFE_INTEGER ? count : valueError(`${what} too big`);
}

/** `int(value)` of a float. */
export function truncateFloat(value: number): Int {
  if (Number.isNaN(value)) return valueError('cannot convert float NaN to integer');
  if (!Number.isFinite(value)) return valueError('cannot convert float infinity to integer');
  return intFromFloat(value);
}

function character(value: Value): string {
  const text = asText(value);
  if (text !== null) return lengthOf(text) === 1 ? text : typeError('%c requires int or char');
  const int = asInt(value);
  if (int === null) return typeError('%c requires int or char');
  if (int < 0 || int > 0x10ffff) return valueError('%c arg not in range(0x110000)');
  return String.fromCodePoint(Number(int));
}
