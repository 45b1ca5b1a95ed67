// What every worker does besides driving runs, again and again: schedules, deliveries, deadlines.
//
// A chore says how long there is nothing to do; it is looked at again after that time, and at least every `mostMs`. One that fails is
// reported and tried again. Two looks of one chore never overlap.

export interface Chore {
  readonly name: string;
  /** Resolves to how long there is nothing to do, in milliseconds; `null`: for as long as the others wait. */
  readonly look: () => Promise<number | null>;
}

export interface ChoresOptions {
  readonly chores: readonly Chore[];
  readonly mostMs: number;
  readonly onFault: (chore: string, error: unknown) => void;
}

const leastMs = 50;

export class Chores {
  readonly #options: ChoresOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #looks = new Set<Promise<void>>();
  #isStopping = false;

  constructor(options: ChoresOptions) {
    this.#options = options;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  start(): void {
    for (const chore of this.#options.chores) this.#begin(chore);
  }

  /** Resolves when nothing is looked at any more. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#looks);
  }

  #begin(chore: Chore): void {
    const look = this.#look(chore).finally(() => this.#looks.delete(look));
    this.#looks.add(look);
  }

  async #look(chore: Chore): Promise<void> {
    const { mostMs, onFault } = this.#options;
    let waitMs: number | null = null;
    try {
      waitMs = await chore.look();
    } catch (error) {
      onFault(chore.name, error);
    }
    if (this.#isStopping) return;
    const delayMs = Math.min(mostMs, Math.max(leastMs, waitMs ?? mostMs));
    this.#timers.set(
      chore.name,
      setTimeout(() => this.#begin(chore), delayMs),
    );
  }
}
