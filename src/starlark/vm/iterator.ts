// The state of a `for` loop: a position, never a JavaScript iterator, so that it survives a snapshot.
//
// iterator#L1. What is iterated over is locked from ITERATE until the loop ends, by whichever way.
// A hole that is skipped costs a step. Those before the first element are only skipped once, by `dictFirst` and
// `setFirst`: removing them has paid for that.
import type { Meter } from '../../base/meter.ts';
import { dictFirst } from '../value/dict.ts';
import { setFirst } from '../value/set.ts';
import { notIterable } from '../value/iterate.ts';
import { beginIteration, endIteration } from '../value/mutable.ts';
import { type Bytes, Dict, Elems, List, Range, SetValue, Tuple, type Value } from '../value/value.ts';

/** How the next element is found. Numbers, since the loop of the machine tests the first two. */
export const BY_STEP = 0;
const BY_ITEM = 1;
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

  constructor(
    kind: number,
    source: Value,
    items: (Value | undefined)[],
    index: number,
    end: number,
    next: number,
    step: number,
  ) {
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
  if (v instanceof Dict) {
    if (v.keys.length === v.index.size) return begin(BY_ITEM, v, v.keys);
    dictFirst(v);
    return begin(BY_ITEM_WITH_HOLES, v, v.keys, v.head);
  }
  if (v instanceof SetValue) {
    if (v.items.length === v.index.size) return begin(BY_ITEM, v, v.items);
    setFirst(v);
    return begin(BY_ITEM_WITH_HOLES, v, v.items, v.head);
  }
  if (v instanceof Elems) {
    const { of } = v;
    if (typeof of === 'string') return new Iterator(BY_UNIT, v, noItems, 0, of.length, 0, 0);
    return new Iterator(BY_BYTE, v, noItems, 0, of.bytes.length, 0, 0);
  }
  return notIterable(v);
}

function begin(kind: number, v: Value, items: (Value | undefined)[], first = 0): Iterator {
  beginIteration(v);
  return new Iterator(kind, v, items, first, items.length, 0, 0);
}

/** Whether an iterator that was read back can be one of its source; its arrays are not looked at. */
export function isPlausible({ kind, source, index, end, next, step }: Iterator): boolean {
  switch (kind) {
    case BY_STEP:
      // After the last element `next` may have left the safe integers.
      return (
        source instanceof Range &&
        end === source.length &&
        step === source.step &&
        (index >= end || next === source.start + index * step)
      );
    case BY_ITEM:
      if (source instanceof Dict)
        return end <= source.keys.length && source.keys.every((key) => key !== undefined);
      if (source instanceof SetValue)
        return end <= source.items.length && source.items.every((item) => item !== undefined);
      return (source instanceof List || source instanceof Tuple) && end <= source.items.length;
    case BY_ITEM_WITH_HOLES:
      return source instanceof Dict
        ? end <= source.keys.length
        : source instanceof SetValue && end <= source.items.length;
    case BY_UNIT:
      return source instanceof Elems && typeof source.of === 'string' && end === source.of.length;
    case BY_BYTE:
      return source instanceof Elems && typeof source.of !== 'string' && end === source.of.bytes.length;
    default:
      return source === null;
  }
}

/** The next element of the rarer kinds, or undefined at the end. */
export function nextElement(meter: Meter, it: Iterator): Value | undefined {
  switch (it.kind) {
    case BY_ITEM_WITH_HOLES: {
      const { items, end, index } = it;
      let at = index;
      while (at < end && items[at] === undefined) at += 1;
      it.index = at + 1;
      meter.work(at - index);
      return at < end ? items[at] : undefined;
    }
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
