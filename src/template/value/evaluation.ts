// One evaluation of a template: what it may use, and where it is.
//
// Everything is charged to the shared meter before it is done: steps by the work, memory by what is made. Nested
// calls, and values that are walked, are counted by `enter`, so that nothing can exhaust the stack.
import { LimitReached, type Meter } from '../../base/meter.ts';
import type { Span } from '../../base/span.ts';
import {
  MAX_ELEMENTS,
  MAX_STRING_UNITS,
  UNITS_PER_STEP,
  stringBytes,
  tooLarge,
} from '../../python/charge.ts';
import type { Named, Native, Value } from './value.ts';

/** A filter as the evaluator calls it: `args` are those behind the value. */
export type FilterFunction = (e: Evaluation, value: Value, args: readonly Value[], named: Named) => Value;
export type TestFunction = (e: Evaluation, value: Value, args: readonly Value[], named: Named) => boolean;

export interface Library {
  readonly filters: ReadonlyMap<string, FilterFunction>;
  readonly tests: ReadonlyMap<string, TestFunction>;
  /** By the name of the type, then by the name of the method. */
  readonly methods: ReadonlyMap<string, ReadonlyMap<string, Native>>;
}

interface EvaluationLimits {
  readonly maxDepth: number;
  readonly maxIntBits: number;
  readonly maxOutputUnits: number;
}

export class Evaluation {
  readonly meter: Meter;
  readonly limits: EvaluationLimits;
  readonly library: Library;
  /** When the run began, and how far the local time is ahead of UTC there; null when it is not known. */
  readonly started: { readonly atMs: number; readonly offsetMinutes: number } | null;
  /** The part of the template that is being evaluated. */
  at: Span | null = null;
  depth = 0;

  constructor(meter: Meter, limits: EvaluationLimits, library: Library, started: Evaluation['started']) {
    this.meter = meter;
    this.limits = limits;
    this.library = library;
    this.started = started;
  }

  work(steps: number): void {
    this.meter.work(steps);
  }

  /** `units` of text are about to be looked through. */
  scan(units: number): void {
    this.meter.work(1 + Math.floor(units / UNITS_PER_STEP));
  }

  /** A string of `units` is about to be made. */
  makeText(units: number): void {
    if (units > MAX_STRING_UNITS) tooLarge(`a string of ${units} units`, MAX_STRING_UNITS);
    this.meter.work(1 + Math.floor(units / UNITS_PER_STEP));
    this.meter.allocate(stringBytes(units));
  }

  /** A list, tuple or dict of `length` entries is about to be made. */
  makeItems(length: number, bytesEach = 8): void {
    if (length > MAX_ELEMENTS) tooLarge(`a list of ${length} elements`, MAX_ELEMENTS);
    this.meter.work(1 + length);
    this.meter.allocate(32 + bytesEach * length);
  }

  enter(levels = 1): void {
    this.depth += levels;
    if (this.depth > this.limits.maxDepth)
      throw new LimitReached(
        'DEPTH_LIMIT',
        `stopped: calls or values are nested more than ${this.limits.maxDepth} deep`,
      );
  }

  leave(levels = 1): void {
    this.depth -= levels;
  }
}
