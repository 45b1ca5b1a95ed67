// Methods of strings that take them apart, put them together, or cut something off.
import {
  removeAffix,
  stripText,
  joinTexts,
  partitionText,
  splitText,
  splitOnSpace,
  isPythonSpace,
} from '../../python/text.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { iterate, knownItems } from '../value/iterate.ts';
import { Lazy } from '../value/iterables.ts';
import { bind, signature } from '../value/signature.ts';
import { failUndefined, typeError, valueError } from '../value/template-error.ts';
import { asText } from '../value/text.ts';
import { typeName } from '../value/type-name.ts';
import { List, Tuple, Undefined, type Value } from '../value/value.ts';
import { intArgument, textArgument } from './text-arguments.ts';
import type { TextMethod } from './text-arguments.ts';

function splitter(name: 'split' | 'rsplit'): TextMethod {
  const takes = signature(`str.${name}()`, [
    ['sep', null],
    ['maxsplit', -1],
  ]);
  return (e, text, args, named) => {
    const [sep, maxsplit] = bind(takes, args, named) as [Value, Value];
    const count = intArgument(maxsplit);
    const fromRight = name === 'rsplit';
    if (sep === null) return new List(splitOnSpace(e.meter, text, count, fromRight, isPythonSpace));
    const separator = asText(sep) ?? typeError(`must be str or None, not ${typeName(sep)}`);
    if (separator === '') return valueError('empty separator');
    return new List(splitText(e.meter, text, separator, count, fromRight));
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
    return new Tuple(partitionText(e.meter, text, separator, isLast));
  };
}

/** Cuts characters off the ends; white space when `chars` is null. */
export function strip(
  e: Evaluation,
  text: string,
  chars: string | null,
  sides: 'both' | 'left' | 'right',
): string {
  return stripText(e.meter, text, chars, sides !== 'right', sides !== 'left', isPythonSpace);
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
    return removeAffix(e.meter, text, cut, !isPrefix);
  };
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
  return joinTexts(e.meter, text, texts);
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
