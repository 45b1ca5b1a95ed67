// A run, as the embedder holds it.
//
//   start -> run -> host-call -> resume -> run -> … -> done | failed
import { type Json } from '../../base/json.ts';
import { LimitReached } from '../../base/meter.ts';
import type { Program } from '../compile/program.ts';
import { isProgram, shown } from '../compile-source.ts';
import type { Data, RunOptions, RunState, Usage } from '../options.ts';
import { ThrownByHost, taskFrame, Machine, predeclare, releaseTasks, resolveRunOptions } from './machine.ts';
import { fromData, toData } from '../value/boundary.ts';
import { EvalError } from '../value/eval-error.ts';
import { freeze } from '../value/mutable.ts';
import type { Value } from '../value/value.ts';
import { dropFrame } from './failure.ts';
import { activate, noEntry } from './invoke.ts';
import { countLive } from './recount.ts';
import { runLoop } from './run-loop.ts';
import { notASnapshot, readSnapshot } from './restore.ts';
import { takeSnapshot } from './snapshot.ts';

/** A program that is under way: it can be run in slices, suspended and written down. */
export interface Run {
  /** Continues for about `maxSteps` steps (default: no end), or until the program ends, fails or calls the host. */
  run(maxSteps?: number): RunState;
  /** Answers the host call. */
  resume(value: Data): void;
  /** Ends the program with EVAL_HOST at the call of the host function, and `name: message`. `cause` is kept in the failure. */
  refuse(message: string, cause?: unknown): void;
  readonly usage: Usage;
  /** The whole state as JSON, while the run is suspended or paused; `restore` continues from there. */
  snapshot(): Json;
  /** The globals of a module whose body has ended, without functions and what else is not data. */
  exports(): { readonly [name: string]: Data };
}

/** Nothing is executed before the first slice. */
export function start(program: Program, options: RunOptions = {}): Run {
  const machine = createMachine('start', program, options);
  const { entry } = machine.options;
  if (entry !== null && !program.globals.includes(entry)) machine.pendingError ??= noEntry(program, entry);
  guard(machine, () => {
    machine.entryArgs = machine.options.args.map((value, index) =>
      fromData(machine, value, `argument ${index + 1}`),
    );
    machine.entryNamed = Object.entries(machine.options.named).map(([name, value]) => [
      name,
      fromData(machine, value, `argument ${name}`),
    ]);
    if (!machine.options.frozenArgs) return;
    for (const value of machine.entryArgs) freeze(value);
    for (const [, value] of machine.entryNamed) freeze(value);
  });
  const root = taskFrame({ kind: 'main', module: machine.main, phase: 'body', value: null }, null);
  machine.tasks.push(root);
  const body = machine.frameOf(machine.main, program.body);
  activate(machine, body, null, root);
  machine.frame = body;
  return new MachineRun(machine);
}

/**
 * Continues with a run that was suspended: `program`, the limits and `load` must be those it was started with; values and
 * arguments are in the snapshot. If it waits for the host, the first `run` gives that state again.
 */
export function restore(program: Program, snapshot: Json, options: RunOptions = {}): Run {
  const machine = createMachine('restore', program, options);
  readSnapshot(machine, snapshot);
  return new MachineRun(machine, true);
}

function createMachine(of: string, program: Program, options: RunOptions): Machine {
  if (!isProgram(program))
    throw new TypeError(`${of}: the program must be one that compile gave, not ${shown(program)}`);
  const resolved = resolveRunOptions(of, options);
  const dropped = resolved.scope?.tasks ?? [];
  const machine = new Machine(program, resolved);
  if (program.interactive !== (machine.scope !== null))
    throw new Error('a program for a prompt needs a scope, and only such a program may have one');
  // A run at the same prompt may have been dropped half-way.
  for (const module of machine.scope?.modules ?? [])
    for (const frame of module.frames) if (frame?.active === true) dropFrame(frame);
  releaseTasks(dropped);
  const values = new Map<string, Value>();
  guard(machine, () => {
    for (const [name, data] of Object.entries(machine.options.values)) {
      const value = fromData(machine, data, `the value ${name}`);
      freeze(value);
      values.set(name, value);
    }
  });
  predeclare(machine, program.predeclared, values);
  machine.meter.recount = () => countLive(machine);
  return machine;
}

/** What the embedder gave may be no data, or too much of it: then the run fails when it begins. */
function guard(machine: Machine, convert: () => void): void {
  try {
    convert();
  } catch (error) {
    if (!(error instanceof EvalError || error instanceof LimitReached)) throw error;
    machine.pendingError ??= error;
  }
}

function stateOf({ final, hostCall }: Machine): RunState {
  if (final !== null) return final;
  return hostCall === null
    ? { kind: 'paused' }
    : { kind: 'host-call', name: hostCall.name, args: hostCall.args, named: hostCall.named };
}

class MachineRun implements Run {
  private readonly machine: Machine;

  private readonly restored: boolean;
  private broken = false;

  /** The call that a restored run waits for has not been reported yet. */
  private untold: boolean;

  constructor(machine: Machine, restored = false) {
    this.machine = machine;
    this.restored = restored;
    this.untold = machine.hostCall !== null;
  }

  run(maxSteps = Infinity): RunState {
    const { machine } = this;
    const { meter, frame } = machine;
    // NaN would undo the step limit.
    if (maxSteps !== Infinity && !(Number.isSafeInteger(maxSteps) && maxSteps > 0))
      throw new TypeError(`run: the steps must be a whole number from 1 on, not ${shown(maxSteps)}`);
    if (machine.final !== null) return machine.final;
    if (this.untold) {
      this.untold = false;
      return stateOf(machine);
    }
    if (machine.hostCall !== null)
      throw new Error(
        `the call of ${machine.hostCall.name} has no answer yet: resume or refuse it before run`,
      );
    if (frame === null)
      throw new Error(
        this.broken
          ? 'the run was broken off: a function of the embedder threw'
          : 'the run is running already',
      );
    machine.frame = null;
    // What a body costs without loops and calls is not checked anywhere else.
    if (meter.steps > meter.stepLimit) guard(machine, () => meter.outOfSteps());
    meter.pauseAt = Math.min(meter.stepLimit, meter.steps + maxSteps);
    try {
      runLoop(machine, frame);
    } catch (error) {
      this.broken = true;
      if (error instanceof ThrownByHost) throw error.thrown;
      // What the machine relies on without a look was in the snapshot.
      throw this.restored ? notASnapshot('the run cannot continue from it', error) : error;
    }
    return stateOf(machine);
  }

  resume(value: Data): void {
    const name = this.answered('resume');
    const { machine } = this;
    if (value === undefined)
      machine.pendingError = new EvalError(
        'EVAL_VALUE',
        `${name}: the host gave undefined`,
        'return null for None',
      );
    else
      guard(machine, () => {
        machine.answer = fromData(machine, value, `the answer of ${name}`);
      });
  }

  refuse(message: string, cause?: unknown): void {
    if (typeof message !== 'string')
      throw new TypeError(`refuse: the message must be a string, not ${shown(message)}`);
    const name = this.answered('refuse');
    this.machine.pendingError = new EvalError(
      'EVAL_HOST',
      `${name}: ${message}`,
      null,
      ...(cause === undefined ? [] : [{ cause }]),
    );
  }

  /** The name of the function whose call is being answered. */
  private answered(method: string): string {
    const { hostCall } = this.machine;
    if (hostCall === null) throw new Error(`there is no host call to ${method}`);
    this.machine.hostCall = null;
    this.untold = false;
    return hostCall.name;
  }

  get usage(): Usage {
    const { meter, outputUnits } = this.machine;
    return { steps: meter.steps, memoryBytes: meter.memory, outputUnits };
  }

  snapshot(): Json {
    return takeSnapshot(this.machine);
  }

  exports(): { readonly [name: string]: Data } {
    const { main } = this.machine;
    const found = Object.create(null) as { [name: string]: Data };
    if (!main.complete) throw new Error('the module body has not ended');
    for (const [index, name] of main.program.globals.entries()) {
      const value = main.globals[index];
      if (value === undefined || name.startsWith('_') || main.program.loaded.has(name)) continue;
      const data = this.dataOf(value, name);
      if (data !== undefined) found[name] = data;
    }
    return found;
  }

  private dataOf(value: Value, name: string): Data | undefined {
    try {
      return toData(this.machine, value, name);
    } catch (error) {
      if (error instanceof EvalError || error instanceof LimitReached) return undefined;
      throw error;
    }
  }
}
