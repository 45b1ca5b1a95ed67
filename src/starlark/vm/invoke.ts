// Calls of anything with any arguments, and what becomes of their values.
//
// `invoke` does not run the program. It gives the frame to continue with: a new one when a function of the program was
// entered; the caller itself when the call was complete, with the value in `machine.result`; null when the run is
// suspended for a host function. A library function that calls back is a frame with a task, so that
// what it calls may suspend.
import { finishers } from '../lib/finishers.ts';
import { testingFinishers } from '../lib/testing.ts';
import type { Data } from '../options.ts';
import { toData } from '../value/boundary.ts';
import { EvalError } from '../value/eval-error.ts';
import { CallCaught, CallEach } from '../value/native.ts';
import { CELL_BYTES, BoundMethod, Builtin, Cell, Closure, HostFunction, type Value } from '../value/value.ts';
import { typeName } from '../value/type-name.ts';
import { bindArguments, callNative, type Named } from './call-native.ts';
import { leaveFrame, taskFrame, type Frame, type Slot } from './machine.ts';
import type { Machine } from './machine.ts';
import { advanceMain, completeModule } from './main-task.ts';

export const noNamed: readonly Named[] = [];

export function invoke(
  machine: Machine,
  caller: Frame,
  callee: Slot,
  args: readonly Value[],
  named: readonly Named[],
): Frame | null {
  if (callee instanceof Closure) return enter(machine, caller, callee, args, named);
  if (callee instanceof Builtin)
    return settle(machine, caller, callNative(machine, callee.native, null, args, named));
  if (callee instanceof BoundMethod)
    return settle(machine, caller, callNative(machine, callee.native, callee.self, args, named));
  if (callee instanceof HostFunction) return suspend(machine, caller, callee, args, named);
  throw new EvalError(
    'EVAL_TYPE',
    `invalid call of non-function (${typeName(callee as Value)}): it is not callable`,
  );
}

/** What a native gave: a value, or a wish to have something called. */
export function settle(machine: Machine, caller: Frame, value: Value | CallEach): Frame | null {
  if (!(value instanceof CallEach)) {
    machine.result = value;
    return caller;
  }
  const frame = taskFrame(
    { kind: value instanceof CallCaught ? 'caught' : 'each', request: value, results: [] },
    caller,
  );
  checkDepth(machine, frame.depth);
  machine.tasks.push(frame);
  return advance(machine, frame);
}

function enter(
  machine: Machine,
  caller: Frame,
  closure: Closure,
  args: readonly Value[],
  named: readonly Named[],
): Frame {
  const frame = closure.frame as Frame;
  checkCallable(machine, frame, caller);
  try {
    bindArguments(machine, closure, frame, args, named);
  } catch (error) {
    // It never ran, so that nothing else will leave it.
    leaveFrame(frame);
    throw error;
  }
  activate(machine, frame, closure, caller);
  return frame;
}

/** Recursion and depth. */
export function checkCallable(machine: Machine, frame: Frame, caller: Frame): void {
  if (frame.active) {
    throw new EvalError(
      'EVAL_RECURSION',
      `function ${frame.function?.name} called recursively`,
      'use a loop with a list of what is still to be done',
    );
  }
  checkDepth(machine, caller.depth + 1);
}

function checkDepth(machine: Machine, depth: number): void {
  if (depth > machine.maxCallDepth) throw machine.tooDeep();
}

/** Makes a frame whose parameters are bound the one that runs. */
export function activate(machine: Machine, frame: Frame, closure: Closure | null, caller: Frame): void {
  frame.active = true;
  frame.caller = caller;
  frame.depth = caller.depth + 1;
  frame.pc = 0;
  if (closure !== null) frame.free = closure.free;
  try {
    if (frame.hasCells) makeCells(machine, frame);
  } catch (error) {
    leaveFrame(frame);
    throw error;
  }
  machine.meter.steps += frame.cost;
}

export function makeCells(machine: Machine, frame: Frame): void {
  const { regs } = frame;
  const cells = frame.function?.cells ?? [];
  machine.meter.allocate(cells.length * CELL_BYTES);
  for (const index of cells) regs[index] = new Cell(regs[index] as Value | undefined);
}

function suspend(
  machine: Machine,
  caller: Frame,
  host: HostFunction,
  args: readonly Value[],
  named: readonly Named[],
): null {
  if (!machine.options.hostCallsAtModuleLevel && machine.inModuleBody()) {
    throw new EvalError(
      'EVAL_HOST',
      `${host.name} cannot be called while a module is being set up`,
      'call it from a function that runs later',
    );
  }
  const data: { [name: string]: Data } = Object.create(null) as { [name: string]: Data };
  for (const [name, value] of named) {
    if (name in data)
      throw new EvalError(
        'EVAL_ARGUMENTS',
        `${host.name}: got multiple values for keyword argument "${name}"`,
      );
    data[name] = toData(machine, value, `argument ${name} of ${host.name}`);
  }
  machine.hostCall = {
    name: host.name,
    args: args.map((value, index) => toData(machine, value, `argument ${index + 1} of ${host.name}`)),
    named: data,
  };
  machine.frame = caller;
  return null;
}

/** Gives `value` to what called; the frame to continue with, or null if the run is suspended or over. */
export function deliver(machine: Machine, receiver: Frame, value: Slot): Frame | null {
  let frame = receiver;
  let given = value;
  for (;;) {
    const { task } = frame;
    if (task === null) {
      frame.regs[frame.result] = given;
      machine.receiving = null;
      return frame;
    }
    machine.receiving = frame;
    if (task.kind === 'main') task.value = given as Value;
    else if (task.kind !== 'load') task.results.push(task.kind === 'caught' ? null : (given as Value));
    const next = advance(machine, frame);
    if (next === null || next !== frame.caller) {
      machine.receiving = null;
      return next;
    }
    frame = next;
    given = machine.result;
    machine.result = null;
  }
}

/** Continues with a task: the caller of its frame when it is complete (then its value is `machine.result`). */
export function advance(machine: Machine, frame: Frame): Frame | null {
  const { task } = frame;
  if (task === null) throw new Error('the frame has no task');
  if (task.kind === 'main') return advanceMain(machine, frame, task, invoke);
  if (task.kind === 'load') {
    completeModule(task.module);
    machine.result = task.module;
    return endTask(machine, frame);
  }
  const { request, results } = task;
  while (results.length < request.items.length) {
    machine.meter.work(1);
    const args = task.kind === 'caught' ? [] : [request.items[results.length] as Value];
    const next = invoke(machine, frame, request.callee, args, noNamed);
    if (next !== frame) return next;
    results.push(task.kind === 'caught' ? null : (machine.result as Value));
  }
  const finish = finishers.get(request.finisher) ?? testingFinishers.get(request.finisher);
  if (finish === undefined) throw new Error(`there is no finisher ${request.finisher}`);
  machine.meter.callBegan = machine.meter.memory;
  machine.result = finish(machine, request.items, results, request.extra);
  machine.meter.callBegan = -1;
  return endTask(machine, frame);
}

function endTask(machine: Machine, frame: Frame): Frame | null {
  machine.tasks.pop();
  frame.active = false;
  return frame.caller;
}
