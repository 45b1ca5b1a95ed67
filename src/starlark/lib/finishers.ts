// What is done with the results of a key function, once the machine has called it for each element.
import { compare } from '../value/compare.ts';
import type { Finisher, Thread } from '../value/native.ts';
import { List, type Value } from '../value/value.ts';
import { sortByKeys } from './sort.ts';

/** The first of `items` whose key is the least (`direction` -1) or the greatest (1). There is at least one. */
export function extreme(
  thread: Thread,
  items: readonly Value[],
  keys: readonly Value[],
  direction: -1 | 1,
): Value {
  thread.meter.work(keys.length);
  let best = 0;
  const operator = direction < 0 ? '<' : '>';
  for (let i = 1; i < keys.length; i += 1) {
    if (compare(thread, keys[i] as Value, keys[best] as Value, operator) * direction > 0) best = i;
  }
  return items[best] as Value;
}

export const finishers: ReadonlyMap<string, Finisher> = new Map<string, Finisher>([
  [
    'sorted',
    (thread, items, results, extra) => new List(sortByKeys(thread, items, results, extra[0] === true)),
  ],
  ['min', (thread, items, results) => extreme(thread, items, results, -1)],
  ['max', (thread, items, results) => extreme(thread, items, results, 1)],
]);
