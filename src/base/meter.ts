// Counts the steps and memory that an untrusted evaluation uses. Nothing is timed.
//
//   work(n), allocate(bytes) -> nothing, or LimitReached
//
// Work and memory are charged before they are used, so one huge request cannot overshoot a limit. The same program with
// the same answers uses the same steps and bytes on every machine. `memory` is an upper bound of what is live: at the
// limit the evaluator counts what is really live (`recount`). A slice ends at `pauseAt`; work inside one library call
// may pass it, and nothing passes `stepLimit`.

type LimitCode = 'STEP_LIMIT' | 'MEMORY_LIMIT' | 'INT_LIMIT' | 'DEPTH_LIMIT' | 'OUTPUT_LIMIT';

/** A limit ended the evaluation. Thrown inside an evaluator, which turns it into its own typed failure. */
export class LimitReached extends Error {
  readonly code: LimitCode;
  readonly hint: string | null;

  constructor(code: LimitCode, message: string, hint: string | null = null) {
    super(message);
    this.name = 'LimitReached';
    this.code = code;
    this.hint = hint;
  }
}

export class Meter {
  steps = 0;
  memory = 0;
  /** Set by the evaluator for each slice; at most `stepLimit`. */
  pauseAt: number;
  readonly stepLimit: number;
  readonly memoryLimit: number;
  /** Gives the bytes that are live now, besides the `pending` ones that a library call in progress has taken. */
  recount: (() => number) | null = null;
  /** Units of text whose joining is still to be charged, when one is read (see `chargeJoin` in `starlark/value/charge.ts`). */
  deferred = 0;
  /** `memory` when the library call in progress began; -1 when none is. */
  callBegan = -1;

  constructor(stepLimit: number, memoryLimit: number) {
    this.stepLimit = stepLimit;
    this.memoryLimit = memoryLimit;
    this.pauseAt = stepLimit;
  }

  /** Charges `steps` steps of work that is about to be done. */
  work(steps: number): void {
    if ((this.steps += steps) > this.stepLimit) this.outOfSteps();
  }

  /** Charges `bytes` that are about to be taken. */
  allocate(bytes: number): void {
    if ((this.memory += bytes) > this.memoryLimit) this.reclaim(bytes);
  }

  outOfSteps(): never {
    throw new LimitReached(
      'STEP_LIMIT',
      `stopped after ${this.stepLimit} steps`,
      'do less work in the program, or raise the step limit',
    );
  }

  private reclaim(bytes: number): void {
    const pending = this.callBegan < 0 ? bytes : this.memory - this.callBegan;
    // A request over the limit can never be met, so it is refused before anything is walked.
    if (this.recount !== null && pending <= this.memoryLimit) {
      const before = this.memory;
      this.memory = Math.min(before, this.recount() + pending);
      if (this.callBegan >= 0) this.callBegan = this.memory - pending;
      if (this.memory <= this.memoryLimit) return;
    }
    throw new LimitReached(
      'MEMORY_LIMIT',
      `stopped: more than ${this.memoryLimit} bytes of memory are needed`,
      'keep less data at once, or raise the memory limit',
    );
  }
}
