// Filters that apply a filter or a test to each item: map, select, reject, selectattr, rejectattr.
//
// They give what is worked out item by item, as in Jinja: an item that is never asked for is never looked at.
import { tableKeyOf } from '../value/dict.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { iterate } from '../value/iterate.ts';
import { reprOf } from '../value/repr.ts';
import { TemplateError } from '../value/template-error.ts';
import { asText } from '../value/text.ts';
import { isTrue } from '../value/truth.ts';
import type { Named, Value } from '../value/value.ts';
import { type Getter, getter } from './attribute-path.ts';
import type { FilterEntry } from './define.ts';
import { lazily } from './sequence-filters.ts';

function fail(message: string): never {
  throw new TemplateError('EVAL_ARGUMENTS', message);
}

const map: FilterEntry = [
  'map',
  (e, value, args, named) =>
    lazily(e, value, () => {
      if (!isTrue(value)) return () => undefined;
      const change =
        args.length === 0 && named.has('attribute') ? attributeOf(e, named) : filterOf(e, args, named);
      const cursor = iterate(e, value);
      return () => {
        const item = cursor();
        e.work(1);
        return item === undefined ? undefined : change(item);
      };
    }),
];

function attributeOf(e: Evaluation, named: Named): Getter {
  for (const name of named.keys())
    if (name !== 'attribute' && name !== 'default') fail(`Unexpected keyword argument '${name}'`);
  return getter(e, named.get('attribute') as Value, false, named.get('default') ?? null);
}

function filterOf(e: Evaluation, [name, ...args]: readonly Value[], named: Named): Getter {
  if (name === undefined) return fail('map requires a filter argument');
  const apply = e.library.filters.get(nameOf(name));
  if (apply === undefined) return fail(`No filter named ${reprOf(e, name)}.`);
  return (item) => apply(e, item, args, named);
}

/** What is not text is not a name; what cannot be a key fails, as the lookup in Python does. */
function nameOf(name: Value): string {
  tableKeyOf(name);
  return asText(name) ?? '';
}

function selector(name: string, byAttribute: boolean, keeps: boolean): FilterEntry {
  return [
    name,
    (e, value, args, named) =>
      lazily(e, value, () => {
        if (!isTrue(value)) return () => undefined;
        const isKept = predicate(e, args, named, byAttribute);
        const cursor = iterate(e, value);
        return () => {
          for (let item = cursor(); item !== undefined; item = cursor()) {
            e.work(1);
            if (isKept(item) === keeps) return item;
          }
          return undefined;
        };
      }),
  ];
}

function predicate(
  e: Evaluation,
  args: readonly Value[],
  named: Named,
  byAttribute: boolean,
): (item: Value) => boolean {
  const [attribute] = args;
  if (byAttribute && attribute === undefined) return fail('Missing parameter for attribute name');
  const get: Getter = byAttribute ? getter(e, attribute as Value, false) : (item) => item;
  const [name, ...rest] = byAttribute ? args.slice(1) : args;
  if (name === undefined) return (item) => isTrue(get(item));
  const test = e.library.tests.get(nameOf(name));
  if (test === undefined) return fail(`No test named ${reprOf(e, name)}.`);
  return (item) => test(e, get(item), rest, named);
}

export const selectFilters: readonly FilterEntry[] = [
  map,
  selector('select', false, true),
  selector('reject', false, false),
  selector('selectattr', true, true),
  selector('rejectattr', true, false),
];
