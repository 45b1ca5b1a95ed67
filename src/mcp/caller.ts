// Who calls: the runs that it started, and the skills that its model knows.
//
// L1. What its user says to a form, a caller passes on for runs that it started itself. Whoever started another one waits for
//     a person, and a model that finds the run must not speak for them.
// L2. A run of a skill that is not open to the model is none of its business, unless it started the run.
// L3. What was started is remembered by the connection, not on disk: another server does not know whose run it was.

/** Of the runs that a connection started, the last ones are remembered. */
const maxOwn = 10_000;

export class OwnRuns {
  readonly #runs = new Set<string>();

  add(run: string): void {
    this.#runs.add(run);
    for (const oldest of this.#runs) {
      if (this.#runs.size <= maxOwn) break;
      this.#runs.delete(oldest);
    }
  }

  has(run: string): boolean {
    return this.#runs.has(run);
  }
}

export interface Caller {
  readonly own: OwnRuns;
  /** Whether it may pass on at all what its user says to a form. */
  readonly relaysForms: boolean;
  /** Whether the skill is open to its model. */
  knows(skill: string): Promise<boolean>;
}

/** L2. */
export async function mayReach({ own, knows }: Caller, run: string, skill: string): Promise<boolean> {
  return own.has(run) || (await knows(skill));
}
