// Which runs a model can reach: those that it started, and those of skills that it knows. Which questions it was asked:
// those of the runs that it started, and those that were asked while it drove a run.
//
// Both are remembered by a connection or session, not on disk, so another connection does not know them. It needs a
// nonce, which only whoever was asked has seen: one of a run proves that it is the same caller after a restart.

/** The last ones are remembered. */
const maxOwn = 10_000;

export class OwnRuns {
  readonly #runs = new Set<string>();
  readonly #proven = new Set<string>();
  readonly #questions = new Set<string>();

  add(run: string): void {
    remember(this.#runs, run);
  }

  has(run: string): boolean {
    return this.#runs.has(run);
  }

  /** The caller has shown a nonce of the run. It did not start it: forms of it are not its own. */
  prove(run: string): void {
    remember(this.#proven, run);
  }

  /** A question that was asked while the session drove its run. */
  addQuestion(id: string): void {
    remember(this.#questions, id);
  }

  /** `run`: the outermost. */
  wasAsked(run: string, question: string): boolean {
    return this.#runs.has(run) || this.#proven.has(run) || this.#questions.has(question);
  }
}

function remember(known: Set<string>, id: string): void {
  known.add(id);
  for (const oldest of known) {
    if (known.size <= maxOwn) break;
    known.delete(oldest);
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
