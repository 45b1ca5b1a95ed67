// Methods of strings that give another text of about the same content: case, padding, replacing, formatting.
import { changeCase, insertBetween, replaceText } from '../../python/text.ts';
import { formatBraces } from '../format/braces.ts';
import { Dict } from '../value/dict.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { bind, signature } from '../value/signature.ts';
import { failUndefined, TemplateError, typeError } from '../value/template-error.ts';
import { asText, lengthOf, pointsOf } from '../value/text.ts';
import { typeName } from '../value/type-name.ts';
import { type Named, Undefined, type Value } from '../value/value.ts';
import { capitalize, foldCase, swapCase, titleCase } from './letter-case.ts';
import { intArgument, textArgument } from './text-arguments.ts';
import type { TextMethod } from './text-arguments.ts';

/** A method without arguments. `cost` is further steps for each unit. */
function simple(name: string, change: (text: string) => string, cost = 0): TextMethod {
  const takes = signature(`str.${name}()`, [], true);
  return (e, text, args, named) => {
    bind(takes, args, named);
    e.work(text.length * cost);
    return changeCase(e.meter, text, change);
  };
}

const replaceSignature = signature('str.replace()', [['old'], ['new'], ['count', -1]], true);

/** Unlike in Starlark, replacing the empty text puts `after` between code points. */
export function replaceIn(e: Evaluation, text: string, before: string, after: string, most: number): string {
  if (before === '') return insertBetween(e.meter, text, pointsOf, after, most);
  // With a limit the matches are counted first, so that a text that grows is measured before it is made.
  const limit = most < 0 && after.length > before.length ? Infinity : most;
  return replaceText(e.meter, text, before, after, limit);
}

const replace: TextMethod = (e, text, args, named) => {
  const [old, replacement, count] = bind(replaceSignature, args, named) as [Value, Value, Value];
  const before = textArgument(old, 'replace() argument 1');
  const after = textArgument(replacement, 'replace() argument 2');
  return replaceIn(e, text, before, after, intArgument(count));
};

/** Puts `left` and `right` fill characters around a text, charged. */
function padded(e: Evaluation, text: string, left: number, right: number, fill: string): string {
  e.makeText(text.length + (left + right) * fill.length);
  return fill.repeat(left) + text + fill.repeat(right);
}

/** `text.center(width, fill)` */
export function centerText(e: Evaluation, text: string, width: number, fill: string): string {
  const missing = Math.max(width - lengthOf(text), 0);
  const left = Math.floor(missing / 2) + (missing % 2 === 1 && width % 2 === 1 ? 1 : 0);
  return missing === 0 ? text : padded(e, text, left, missing - left, fill);
}

function padder(name: 'center' | 'ljust' | 'rjust'): TextMethod {
  const takes = signature(`str.${name}()`, [['width'], ['fillchar', ' ']], true);
  return (e, text, args, named) => {
    const [width, fillchar] = bind(takes, args, named) as [Value, Value];
    const wide = intArgument(width);
    const fill =
      asText(fillchar) ??
      typeError(`The fill character must be a unicode character, not ${typeName(fillchar)}`);
    if (lengthOf(fill) !== 1) return typeError('The fill character must be exactly one character long');
    e.scan(text.length);
    if (name === 'center') return centerText(e, text, wide, fill);
    const missing = Math.max(wide - lengthOf(text), 0);
    return name === 'ljust' ? padded(e, text, 0, missing, fill) : padded(e, text, missing, 0, fill);
  };
}

const widthSignature = signature('str.zfill()', [['width']], true);

const zfill: TextMethod = (e, text, args, named) => {
  const missing = Math.max(intArgument(bind(widthSignature, args, named)[0] as Value) - lengthOf(text), 0);
  const sign = text.startsWith('-') || text.startsWith('+') ? (text[0] as string) : '';
  return sign + padded(e, text.slice(sign.length), missing, 0, '0');
};

const tabSignature = signature('str.expandtabs()', [['tabsize', 8]]);

const expandtabs: TextMethod = (e, text, args, named) => {
  const size = intArgument(bind(tabSignature, args, named)[0] as Value);
  e.work(1 + text.length);
  let result = '';
  let column = 0;
  for (const point of text) {
    if (point !== '\t') {
      column = point === '\n' || point === '\r' ? 0 : column + 1;
      result += point;
      continue;
    }
    const blanks = size > 0 ? size - (column % size) : 0;
    e.makeText(blanks);
    column += blanks;
    result += ' '.repeat(blanks);
  }
  e.makeText(result.length);
  return result;
};

export function formatMethod(
  e: Evaluation,
  text: string,
  args: readonly Value[],
  named: Named,
  isEscaping: boolean,
): string {
  return formatBraces(e, text, { args, lookUp: (name) => named.get(name) }, isEscaping);
}

export function formatMapMethod(
  e: Evaluation,
  text: string,
  args: readonly Value[],
  named: Named,
  isEscaping: boolean,
): string {
  if (named.size > 0) throw new TemplateError('EVAL_ARGUMENTS', 'format_map() takes no keyword arguments');
  const [mapping] = args;
  if (mapping === undefined || args.length > 1)
    throw new TemplateError(
      'EVAL_ARGUMENTS',
      `format_map() takes exactly one argument (${args.length} given)`,
    );
  const lookUp = (name: string): Value | undefined => {
    if (mapping instanceof Undefined) failUndefined(mapping);
    return mapping instanceof Dict
      ? mapping.getText(name)
      : typeError(`'${typeName(mapping)}' object is not subscriptable`);
  };
  return formatBraces(e, text, { args: [], lookUp }, isEscaping);
}

export const changeMethods: readonly (readonly [string, TextMethod])[] = [
  ['upper', simple('upper', (text) => text.toUpperCase())],
  ['lower', simple('lower', (text) => text.toLowerCase())],
  ['capitalize', simple('capitalize', capitalize)],
  ['title', simple('title', titleCase, 2)],
  ['swapcase', simple('swapcase', swapCase, 2)],
  ['casefold', simple('casefold', foldCase, 2)],
  ['replace', replace],
  ['center', padder('center')],
  ['ljust', padder('ljust')],
  ['rjust', padder('rjust')],
  ['zfill', zfill],
  ['expandtabs', expandtabs],
  ['format', (e, text, args, named) => formatMethod(e, text, args, named, false)],
  ['format_map', (e, text, args, named) => formatMapMethod(e, text, args, named, false)],
];
