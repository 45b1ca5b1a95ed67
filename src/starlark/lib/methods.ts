// Which methods a value has: one table per type, so that a call site can remember what it found by the table.
import { fixed, type Native } from '../value/native.ts';
import { ELEMS_BYTES, Bytes, Dict, Elems, List, SetValue, type Value } from '../value/value.ts';
import { dictMethods } from './dict-methods.ts';
import { listMethods } from './list-methods.ts';
import { setMethods } from './set-methods.ts';
import { caseMethods, searchMethods, splitMethods } from './string-methods.ts';
import { formatMethods } from './string-format.ts';

export const stringMethods: ReadonlyMap<string, Native> = new Map(
  [...searchMethods, ...splitMethods, ...caseMethods, ...formatMethods].map((native) => [
    native.name,
    native,
  ]),
);

const bytesMethods: ReadonlyMap<string, Native> = new Map([
  [
    'elems',
    fixed('elems', '', (thread, self: Bytes) => {
      thread.meter.work(1);
      thread.meter.allocate(ELEMS_BYTES);
      return new Elems(self);
    }),
  ],
]);

export function methodsOf(v: Value): ReadonlyMap<string, Native> | null {
  if (typeof v === 'string') return stringMethods;
  if (v instanceof List) return listMethods;
  if (v instanceof Dict) return dictMethods;
  if (v instanceof SetValue) return setMethods;
  if (v instanceof Bytes) return bytesMethods;
  return null;
}
