// A whole run with a host that may take its time.
//
// Modules are loaded ahead, in the order in which the program will ask for them: the machine does not wait. The signal
// ends every wait immediately; what the host answers later is dropped.
import { checkOptions, executeRules } from '../compile-source.ts';
import type { Program } from '../compile/program.ts';
import type { Data, Failure, Loaded, RunOptions, Usage } from '../options.ts';
import { reasonOf, defaultCallDepth } from './machine.ts';
import { loadAhead } from './load.ts';
import { start } from './start.ts';

/** The part of an AbortSignal that is used. Without `addEventListener` it is only looked at between two waits. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener?(type: 'abort', listener: () => void): void;
  removeEventListener?(type: 'abort', listener: () => void): void;
}

/** What is called, within which limits, and who answers host calls. */
export interface ExecuteOptions extends Omit<RunOptions, 'load'> {
  /** What the predeclared names without a value do. One that throws or rejects ends the program with EVAL_HOST. */
  readonly host?: {
    readonly [name: string]: (
      args: readonly Data[],
      named: { readonly [name: string]: Data },
    ) => Data | Promise<Data>;
  };
  /** As for `start`, or with a promise. Every module is asked for before the program starts. */
  readonly load?: (name: string, from: string) => Loaded | Promise<Loaded>;
  /** Steps between two chances for the rest of the process. Default 1,000,000: some milliseconds. */
  readonly sliceSteps?: number;
  /** Awaited between two slices. Default: a turn of the event loop, so that timers and sockets continue. */
  readonly yieldToHost?: () => Promise<void>;
  /** Ends the run, also while it waits for the host: `execute` rejects with its reason. */
  readonly signal?: Signal;
}

/** The outcome. */
export type Execution =
  | { readonly ok: true; readonly value: Data; readonly usage: Usage }
  | { readonly ok: false; readonly failure: Failure; readonly usage: Usage };

/** Rejects when it is aborted, and with what `print` or `yieldToHost` throws; what the program does wrong is a result. */
export async function execute(program: Program, options: ExecuteOptions = {}): Promise<Execution> {
  checkOptions('execute', options, executeRules);
  const {
    host = {},
    load,
    sliceSteps = 1_000_000,
    yieldToHost = yieldToEventLoop,
    signal,
    ...rest
  } = options;
  throwIfAborted(signal);
  const known =
    load === undefined
      ? {}
      : {
          load: await loadAhead(program, load, rest.maxCallDepth ?? defaultCallDepth, (wait) =>
            unlessAborted(signal, wait),
          ),
        };
  const run = start(program, { ...rest, ...known });
  for (;;) {
    throwIfAborted(signal);
    const state = run.run(sliceSteps);
    switch (state.kind) {
      case 'done':
        return { ok: true, value: state.value, usage: run.usage };
      case 'failed':
        return { ok: false, failure: state.failure, usage: run.usage };
      case 'paused':
        await yieldToHost();
        break;
      case 'host-call': {
        const answer = Object.hasOwn(host, state.name) ? host[state.name] : undefined;
        if (answer === undefined) {
          run.refuse('the host has no such function');
          break;
        }
        const outcome = await unlessAborted(
          signal,
          settle(() => answer(state.args, state.named)),
        );
        if (outcome.ok) run.resume(outcome.value);
        else run.refuse(reasonOf(outcome.thrown), outcome.thrown);
        break;
      }
    }
  }
}

type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly thrown: unknown };

async function settle<T>(call: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await call() };
  } catch (thrown) {
    return { ok: false, thrown };
  }
}

/** What `wait` gives, or a rejection as soon as the signal is aborted. `wait` itself must not reject. */
function unlessAborted<T>(signal: Signal | undefined, wait: Promise<T>): Promise<T> {
  if (signal?.addEventListener === undefined) return wait;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(reasonOfAbort(signal));
    if (signal.aborted) abort();
    signal.addEventListener?.('abort', abort);
    void wait.finally(() => signal.removeEventListener?.('abort', abort)).then(resolve, reject);
  });
}

function throwIfAborted(signal: Signal | undefined): void {
  if (signal?.aborted === true) throw reasonOfAbort(signal);
}

function reasonOfAbort(signal: Signal): unknown {
  return signal.reason ?? new Error('the run was aborted');
}

// A turn of the event loop, for whatever else waits in the process: timers, sockets, clicks.
//
// The core has no types of Node or the web, and nothing is looked up when the module is loaded: what there is, is found
// when it is needed. No clock is read and nothing is delayed.

interface Platform {
  readonly setImmediate?: (then: () => void) => unknown;
  readonly MessageChannel?: new () => { readonly port1: Port; readonly port2: Port };
}

interface Port {
  addEventListener(type: 'message', listener: () => void): void;
  start(): void;
  postMessage(message: null): void;
  close(): void;
}

/**
 * Lets everything that is due run, then continues: by `setImmediate` (Node, Bun, Deno), else by a `MessageChannel`
 * (browsers, workers). Where there is neither, only other promises get a turn.
 */
export function yieldToEventLoop(): Promise<void> {
  const { setImmediate, MessageChannel } = globalThis as unknown as Platform;
  if (typeof setImmediate === 'function') return new Promise((resolve) => void setImmediate(resolve));
  if (typeof MessageChannel !== 'function') return Promise.resolve();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
