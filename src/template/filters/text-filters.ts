// Filters of texts, as Jinja has them.
import { formatPercent } from '../format/percent.ts';
import { capitalize } from '../methods/letter-case.ts';
import { stripTags } from '../methods/markup.ts';
import { centerText, replaceIn } from '../methods/text-change.ts';
import { joinTexts } from '../../python/text.ts';
import { splitLines, strip } from '../methods/text-split.ts';
import { intArgument } from '../methods/text-arguments.ts';
import { spaceClass } from '../syntax/characters.ts';
import { ownAttribute } from '../value/attributes.ts';
import { Dict } from '../value/dict.ts';
import { escapeHtml, escapeMarkup } from '../value/escape.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { iterate, unpack } from '../value/iterate.ts';
import { Lazy, View } from '../value/iterables.ts';
import { asIndex } from '../value/numbers.ts';
import { strOf } from '../value/repr.ts';
import { failUndefined, TemplateError, typeError, valueError } from '../value/template-error.ts';
import { asText } from '../value/text.ts';
import { isTrue } from '../value/truth.ts';
import { objectName, typeName } from '../value/type-name.ts';
import { List, Markup, Tuple, Undefined, type Value } from '../value/value.ts';
import { filter, type FilterEntry, textFilter } from './define.ts';
import { wrapLine } from './wrap-line.ts';

const wordStart = new RegExp(`((?:[-({\\[<]|${spaceClass})+)`, 'u');

/** Each word begins in upper case; words are between white space, hyphens and opening brackets. */
const title = (e: Evaluation, value: Value): Value => {
  const text = strOf(e, value);
  e.makeText(text.length);
  e.work(text.length >> 2);
  return text.split(wordStart).map(capitalized).join('');
};

function capitalized(word: string): string {
  if (word === '') return '';
  const first = String.fromCodePoint(word.codePointAt(0) as number);
  return first.toUpperCase() + word.slice(first.length).toLowerCase();
}

const trim = (e: Evaluation, text: string, chars: Value): string => {
  if (chars instanceof Undefined) failUndefined(chars);
  return strip(
    e,
    text,
    chars === null ? null : (asText(chars) ?? typeError('strip arg must be None or str')),
    'both',
  );
};

const replace = (e: Evaluation, value: Value, old: Value, replacement: Value, count: Value): Value =>
  replaceIn(
    e,
    strOf(e, value),
    strOf(e, old),
    strOf(e, replacement),
    count === null ? -1 : intArgument(count),
  );

const center = (e: Evaluation, text: string, width: Value): string => {
  e.scan(text.length);
  return centerText(e, text, intArgument(width), ' ');
};

const indent = (e: Evaluation, value: Value, width: Value, withFirst: Value, withBlank: Value): Value => {
  if (value instanceof Undefined) failUndefined(value);
  if (value instanceof List)
    throw new TemplateError('EVAL_ATTRIBUTE', "'list' object has no attribute 'splitlines'", 'join it first');
  const text =
    asText(value) ?? typeError(`unsupported operand type(s) for +=: '${typeName(value)}' and 'str'`);
  if (width instanceof Undefined) failUndefined(width);
  const blanks = asIndex(width);
  if (blanks !== null) e.makeText(Math.max(blanks, 0));
  const by =
    asText(width) ??
    (blanks === null
      ? typeError(`can't multiply sequence by non-int of type '${typeName(width)}'`)
      : ' '.repeat(Math.max(blanks, 0)));
  const lines = splitLines(e, `${text}\n`, false);
  e.makeText(text.length + lines.length * (by.length + 1));
  const skipsBlank = !isTrue(withBlank);
  const rest = lines.slice(1).map((line) => (skipsBlank && line === '' ? line : by + line));
  const first = (isTrue(withFirst) ? by : '') + (lines[0] as string);
  const result = [first, ...rest].join('\n');
  return value instanceof Markup ? new Markup(result) : result;
};

const wordwrap = (
  e: Evaluation,
  value: Value,
  width: Value,
  breaksLong: Value,
  wrapstring: Value,
  breaksHyphens: Value,
): Value => {
  if (value instanceof Undefined) failUndefined(value);
  const text = asText(value);
  if (text === null)
    throw new TemplateError('EVAL_ATTRIBUTE', `'${typeName(value)}' object has no attribute 'splitlines'`);
  const glue =
    wrapstring === null
      ? '\n'
      : (asText(wrapstring) ??
        typeError(`a text must be given to join the lines with, not ${typeName(wrapstring)}`));
  const lines = splitLines(e, text, false).map((line) => {
    if (width instanceof Undefined) failUndefined(width);
    const options = {
      width: intArgument(width),
      splitsHyphens: breaksHyphens === true,
      breaksLong: () => isTrue(breaksLong),
      breaksAtHyphens: () => isTrue(breaksHyphens),
    };
    return joinTexts(e.meter, glue, wrapLine(e, line, options));
  });
  return joinTexts(e.meter, glue, lines);
};

const wordcount = (e: Evaluation, value: Value): Value => {
  const text = strOf(e, value);
  e.work(1 + (text.length >> 2));
  let count = 0;
  for (const _ of text.matchAll(/[\p{L}\p{N}_]+/gu)) count += 1;
  return count;
};

const format: FilterEntry = [
  'format',
  (e, value, args, named) => {
    if (args.length > 0 && named.size > 0)
      throw new TemplateError(
        'EVAL_ARGUMENTS',
        "can't handle positional and keyword arguments at the same time",
      );
    const dict = new Dict();
    for (const [name, each] of named) dict.set(name, each);
    const text = formatPercent(
      e,
      strOf(e, value),
      named.size > 0 ? dict : new Tuple(args),
      value instanceof Markup,
    );
    return value instanceof Markup ? new Markup(text) : text;
  },
];

const string = (e: Evaluation, value: Value): Value => (value instanceof Markup ? value : strOf(e, value));
const escape = (e: Evaluation, value: Value): Value => new Markup(escapeMarkup(e, value));
const forceescape = (e: Evaluation, value: Value): Value => new Markup(escapeMarkup(e, strOf(e, value)));
const safe = (e: Evaluation, value: Value): Value => new Markup(strOf(e, value));
const xmlEscape = (e: Evaluation, value: Value): Value => escapeHtml(e, strOf(e, value));
const striptags = (e: Evaluation, value: Value): Value => stripTags(e, strOf(e, value));

const fallback = (_e: Evaluation, value: Value, other: Value, isForFalse: Value): Value => {
  if (value instanceof Undefined) return other;
  return isTrue(isForFalse) && !isTrue(value) ? other : value;
};

const attr = (e: Evaluation, value: Value, name: Value): Value => {
  const text = asText(name) ?? typeError(`attribute name must be string, not '${typeName(name)}'`);
  const attribute = ownAttribute(e, value, text);
  if (attribute !== undefined) return attribute;
  if (value instanceof Undefined) failUndefined(value);
  return new Undefined(
    () => ({
      message: `'${objectName(value)}' has no attribute '${text}'`,
      hint: 'an item is reached by a point or by [ ]',
    }),
    e.at,
  );
};

const unreserved = /[A-Za-z0-9_.~-]/;

function quoteUrl(e: Evaluation, text: string, isQuery: boolean): string {
  e.work(1 + text.length);
  e.makeText(text.length * 3);
  let result = '';
  for (const point of text) {
    if (unreserved.test(point) || (point === '/' && !isQuery)) result += point;
    else if (point === ' ' && isQuery) result += '+';
    else if (/^[\ud800-\udfff]$/.test(point))
      return valueError("'utf-8' codec can't encode half a character");
    else
      result += encodeURIComponent(point).replace(
        /^[!'()*]$/,
        (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
      );
  }
  return result;
}

const urlencode = (e: Evaluation, value: Value): Value => {
  const isPairs =
    value instanceof Dict ||
    value instanceof List ||
    value instanceof Tuple ||
    value instanceof Lazy ||
    value instanceof View;
  if (!isPairs) return quoteUrl(e, strOf(e, value), false);
  const cursor = iterate(e, value instanceof Dict ? new View(value, 'items') : value);
  const parts: string[] = [];
  for (let pair = cursor(); pair !== undefined; pair = cursor()) {
    const [name, each] = unpack(e, pair, 2) as [Value, Value];
    parts.push(`${quoteUrl(e, strOf(e, name), true)}=${quoteUrl(e, strOf(e, each), true)}`);
  }
  return joinTexts(e.meter, '&', parts);
};

const xmlattr = (e: Evaluation, value: Value, withSpace: Value): Value => {
  if (value instanceof Undefined) failUndefined(value);
  if (!(value instanceof Dict))
    throw new TemplateError('EVAL_ATTRIBUTE', `'${typeName(value)}' object has no attribute 'items'`);
  const parts: string[] = [];
  for (const [at, key] of value.keys().entries()) {
    const each = value.values()[at] as Value;
    e.work(1 + value.size);
    if (each === null || each instanceof Undefined) continue;
    const name = asText(key) ?? typeError(`expected string or bytes-like object, got '${typeName(key)}'`);
    if (/[\t-\r />=]/.test(name)) valueError(`Invalid character in attribute name: '${name}'`);
    parts.push(`${escapeMarkup(e, key)}="${escapeMarkup(e, each)}"`);
  }
  const text = joinTexts(e.meter, ' ', parts);
  return isTrue(withSpace) && text !== '' ? ` ${text}` : text;
};

export const textFilters: readonly FilterEntry[] = [
  textFilter('upper', [], (e, text) => {
    e.makeText(text.length);
    return text.toUpperCase();
  }),
  filter('lower', [], (e, value) => {
    const text = strOf(e, value);
    e.makeText(text.length);
    return text.toLowerCase();
  }),
  textFilter('capitalize', [], (e, text) => {
    e.makeText(text.length);
    return capitalize(text);
  }),
  filter('title', [], title),
  textFilter('trim', [['chars', null]], trim),
  textFilter('center', [['width', 80]], center),
  filter('replace', [['old'], ['new'], ['count', null]], replace),
  filter(
    'indent',
    [
      ['width', 4],
      ['first', false],
      ['blank', false],
    ],
    indent,
  ),
  filter(
    'wordwrap',
    [
      ['width', 79],
      ['break_long_words', true],
      ['wrapstring', null],
      ['break_on_hyphens', true],
    ],
    wordwrap,
  ),
  filter('wordcount', [], wordcount),
  format,
  filter('string', [], string),
  filter('escape', [], escape),
  filter('e', [], escape),
  filter('forceescape', [], forceescape),
  filter('safe', [], safe),
  filter('xml_escape', [], xmlEscape),
  filter('striptags', [], striptags),
  filter(
    'default',
    [
      ['default_value', ''],
      ['boolean', false],
    ],
    fallback,
  ),
  filter(
    'd',
    [
      ['default_value', ''],
      ['boolean', false],
    ],
    fallback,
  ),
  filter('attr', [['name']], attr),
  filter('urlencode', [], urlencode),
  filter('xmlattr', [['autospace', true]], xmlattr),
];
