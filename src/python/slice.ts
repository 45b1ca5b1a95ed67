// Slices: which elements `x[from:to:step]` and `find(…, start, end)` mean, and substrings.

/** An index counted from the end if it is negative, then moved into `least..most`. */
export function clampIndex(index: number, length: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, index < 0 ? index + length : index));
}

/** How many of `start`, `start + stride` and so on are before `end`. */
export function strideCount(start: number, end: number, stride: number): number {
  const span = stride > 0 ? end - start : start - end;
  return span <= 0 ? 0 : Math.floor((span - 1) / Math.abs(stride)) + 1;
}

/** The first element, the bound and the number of elements of a slice; null is an omitted bound, `stride` is not 0. */
export function sliceRange(
  length: number,
  from: number | null,
  to: number | null,
  stride: number,
): { readonly start: number; readonly end: number; readonly count: number } {
  const least = stride > 0 ? 0 : -1;
  const most = stride > 0 ? length : length - 1;
  const start = from === null ? (stride > 0 ? least : most) : clampIndex(from, length, least, most);
  const end = to === null ? (stride > 0 ? most : least) : clampIndex(to, length, least, most);
  return { start, end, count: strideCount(start, end, stride) };
}

// Substrings that do not keep what they were cut from alive.
//
// The engine makes a substring of 13 or more units a view of its parent. Keeping one line of a large text would keep
// the whole text, which is not counted. So a view much smaller than its parent is copied.

const VIEW_UNITS = 13;

/** `text.slice(from, to)`, for 0 <= from <= to <= length; what it keeps alive is in proportion to its length. */
export function sliceText(text: string, from: number, to: number): string {
  const part = text.slice(from, to);
  return part.length < VIEW_UNITS || text.length <= 128 + 4 * part.length ? part : detached(part);
}

/** Copies those of `parts`, all cut from `text`, that would keep too much alive. */
export function detachParts(text: string, parts: string[]): void {
  const units = text.length;
  if (units <= 128 + 4 * VIEW_UNITS) return;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    if (part.length >= VIEW_UNITS && units > 128 + 4 * part.length) parts[i] = detached(part);
  }
}

// Joining makes a new text, and cutting that one flattens it: the result is a view of a parent one unit longer.
function detached(part: string): string {
  return ` ${part}`.slice(1);
}
