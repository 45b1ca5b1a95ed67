// The runs of a server, opened when they are first needed and again after the skills changed.
//
// P1. What runs goes on with what it was opened with; the next run is started with the skills there are then.
// P2. What is no longer current is closed when nobody uses it.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { OpenRuns } from '../host/open-runs.ts';
import type { OnRunEvent } from '../run/events.ts';

interface Member {
  readonly runs: Promise<OpenRuns>;
  users: number;
  current: boolean;
}

export type OpenRunsHere = (onEvent: OnRunEvent) => Promise<OpenRuns>;

export class RunsPool {
  readonly #open: OpenRunsHere;
  /** Who listens to what the work at hand does: events do not say which call they came of. */
  readonly #listening = new AsyncLocalStorage<OnRunEvent>();
  readonly #members = new Set<Member>();

  constructor(open: OpenRunsHere) {
    this.#open = open;
  }

  /** The skills changed. */
  renew(): void {
    for (const member of this.#members) {
      member.current = false;
      this.#closeUnused(member);
    }
  }

  /** `onEvent` hears of what `work` does, also of the runs inside its run. */
  async use<T>(work: (runs: OpenRuns) => Promise<T>, onEvent: OnRunEvent = () => {}): Promise<T> {
    const member = this.#current();
    member.users += 1;
    try {
      const runs = await member.runs;
      return await this.#listening.run(onEvent, () => work(runs));
    } finally {
      member.users -= 1;
      this.#closeUnused(member);
    }
  }

  async close(): Promise<void> {
    const members = [...this.#members];
    this.#members.clear();
    await Promise.all(members.map(async ({ runs }) => (await runs.catch(() => null))?.close()));
  }

  #current(): Member {
    for (const member of this.#members) if (member.current) return member;
    const member: Member = { runs: this.#open((event) => this.#listening.getStore()?.(event)), users: 0, current: true };
    // The next one tries again.
    member.runs.catch(() => this.#members.delete(member));
    this.#members.add(member);
    return member;
  }

  #closeUnused(member: Member): void {
    if (member.current || member.users > 0 || !this.#members.delete(member)) return;
    void member.runs.then((runs) => runs.close()).catch(() => undefined);
  }
}
