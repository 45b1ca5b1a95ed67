// Which runs a model can reach: those that it started, and those of skills that it knows.
//
// The runs of a caller are remembered by its connection or session, not on disk, so another connection does not know
// them.

/** Of the runs that a caller started, the last ones are remembered. */
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

export interface RunReach {
  readonly own: OwnRuns;
  /** Whether the skill is open to the model. */
  readonly knows: (skill: string) => boolean | Promise<boolean>;
}

/** For the outermost run. */
export async function mayReach({ own, knows }: RunReach, run: string, skill: string): Promise<boolean> {
  return own.has(run) || (await knows(skill));
}
