// Searching text in time linear in both lengths, whatever they hold.
//
// The engine's own search is faster, and is used where it is safe: measured on repetitive text, `indexOf` is linear
// for up to 250 units of pattern and quadratic beyond, `lastIndexOf` is quadratic for all lengths. The product of the
// lengths decides, so ordinary searches never leave the engine.

const SAFE_PATTERN = 250;
const SAFE_PRODUCT = 1 << 20;

/** `text.indexOf(sub, from)`. */
export function indexOfText(text: string, sub: string, from: number): number {
  if (sub.length <= SAFE_PATTERN || isSmall(text, sub)) return text.indexOf(sub, from);
  return matchesForward(text, sub, from, 1)[0] ?? -1;
}

/** `text.lastIndexOf(sub)`. */
export function lastIndexOfText(text: string, sub: string): number {
  if (sub.length <= 1 || isSmall(text, sub)) return text.lastIndexOf(sub);
  return matchesBackward(text, sub, 1)[0] ?? -1;
}

/** Whether the engine's forward search (`indexOf`, `split`, `replaceAll`) is safe to use. */
export function isSafeSearch(text: string, sub: string): boolean {
  return sub.length <= SAFE_PATTERN || isSmall(text, sub);
}

/** Where `sub`, which is not empty, stands in `text`: first to last, not overlapping, at most `limit` places. */
export function matchesForward(text: string, sub: string, from: number, limit: number): number[] {
  const places: number[] = [];
  if (isSafeSearch(text, sub)) {
    for (let at = text.indexOf(sub, from); at >= 0 && places.length < limit; at = text.indexOf(sub, at + sub.length)) places.push(at);
    return places;
  }
  const border = borders(sub);
  let matched = 0;
  for (let i = from; i < text.length && places.length < limit; i++) {
    const unit = text.charCodeAt(i);
    while (matched > 0 && sub.charCodeAt(matched) !== unit) matched = border[matched - 1] as number;
    if (sub.charCodeAt(matched) === unit) matched += 1;
    if (matched === sub.length) {
      places.push(i - matched + 1);
      matched = 0;
    }
  }
  return places;
}

/** Where `sub`, which is not empty, stands in `text`: last to first, not overlapping, at most `limit` places. */
export function matchesBackward(text: string, sub: string, limit: number): number[] {
  const places: number[] = [];
  if (sub.length <= 1 || isSmall(text, sub)) {
    let end = text.length;
    while (end >= sub.length && places.length < limit) {
      end = text.lastIndexOf(sub, end - sub.length);
      if (end < 0) break;
      places.push(end);
    }
    return places;
  }
  const last = sub.length - 1;
  const border = borders(sub, true);
  let matched = 0;
  for (let i = text.length - 1; i >= 0 && places.length < limit; i--) {
    const unit = text.charCodeAt(i);
    while (matched > 0 && sub.charCodeAt(last - matched) !== unit) matched = border[matched - 1] as number;
    if (sub.charCodeAt(last - matched) === unit) matched += 1;
    if (matched === sub.length) {
      places.push(i);
      matched = 0;
    }
  }
  return places;
}

function isSmall(text: string, sub: string): boolean {
  return text.length * sub.length <= SAFE_PRODUCT;
}

/** For each prefix (suffix, when `reversed`) of `sub`, the length of its longest proper border: Knuth, Morris, Pratt. */
function borders(sub: string, reversed = false): Int32Array {
  const last = sub.length - 1;
  const unitAt = (i: number): number => sub.charCodeAt(reversed ? last - i : i);
  const border = new Int32Array(sub.length);
  let matched = 0;
  for (let i = 1; i < sub.length; i++) {
    while (matched > 0 && unitAt(matched) !== unitAt(i)) matched = border[matched - 1] as number;
    if (unitAt(matched) === unitAt(i)) matched += 1;
    border[i] = matched;
  }
  return border;
}
