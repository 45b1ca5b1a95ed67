// How deep values may nest in what walks them by recursion: equality, order, hashing and text.
import { LimitReached } from '../../base/meter.ts';

/** Small enough for the JavaScript stack of any host, larger than any data has a reason to be. */
export const MAX_VALUE_DEPTH = 500;

export function tooDeep(action: string): never {
  throw new LimitReached(
    'DEPTH_LIMIT',
    `${action} exceeded the maximum recursion depth: values nest more than ${MAX_VALUE_DEPTH} deep`,
    'a list or dict may contain itself',
  );
}
