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
