// The format specification of Python: `format(value, spec)`, which `'{:>8.2f}'.format(x)` uses.
//
//   spec = [[fill] align] [sign] ["z"] ["#"] ["0"] [width] [grouping] ["." precision] [type]
import type { Int } from '../../python/int.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { negateInt } from '../value/int.ts';
import { exponentText, fixedText, floatText, generalText } from '../../python/float-text.ts';
import { asFloat, asInt } from '../value/numbers.ts';
import { intText, strOf } from '../value/repr.ts';
import { TemplateError, typeError, valueError } from '../value/template-error.ts';
import { asText, lengthOf, slicePoints } from '../value/text.ts';
import { typeName } from '../value/type-name.ts';
import { Float, type Value } from '../value/value.ts';

interface Spec {
  readonly fill: string;
  readonly align: '<' | '>' | '^' | '=' | '';
  readonly sign: '+' | '-' | ' ' | '';
  readonly isAlternate: boolean;
  readonly noNegativeZero: boolean;
  readonly width: number;
  readonly grouping: ',' | '_' | '';
  readonly precision: number | null;
  readonly type: string;
}

const pattern = /^(?:([^])?([<>=^]))?([+\- ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([^]?)$/u;

export function formatValue(e: Evaluation, value: Value, specText: string): string {
  if (specText === '') return strOf(e, value);
  const text = asText(value);
  const int = asInt(value);
  if (text === null && int === null && !(value instanceof Float))
    return typeError(`unsupported format string passed to ${typeName(value)}.__format__`);
  const spec = parseSpec(specText, text === null ? typeName(value) : 'str');
  if (text !== null) return formatText(e, text, spec);
  if (value instanceof Float) return formatFloat(e, value.value, spec, 'float');
  if ('eEfFgG%'.includes(spec.type) && spec.type !== '')
    return formatFloat(e, asFloat(value) as number, spec, 'int');
  return formatInt(e, int as Int, spec, typeName(value));
}

function parseSpec(text: string, of: string): Spec {
  const found = pattern.exec(text);
  if (found === null)
    throw new TemplateError('EVAL_VALUE', `Invalid format specifier '${text}' for object of type '${of}'`);
  const [, fill, align, sign, z, alternate, zero, width, grouping, precision, type] = found;
  return {
    fill: fill ?? (zero !== undefined ? '0' : ' '),
    align: (align ?? (zero !== undefined && of !== 'str' ? '=' : '')) as Spec['align'],
    sign: (sign ?? '') as Spec['sign'],
    isAlternate: alternate !== undefined,
    noNegativeZero: z !== undefined,
    width: readCount(width ?? '0'),
    grouping: (grouping ?? '') as Spec['grouping'],
    precision: precision === undefined ? null : readCount(precision),
    type: type ?? '',
  };
}

function readCount(digits: string): number {
  const count = Number(digits);
  return count <= Number.MAX_SAFE_INTEGER ? count : valueError('Too many decimal digits in format string');
}

function formatText(e: Evaluation, text: string, spec: Spec): string {
  if (spec.type !== '' && spec.type !== 's')
    return valueError(`Unknown format code '${spec.type}' for object of type 'str'`);
  if (spec.sign !== '') return valueError('Sign not allowed in string format specifier');
  if (spec.align === '=') return valueError("'=' alignment not allowed in string format specifier");
  if (spec.isAlternate) return valueError('Alternate form (#) not allowed in string format specifier');
  if (spec.grouping !== '') return valueError(`Cannot specify '${spec.grouping}' with 's'.`);
  e.scan(text.length);
  const cut =
    spec.precision === null || lengthOf(text) <= spec.precision ? text : slicePoints(text, 0, spec.precision);
  return pad(e, '', cut, spec, '<');
}

const intBases: ReadonlyMap<string, number> = new Map([
  ['b', 2],
  ['o', 8],
  ['x', 16],
  ['X', 16],
]);

function formatInt(e: Evaluation, value: Int, spec: Spec, of: string): string {
  const { type } = spec;
  if (spec.precision !== null) return valueError('Precision not allowed in integer format specifier');
  if (type === 'c') {
    if (spec.sign !== '') return valueError("Sign not allowed with integer format specifier 'c'");
    return pad(e, '', characterOf(value), spec, '<');
  }
  const base = intBases.get(type);
  if (base === undefined && !['', 'd', 'n'].includes(type))
    return valueError(`Unknown format code '${type}' for object of type '${of}'`);
  if (spec.grouping === ',' && base !== undefined) return valueError(`Cannot specify ',' with '${type}'.`);
  const size = value < 0 ? negateInt(value) : value;
  const digits = base === undefined ? intText(e, size) : size.toString(base);
  const cased = type === 'X' ? digits.toUpperCase() : digits;
  const prefix = spec.isAlternate && base !== undefined ? `0${type}` : '';
  return padNumber(e, signOf(value < 0, spec) + prefix, cased, '', spec, base === undefined ? 3 : 4);
}

function characterOf(value: Int): string {
  if (value < 0 || value > 0x10ffff) throw new TemplateError('EVAL_VALUE', '%c arg not in range(0x110000)');
  return String.fromCodePoint(Number(value));
}

function signOf(isNegative: boolean, spec: Spec): string {
  return isNegative ? '-' : spec.sign === '+' || spec.sign === ' ' ? spec.sign : '';
}

function formatFloat(e: Evaluation, value: number, spec: Spec, of: string): string {
  const { type } = spec;
  if (type !== '' && !'eEfFgGn%'.includes(type))
    return valueError(`Unknown format code '${type}' for object of type '${of}'`);
  const size = Math.abs(value);
  e.makeText((spec.precision ?? 6) + 400);
  e.work(64);
  const body = Number.isFinite(size) ? floatBody(size, spec) : Number.isNaN(size) ? 'nan' : 'inf';
  const cased = type === 'E' || type === 'F' || type === 'G' ? body.toUpperCase() : body;
  const isNegative =
    (value < 0 || Object.is(value, -0)) && !(spec.noNegativeZero && /^[0.]*(?:e[+]00)?%?$/i.test(cased));
  const point = cased.search(/[.e%]/i);
  const whole = !Number.isFinite(size) || point < 0 ? cased : cased.slice(0, point);
  return padNumber(e, signOf(isNegative, spec), whole, cased.slice(whole.length), spec, 3);
}

function floatBody(size: number, spec: Spec): string {
  const digits = spec.precision ?? 6;
  const { isAlternate } = spec;
  const point = isAlternate && digits === 0 ? '.' : '';
  switch (spec.type) {
    case 'e':
    case 'E':
      return exponentText(size, digits, isAlternate);
    case 'f':
    case 'F':
      return fixedText(size, digits) + point;
    case '%':
      return `${fixedText(size * 100, digits)}${point}%`;
    case '':
      return plainFloat(size, spec);
    default:
      return generalText(size, digits, isAlternate);
  }
}

/** Without a type: as `str`, or, with a precision, as `g` with at least one digit behind the point. */
function plainFloat(size: number, spec: Spec): string {
  if (spec.precision === null) return floatText(size);
  const precision = Math.max(spec.precision, 1);
  const text = generalText(size, precision, spec.isAlternate, precision - 1);
  return text.includes('e') || text.includes('.') ? text : `${text}.0`;
}

function padNumber(
  e: Evaluation,
  sign: string,
  whole: string,
  rest: string,
  spec: Spec,
  group: number,
): string {
  if (spec.grouping === '') return pad(e, sign, whole + rest, spec, '>');
  // Zeros that fill the width are grouped too.
  const room = spec.fill === '0' && spec.align === '=' ? spec.width - sign.length - rest.length : 0;
  e.makeText(Math.max(room, whole.length) * 2);
  return pad(e, sign, grouped(whole, group, spec.grouping, room) + rest, spec, '>');
}

function grouped(digits: string, size: number, mark: string, room: number): string {
  if (!/^[0-9a-f]+$/i.test(digits)) return digits;
  let text = digits;
  const lengthWith = (count: number): number => count + Math.floor((count - 1) / size);
  if (lengthWith(text.length) < room) {
    let count = text.length;
    while (lengthWith(count) < room) count += 1;
    text = text.padStart(count, '0');
  }
  const head = text.length % size === 0 ? size : text.length % size;
  const groups = [text.slice(0, head)];
  for (let at = head; at < text.length; at += size) groups.push(text.slice(at, at + size));
  return groups.join(mark);
}

function pad(e: Evaluation, sign: string, body: string, spec: Spec, byDefault: '<' | '>'): string {
  const missing = spec.width - lengthOf(sign) - lengthOf(body);
  if (missing <= 0) return sign + body;
  e.makeText(sign.length + body.length + missing * spec.fill.length);
  const align = spec.align === '' ? byDefault : spec.align;
  const left = align === '<' ? 0 : align === '^' ? Math.floor(missing / 2) : missing;
  if (align === '=') return sign + spec.fill.repeat(missing) + body;
  return spec.fill.repeat(left) + sign + body + spec.fill.repeat(missing - left);
}
