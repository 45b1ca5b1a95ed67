// Filters of lists and other things that can be iterated over.
import { LimitReached } from '../../base/meter.ts';
import { joinTexts } from '../../python/text.ts';
import { itemsToJoin } from '../methods/text-split.ts';
import { add } from '../value/arithmetic.ts';
import { contains, isEqual, isOrdered } from '../value/compare.ts';
import { Dict } from '../value/dict.ts';
import type { Evaluation, FilterFunction } from '../value/evaluation.ts';
import { Lazy, View } from '../value/iterables.ts';
import { iterate, listOf, sizeOf } from '../value/iterate.ts';
import { asInt } from '../value/numbers.ts';
import { strOf } from '../value/repr.ts';
import { bind, signature } from '../value/signature.ts';
import { sliceOf } from '../value/slice.ts';
import { sorted } from '../value/sort.ts';
import { TemplateError, failUndefined, typeError } from '../value/template-error.ts';
import { asText, pointsOf } from '../value/text.ts';
import { isTrue } from '../value/truth.ts';
import { typeName } from '../value/type-name.ts';
import { Bytes, List, Markup, Tuple, Undefined, type Value } from '../value/value.ts';
import { getter, multiGetter } from './attribute-path.ts';
import { type FilterEntry, filter } from './define.ts';

function nothing(e: Evaluation, message: string): Undefined {
  return new Undefined(() => ({ message, hint: null }), e.at);
}

const length = (e: Evaluation, value: Value): Value => sizeOf(e, value);

const first = (e: Evaluation, value: Value): Value => {
  const item = iterate(e, value)();
  return item === undefined ? nothing(e, 'No first item, sequence was empty.') : item;
};

/** The items from the last to the first; null when that is impossible. */
function reversedItems(e: Evaluation, value: Value): readonly Value[] | null {
  if (value instanceof Lazy || !(typeof value === 'object' || typeof value === 'string') || value === null)
    return null;
  if (value instanceof View && value.part === 'set') return null;
  if (value instanceof Undefined && !value.isLenient) failUndefined(value);
  if (
    !(
      typeof value === 'string' ||
      value instanceof Markup ||
      value instanceof List ||
      value instanceof Tuple ||
      value instanceof Bytes ||
      value instanceof Dict ||
      value instanceof View ||
      value instanceof Undefined
    )
  )
    return null;
  const items = listOf(e, value);
  e.makeItems(items.length);
  const turned = [...items].reverse();
  return value instanceof Markup ? turned.map((item) => new Markup(item as string)) : turned;
}

const last = (e: Evaluation, value: Value): Value => {
  const items = reversedItems(e, value);
  if (items === null)
    return typeError(
      `'${typeName(value)}' object is not reversible`,
      value instanceof Lazy ? 'make a list of it first: x | list | last' : null,
    );
  const [item] = items;
  return item === undefined ? nothing(e, 'No last item, sequence was empty.') : item;
};

const reverse = (e: Evaluation, value: Value): Value => {
  const text = asText(value);
  if (text !== null) {
    e.makeText(text.length);
    e.work(text.length);
    const turned = [...pointsOf(text)].reverse().join('');
    return value instanceof Markup ? new Markup(turned) : turned;
  }
  const items = reversedItems(e, value);
  if (items !== null) return lazyList('list_reverseiterator', items);
  if (!(value instanceof Lazy || value instanceof View))
    throw new TemplateError('EVAL_ARGUMENTS', 'argument must be iterable');
  return new List([...listOf(e, value)].reverse());
};

function lazyList(name: string, items: readonly Value[]): Lazy {
  let at = 0;
  return new Lazy(name, 1, () => items[at++]);
}

/** What is produced from `source` only when the first item is asked for. */
export function lazily(e: Evaluation, source: Value, begin: () => () => Value | undefined): Lazy {
  let produce: (() => Value | undefined) | null = null;
  const depth = source instanceof Lazy ? source.depth + 1 : 1;
  // Each takes several levels of the stack.
  if (depth * 4 > e.limits.maxDepth)
    throw new LimitReached(
      'DEPTH_LIMIT',
      `stopped: more than ${depth - 1} filters would wait for one another`,
      'make a list of it in between: x | list',
    );
  return new Lazy('generator', depth, () => (produce ??= begin())());
}

const join = (e: Evaluation, value: Value, separator: Value, attribute: Value): Value => {
  const get = attribute === null ? null : getter(e, attribute, false);
  const texts = itemsToJoin(e, value, (item) => strOf(e, get === null ? item : get(item)));
  return joinTexts(e.meter, strOf(e, separator), texts);
};

const sum = (e: Evaluation, value: Value, attribute: Value, start: Value): Value => {
  if (asText(start) !== null)
    return typeError("sum() can't sum strings [use ''.join(seq) instead]", 'use the filter join');
  const get = attribute === null ? null : getter(e, attribute, false);
  const cursor = iterate(e, value);
  let total = start;
  for (let item = cursor(); item !== undefined; item = cursor()) {
    e.work(1);
    total = add(e, total, get === null ? item : get(item));
  }
  return total;
};

/** Python's `sorted` wants a number to say that it is to turn the order round. */
function flag(value: Value): boolean {
  return (asInt(value) ?? typeError(`'${typeName(value)}' object cannot be interpreted as an integer`)) !== 0;
}

const sort = (
  e: Evaluation,
  value: Value,
  isReverse: Value,
  isCaseSensitive: Value,
  attribute: Value,
): Value => {
  const key = multiGetter(e, attribute, !isTrue(isCaseSensitive));
  return new List(sorted(e, listOf(e, value), key, flag(isReverse)));
};

function extreme(operator: '<' | '>') {
  return (e: Evaluation, value: Value, isCaseSensitive: Value, attribute: Value): Value => {
    const cursor = iterate(e, value);
    let best = cursor();
    if (best === undefined) return nothing(e, 'No aggregated item, sequence was empty.');
    const get = getter(e, attribute, !isTrue(isCaseSensitive));
    let bestKey = get(best);
    for (let item = cursor(); item !== undefined; item = cursor()) {
      const key = get(item);
      if (!isOrdered(e, operator, key, bestKey)) continue;
      [best, bestKey] = [item, key];
    }
    return best;
  };
}

const unique = (e: Evaluation, value: Value, isCaseSensitive: Value, attribute: Value): Value =>
  lazily(e, value, () => {
    const get = getter(e, attribute, !isTrue(isCaseSensitive));
    const seen = new Dict();
    const cursor = iterate(e, value);
    return () => {
      for (let item = cursor(); item !== undefined; item = cursor()) {
        e.makeItems(1, 48);
        const key = get(item);
        if (contains(e, seen, key)) continue;
        seen.set(key, true);
        return item;
      }
      return undefined;
    };
  });

const groupFields = ['grouper', 'list'];

const groupby = (
  e: Evaluation,
  value: Value,
  attribute: Value,
  fallback: Value,
  isCaseSensitive: Value,
): Value => {
  const ignoresCase = !isTrue(isCaseSensitive);
  const key = getter(e, attribute, ignoresCase, fallback);
  const shown = getter(e, attribute, false, fallback);
  const groups: { key: Value; items: Value[] }[] = [];
  for (const item of sorted(e, listOf(e, value), key, false)) {
    e.makeItems(1, 32);
    const itsKey = key(item);
    const group = groups.at(-1);
    if (group !== undefined && (group.key === itsKey || isEqual(e, group.key, itsKey)))
      group.items.push(item);
    else groups.push({ key: itsKey, items: [item] });
  }
  return new List(
    groups.map(
      (group) =>
        new Tuple(
          [ignoresCase ? shown(group.items[0] as Value) : group.key, new List(group.items)],
          groupFields,
        ),
    ),
  );
};

const dictsort = (
  e: Evaluation,
  value: Value,
  isCaseSensitive: Value,
  by: Value,
  isReverse: Value,
): Value => {
  const part = by === 'key' ? 0 : by === 'value' ? 1 : -1;
  if (part < 0) throw new TemplateError('EVAL_ARGUMENTS', 'You can only sort by either "key" or "value"');
  const pairs = listOf(e, new View(dictOf(value), 'items'));
  const inner = getter(e, null, !isTrue(isCaseSensitive));
  return new List(sorted(e, pairs, (pair) => inner((pair as Tuple).items[part] as Value), flag(isReverse)));
};

function dictOf(value: Value): Dict {
  if (value instanceof Dict) return value;
  if (value instanceof Undefined) failUndefined(value);
  throw new TemplateError('EVAL_ATTRIBUTE', `'${typeName(value)}' object has no attribute 'items'`);
}

const items = (e: Evaluation, value: Value): Value =>
  lazily(e, value, () => {
    if (value instanceof Undefined) return () => undefined;
    if (!(value instanceof Dict)) return typeError('Can only get item pairs from a mapping.');
    return iterate(e, new View(value, 'items'));
  });

const batch = (e: Evaluation, value: Value, count: Value, fill: Value): Value =>
  lazily(e, value, () => {
    const cursor = iterate(e, value);
    let pending: Value | undefined = cursor();
    let isFirst = true;
    return () => {
      // An empty batch comes first when batches are to be empty, as in Jinja.
      if (pending === undefined) return undefined;
      const row: Value[] = [];
      if (isFirst && isEqual(e, 0, count)) {
        isFirst = false;
        return new List([]);
      }
      isFirst = false;
      while (pending !== undefined) {
        e.makeItems(1);
        row.push(pending);
        pending = cursor();
        if (pending !== undefined && isEqual(e, row.length, count)) return new List(row);
      }
      if (fill !== null && isOrdered(e, '<', row.length, count)) {
        const wanted =
          typeof count === 'number'
            ? count
            : typeError(`can't multiply sequence by non-int of type '${typeName(count)}'`);
        e.makeItems(wanted);
        while (row.length < wanted) row.push(fill);
      }
      return new List(row);
    };
  });

/** Jinja's columns: `slices` lists of about the same length. */
function columns(e: Evaluation, value: Value, slices: Value, fill: Value): Value {
  return lazily(e, value, () => {
    const sequence = listOf(e, value);
    if (slices instanceof Undefined) failUndefined(slices);
    const count = typeof slices === 'boolean' ? Number(slices) : slices;
    if (typeof count !== 'number')
      return typeError(`unsupported operand type(s) for //: 'int' and '${typeName(slices)}'`);
    if (count === 0) throw new TemplateError('EVAL_ZERO_DIVISION', 'integer division or modulo by zero');
    const each = Math.floor(sequence.length / count);
    const withOneMore = sequence.length - each * count;
    let number = 0;
    let offset = 0;
    return () => {
      if (number >= count) return undefined;
      const from = offset + number * each;
      if (number < withOneMore) offset += 1;
      const column = sequence.slice(from, offset + (number + 1) * each);
      e.makeItems(column.length + 1);
      if (fill !== null && number >= withOneMore) column.push(fill);
      number += 1;
      return new List(column);
    };
  });
}

const list = (e: Evaluation, value: Value): Value => new List(listOf(e, value));

export const sequenceFilters: readonly FilterEntry[] = [
  filter('length', [], length),
  filter('count', [], length),
  filter('first', [], first),
  filter('last', [], last),
  filter('reverse', [], reverse),
  filter('list', [], list),
  filter(
    'join',
    [
      ['d', ''],
      ['attribute', null],
    ],
    join,
  ),
  filter(
    'sum',
    [
      ['attribute', null],
      ['start', 0],
    ],
    sum,
  ),
  filter(
    'sort',
    [
      ['reverse', false],
      ['case_sensitive', false],
      ['attribute', null],
    ],
    sort,
  ),
  filter(
    'min',
    [
      ['case_sensitive', false],
      ['attribute', null],
    ],
    extreme('<'),
  ),
  filter(
    'max',
    [
      ['case_sensitive', false],
      ['attribute', null],
    ],
    extreme('>'),
  ),
  filter(
    'unique',
    [
      ['case_sensitive', false],
      ['attribute', null],
    ],
    unique,
  ),
  filter('groupby', [['attribute'], ['default', null], ['case_sensitive', false]], groupby),
  filter(
    'dictsort',
    [
      ['case_sensitive', false],
      ['by', 'key'],
      ['reverse', false],
    ],
    dictsort,
  ),
  filter('items', [], items),
  filter('batch', [['linecount'], ['fill_with', null]], batch),
];

export { columns };

const takes = signature('slice', [['slices'], ['fill_with', null]]);

/**
 * `x | slice(3)` cuts a list into three columns, as in Jinja. `x | slice(0, 5)`, with two whole numbers, is the part of a
 * list or text from 0 up to 5, as workflows mean it; in Jinja the second one would fill up short columns with that number.
 */
export const sliceFilter: FilterFunction = (e, value, args, named) => {
  const [start, end] = args;
  if (args.length === 2 && isWhole(start) && isWhole(end))
    return slicePart(e, value, start as Value, end as Value);
  const [slices, fill] = bind(takes, args, named) as [Value, Value];
  return columns(e, value, slices, fill);
};

function isWhole(value: Value | undefined): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function slicePart(e: Evaluation, value: Value, start: Value, end: Value): Value {
  const sliced = value instanceof Lazy || value instanceof View ? new List(listOf(e, value)) : value;
  return sliceOf(e, sliced, start, end, null);
}
