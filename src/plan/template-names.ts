// The filters that templates have.
//
// A name that is close to a known one is a mistake. Another may be a filter that some host gives its templates: it is
// told, and the step fails where it is not given.
import { nearest } from '../base/nearest.ts';
import { filters, refusedFilters } from '../template/filters/filters.ts';

export function isKnownFilter(name: string): boolean {
  return filters.has(name);
}

/** A filter of Jinja that is not here, or one that looks like one that is. */
export function isMistaken(name: string): boolean {
  return refusedFilters.has(name) || nearest(name, filters.keys()) !== null;
}
