// What a run holds, in bytes: asked for when the count of what it has taken reaches the limit.
//
// recount#Q1. Nothing is walked twice, and nothing by recursion. The walk is charged by what it visits, so that a
//   program near its limit cannot have it done for nothing: one that has it done all the time spends its steps on it.
//   What was seen is marked with the number of the walk: a Set of it would be as large as what is walked.
// recount#Q2. An object counts once. A text counts once for each distinct content if it is long, and the references
//   are made to share one string, so that the count is true. Short texts are shared too, as far as a small table goes,
//   and very long ones unless many are alike.
// A string built by `+` is a tree inside V8, far larger than its text; looking at a unit makes it flat. For long texts
// this is done only now and then: each `+` that makes one was charged for all of it, which is hundreds of times what a
// node of the tree takes, so little can have gathered since. The count depends on the values alone, not on how they
// came about: it is the same after a snapshot.
import { SLOT_BYTES, listBytes, stringBytes } from '../../python/charge.ts';
import { bitsBound } from '../value/int.ts';
import {
  BOUND_METHOD_BYTES,
  BYTES_BYTES,
  CELL_BYTES,
  CLOSURE_BYTES,
  DICT_BYTES,
  DICT_ENTRY_BYTES,
  ELEMS_BYTES,
  FLOAT_BYTES,
  RANGE_BYTES,
  SET_BYTES,
  SET_ENTRY_BYTES,
  bigintBytes,
  tupleBytes,
  BoundMethod,
  Bytes,
  Cell,
  Closure,
  Dict,
  Elems,
  Float,
  List,
  Range,
  SetValue,
  Struct,
  Tuple,
} from '../value/value.ts';
import type { Frame, Machine } from './machine.ts';
import { Iterator } from './machine.ts';

const SHORT_UNITS = 256;
const SHORT_TEXTS = 1024;
const LONG_UNITS = 4096;
const FLATTEN_LONG_EVERY = 32;
/** V8 hashes texts up to here by all of their units, and longer ones by their length alone. */
const HASHED_UNITS = 16_383;
/** Of those of one length that look alike, as many are compared with a new one. */
const MOST_ALIKE = 4;
const SAMPLE_UNITS = 64;
/** What visiting an object is charged: 40 to 60 ns, where an instruction takes 5. */
const OBJECT_STEPS = 12;

/** The number of the last walk, of whichever run: values can be shared by runs. */
let lastWalk = 0;

export function countLive(machine: Machine): number {
  machine.recounts += 1;
  const walk = new Walk(machine.recounts % FLATTEN_LONG_EVERY === 0 ? Infinity : LONG_UNITS);
  for (const module of machine.allModules()) {
    walk.array(module.globals);
    for (const frame of module.frames) if (frame !== null && frame.active) walk.frame(frame);
  }
  for (const { task } of machine.tasks) {
    if (task === null || task.kind === 'load') continue;
    if (task.kind === 'main') walk.value(task.value);
    else {
      walk.value(task.request.callee);
      walk.value(task.request.source);
      walk.bytes += (task.request.items.length + task.results.length) * SLOT_BYTES;
      walk.array(task.request.items);
      walk.array(task.results);
      walk.array(task.request.extra as unknown[]);
    }
  }
  for (const value of machine.predeclared.values()) walk.value(value);
  for (const value of machine.scope?.values.values() ?? []) walk.value(value);
  for (const value of machine.entryArgs) walk.value(value);
  for (const [, value] of machine.entryNamed) walk.value(value);
  walk.finish();
  machine.meter.work(walk.visited);
  return walk.bytes;
}

class Walk {
  bytes = 0;
  visited = 0;
  private readonly mark = (lastWalk += 1);
  /** What has no mark: all of it is the language's or few. */
  private readonly seen = new Set<object>();
  private readonly texts = new Map<string, string>();
  private shortTexts = 0;
  /** The first of each length. */
  private readonly longTexts = new Map<number, string>();
  /** Those too long to be hashed, by length and a sample. */
  private readonly alike = new Map<string, string[]>();
  /** Only kept so that looking at a unit, which makes a string flat, has a use, and is not optimised away. */
  lastUnit = 0;
  private readonly pending: object[] = [];
  private readonly flattenUpTo: number;

  constructor(flattenUpTo: number) {
    this.flattenUpTo = flattenUpTo;
  }

  frame(frame: Frame): void {
    for (let index = 0; index < frame.registers; index += 1)
      frame.regs[index] = this.value(frame.regs[index]) as (typeof frame.regs)[number];
    for (const cell of frame.free) this.value(cell);
  }

  /** Counts what is in the slots; the slots themselves are the owner's. */
  array(items: unknown[]): void {
    this.visited += items.length;
    let last: unknown;
    for (let index = 0; index < items.length; index += 1) {
      const item = items[index];
      if (typeof item === 'number') continue;
      // Equal texts are `===` also when they are two strings: then the second is let go of.
      if (item !== last) last = this.value(item);
      if (typeof item !== 'object') items[index] = last;
    }
  }

  /** The value, or a string with the same text that is counted already. */
  value(v: unknown): unknown {
    if (typeof v === 'string') return this.text(v);
    if (typeof v === 'bigint') this.bytes += bigintBytes(bitsBound(v));
    else if (typeof v === 'object' && v !== null) {
      // Floats are many, and a set of all of them would cost more than they do.
      if (v instanceof Float) this.bytes += FLOAT_BYTES;
      else if (this.isNew(v)) this.pending.push(v);
    }
    return v;
  }

  private isNew(v: { mark?: number }): boolean {
    if (v.mark === this.mark) return false;
    if (v.mark !== undefined) v.mark = this.mark;
    else if (this.seen.has(v)) return false;
    else this.seen.add(v);
    return true;
  }

  finish(): void {
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) {
      this.visited += OBJECT_STEPS;
      this.object(next);
    }
  }

  private text(v: string): string {
    if (v.length > LONG_UNITS) return this.longText(v);
    const known = this.texts.get(v);
    if (known !== undefined) return known;
    this.flatten(v);
    this.bytes += stringBytes(v.length);
    if (v.length > SHORT_UNITS) this.texts.set(v, v);
    else if (this.shortTexts < SHORT_TEXTS) {
      this.shortTexts += 1;
      this.texts.set(v, v);
    }
    return v;
  }

  /** To be looked up a text must be flat, so the only one of its length is not looked up. */
  private longText(v: string): string {
    // A long one that was built by `+` is copied here.
    this.visited += v.length >> (v.length > 0x10000 ? 4 : 7);
    const first = this.longTexts.get(v.length);
    if (first === undefined) this.longTexts.set(v.length, v);
    else {
      const known = v.length > HASHED_UNITS ? this.knownAlike(first, v) : this.known(first, v);
      if (known !== undefined) return known;
    }
    if (v.length <= this.flattenUpTo) this.flatten(v);
    this.bytes += stringBytes(v.length);
    return v;
  }

  private known(first: string, v: string): string | undefined {
    this.texts.set(first, first);
    const known = this.texts.get(v);
    if (known === undefined) this.texts.set(v, v);
    return known;
  }

  /** The same for texts that a Map would compare with every other of their length. */
  private knownAlike(first: string, v: string): string | undefined {
    const firstSample = sampleOf(first);
    if (!this.alike.has(firstSample)) this.alike.set(firstSample, [first]);
    const sample = sampleOf(v);
    const alike = this.alike.get(sample);
    if (alike === undefined) this.alike.set(sample, [v]);
    else {
      this.visited += alike.length * (v.length >> 5);
      for (const other of alike) if (other === v) return other;
      if (alike.length < MOST_ALIKE) alike.push(v);
    }
    return undefined;
  }

  private flatten(v: string): void {
    this.lastUnit = v.charCodeAt(0);
  }

  /** Keys stay what they are: the index holds the same string. */
  private keys(items: readonly unknown[]): void {
    this.visited += items.length;
    for (const item of items) this.value(item);
  }

  private object(v: object): void {
    if (v instanceof List) {
      this.bytes += listBytes(v.items.length);
      this.array(v.items);
    } else if (v instanceof Tuple) {
      this.bytes += tupleBytes(v.items.length) + (v.key === null ? 0 : stringBytes(v.key.length));
      this.array(v.items);
    } else if (v instanceof Dict) {
      this.bytes += DICT_BYTES + v.keys.length * DICT_ENTRY_BYTES;
      this.keys(v.keys);
      this.array(v.values);
    } else if (v instanceof SetValue) {
      this.bytes += SET_BYTES + v.items.length * SET_ENTRY_BYTES;
      this.keys(v.items);
    } else if (v instanceof Bytes) this.bytes += BYTES_BYTES + v.bytes.length;
    else if (v instanceof Range) this.bytes += RANGE_BYTES;
    else if (v instanceof Elems) {
      this.bytes += ELEMS_BYTES;
      this.value(v.of);
    } else if (v instanceof Cell) {
      this.bytes += CELL_BYTES;
      v.value = this.value(v.value) as typeof v.value;
    } else if (v instanceof Closure) {
      this.bytes += CLOSURE_BYTES + (v.free.length + v.defaults.length) * SLOT_BYTES;
      this.array(v.defaults as unknown[]);
      for (const cell of v.free) this.value(cell);
    } else if (v instanceof BoundMethod) {
      this.bytes += BOUND_METHOD_BYTES;
      this.value(v.self);
    } else if (v instanceof Struct) {
      this.bytes += DICT_BYTES + v.members.size * DICT_ENTRY_BYTES;
      for (const member of v.members.values()) this.value(member);
    } else if (v instanceof Iterator) this.value(v.source);
    // A builtin, a module of the language or a loaded module is not the run's, or was walked as a root.
  }
}

/** Its length, and what is at both ends and in the middle. */
function sampleOf(v: string): string {
  const middle = v.length >> 1;
  return `${v.length}:${v.slice(0, SAMPLE_UNITS)}${v.slice(middle, middle + SAMPLE_UNITS)}${v.slice(-SAMPLE_UNITS)}`;
}
