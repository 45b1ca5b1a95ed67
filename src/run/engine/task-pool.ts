// Tasks beside the loop of a run: a number of slots, and a queue for them.
//
// `settled` resolves when nothing is under way; only then may a result be given. `changed` reports a change once for
// each wait.

interface TaskPoolOptions<T> {
  readonly parallel: number;
  readonly carryOut: (item: T) => Promise<void>;
  /** What `carryOut` rejected with. */
  readonly onError: (error: unknown) => void;
}

export class TaskPool<T> {
  readonly #options: TaskPoolOptions<T>;
  readonly #queue: T[] = [];
  #underWay = 0;
  #isHeld = false;
  #wake: (() => void) | null = null;

  constructor(options: TaskPoolOptions<T>) {
    this.#options = options;
  }

  /** Nothing is under way, and nothing will be begun. */
  get isIdle(): boolean {
    return this.#underWay === 0 && (this.#isHeld || this.#queue.length === 0);
  }

  add(item: T): void {
    this.#queue.push(item);
    this.#fill();
  }

  /** Counts work that was begun elsewhere. */
  track(work: Promise<void>): void {
    this.#underWay += 1;
    work.then(this.#settle, this.#fail);
  }

  readonly #settle = (): void => {
    this.#underWay -= 1;
    this.#fill();
    this.wake();
  };

  readonly #fail = (error: unknown): void => {
    this.#options.onError(error);
    this.#settle();
  };

  /** Begins nothing any more; what is queued stays. */
  hold(): void {
    this.#isHeld = true;
    this.wake();
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  /** Resolves at the next `wake`, or when something has settled. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async settled(): Promise<void> {
    while (this.#underWay > 0) await this.changed();
  }

  #fill(): void {
    while (!this.#isHeld && this.#underWay < this.#options.parallel && this.#queue.length > 0)
      this.track(this.#options.carryOut(this.#queue.shift() as T));
  }
}
