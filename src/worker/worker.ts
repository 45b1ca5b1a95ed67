// One worker: takes runs from the queue, drives them, and looks after the runs of workers that died.
//
//   kick -> resume the run -> done, parked (it waits for a person), held, or left to another worker
//
// A worker with a free place takes queued runs from the store when it is told of one, when a kick comes, when a run of its own has
// ended, and every second while a limit holds runs back. The store gives each run to one worker and counts the limits; a kick
// finds what was not told. It never throws and says nothing about a run but its name. Every third of a lease the worker looks
// for runs that need a worker and queues them, also those of other workers that died. A run that a worker died of is
// driven alone, so that it takes no other run with it. `drain` takes no more runs, and gives the effects under way time to
// end; then it detaches their runs, and another worker continues.
import { setMaxListeners } from 'node:events';
import { TechneError } from '../base/error.ts';
import { settledWithin } from '../base/settled-within.ts';
import type { ServedRuns } from '../ports/served-runs.ts';
import type { RunStops } from '../run/drive/drive.ts';
import type { RunResult } from '../run/result/result.ts';
import type { RunQueue } from './run-queue.ts';
import { kickId } from './run-queue.ts';
import type { DeliveryEvent } from './webhook/deliver-webhooks.ts';
import type { LateEvent } from './end-late-runs.ts';
import type { ScheduleEvent } from './schedule/fire-schedules.ts';

export interface WorkerOptions {
  readonly served: ServedRuns;
  readonly queue: RunQueue;
  readonly queues: readonly string[];
  /** Runs at a time. */
  readonly concurrency: number;
  readonly leaseMs: number;
  /** Drives a run as far as it goes without a person. Throws RUN_OWNED, and what else keeps the run from continuing here. */
  readonly resume: (run: string, stops: RunStops) => Promise<RunResult>;
  readonly onSay: (event: WorkerEvent) => void;
}

export type WorkerEvent =
  | { readonly kind: 'began' | 'ended' | 'waits' | 'detached'; readonly run: string; readonly status: string }
  | { readonly kind: 'taken-over'; readonly run: string; readonly from: string; readonly deaths: number }
  | { readonly kind: 'held' | 'left'; readonly run: string; readonly reason: string }
  | { readonly kind: 'fault'; readonly run: string | null; readonly reason: string }
  | ScheduleEvent
  | LateEvent
  | DeliveryEvent;

/** Of one look: more are found by the next one. A look must be over in a part of a lease, for the next one judges who is dead. */
const atOnce = 100;
/** A run that this worker cannot drive is queued again later: a worker of another version or machine may be able to. */
const leaveSeconds = 5;
/** How often kicks that are over are removed from the engine. */
const tidyMs = 60_000;
/** How often runs that a limit holds back are tried. */
const limitedMs = 1_000;

const timers: Parameters<typeof settledWithin>[0] = {
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

export class Worker {
  readonly #options: WorkerOptions;
  readonly #active = new Map<string, Promise<void>>();
  readonly #places: Places;
  readonly #stop = new AbortController();
  readonly #detach = new AbortController();
  #listening: { close(): Promise<void> } | null = null;
  #looking: NodeJS.Timeout | null = null;
  #look: Promise<void> | null = null;
  #taking: Promise<void> | null = null;
  #takesAgain = false;
  /** While a limit holds runs back: no one tells when that ends. */
  #waiting: NodeJS.Timeout | null = null;
  /** Kicks of runs that were taken and left again: the engine need not dispatch them any more. */
  #spent: string[] = [];
  #tidiedMs = performance.now();

  constructor(options: WorkerOptions) {
    this.#options = options;
    // As many listen as there are runs.
    setMaxListeners(0, this.#stop.signal, this.#detach.signal);
    this.#places = new Places(options.concurrency);
  }

  get active(): readonly string[] {
    return [...this.#active.keys()];
  }

  async start(): Promise<void> {
    const { queue, queues, served, leaseMs } = this.#options;
    await queue.listen((run) => this.#kicked(run));
    this.#listening = await served.listen((name) => {
      if (queues.includes(name)) this.#take();
    });
    await this.reconcile();
    this.#take();
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
    this.#stop.abort();
    if (this.#looking !== null) clearInterval(this.#looking);
    if (this.#waiting !== null) clearTimeout(this.#waiting);
    await this.#listening?.close();
    await this.#look;
    await this.#taking;
    const settled = this.#settled();
    if (!(await settledWithin(timers, graceMs, settled))) this.#detach.abort();
    await settled;
    await this.#forget();
  }

  get #isDraining(): boolean {
    return this.#stop.signal.aborted;
  }

  async #settled(): Promise<void> {
    while (this.#active.size > 0) await Promise.all(this.#active.values());
  }

  async #reconcile(): Promise<void> {
    const { served, queue, leaseMs, onSay } = this.#options;
    try {
      const freed = await queue.free(async () => {
        const workers = await served.workers();
        return new Set(workers.filter(({ isAlive }) => isAlive).map(({ id }) => id));
      });
      if (freed.length > 0) await served.unkick(freed);
      await served.freePlaces(this.active);
      await this.#forget();
      if (performance.now() - this.#tidiedMs > tidyMs) {
        this.#tidiedMs = performance.now();
        await queue.tidy();
      }
      const endMs = performance.now() + leaseMs / 8;
      for (const due of await served.due(atOnce)) {
        if (this.#isDraining) return;
        // Who is dead is judged by looks that are not far apart: what else is due is queued by the next one.
        if (performance.now() > endMs) break;
        const kicked = await served.kicked(due);
        const { run, epoch, priority, deadOwner } = due;
        if (kicked === null) {
          const found = await served.find(run);
          if (found?.held !== null && found?.held !== undefined)
            onSay({ kind: 'held', run, reason: found.held });
          continue;
        }
        if (deadOwner !== null) onSay({ kind: 'taken-over', run, from: deadOwner, deaths: kicked.deaths });
        await queue.enqueue({ run, id: kickId(run, epoch, kicked.kick), queue: due.queue, priority });
        await served.tell(due.queue, run);
      }
      this.#take();
    } catch (error) {
      onSay({ kind: 'fault', run: null, reason: messageOf(error) });
    }
  }

  /** Resolves when the run is not driven here, or no more. */
  async #kicked(run: string): Promise<void> {
    this.#take();
    await this.#taking;
    await this.#active.get(run);
  }

  /** Begins queued runs as long as there are places, if no other worker does. */
  #take(): void {
    if (this.#isDraining) return;
    if (this.#taking !== null) {
      this.#takesAgain = true;
      return;
    }
    this.#taking = this.#takeAll().finally(() => {
      this.#taking = null;
      if (!this.#takesAgain) return;
      this.#takesAgain = false;
      this.#take();
    });
  }

  async #takeAll(): Promise<void> {
    const { served, queues, onSay } = this.#options;
    try {
      for (let { free } = this.#places; free > 0 && !this.#isDraining; { free } = this.#places) {
        const { taken, isLimited } = await served.take(queues, free);
        for (const { run, epoch, kick, deaths } of taken)
          void this.#work(run, deaths).then(() => this.#spent.push(kickId(run, epoch, kick)));
        if (isLimited && this.#waiting === null && !this.#isDraining)
          this.#waiting = setTimeout(() => {
            this.#waiting = null;
            this.#take();
          }, limitedMs);
        if (taken.length < free) return;
      }
    } catch (error) {
      // Its kick, or the next look, finds it.
      onSay({ kind: 'fault', run: null, reason: messageOf(error) });
    }
  }

  async #forget(): Promise<void> {
    const spent = this.#spent;
    this.#spent = [];
    if (spent.length > 0) await this.#options.queue.forget(spent).catch(() => undefined);
  }

  /** Never throws: for the engine that dispatches, a kick that throws is over for good. */
  async #work(run: string, deaths: number): Promise<void> {
    // Another worker has it at its next look.
    if (this.#isDraining) return this.#options.served.unkick([run]).catch(() => undefined);
    const before = this.#active.get(run);
    // Its place is taken at once: the next look for places must see that.
    const drive = (): Promise<void> => this.#drive(run, deaths);
    const work = (before === undefined ? drive() : before.then(drive)).catch((error: unknown) => {
      this.#options.onSay({ kind: 'fault', run, reason: messageOf(error) });
    });
    this.#active.set(run, work);
    try {
      await work;
    } finally {
      if (this.#active.get(run) === work) this.#active.delete(run);
      this.#take();
    }
  }

  async #drive(run: string, deaths: number): Promise<void> {
    const { served } = this.#options;
    const leave = await this.#places.enter(deaths > 0);
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
      result = await resume(run, { drain: this.#stop.signal, detach: this.#detach.signal });
    } catch (error) {
      const code = error instanceof TechneError ? error.code : null;
      const reason = messageOf(error);
      // Another worker drives it, or took it over: it is in good hands.
      if (code === 'RUN_OWNED' || code === 'OWNER_LOST') return served.leave(run);
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
      // An answer that came before it was parked: it is queued again, and taken here or elsewhere as its limits allow.
      const due = await served.dueOf(run);
      if (due !== null && (await served.kicked(due)) !== null) await served.tell(due.queue, run);
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
