// `'{0} {name.part[key]!r:>8}'.format(…)`, in the sandbox: fields are looked up as a template would.
//
//   field = "{" [name | index] { "." attribute | "[" key "]" } ["!" conversion] [":" spec] "}"
import { getAttribute, getItem } from '../value/attributes.ts';
import { escapeMarkup } from '../value/escape.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { asciiOnly } from '../value/quote.ts';
import { reprOf, strOf } from '../value/repr.ts';
import { TemplateError, valueError } from '../value/template-error.ts';
import { Markup, type Value } from '../value/value.ts';
import { formatValue } from './spec.ts';

interface Fields {
  readonly args: readonly Value[];
  readonly lookUp: (name: string) => Value | undefined;
}

/** `isEscaping`: the format is `Markup`, so that values are escaped. */
export function formatBraces(e: Evaluation, format: string, fields: Fields, isEscaping: boolean): string {
  return new BraceFormatter(e, fields, isEscaping).run(format, 2);
}

class BraceFormatter {
  private readonly e: Evaluation;
  private readonly fields: Fields;
  private readonly isEscaping: boolean;
  /** The next number for `{}`; -1 once a field had a number of its own. */
  private next = 0;

  constructor(e: Evaluation, fields: Fields, isEscaping: boolean) {
    this.e = e;
    this.fields = fields;
    this.isEscaping = isEscaping;
  }

  /** `nesting` is how many levels of fields inside specs are still allowed. */
  run(format: string, nesting: number): string {
    if (nesting < 0) return valueError('Max string recursion exceeded');
    this.e.scan(format.length);
    let result = '';
    let at = 0;
    while (at < format.length) {
      const brace = nextBrace(format, at);
      if (brace < 0) break;
      result += format.slice(at, brace);
      const sign = format[brace];
      if (format[brace + 1] === sign) {
        result += sign;
        at = brace + 2;
        continue;
      }
      if (sign === '}') return valueError("Single '}' encountered in format string");
      const end = fieldEnd(format, brace + 1);
      const text = this.field(format.slice(brace + 1, end), nesting);
      this.e.makeText(text.length);
      result += text;
      at = end + 1;
    }
    return result + format.slice(at);
  }

  private field(source: string, nesting: number): string {
    const { name, conversion, spec } = splitField(source);
    const value = this.converted(this.value(name), conversion);
    const formatted = this.run(spec, nesting - 1);
    if (!this.isEscaping) return formatValue(this.e, value, formatted);
    if (!(value instanceof Markup)) return escapeMarkup(this.e, formatValue(this.e, value, formatted));
    return formatted === '' ? value.text : valueError('Unsupported format specification for Markup.');
  }

  private converted(value: Value, conversion: string | null): Value {
    switch (conversion) {
      case null:
        return value;
      case 's':
        return strOf(this.e, value);
      case 'r':
        return reprOf(this.e, value);
      case 'a':
        return asciiOnly(reprOf(this.e, value));
      default:
        return valueError(`Unknown conversion specifier ${conversion}`);
    }
  }

  private value(name: string): Value {
    const stop = name.search(/[.[]/);
    const first = stop < 0 ? name : name.slice(0, stop);
    let value = this.first(first);
    let at = first.length;
    while (at < name.length) {
      if (name[at] === '.') {
        const end = partEnd(name, at + 1);
        if (end === at + 1) return valueError('Empty attribute in format string');
        value = getAttribute(this.e, value, name.slice(at + 1, end));
        at = end;
      } else if (name[at] === '[') {
        const end = name.indexOf(']', at);
        if (end < 0) return valueError("Missing ']' in format string");
        const key = name.slice(at + 1, end);
        if (key === '') return valueError('Empty attribute in format string');
        value = getItem(this.e, value, /^\d+$/.test(key) ? Number(key) : key);
        at = end + 1;
      } else {
        return valueError("Only '.' or '[' may follow ']' in format field specifier");
      }
    }
    return value;
  }

  private first(name: string): Value {
    if (name !== '' && !/^\d+$/.test(name)) {
      const value = this.fields.lookUp(name);
      if (value === undefined) throw new TemplateError('EVAL_KEY', `there is no argument '${name}'`);
      return value;
    }
    const value = this.fields.args[this.index(name)];
    if (value === undefined)
      throw new TemplateError(
        'EVAL_INDEX',
        `Replacement index ${name === '' ? this.next - 1 : name} out of range for positional args tuple`,
      );
    return value;
  }

  private index(name: string): number {
    if (name === '') {
      if (this.next < 0)
        return valueError('cannot switch from manual field specification to automatic field numbering');
      this.next += 1;
      return this.next - 1;
    }
    if (this.next > 0)
      return valueError('cannot switch from automatic field numbering to manual field specification');
    this.next = -1;
    return Number(name);
  }
}

function nextBrace(format: string, from: number): number {
  const [open, close] = [format.indexOf('{', from), format.indexOf('}', from)];
  return open < 0 || (close >= 0 && close < open) ? close : open;
}

/** Where the field that begins at `from` is closed: braces inside it count, those in its keys do not. */
function fieldEnd(format: string, from: number): number {
  let depth = 1;
  let inKey = false;
  for (let at = from; at < format.length; at += 1) {
    const character = format[at];
    if (character === '[') inKey = true;
    else if (character === ']') inKey = false;
    else if (character === '{' && !inKey) depth += 1;
    else if (character === '}' && !inKey) depth -= 1;
    if (depth === 0) return at;
  }
  return valueError(
    from >= format.length ? "Single '{' encountered in format string" : "expected '}' before end of string",
  );
}

function partEnd(name: string, from: number): number {
  const end = name.slice(from).search(/[.[]/);
  return end < 0 ? name.length : from + end;
}

/** `name!conversion:spec` */
function splitField(source: string): { name: string; conversion: string | null; spec: string } {
  let inKey = false;
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at];
    if (character === '[') inKey = true;
    else if (character === ']') inKey = false;
    if (inKey || (character !== '!' && character !== ':')) continue;
    const name = source.slice(0, at);
    if (character === ':') return { name, conversion: null, spec: source.slice(at + 1) };
    const conversion = source[at + 1];
    if (conversion === undefined) return valueError('end of string while looking for conversion specifier');
    if (at + 2 < source.length && source[at + 2] !== ':')
      return valueError("expected ':' after conversion specifier");
    return { name, conversion, spec: source.slice(at + 3) };
  }
  return { name: source, conversion: null, spec: '' };
}
