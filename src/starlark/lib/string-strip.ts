// strip, lstrip and rstrip.
import { chargeRead, chargeScan } from '../value/charge.ts';
import { fixed, type Native, type Thread } from '../value/native.ts';
import { SET_ENTRY_BYTES, stringBytes } from '../value/sizes.ts';
import { sliceText } from '../value/slice-text.ts';
import { wantString } from './string-arguments.ts';
import { isSpace } from './white-space.ts';

function stripper(name: string, left: boolean, right: boolean): Native {
  return fixed(name, 'cutset?, /', (thread, self: string, a) => {
    chargeRead(thread.meter, self.length);
    if (a !== undefined && a !== null)
      return stripSet(thread, self, wantString(name, 'cutset', a), left, right);
    let from = 0;
    let to = self.length;
    if (left) while (from < to && isSpace(self.charCodeAt(from))) from += 1;
    if (right) while (from < to && isSpace(self.charCodeAt(to - 1))) to -= 1;
    return cut(thread, self, from, to);
  });
}

function cut(thread: Thread, self: string, from: number, to: number): string {
  const stripped = self.length - (to - from);
  thread.meter.work(1 + (stripped >> 2));
  if (stripped === 0) return self;
  chargeScan(thread.meter, to - from);
  thread.meter.allocate(stringBytes(to - from));
  return sliceText(self, from, to);
}

function stripSet(thread: Thread, self: string, cutset: string, left: boolean, right: boolean): string {
  thread.meter.work(1 + cutset.length);
  thread.meter.allocate(cutset.length * SET_ENTRY_BYTES);
  const points = new Set<number>();
  for (let i = 0; i < cutset.length; i++) {
    const point = cutset.codePointAt(i) as number;
    points.add(point);
    if (point > 0xffff) i += 1;
  }
  const from = left ? firstOutside(self, points) : 0;
  const to = right ? lastOutside(self, from, points) : self.length;
  thread.meter.work((self.length - (to - from)) >> 2);
  return cut(thread, self, from, to);
}

function firstOutside(text: string, points: ReadonlySet<number>): number {
  let at = 0;
  while (at < text.length) {
    const point = text.codePointAt(at) as number;
    if (!points.has(point)) break;
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

function lastOutside(text: string, from: number, points: ReadonlySet<number>): number {
  let at = text.length;
  while (at > from) {
    const point = pointBefore(text, from, at);
    if (!points.has(point)) break;
    at -= point > 0xffff ? 2 : 1;
  }
  return at;
}

/** The code point that ends at `to`, in a text that begins at `from`. */
function pointBefore(text: string, from: number, to: number): number {
  const pair = to - from >= 2 ? (text.codePointAt(to - 2) as number) : 0;
  return pair > 0xffff ? pair : text.charCodeAt(to - 1);
}

export const stripMethods: readonly Native[] = [
  stripper('strip', true, true),
  stripper('lstrip', true, false),
  stripper('rstrip', false, true),
];
