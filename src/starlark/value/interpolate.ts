// `format % args`.
//
//   conversion = "%" [ "(" key ")" ] letter        letter = one of  s r d i o x X e E f F g G c %
//
// `i` and `c` and keys go beyond the specification; flags, width and precision are refused, as it says.
import { intFromFloat } from '../../python/int.ts';
import { dictGet } from './dict.ts';
import { EvalError } from './eval-error.ts';
import type { Thread } from './native.ts';
import { exponentText, fixedText, floatText, intText, intTextInBase } from './number-text.ts';
import { repr, str } from './repr.ts';
import { TextBuilder } from './text-builder.ts';
import { typeName } from './type-name.ts';
import { Dict, Float, Tuple, type Value } from './value.ts';

/** What to write instead of a width or precision, here and in `format`. */
export const padHint =
  'pad by hand: " " * (5 - len(s)) + s; for two decimals take int(x * 100 + 0.5) ' +
  'and put the point in: "%d.%s" % (n // 100, ("0" + str(n % 100))[-2:])';

export function interpolate(thread: Thread, format: string, args: Value): Value {
  const out = new TextBuilder(thread.meter);
  const given = args instanceof Tuple ? args.items : null;
  const count = given === null ? 1 : given.length;
  let used = 0;
  let at = 0;
  for (let percent = format.indexOf('%'); percent >= 0; percent = format.indexOf('%', at)) {
    if (percent > at) out.add(format.slice(at, percent));
    at = percent + 1;
    let operand: Value;
    if (format.charCodeAt(at) === PERCENT) {
      out.add('%');
      at += 1;
      continue;
    }
    if (format.charCodeAt(at) === OPEN) {
      const close = format.indexOf(')', at);
      if (close < 0)
        throw new EvalError('EVAL_VALUE', 'incomplete format key: a "%(" in the format string has no ")"');
      operand = valueOfKey(thread, args, format.slice(at + 1, close));
      at = close + 1;
      used = count;
    } else {
      if (at === format.length) throw incomplete();
      if (used >= count) throw notEnough(format, args);
      operand = given === null ? args : (given[used] as Value);
      used += 1;
    }
    if (at === format.length) throw incomplete();
    thread.meter.work(4);
    out.add(convert(thread, operand, format, at));
    at += 1;
  }
  if (used < count && !(args instanceof Dict)) throw tooMany(args, used, count);
  if (at < format.length) out.add(at === 0 ? format : format.slice(at));
  return out.finish();
}

function convert(thread: Thread, operand: Value, format: string, at: number): string {
  const letter = format[at] as string;
  switch (letter) {
    case 's':
      return typeof operand === 'string' ? operand : str(thread, operand);
    case 'r':
      return repr(thread, operand);
    case 'd':
    case 'i':
      return intText(thread, wholeNumber(operand, letter));
    case 'o':
      return intTextInBase(thread, wholeNumber(operand, letter), 8);
    case 'x':
      return intTextInBase(thread, wholeNumber(operand, letter), 16);
    case 'X':
      return intTextInBase(thread, wholeNumber(operand, letter), 16).toUpperCase();
    case 'e':
      thread.meter.work(10);
      return exponentText(realNumber(operand, letter));
    case 'E':
      thread.meter.work(10);
      return upperExponent(exponentText(realNumber(operand, letter)));
    case 'f':
    case 'F': {
      const value = realNumber(operand, letter);
      // All digits of a huge number are written.
      thread.meter.work(Math.abs(value) < 1e21 ? 5 : 100);
      return fixedText(value);
    }
    case 'g':
      return floatText(realNumber(operand, letter));
    case 'G':
      return upperExponent(floatText(realNumber(operand, letter)));
    case 'c':
      return character(operand);
    default:
      throw unknownConversion(format, at);
  }
}

function wholeNumber(operand: Value, letter: string): number | bigint {
  if (typeof operand === 'number' || typeof operand === 'bigint') return operand;
  if (!(operand instanceof Float)) throw wrongType(operand, letter, 'a number');
  if (!Number.isFinite(operand.value)) {
    throw new EvalError(
      'EVAL_VALUE',
      `%${letter} format requires a finite number, not ${floatText(operand.value)}`,
    );
  }
  return intFromFloat(operand.value);
}

function realNumber(operand: Value, letter: string): number {
  if (operand instanceof Float) return operand.value;
  if (typeof operand === 'number') return operand;
  if (typeof operand !== 'bigint') throw wrongType(operand, letter, 'a number');
  const value = Number(operand);
  if (!Number.isFinite(value))
    throw new EvalError('EVAL_VALUE', `%${letter} format: int too large to convert to float`);
  return value;
}

function character(operand: Value): string {
  if (typeof operand === 'string') {
    const point = operand.codePointAt(0);
    if (point === undefined || String.fromCodePoint(point).length !== operand.length) {
      throw new EvalError('EVAL_VALUE', '%c format requires a single-character string');
    }
    return operand;
  }
  if (typeof operand !== 'number' && typeof operand !== 'bigint')
    throw wrongType(operand, 'c', 'an int or a single-character string');
  if (
    typeof operand === 'bigint' ||
    operand < 0 ||
    operand > 0x10ffff ||
    (operand >= 0xd800 && operand <= 0xdfff)
  ) {
    throw new EvalError(
      'EVAL_VALUE',
      `%c format requires a valid Unicode code point, got ${typeof operand === 'bigint' ? 'a larger int' : operand}`,
    );
  }
  return String.fromCodePoint(operand);
}

function valueOfKey(thread: Thread, args: Value, key: string): Value {
  if (!(args instanceof Dict))
    throw new EvalError('EVAL_TYPE', `format requires a mapping: "%(…)" needs a dict, not ${typeName(args)}`);
  const found = dictGet(thread, args, key);
  if (found === undefined) throw new EvalError('EVAL_KEY', `key not found: ${repr(thread, key)}`);
  return found;
}

function upperExponent(text: string): string {
  return text.replace('e', 'E');
}

function incomplete(): EvalError {
  return new EvalError(
    'EVAL_VALUE',
    'incomplete format: the format string ends after "%"',
    'write "%%" for a percent sign',
  );
}

function notEnough(format: string, args: Value): EvalError {
  const hint = args instanceof Tuple ? null : 'several conversions need a tuple: "%s %s" % (a, b)';
  return new EvalError(
    'EVAL_VALUE',
    'not enough arguments for format string',
    format.includes('% ') ? 'write "%%" for a percent sign' : hint,
  );
}

function tooMany(args: Value, used: number, count: number): EvalError {
  const hint =
    args instanceof Tuple && used === 1 ? 'to show a tuple with one conversion, write "%s" % (x,)' : null;
  return new EvalError(
    'EVAL_VALUE',
    `too many arguments for format string: got ${count}, want ${used}`,
    hint,
  );
}

function wrongType(operand: Value, letter: string, want: string): EvalError {
  const hint =
    operand === true || operand === false ? 'a bool is not a number here: use int(x), or %s' : null;
  return new EvalError('EVAL_TYPE', `%${letter} format requires ${want}, not ${typeName(operand)}`, hint);
}

function unknownConversion(format: string, at: number): EvalError {
  const letter = String.fromCodePoint(format.codePointAt(at) as number);
  if (!'-+ #0123456789.*'.includes(letter)) {
    return new EvalError(
      'EVAL_VALUE',
      `unknown conversion %${letter} in format string`,
      'use one of s r d o x X e E f F g G, or "%%" for a percent sign',
    );
  }
  const spec = /^[-+ #0-9.*]{1,20}[a-zA-Z]?/.exec(format.slice(at, at + 21));
  return new EvalError(
    'EVAL_VALUE',
    `unknown conversion %${spec === null ? letter : spec[0]}: flags, width and precision are not supported`,
    padHint,
  );
}

const PERCENT = 0x25;
const OPEN = 0x28;
