// `format.format(*args, **kwargs)`.
//
//   field = "{" [ number | name ] [ "!" ( "s" | "r" ) ] "}"
//
// `!s` and `!r` go beyond the specification; attributes, elements, nested fields and format specs are refused.
import { chargeScan } from '../../python/charge.ts';
import type { Meter } from '../../base/meter.ts';
import { EvalError } from '../value/eval-error.ts';
import { variadic, type Native, type Thread } from '../value/native.ts';
import { padHint } from '../value/interpolate.ts';
import { excerpt } from '../value/parse-number.ts';
import { repr, str } from '../value/repr.ts';
import { TextBuilder } from '../value/text-builder.ts';
import type { Value } from '../value/value.ts';

type Named = readonly (readonly [string, Value])[];

function format(thread: Thread, self: string, args: Value[], named: Named): string {
  const out = new TextBuilder(thread.meter);
  const given = new Given(thread.meter, args, named);
  let at = 0;
  let open = self.indexOf('{');
  let close = self.indexOf('}');
  while (open >= 0 || close >= 0) {
    if (open < 0 || (close >= 0 && close < open)) {
      if (self.charCodeAt(close + 1) !== CLOSE) {
        throw new EvalError('EVAL_VALUE', "format: single '}' in format", 'write "}}" for a brace');
      }
      out.add(self.slice(at, close + 1));
      at = close + 2;
    } else {
      if (open > at) out.add(self.slice(at, open));
      if (self.charCodeAt(open + 1) === OPEN) {
        out.add('{');
        at = open + 2;
      } else {
        if (close < 0)
          throw new EvalError('EVAL_VALUE', "format: unmatched '{' in format", 'write "{{" for a brace');
        out.add(field(thread, given, self, open + 1, close));
        at = close + 1;
      }
    }
    if (open >= 0 && open < at) open = self.indexOf('{', at);
    if (close >= 0 && close < at) close = self.indexOf('}', at);
  }
  if (at < self.length) out.add(at === 0 ? self : self.slice(at));
  return out.finish();
}

function field(thread: Thread, given: Given, self: string, from: number, to: number): string {
  thread.meter.work(3);
  if (from === to) return shown(thread, given.next());
  chargeScan(thread.meter, (to - from) * 8);
  const text = self.slice(from, to);
  if (text.includes('{'))
    throw new EvalError(
      'EVAL_VALUE',
      `format: nested replacement fields are not supported: ${excerpt(text)}`,
    );
  const bang = text.indexOf('!');
  const colon = text.indexOf(':', bang < 0 ? 0 : bang);
  const spec = colon < 0 ? '' : text.slice(colon + 1);
  const nameEnd = bang >= 0 ? bang : colon >= 0 ? colon : text.length;
  const value = given.find(text.slice(0, nameEnd));
  if (spec !== '') {
    throw new EvalError(
      'EVAL_VALUE',
      `format: format spec features not supported in replacement fields: ${excerpt(spec)}`,
      padHint,
    );
  }
  if (bang < 0) return shown(thread, value);
  const conversion = text.slice(bang + 1, colon < 0 ? text.length : colon);
  if (conversion === 's') return shown(thread, value);
  if (conversion === 'r') return repr(thread, value);
  throw new EvalError('EVAL_VALUE', `format: unknown conversion ${excerpt(conversion)}`, 'use !s or !r');
}

function shown(thread: Thread, value: Value): string {
  return typeof value === 'string' ? value : str(thread, value);
}

/** The arguments, and which way of numbering the format has chosen. */
class Given {
  private readonly meter: Meter;
  private readonly args: readonly Value[];
  private readonly named: Named;
  private numbering: 'automatic' | 'manual' | null = null;
  private used = 0;

  constructor(meter: Meter, args: readonly Value[], named: Named) {
    this.meter = meter;
    this.args = args;
    this.named = named;
  }

  /** The argument of `{}`. */
  next(): Value {
    if (this.numbering === 'manual') {
      throw new EvalError(
        'EVAL_VALUE',
        'format: cannot switch from manual field specification to automatic field numbering',
      );
    }
    this.numbering = 'automatic';
    return this.at(this.used++);
  }

  find(name: string): Value {
    if (name === '') return this.next();
    if (isDecimal(name)) {
      if (this.numbering === 'automatic') {
        throw new EvalError(
          'EVAL_VALUE',
          'format: cannot switch from automatic field numbering to manual field specification',
        );
      }
      this.numbering = 'manual';
      return this.at(Number(name));
    }
    this.meter.work(this.named.length >> 2);
    for (const [key, value] of this.named) if (key === name) return value;
    if (name.includes('.'))
      throw new EvalError(
        'EVAL_VALUE',
        `format: attribute syntax x.y is not supported in replacement fields: ${excerpt(name)}`,
      );
    if (name.includes('['))
      throw new EvalError(
        'EVAL_VALUE',
        `format: element syntax a[i] is not supported in replacement fields: ${excerpt(name)}`,
      );
    throw new EvalError('EVAL_KEY', `format: keyword ${name.length > 40 ? excerpt(name) : name} not found`);
  }

  private at(index: number): Value {
    const value = this.args[index];
    if (value === undefined) {
      throw new EvalError(
        'EVAL_INDEX',
        `format: tuple index out of range: no replacement found for index ${index}`,
        `${this.args.length} positional arguments were given`,
      );
    }
    return value;
  }
}

function isDecimal(name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return true;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;

export const formatMethods: readonly Native[] = [variadic('format', format)];
