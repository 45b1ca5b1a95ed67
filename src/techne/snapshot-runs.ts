// Runs over the snapshot that their caller sees, opened when something is run first.
//
// A session runs the skills of its own snapshot: what changed on disk since is refused by the reads of that snapshot, never
// run in another version. Runs over the newest snapshot stay open for the next run; others are closed when no one uses them.
import type { Snapshot } from '../registry/snapshot.ts';
import type { ScriptedWorld } from '../scripted/world.ts';
import type { OpenRuns, OpenRunsOptions } from './open-runs.ts';

interface Member {
  readonly runs: Promise<OpenRuns>;
  users: number;
}

export interface HeldRuns {
  readonly runs: OpenRuns;
  readonly release: () => Promise<void>;
}

export class SnapshotRuns {
  readonly #options: OpenRunsOptions;
  readonly #newest: () => Snapshot;
  readonly #members = new Map<Snapshot, Member>();
  /** One for all snapshots: what a script has given is not given again. */
  #scripted: Promise<ScriptedWorld | null> | null = null;

  constructor(options: OpenRunsOptions, newest: () => Snapshot) {
    this.#options = options;
    this.#newest = newest;
  }

  async use<T>(snapshot: Snapshot, work: (runs: OpenRuns) => Promise<T>): Promise<T> {
    const member = this.#memberFor(snapshot);
    member.users += 1;
    try {
      return await work(await member.runs);
    } finally {
      member.users -= 1;
      await this.#closeUnused();
    }
  }

  /** Keeps the runs over a snapshot open until `release` is called. */
  async hold(snapshot: Snapshot): Promise<HeldRuns> {
    const member = this.#memberFor(snapshot);
    member.users += 1;
    const release = async (): Promise<void> => {
      member.users -= 1;
      await this.#closeUnused();
    };
    try {
      return { runs: await member.runs, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Call it when the skills have changed: closes what only the old ones needed. */
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
    const runs = this.#open(snapshot);
    const member: Member = { runs, users: 0 };
    // The next call tries again.
    runs.catch(() => this.#members.delete(snapshot));
    this.#members.set(snapshot, member);
    return member;
  }

  async #open(snapshot: Snapshot): Promise<OpenRuns> {
    const { openRuns, openScript } = await import('./open-runs.ts');
    this.#scripted ??= openScript(this.#options);
    try {
      return await openRuns({ ...this.#options, snapshot, scripted: await this.#scripted });
    } catch (error) {
      this.#scripted = null;
      throw error;
    }
  }

  async #closeUnused(): Promise<void> {
    const newest = this.#newest();
    const unused = [...this.#members].filter(([snapshot, { users }]) => snapshot !== newest && users === 0);
    for (const [snapshot] of unused) this.#members.delete(snapshot);
    await Promise.all(unused.map(async ([, { runs }]) => (await runs.catch(() => null))?.close()));
  }
}
