// What the scan of one file may cost: counted units, and a deadline that is looked at now and then.
//
// The count alone decides on a normal machine, so that a report does not depend on the clock.
import type { Work } from './detector.ts';

export class WorkExceeded extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'WorkExceeded';
  }
}

const unitsBetweenLooks = 200_000;

export class WorkMeter implements Work {
  readonly #limit: number;
  readonly #deadlineMs: number;
  readonly #nowMs: () => number;
  #nextLook = unitsBetweenLooks;
  spent = 0;
  /** What was left out first. */
  leftOut: string | null = null;

  constructor(limit: { readonly units: number; readonly ms: number }, nowMs: () => number) {
    this.#limit = limit.units;
    this.#nowMs = nowMs;
    this.#deadlineMs = nowMs() + limit.ms;
  }

  leaveOut(why: string): void {
    this.leftOut ??= why;
  }

  charge(units: number): void {
    this.spent += units;
    if (this.spent > this.#limit) throw new WorkExceeded('it takes too much work to scan');
    if (this.spent < this.#nextLook) return;
    this.#nextLook = this.spent + unitsBetweenLooks;
    if (this.#nowMs() > this.#deadlineMs) throw new WorkExceeded('it takes too long to scan');
  }
}
