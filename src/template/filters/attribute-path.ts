// `attribute='a.b.0'`: what `map`, `sort`, `groupby` and others look up in each item.
import { getItem } from '../value/attributes.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { asText } from '../value/text.ts';
import { List, Markup, Undefined, type Value } from '../value/value.ts';

export type Getter = (item: Value) => Value;

function partsOf(attribute: Value): readonly Value[] {
  if (attribute === null) return [];
  const text = asText(attribute);
  if (text === null) return [attribute];
  return text.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** `fallback` stands for what does not exist, unless it is None. */
export function getter(
  e: Evaluation,
  attribute: Value,
  ignoresCase: boolean,
  fallback: Value = null,
): Getter {
  const parts = partsOf(attribute);
  return (item) => {
    let value = item;
    e.work(1 + parts.length);
    for (const part of parts) {
      value = getItem(e, value, part);
      if (value instanceof Undefined && fallback !== null) value = fallback;
    }
    return ignoresCase ? withoutCase(value) : value;
  };
}

/** Several attributes with commas between them; the key is the list of their values. */
export function multiGetter(e: Evaluation, attribute: Value, ignoresCase: boolean): Getter {
  const text = asText(attribute);
  const getters = (text === null ? [attribute] : text.split(',')).map((each) => getter(e, each, ignoresCase));
  return (item) => new List(getters.map((get) => get(item)));
}

function withoutCase(value: Value): Value {
  if (typeof value === 'string') return value.toLowerCase();
  return value instanceof Markup ? new Markup(value.text.toLowerCase()) : value;
}
