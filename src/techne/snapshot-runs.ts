// Runs over the snapshot that their caller sees, opened when something is run first.
//
// P1. A session runs what it was shown: the skills of its own snapshot, whatever is on disk by now. What changed since is
//     refused by the reads of that snapshot, never run in another version.
// P2. What belongs to the newest snapshot stays open for the next run; all else is closed when nobody uses it. What runs goes
//     on with what it was opened with.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Snapshot } from '../registry/snapshot.ts';
import type { OnRunEvent } from '../run/events.ts';
import type { OpenRuns, OpenRunsOptions } from './open-runs.ts';
import type { SkillLibrary } from './open-skills.ts';

interface Member {
  readonly runs: Promise<OpenRuns>;
  users: number;
}

export class SnapshotRuns {
  readonly #options: OpenRunsOptions;
  readonly #newest: () => Snapshot;
  /** Who listens to what the work at hand does: events do not say which call they came of. */
  readonly #listening = new AsyncLocalStorage<OnRunEvent>();
  readonly #members = new Map<Snapshot, Member>();

  constructor(options: OpenRunsOptions, newest: () => Snapshot) {
    this.#options = options;
    this.#newest = newest;
  }

  /** `onEvent` hears of what `work` does, besides whoever hears of everything. */
  async use<T>(
    snapshot: Snapshot,
    work: (runs: OpenRuns) => Promise<T>,
    onEvent: OnRunEvent | null = null,
  ): Promise<T> {
    const member = this.#memberFor(snapshot);
    member.users += 1;
    try {
      const runs = await member.runs;
      return await (onEvent === null ? work(runs) : this.#listening.run(onEvent, () => work(runs)));
    } finally {
      member.users -= 1;
      await this.#closeUnused();
    }
  }

  /** The same over the skills there are now. */
  useNewest<T>(work: (runs: OpenRuns) => Promise<T>, onEvent: OnRunEvent | null = null): Promise<T> {
    return this.use(this.#newest(), work, onEvent);
  }

  /** The skills changed (P2). */
  renew(): Promise<void> {
    return this.#closeUnused();
  }

  async close(): Promise<void> {
    const members = [...this.#members.values()];
    this.#members.clear();
    await Promise.all(members.map(async ({ runs }) => (await runs.catch(() => null))?.close()));
  }

  #memberFor(snapshot: Snapshot): Member {
    const known = this.#members.get(snapshot);
    if (known !== undefined) return known;
    const member: Member = { runs: this.#open(snapshot), users: 0 };
    // The next one tries again.
    member.runs.catch(() => this.#members.delete(snapshot));
    this.#members.set(snapshot, member);
    return member;
  }

  async #open(snapshot: Snapshot): Promise<OpenRuns> {
    const { openRuns } = await import('./open-runs.ts');
    const { onEvent } = this.#options;
    return openRuns({
      ...this.#options,
      library: withSnapshot(this.#options.library, snapshot),
      onEvent: (event) => {
        this.#listening.getStore()?.(event);
        onEvent?.(event);
      },
    });
  }

  async #closeUnused(): Promise<void> {
    const newest = this.#newest();
    const unused = [...this.#members].filter(([snapshot, { users }]) => snapshot !== newest && users === 0);
    for (const [snapshot] of unused) this.#members.delete(snapshot);
    await Promise.all(unused.map(async ([, { runs }]) => (await runs.catch(() => null))?.close()));
  }
}

/** The library as it was when the snapshot was made. */
export function withSnapshot(library: SkillLibrary, snapshot: Snapshot): SkillLibrary {
  return {
    ...library,
    load: (roots) => (roots === undefined ? Promise.resolve(snapshot) : library.load(roots)),
  };
}
