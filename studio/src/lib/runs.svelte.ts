// A list of runs that follows the server: pages of `listRuns`, and what the stream says since.
//
// Only ids are kept here; status and times come from `live.runs`, as everywhere. A run that the stream names and that fits the filter
// comes in at its place; one that does not fit any more goes.
import { untrack } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import { faultOf } from './load.svelte.ts';
import type { Fault } from './load.svelte.ts';
import { live } from './live.svelte.ts';
import type { RunSummary } from './live.svelte.ts';
import { call } from './session.svelte.ts';

export interface RunFilter {
  readonly skill: string;
  readonly status: string;
  /** A word of the id or of the skill. */
  readonly text: string;
  /** Hours; 0: no limit. */
  readonly hours: number;
  /** Dollars at least, which only the server knows. Default: no limit. */
  readonly cost?: number;
  /** Also runs inside of others. */
  readonly nested: boolean;
}

type ApiStatus = RunSummary['status'];

export class RunList {
  isLoading = $state(true);
  fault = $state.raw<Fault | null>(null);
  #cursor = $state<string | null>(null);
  readonly #ids = new SvelteSet<string>();
  #filter = $state.raw<RunFilter>({ skill: '', status: '', text: '', hours: 0, nested: false });
  #asked = 0;

  /** To be called while a component is made. */
  constructor(filter: () => RunFilter) {
    $effect(() => {
      void live.resets;
      const wanted = filter();
      untrack(() => {
        this.#filter = wanted;
        this.#ids.clear();
        this.#cursor = null;
        void this.#read(null);
      });
    });
  }

  get hasMore(): boolean {
    return this.#cursor !== null;
  }

  get rows(): readonly RunSummary[] {
    const oldest = this.#cursor;
    const rows: RunSummary[] = [];
    for (const run of live.runs.values())
      if (
        (this.#ids.has(run.run) ||
          ((this.#filter.cost ?? 0) === 0 && (oldest === null ? !this.isLoading : run.run > oldest))) &&
        this.#fits(run)
      )
        rows.push(run);
    return rows.toSorted((a, b) => (a.run < b.run ? 1 : -1));
  }

  more(): void {
    if (!this.isLoading && this.#cursor !== null) void this.#read(this.#cursor);
  }

  reload(): void {
    void this.#read(null);
  }

  #fits(run: RunSummary): boolean {
    const { skill, status, text, hours, nested } = this.#filter;
    const words = text.toLowerCase();
    return (
      (nested || run.parent === null) &&
      (skill === '' || run.skill === skill) &&
      (status === '' || run.status === status) &&
      (hours === 0 || run.startedAt >= Date.now() - hours * 3_600_000) &&
      (words === '' || run.skill.toLowerCase().includes(words) || run.run.toLowerCase().includes(words))
    );
  }

  async #read(cursor: string | null): Promise<void> {
    this.#asked += 1;
    const number = this.#asked;
    this.isLoading = true;
    const { skill, status, text, hours, cost = 0 } = this.#filter;
    try {
      const page = await call('listRuns', {
        query: {
          limit: 200,
          ...(skill === '' ? {} : { skill }),
          ...(status === '' ? {} : { status: status as ApiStatus }),
          ...(text === '' ? {} : { text }),
          ...(cost === 0 ? {} : { minCost: Math.round(cost * 1_000_000) }),
          ...(hours === 0 ? {} : { since: new Date(Date.now() - hours * 3_600_000).toISOString() }),
          ...(cursor === null ? {} : { cursor }),
        },
      });
      if (number !== this.#asked) return;
      live.learn(page.runs);
      for (const { run } of page.runs) this.#ids.add(run);
      [this.#cursor, this.fault, this.isLoading] = [page.cursor, null, false];
    } catch (error) {
      if (number !== this.#asked) return;
      [this.fault, this.isLoading] = [faultOf(error), false];
    }
  }
}
