// Which elements `x[from:to:step]` and `find(…, start, end)` mean.

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
