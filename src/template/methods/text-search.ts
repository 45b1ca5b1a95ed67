// Methods of strings that look for something.
import { indexOfText, lastIndexOfText } from '../../python/find-text.ts';
import { countMatches } from '../../python/text.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { bind, signature } from '../value/signature.ts';
import { typeError, valueError } from '../value/template-error.ts';
import { asText, lengthOf, pointsBefore, slicePoints } from '../value/text.ts';
import { typeName } from '../value/type-name.ts';
import { Tuple, type Value } from '../value/value.ts';
import { rangeArgument, textArgument } from './text-arguments.ts';
import type { TextMethod } from './text-arguments.ts';

const searched = (name: string) =>
  signature(`str.${name}()`, [['sub'], ['start', null], ['end', null]], true);

/** The place of `sub` in code points, or -1. */
function place(
  e: Evaluation,
  text: string,
  [sub, start, end]: readonly Value[],
  name: string,
  isLast: boolean,
): number {
  const sought = textArgument(sub as Value, `${name}() argument 1`);
  e.scan(text.length);
  const range = rangeArgument(lengthOf(text), start as Value, end as Value);
  if (range === null) return -1;
  const part = slicePoints(text, range.from, range.to);
  const at = isLast ? lastIndexOfText(e.meter, part, sought) : indexOfText(e.meter, part, sought, 0);
  return at < 0 ? -1 : range.from + pointsBefore(part, at);
}

function finder(name: string, isLast: boolean, mustFind: boolean): TextMethod {
  const takes = searched(name);
  return (e, text, args, named) => {
    const at = place(e, text, bind(takes, args, named), name, isLast);
    return at < 0 && mustFind ? valueError('substring not found') : at;
  };
}

const countSignature = searched('count');

const count: TextMethod = (e, text, args, named) => {
  const [sub, start, end] = bind(countSignature, args, named) as [Value, Value, Value];
  const sought = textArgument(sub, 'count() argument 1');
  e.scan(text.length);
  const range = rangeArgument(lengthOf(text), start, end);
  if (range === null) return 0;
  if (sought === '') return range.to - range.from + 1;
  return countMatches(e.meter, slicePoints(text, range.from, range.to), sought);
};

function edge(name: 'startswith' | 'endswith'): TextMethod {
  const takes = signature(`str.${name}()`, [['prefix'], ['start', null], ['end', null]], true);
  return (e, text, args, named) => {
    const [sought, start, end] = bind(takes, args, named) as [Value, Value, Value];
    const candidates = sought instanceof Tuple ? sought.items : [sought];
    const texts = candidates.map((each) => asText(each) ?? notText(name, sought, each));
    e.scan(text.length);
    const range = rangeArgument(lengthOf(text), start, end);
    if (range === null) return false;
    const part = slicePoints(text, range.from, range.to);
    return texts.some((each) => {
      e.scan(each.length);
      return name === 'startswith' ? part.startsWith(each) : part.endsWith(each);
    });
  };
}

function notText(name: string, sought: Value, each: Value): never {
  if (sought instanceof Tuple)
    return typeError(`tuple for ${name} must only contain str, not ${typeName(each)}`);
  return typeError(`${name} first arg must be str or a tuple of str, not ${typeName(each)}`);
}

export const searchMethods: readonly (readonly [string, TextMethod])[] = [
  ['find', finder('find', false, false)],
  ['index', finder('index', false, true)],
  ['rfind', finder('rfind', true, false)],
  ['rindex', finder('rindex', true, true)],
  ['count', count],
  ['startswith', edge('startswith')],
  ['endswith', edge('endswith')],
];
