// One worker: takes runs from the queue, drives them, and looks after the runs of workers that died.
//
//   kick -> resume the run -> done, parked (it waits for a person), held, or left to another worker
//
// A kick never throws and says nothing about a run but its name. Every third of a lease the worker looks for runs that need
// a worker and queues them, also those of other workers that died. A run that a worker died of is driven alone, so that
// it takes no other run with it. `drain` takes no more runs, and gives those under way time to end; then it detaches them,
// and another worker continues.
import { TechneError } from '../base/error.ts';
import type { ServedRuns } from '../ports/served-runs.ts';
import type { RunResult } from '../run/result/result.ts';
import type { RunQueue } from './run-queue.ts';

export interface WorkerOptions {
  readonly served: ServedRuns;
  readonly queue: RunQueue;
  readonly queues: readonly string[];
  /** Runs at a time. */
  readonly concurrency: number;
  readonly leaseMs: number;
  /** Drives a run as far as it goes without a person. Throws RUN_OWNED, and what else keeps the run from continuing here. */
  readonly resume: (run: string, detach: AbortSignal) => Promise<RunResult>;
  readonly onSay: (event: WorkerEvent) => void;
}

export type WorkerEvent =
  | { readonly kind: 'began' | 'ended' | 'waits' | 'detached'; readonly run: string; readonly status: string }
  | { readonly kind: 'taken-over'; readonly run: string; readonly from: string; readonly deaths: number }
  | { readonly kind: 'held' | 'left'; readonly run: string; readonly reason: string }
  | { readonly kind: 'fault'; readonly run: string | null; readonly reason: string };

/** Of one look: more are found by the next one. A look must be over in a part of a lease, for the next one judges who is dead. */
const atOnce = 100;
/** A run that this worker cannot drive is queued again later: a worker of another version or machine may be able to. */
const leaveSeconds = 5;

export class Worker {
  readonly #options: WorkerOptions;
  readonly #active = new Map<string, Promise<void>>();
  readonly #places: Places;
  readonly #detach = new AbortController();
  /** Queues with limits for all workers: only the engine that dispatches knows them, so their runs are not begun when told. */
  readonly #limited = new Set<string>();
  #listening: { close(): Promise<void> } | null = null;
  #looking: NodeJS.Timeout | null = null;
  #look: Promise<void> | null = null;
  #isDraining = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#places = new Places(options.concurrency);
  }

  get active(): readonly string[] {
    return [...this.#active.keys()];
  }

  async start(): Promise<void> {
    const { queue, queues, served, leaseMs } = this.#options;
    await queue.listen((run) => this.#work(run));
    for (const name of queues) {
      const { concurrency, rate } = await queue.limitsOf(name);
      if (concurrency !== null || rate !== null) this.#limited.add(name);
    }
    this.#listening = await served.listen((name, run) => {
      if (queues.includes(name) && !this.#limited.has(name) && this.#places.free > 0) void this.#work(run);
    });
    await this.reconcile();
    this.#looking = setInterval(() => void this.reconcile(), leaseMs / 3);
  }

  /** Queues what needs a worker. What fails is tried again with the next look. */
  reconcile(): Promise<void> {
    this.#look ??= this.#reconcile().finally(() => {
      this.#look = null;
    });
    return this.#look;
  }

  /** Resolves when nothing is driven here any more. */
  async drain(graceMs: number): Promise<void> {
    this.#isDraining = true;
    if (this.#looking !== null) clearInterval(this.#looking);
    await this.#listening?.close();
    await this.#look;
    let timer: NodeJS.Timeout | null = null;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([this.#settled(), grace]);
    if (timer !== null) clearTimeout(timer);
    this.#detach.abort();
    await this.#settled();
  }

  async #settled(): Promise<void> {
    while (this.#active.size > 0) await Promise.all(this.#active.values());
  }

  async #reconcile(): Promise<void> {
    const { served, queue, onSay } = this.#options;
    try {
      const freed = await queue.free(async () => {
        const workers = await served.workers();
        return new Set(workers.filter(({ isAlive }) => isAlive).map(({ id }) => id));
      });
      if (freed.length > 0) await served.unkick(freed);
      for (const due of await served.due(atOnce)) {
        if (this.#isDraining) return;
        const kicked = await served.kicked(due);
        const { run, epoch, priority, deadOwner } = due;
        if (kicked === null) {
          const found = await served.find(run);
          if (found?.held !== null && found?.held !== undefined)
            onSay({ kind: 'held', run, reason: found.held });
          continue;
        }
        if (deadOwner !== null) onSay({ kind: 'taken-over', run, from: deadOwner, deaths: kicked.deaths });
        await queue.enqueue({ run, id: `${run}:${epoch}:${kicked.kick}`, queue: due.queue, priority });
        await served.tell(due.queue, run);
      }
    } catch (error) {
      onSay({ kind: 'fault', run: null, reason: messageOf(error) });
    }
  }

  /** Never throws: for the engine that dispatches, a kick that throws is over for good. */
  async #work(run: string): Promise<void> {
    const known = this.#active.get(run);
    if (known !== undefined) return known;
    // Another worker has it at its next look.
    if (this.#isDraining) return this.#options.served.unkick([run]).catch(() => undefined);
    const work = this.#drive(run).catch((error: unknown) => {
      this.#options.onSay({ kind: 'fault', run, reason: messageOf(error) });
    });
    this.#active.set(run, work);
    try {
      await work;
    } finally {
      this.#active.delete(run);
    }
  }

  async #drive(run: string): Promise<void> {
    const { served } = this.#options;
    const found = await served.find(run);
    if (found === null || found.held !== null) return;
    const isSuspect = found.deaths > 0;
    const leave = await this.#places.enter(isSuspect);
    try {
      if (this.#isDraining) return await served.unkick([run]);
      await this.#resume(run);
    } finally {
      leave();
    }
  }

  async #resume(run: string): Promise<void> {
    const { served, resume, onSay } = this.#options;
    let result: RunResult;
    try {
      onSay({ kind: 'began', run, status: 'running' });
      result = await resume(run, this.#detach.signal);
    } catch (error) {
      const code = error instanceof TechneError ? error.code : null;
      const reason = messageOf(error);
      // Another worker drives it, or took it over: it is in good hands.
      if (code === 'RUN_OWNED' || code === 'OWNER_LOST') return;
      if (code === 'RUN_UNFINISHED') {
        onSay({ kind: 'detached', run, status: 'detached' });
        return served.unkick([run]);
      }
      // The store could not be written: the look for what is due finds the run when it can be again.
      if (code === 'JOURNAL_WRITE' || code === 'JOURNAL_FULL') {
        onSay({ kind: 'fault', run, reason });
        return served.unkick([run]);
      }
      if (code === 'PROFILE_UNSUPPORTED' || code === 'ENVIRONMENT') {
        onSay({ kind: 'left', run, reason });
        return served.postpone(run, leaveSeconds);
      }
      onSay({ kind: 'held', run, reason });
      return served.hold(run, reason);
    }
    const { status } = result;
    if (status === 'paused' || status === 'needs_decision') {
      await served.park(run);
      onSay({ kind: 'waits', run, status });
      // An answer that came before it was parked.
      const due = await served.dueOf(run);
      if (due !== null && !this.#isDraining && (await served.kicked(due)) !== null) return this.#resume(run);
    } else {
      await served.done(run);
      onSay({ kind: 'ended', run, status });
    }
  }
}

/** Places for runs. One that must be alone waits until all others have left, and lets no one in before it leaves. */
export class Places {
  readonly #size: number;
  readonly #waiting: { readonly alone: boolean; readonly enter: () => void }[] = [];
  #taken = 0;
  #isAlone = false;

  constructor(size: number) {
    this.#size = size;
  }

  get free(): number {
    return this.#isAlone || this.#waiting.length > 0 ? 0 : this.#size - this.#taken;
  }

  /** Resolves to what leaves the place again. */
  enter(alone: boolean): Promise<() => void> {
    return new Promise((resolve) => {
      let isIn = true;
      const leave = (): void => {
        if (!isIn) return;
        isIn = false;
        this.#taken -= 1;
        if (alone) this.#isAlone = false;
        this.#admit();
      };
      this.#waiting.push({ alone, enter: () => resolve(leave) });
      this.#admit();
    });
  }

  #admit(): void {
    for (;;) {
      const [first] = this.#waiting;
      if (first === undefined || this.#isAlone) return;
      if (first.alone ? this.#taken > 0 : this.#taken >= this.#size) return;
      this.#waiting.shift();
      this.#taken += 1;
      this.#isAlone = first.alone;
      first.enter();
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
