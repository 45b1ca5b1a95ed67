// What a compiled template runs on.
import { LimitReached } from '../../base/meter.ts';
import type { Dict } from '../value/dict.ts';
import type { Evaluation } from '../value/evaluation.ts';
import type { Value } from '../value/value.ts';

/** The slots of one activation of a unit. An empty slot is undefined. */
export class Frame {
  readonly slots: (Value | undefined)[];
  readonly parent: Frame | null;
  readonly e: Evaluation;
  readonly variables: Dict;

  constructor(size: number, parent: Frame | null, e: Evaluation, variables: Dict) {
    // Filled up, so that it never is an array with holes. `Array.from` takes a microsecond.
    this.slots = [];
    for (let index = 0; index < size; index += 1) this.slots.push(undefined);
    this.parent = parent;
    this.e = e;
    this.variables = variables;
  }

  /** The frame `hops` units further out. */
  out(hops: number): Frame {
    return hops === 0 ? this : (this.parent as Frame).out(hops - 1);
  }
}

/** Where text is written to. */
export class Sink {
  text = '';
  private readonly e: Evaluation;

  constructor(e: Evaluation) {
    this.e = e;
  }

  write(piece: string): void {
    const { e } = this;
    const { maxOutputUnits } = e.limits;
    if (this.text.length + piece.length > maxOutputUnits)
      throw new LimitReached(
        'OUTPUT_LIMIT',
        `stopped: the text would have more than ${maxOutputUnits} characters`,
      );
    e.meter.allocate(2 * piece.length);
    this.text += piece;
  }
}

export type Evaluate = (frame: Frame) => Value;
export type Execute = (frame: Frame, sink: Sink) => void;
export type AssignTo = (frame: Frame, value: Value) => void;
