// Methods of strings that take them apart, put them together, or cut something off.
import { isSpace } from '../syntax/characters.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { findAllTexts, findLastText, findText } from '../value/find-text.ts';
import { iterate, knownItems } from '../value/iterate.ts';
import { Lazy } from '../value/iterables.ts';
import { bind, signature } from '../value/signature.ts';
import { failUndefined, typeError, valueError } from '../value/template-error.ts';
import { asText, pointsOf } from '../value/text.ts';
import { typeName } from '../value/type-name.ts';
import { List, Tuple, Undefined, type Value } from '../value/value.ts';
import { intArgument, textArgument } from './text-arguments.ts';
import type { TextMethod } from './text-method.ts';

function listOfTexts(e: Evaluation, parts: readonly string[]): List {
  e.makeItems(parts.length, 32);
  return new List(parts);
}

/** Words between white space; at most `most` cuts, from the left. */
function splitSpace(e: Evaluation, text: string, most: number): string[] {
  e.work(1 + (text.length >> 2));
  const parts: string[] = [];
  let at = 0;
  const skip = (): void => {
    while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  };
  for (skip(); at < text.length; skip()) {
    const from = at;
    if (parts.length >= most) {
      parts.push(text.slice(from));
      return parts;
    }
    while (at < text.length && !isSpace(text.charCodeAt(at))) at += 1;
    e.makeItems(1, 32);
    parts.push(text.slice(from, at));
  }
  return parts;
}

/** The same from the right. */
function splitSpaceRight(e: Evaluation, text: string, most: number): string[] {
  e.work(1 + (text.length >> 2));
  const parts: string[] = [];
  let end = text.length;
  const skip = (): void => {
    while (end > 0 && isSpace(text.charCodeAt(end - 1))) end -= 1;
  };
  for (skip(); end > 0; skip()) {
    const to = end;
    if (parts.length >= most) {
      parts.push(text.slice(0, to));
      break;
    }
    while (end > 0 && !isSpace(text.charCodeAt(end - 1))) end -= 1;
    e.makeItems(1, 32);
    parts.push(text.slice(end, to));
  }
  return parts.reverse();
}

function splitAt(text: string, places: readonly number[], length: number): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const at of places) {
    parts.push(text.slice(from, at));
    from = at + length;
  }
  parts.push(text.slice(from));
  return parts;
}

function splitRight(e: Evaluation, text: string, separator: string, most: number): string[] {
  const parts: string[] = [];
  let end = text.length;
  while (parts.length < most) {
    const at = findLastText(e, text, separator, end);
    if (at < 0) break;
    e.makeItems(1, 32);
    parts.push(text.slice(at + separator.length, end));
    end = at;
  }
  parts.push(text.slice(0, end));
  return parts.reverse();
}

function splitter(name: 'split' | 'rsplit'): TextMethod {
  const takes = signature(`str.${name}()`, [
    ['sep', null],
    ['maxsplit', -1],
  ]);
  return (e, text, args, named) => {
    const [sep, maxsplit] = bind(takes, args, named) as [Value, Value];
    const count = intArgument(maxsplit);
    const most = count < 0 ? Infinity : count;
    if (sep === null)
      return new List(name === 'split' ? splitSpace(e, text, most) : splitSpaceRight(e, text, most));
    const separator = asText(sep) ?? typeError(`must be str or None, not ${typeName(sep)}`);
    if (separator === '') return valueError('empty separator');
    if (name === 'rsplit' && most !== Infinity) return listOfTexts(e, splitRight(e, text, separator, most));
    return listOfTexts(e, splitAt(text, findAllTexts(e, text, separator, most), separator.length));
  };
}

const lineEnd = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/g;

/** `str.splitlines()` */
export function splitLines(e: Evaluation, text: string, keepEnds: boolean): string[] {
  e.scan(text.length);
  const lines: string[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(lineEnd)) {
    e.makeItems(1, 32);
    lines.push(text.slice(from, keepEnds ? index + end.length : index));
    from = index + end.length;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}

const linesSignature = signature('str.splitlines()', [['keepends', false]]);
const separatorSignature = signature('str.partition()', [['sep']], true);
const stripSignature = signature('str.strip()', [['chars', null]], true);
const affixSignature = signature('str.removeprefix()', [['prefix']], true);
const joinSignature = signature('str.join()', [['iterable']], true);

function partition(isLast: boolean): TextMethod {
  return (e, text, args, named) => {
    const separator = textArgument(bind(separatorSignature, args, named)[0] as Value, 'partition() argument');
    if (separator === '') return valueError('empty separator');
    const at = isLast ? findLastText(e, text, separator, text.length) : findText(e, text, separator, 0);
    if (at < 0) return new Tuple(isLast ? ['', '', text] : [text, '', '']);
    return new Tuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
  };
}

/** Cuts characters off the ends; white space when `chars` is null. */
export function strip(
  e: Evaluation,
  text: string,
  chars: string | null,
  sides: 'both' | 'left' | 'right',
): string {
  e.scan(text.length);
  if (chars !== null) return stripPoints(e, text, chars, sides);
  let from = 0;
  let to = text.length;
  if (sides !== 'right') while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  if (sides !== 'left') while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function stripPoints(e: Evaluation, text: string, chars: string, sides: 'both' | 'left' | 'right'): string {
  e.work(1 + text.length + chars.length);
  e.meter.allocate(8 * text.length + 32 * chars.length);
  const cut = new Set(pointsOf(chars));
  const points = pointsOf(text);
  let from = 0;
  let to = points.length;
  if (sides !== 'right') while (from < to && cut.has(points[from] as string)) from += 1;
  if (sides !== 'left') while (to > from && cut.has(points[to - 1] as string)) to -= 1;
  return points.slice(from, to).join('');
}

function stripper(sides: 'both' | 'left' | 'right'): TextMethod {
  return (e, text, args, named) => {
    const [chars] = bind(stripSignature, args, named) as [Value];
    const cut = chars === null ? null : (asText(chars) ?? typeError('strip arg must be None or str'));
    return strip(e, text, cut, sides);
  };
}

function affix(isPrefix: boolean): TextMethod {
  return (e, text, args, named) => {
    const cut = textArgument(
      bind(affixSignature, args, named)[0] as Value,
      isPrefix ? 'removeprefix() argument' : 'removesuffix() argument',
    );
    e.scan(text.length + cut.length);
    if (isPrefix) return text.startsWith(cut) ? text.slice(cut.length) : text;
    return cut !== '' && text.endsWith(cut) ? text.slice(0, -cut.length) : text;
  };
}

/** Puts texts together with `separator` between them. */
export function joinTexts(e: Evaluation, separator: string, texts: readonly string[]): string {
  let length = separator.length * Math.max(texts.length - 1, 0);
  for (const text of texts) length += text.length;
  e.work(texts.length);
  e.makeText(length);
  return texts.join(separator);
}

/** The items of what is joined, each turned into text. */
export function itemsToJoin(
  e: Evaluation,
  items: Value,
  textFor: (item: Value, at: number) => string,
): readonly string[] {
  if (items instanceof Undefined && !items.isLenient) failUndefined(items);
  if (knownItems(e, items) === null && !(items instanceof Lazy)) typeError('can only join an iterable');
  const cursor = iterate(e, items);
  const texts: string[] = [];
  for (let item = cursor(); item !== undefined; item = cursor()) {
    e.makeItems(1);
    texts.push(textFor(item, texts.length));
  }
  return texts;
}

const join: TextMethod = (e, text, args, named) => {
  const [items] = bind(joinSignature, args, named) as [Value];
  const texts = itemsToJoin(
    e,
    items,
    (item, at) =>
      asText(item) ?? typeError(`sequence item ${at}: expected str instance, ${typeName(item)} found`),
  );
  return joinTexts(e, text, texts);
};

const splitlines: TextMethod = (e, text, args, named) =>
  new List(splitLines(e, text, intArgument(bind(linesSignature, args, named)[0] as Value) !== 0));

export const splitMethods: readonly (readonly [string, TextMethod])[] = [
  ['split', splitter('split')],
  ['rsplit', splitter('rsplit')],
  ['splitlines', splitlines],
  ['partition', partition(false)],
  ['rpartition', partition(true)],
  ['strip', stripper('both')],
  ['lstrip', stripper('left')],
  ['rstrip', stripper('right')],
  ['removeprefix', affix(true)],
  ['removesuffix', affix(false)],
  ['join', join],
];
