// The state of a `for` loop: a position, never a JavaScript iterator, so that it survives a snapshot.
//
// L1. What is iterated over is locked from ITERATE until the loop ends, by whichever way.
import { notIterable } from '../value/iterate.ts';
import { beginIteration, endIteration } from '../value/mutable.ts';
import { type Bytes, Dict, Elems, List, Range, SetValue, Tuple, type Value } from '../value/value.ts';

/** How the next element is found. Numbers, since the loop of the machine tests the first two. */
export const BY_STEP = 0;
export const BY_ITEM = 1;
const BY_ITEM_WITH_HOLES = 2;
const BY_UNIT = 3;
const BY_BYTE = 4;
export const ENDED = 5;

const noItems: (Value | undefined)[] = [];

export class Iterator {
  kind: number;
  /** What is locked. */
  source: Value;
  items: (Value | undefined)[];
  index: number;
  readonly end: number;
  /** Of a range. */
  next: number;
  readonly step: number;

  constructor(kind: number, source: Value, items: (Value | undefined)[], index: number, end: number, next: number, step: number) {
    this.kind = kind;
    this.source = source;
    this.items = items;
    this.index = index;
    this.end = end;
    this.next = next;
    this.step = step;
  }
}

export function iterate(v: Value): Iterator {
  if (v instanceof Range) return new Iterator(BY_STEP, v, noItems, 0, v.length, v.start, v.step);
  if (v instanceof List || v instanceof Tuple) return begin(BY_ITEM, v, v.items);
  if (v instanceof Dict) return begin(v.keys.length === v.index.size ? BY_ITEM : BY_ITEM_WITH_HOLES, v, v.keys);
  if (v instanceof SetValue) return begin(v.items.length === v.index.size ? BY_ITEM : BY_ITEM_WITH_HOLES, v, v.items);
  if (v instanceof Elems) {
    const { of } = v;
    if (typeof of === 'string') return new Iterator(BY_UNIT, v, noItems, 0, of.length, 0, 0);
    return new Iterator(BY_BYTE, v, noItems, 0, of.bytes.length, 0, 0);
  }
  return notIterable(v);
}

function begin(kind: number, v: Value, items: (Value | undefined)[]): Iterator {
  beginIteration(v);
  return new Iterator(kind, v, items, 0, items.length, 0, 0);
}

/** The next element of the rarer kinds, or undefined at the end. */
export function nextElement(it: Iterator): Value | undefined {
  switch (it.kind) {
    case BY_ITEM_WITH_HOLES:
      while (it.index < it.end) {
        const item = it.items[it.index];
        it.index += 1;
        if (item !== undefined) return item;
      }
      return undefined;
    case BY_UNIT: {
      if (it.index >= it.end) return undefined;
      const unit = ((it.source as Elems).of as string).charAt(it.index);
      it.index += 1;
      return unit;
    }
    case BY_BYTE: {
      if (it.index >= it.end) return undefined;
      const byte = ((it.source as Elems).of as Bytes).bytes[it.index] as number;
      it.index += 1;
      return byte;
    }
    default:
      return undefined;
  }
}

/** Takes the lock away; does nothing the second time. */
export function endIterator(it: Iterator): void {
  if (it.kind === ENDED) return;
  it.kind = ENDED;
  endIteration(it.source);
  it.source = null;
  it.items = noItems;
}
