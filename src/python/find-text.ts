// Searching text in time linear in both lengths, whatever they hold, and charging what it may cost.
//
// The engine's own search is used where it is safe. Measured on text made to be bad for it: `indexOf` is linear for up
// to 250 units of pattern (7 ns a unit for a pattern of 2 to 7 units, 1.5 ns for a longer one, nothing for one unit),
// quadratic beyond; `lastIndexOf` takes the product of both lengths. The linear search here takes 10 ns a unit.
// A forward search is charged by what it went over, after it: the most that can be is known and small.
import type { Meter } from '../base/meter.ts';
import { chargeRead } from './charge.ts';

const SAFE_PATTERN = 250;
const SAFE_BACKWARD_PATTERN = 8;
const SAFE_BACKWARD_PRODUCT = 4096;

/** `text.indexOf(sub, from)`. */
export function indexOfText(meter: Meter, text: string, sub: string, from: number): number {
  if (meter.deferred !== 0) chargeJoined(meter, text, sub);
  if (!isSafeSearch(sub)) return matchesForward(meter, text, sub, from, 1)[0] ?? -1;
  const found = text.indexOf(sub, from);
  chargeSearch(meter, (found < 0 ? text.length : found + sub.length) - from, sub.length);
  return found;
}

/** `text.lastIndexOf(sub)`. */
export function lastIndexOfText(meter: Meter, text: string, sub: string): number {
  if (sub === '') return text.length;
  return matchesBackward(meter, text, sub, 1)[0] ?? -1;
}

/** Either may be a string that was never copied together, and is now. */
function chargeJoined(meter: Meter, text: string, sub: string): void {
  chargeRead(meter, text.length);
  chargeRead(meter, sub.length);
}

/** Whether the engine's forward search (`indexOf`, `split`) is linear. */
export function isSafeSearch(sub: string): boolean {
  return sub.length <= SAFE_PATTERN;
}

/** The engine's forward search goes over `units`. */
export function chargeSearch(meter: Meter, units: number, subUnits: number): void {
  if (meter.deferred !== 0) chargeRead(meter, units);
  meter.work(1 + (Math.max(0, units) >> (subUnits <= 1 ? 5 : subUnits < 8 ? 2 : 3)));
}

/** Where `sub`, which is not empty, is in `text`: first to last, not overlapping, at most `limit` places. */
export function matchesForward(
  meter: Meter,
  text: string,
  sub: string,
  from: number,
  limit: number,
): number[] {
  if (meter.deferred !== 0) chargeJoined(meter, text, sub);
  const places: number[] = [];
  if (isSafeSearch(sub)) {
    let at = from;
    while (places.length < limit) {
      const found = text.indexOf(sub, at);
      if (found < 0) {
        at = text.length;
        break;
      }
      places.push(found);
      at = found + sub.length;
    }
    chargeSearch(meter, at - from, sub.length);
    return places;
  }
  if (text.length - from < sub.length) return places;
  meter.work(text.length - from + sub.length);
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

/** Where `sub`, which is not empty, is in `text`: last to first, not overlapping, at most `limit` places. */
export function matchesBackward(meter: Meter, text: string, sub: string, limit: number): number[] {
  if (meter.deferred !== 0) chargeJoined(meter, text, sub);
  if (sub.length <= SAFE_BACKWARD_PATTERN || text.length * sub.length <= SAFE_BACKWARD_PRODUCT)
    return nativeBackward(meter, text, sub, limit);
  const places: number[] = [];
  if (text.length < sub.length) return places;
  meter.work(text.length + sub.length);
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

function nativeBackward(meter: Meter, text: string, sub: string, limit: number): number[] {
  const places: number[] = [];
  let end = text.length;
  while (end >= sub.length && places.length < limit) {
    const found = text.lastIndexOf(sub, end - sub.length);
    if (found < 0) {
      end = 0;
      break;
    }
    places.push(found);
    end = found;
  }
  const units = text.length - end;
  meter.work(1 + (sub.length === 1 ? units >> 4 : Math.ceil((units * Math.max(4, sub.length)) / 16)));
  return places;
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
