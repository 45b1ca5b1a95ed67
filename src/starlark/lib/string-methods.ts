// The methods of a string, by name.
import type { Native } from '../value/native.ts';
import { caseMethods } from './string-case.ts';
import { formatMethods } from './string-format.ts';
import { searchMethods } from './string-search.ts';
import { splitMethods } from './string-split.ts';

export const stringMethods: ReadonlyMap<string, Native> = new Map(
  [...searchMethods, ...splitMethods, ...caseMethods, ...formatMethods].map((native) => [
    native.name,
    native,
  ]),
);
