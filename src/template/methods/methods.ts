// The methods that each type has in a template: those of Python that change nothing.
import type { Int } from '../../python/int.ts';
import { joinTexts } from '../../python/text.ts';
import { isEqual } from '../value/compare.ts';
import { Dict } from '../value/dict.ts';
import { escapeMarkup } from '../value/escape.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { bitsOf } from '../value/int.ts';
import { View } from '../value/iterables.ts';
import { iterate } from '../value/iterate.ts';
import { asInt } from '../value/numbers.ts';
import { bind, signature } from '../value/signature.ts';
import { valueError } from '../value/template-error.ts';
import { asText } from '../value/text.ts';
import { type Float, List, Markup, type Named, type Native, Tuple, type Value } from '../value/value.ts';
import { bytesMethods, encode } from './bytes-methods.ts';
import { stripTags, unescapeHtml } from './markup.ts';
import { setMethods, viewMethods } from './set-methods.ts';
import { rangeArgument } from './text-arguments.ts';
import { changeMethods, formatMapMethod, formatMethod } from './text-change.ts';
import { classMethods } from './text-classes.ts';
import type { TextMethod } from './text-arguments.ts';
import { searchMethods } from './text-search.ts';
import { itemsToJoin, splitMethods } from './text-split.ts';

const none = signature('the method', [], true);

function bits(value: Int): number {
  return typeof value === 'number' ? bitsOf(value) : (value < 0n ? -value : value).toString(2).length;
}

const conjugate: Native = (_e, self, args, named) => {
  bind(none, args, named);
  return asInt(self) ?? self;
};

const bitLength: Native = (_e, self, args, named) => {
  bind(none, args, named);
  return bits(asInt(self) as Int);
};

const bitCount: Native = (e, self, args, named) => {
  bind(none, args, named);
  const digits = BigInt(asInt(self) as Int).toString(2);
  e.work(1 + digits.length);
  return digits.replaceAll(/[^1]/g, '').length;
};

const isInteger: Native = (_e, self, args, named) => {
  bind(none, args, named);
  return Number.isInteger((self as Float).value);
};

const numberMethods: {
  readonly int: ReadonlyMap<string, Native>;
  readonly float: ReadonlyMap<string, Native>;
} = {
  int: new Map([
    ['bit_length', bitLength],
    ['bit_count', bitCount],
    ['conjugate', conjugate],
  ]),
  float: new Map([
    ['is_integer', isInteger],
    ['conjugate', conjugate],
  ]),
};

const textMethods: ReadonlyMap<string, TextMethod> = new Map([
  ...searchMethods,
  ...splitMethods,
  ...changeMethods,
  ...classMethods,
  ['encode', encode],
]);

function stringMethods(): Map<string, Native> {
  return new Map(
    [...textMethods].map(([name, method]) => [
      name,
      (e, self, args, named) => method(e, self as string, args, named),
    ]),
  );
}

/** The methods of `Markup` that escape what they are given, and give `Markup`. */
const escaping: ReadonlySet<string> = new Set([
  'capitalize',
  'title',
  'lower',
  'upper',
  'replace',
  'ljust',
  'rjust',
  'lstrip',
  'rstrip',
  'center',
  'strip',
  'expandtabs',
  'swapcase',
  'zfill',
  'partition',
  'rpartition',
]);
/** Those that give a list of `Markup`. */
const splitting: ReadonlySet<string> = new Set(['split', 'rsplit', 'splitlines']);

function escapedArgument(e: Evaluation, value: Value): Value {
  return asText(value) === null ? value : escapeMarkup(e, value);
}

function asMarkup(value: Value): Value {
  if (typeof value === 'string') return new Markup(value);
  if (value instanceof List) return new List(value.items.map(asMarkup));
  return value instanceof Tuple ? new Tuple(value.items.map(asMarkup)) : value;
}

function markupMethod(name: string, method: TextMethod): Native {
  return (e, self, args, named) => {
    const { text } = self as Markup;
    if (!escaping.has(name)) {
      const value = method(e, text, args, named);
      return splitting.has(name) ? asMarkup(value) : value;
    }
    const escapedNamed: Named = new Map([...named].map(([key, value]) => [key, escapedArgument(e, value)]));
    return asMarkup(
      method(
        e,
        text,
        args.map((value) => escapedArgument(e, value)),
        escapedNamed,
      ),
    );
  };
}

const noArguments = signature('str.unescape()', [], true);
const joinSignature = signature('str.join()', [['iterable']], true);

function markupMethods(): Map<string, Native> {
  const methods = new Map<string, Native>(
    [...textMethods].map(([name, method]) => [name, markupMethod(name, method)]),
  );
  const textOfSelf = (self: Value): string => (self as Markup).text;
  methods.set('join', (e, self, args, named) => {
    const [items] = bind(joinSignature, args, named) as [Value];
    return new Markup(
      joinTexts(
        e.meter,
        textOfSelf(self),
        itemsToJoin(e, items, (item) => escapeMarkup(e, item)),
      ),
    );
  });
  methods.set(
    'format',
    (e, self, args, named) => new Markup(formatMethod(e, textOfSelf(self), args, named, true)),
  );
  methods.set(
    'format_map',
    (e, self, args, named) => new Markup(formatMapMethod(e, textOfSelf(self), args, named, true)),
  );
  methods.set('unescape', (e, self, args, named) => {
    bind(noArguments, args, named);
    return unescapeHtml(e, textOfSelf(self));
  });
  methods.set('striptags', (e, self, args, named) => {
    bind(noArguments, args, named);
    return stripTags(e, textOfSelf(self));
  });
  return methods;
}

function itemsOfSelf(self: Value): readonly Value[] {
  return (self as List | Tuple).items;
}

const countSignature = signature('count()', [['value']], true);
const indexSignature = signature(
  'index()',
  [['value'], ['start', 0], ['stop', Number.MAX_SAFE_INTEGER]],
  true,
);

function sequenceMethods(name: 'list' | 'tuple'): Map<string, Native> {
  const count: Native = (e, self, args, named) => {
    const [sought] = bind(countSignature, args, named) as [Value];
    e.work(1 + itemsOfSelf(self).length);
    return itemsOfSelf(self).filter((item) => item === sought || isEqual(e, item, sought)).length;
  };
  const index: Native = (e, self, args, named) => {
    const [sought, start, stop] = bind(indexSignature, args, named) as [Value, Value, Value];
    const items = itemsOfSelf(self);
    e.work(1 + items.length);
    const range = rangeArgument(items.length, start, stop);
    const at =
      range === null
        ? -1
        : items.slice(range.from, range.to).findIndex((item) => item === sought || isEqual(e, item, sought));
    return at < 0 || range === null
      ? valueError(name === 'list' ? 'the value is not in the list' : 'tuple.index(x): x not in tuple')
      : at + range.from;
  };
  return new Map([
    ['count', count],
    ['index', index],
  ]);
}

const copySignature = signature('copy()', [], true);
const getSignature = signature('dict.get()', [['key'], ['default', null]], true);
const viewSignature = signature('dict view', [], true);
const keysSignature = signature('dict.fromkeys()', [['iterable'], ['value', null]], true);

function viewMethod(part: 'keys' | 'values' | 'items'): Native {
  return (_e, self, args, named) => {
    if (args.length > 0 || named.size > 0) bind(viewSignature, args, named);
    return new View(self as Dict, part);
  };
}

const copy: Native = (_e, self, args, named) => {
  bind(copySignature, args, named);
  return self;
};

const get: Native = (_e, self, args, named) => {
  const [key, fallback] = bind(getSignature, args, named) as [Value, Value];
  const value = (self as Dict).get(key);
  return value === undefined ? fallback : value;
};

const fromkeys: Native = (e, _self, args, named) => {
  const [keys, value] = bind(keysSignature, args, named) as [Value, Value];
  const dict = new Dict();
  const cursor = iterate(e, keys);
  for (let key = cursor(); key !== undefined; key = cursor()) {
    e.makeItems(1, 48);
    dict.set(key, value);
  }
  return dict;
};

export const methods: ReadonlyMap<string, ReadonlyMap<string, Native>> = new Map<
  string,
  ReadonlyMap<string, Native>
>([
  ['str', stringMethods()],
  ['Markup', markupMethods()],
  ['list', sequenceMethods('list').set('copy', copy)],
  ['tuple', sequenceMethods('tuple')],
  [
    'dict',
    new Map([
      ['get', get],
      ['items', viewMethod('items')],
      ['keys', viewMethod('keys')],
      ['values', viewMethod('values')],
      ['copy', copy],
      ['fromkeys', fromkeys],
    ]),
  ],
  ['dict_keys', viewMethods],
  ['dict_items', viewMethods],
  ['set', setMethods],
  ['bytes', bytesMethods],
  ['int', numberMethods.int],
  ['float', numberMethods.float],
]);
