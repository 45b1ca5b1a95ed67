// The filters of templates.
import type { FilterFunction } from '../value/evaluation.ts';
import { compositionFilters } from './composition-filters.ts';
import { dateFilters } from './date-filter.ts';
import { jsonFilters } from './json-filter.ts';
import { numberFilters } from './number-filters.ts';
import { selectFilters } from './select-filters.ts';
import { sequenceFilters } from './sequence-filters.ts';
import { sliceFilter } from './sequence-filters.ts';
import { textFilters } from './text-filters.ts';

export const filters: ReadonlyMap<string, FilterFunction> = new Map([
  ...textFilters,
  ...sequenceFilters,
  ...selectFilters,
  ...numberFilters,
  ...jsonFilters,
  ...compositionFilters,
  ...dateFilters,
  ['slice', sliceFilter] as const,
]);

/** Filters of Jinja that are not here, and why. */
export const refusedFilters: ReadonlyMap<string, string> = new Map([
  ['random', 'a template gives the same text each time it is rendered'],
  ['pprint', 'use tojson(indent=2)'],
  ['urlize', 'write the link itself, with its address escaped'],
]);
