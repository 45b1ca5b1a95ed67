// The methods of a string, by name.
import type { Native } from '../value/native.ts';
import { caseMethods } from './string-case.ts';
import { characterMethods } from './string-characters.ts';
import { formatMethods } from './string-format.ts';
import { searchMethods } from './string-search.ts';
import { splitMethods } from './string-split.ts';
import { stripMethods } from './string-strip.ts';

export const stringMethods: ReadonlyMap<string, Native> = new Map(
  [
    ...searchMethods,
    ...splitMethods,
    ...stripMethods,
    ...caseMethods,
    ...characterMethods,
    ...formatMethods,
  ].map((native) => [native.name, native]),
);
