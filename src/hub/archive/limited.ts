// Faults of archives and downloads, and what counts unpacked bytes.
import { TechneError } from '../../base/error.ts';

export function damaged(what: string, cause?: unknown): TechneError {
  return new TechneError('SOURCE_DAMAGED', what, {
    hint: 'fetch it again; if it stays so, tell whoever publishes it',
    ...(cause === undefined ? {} : { cause }),
  });
}

export function overLimit(
  what: string,
  hint = 'take only a part of it, or ask its publisher for a smaller one',
): TechneError {
  return new TechneError('SOURCE_LIMIT', what, { hint });
}

const ratioFrom = 1024 * 1024;

/** Throws SOURCE_LIMIT when `unpacked` is too much for `packed`. */
export function checkRatio(packed: number, unpacked: number, ratio: number): void {
  if (unpacked > ratioFrom && unpacked > packed * ratio)
    throw overLimit(
      `the archive unpacks to more than ${ratio} times its size (${packed} bytes became ${unpacked} so far)`,
      'an archive of a skill does not compress like this; do not trust it',
    );
}
