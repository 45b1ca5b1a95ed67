// Calls of anything with any arguments, and what becomes of their values; the tasks that wait for them.
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
import { CallCaught, CallEach, type FixedNative, type Native, type Thread } from '../value/native.ts';
import { CELL_BYTES, BoundMethod, Builtin, Cell, Closure, HostFunction, Tuple } from '../value/value.ts';
import type { Value } from '../value/value.ts';
import { typeName } from '../value/type-name.ts';
import { leaveFrame, taskFrame } from './machine.ts';
import type { Frame, Slot, Machine, KeywordPlan, ModuleState, Task } from './machine.ts';
import { nearest } from '../../base/nearest.ts';
import type { FunctionCode, Program } from '../compile/program.ts';
import { chargeTuple } from '../value/charge.ts';
import { dictHas, dictSet, newDict } from '../value/dict.ts';
import { identifierEnd } from '../syntax/token.ts';
import { beginIteration, endIteration, freeze } from '../value/mutable.ts';
import { excerpt } from '../value/parse-number.ts';
import { repr } from '../value/repr.ts';

export type Named = readonly [name: string, value: Value];

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
  beginIteration(value.source);
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

function makeCells(machine: Machine, frame: Frame): void {
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
  if (task.kind === 'main') return advanceMain(machine, frame, task);
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
  endIteration(request.source);
  return endTask(machine, frame);
}

function endTask(machine: Machine, frame: Frame): Frame | null {
  machine.tasks.pop();
  frame.active = false;
  return frame.caller;
}

// Calls of the functions of the language, with any arguments.

/** The library is not run from here when it calls back: it returns what it wants called. */
export function callNative(
  machine: Machine,
  native: Native,
  self: Value,
  args: readonly Value[],
  named: readonly Named[],
): Value | CallEach {
  const { meter } = machine;
  meter.callBegan = meter.memory;
  let value: Value | CallEach;
  if (native.kind === 'variadic') {
    checkUnique(native.name, named);
    value = native.run(machine, self as never, args as Value[], named);
  } else {
    const [a, b, c] = bindFixed(native, args, named);
    value = native.run(machine, self as never, a, b, c);
  }
  meter.callBegan = -1;
  return value;
}

function checkUnique(name: string, named: readonly Named[]): void {
  if (named.length < 2) return;
  const seen = new Set<string>();
  for (const [word] of named) {
    if (seen.has(word))
      throw new EvalError(
        'EVAL_ARGUMENTS',
        `${name}: got multiple values for keyword argument "${shortened(word)}"`,
      );
    seen.add(word);
  }
}

function bindFixed(
  native: FixedNative,
  args: readonly Value[],
  named: readonly Named[],
): (Value | undefined)[] {
  const { name, params, positional, positionalOnly, required } = native;
  const onlyPositional = positionalOnly >= params.length;
  if (args.length > positional || (onlyPositional && named.length === 0 && args.length < required))
    throw wrongCount(native, args.length);
  const bound: (Value | undefined)[] = args.slice();
  for (const [word, value] of named) {
    const index = params.indexOf(word, positionalOnly);
    if (index < 0) {
      if (onlyPositional)
        throw new EvalError(
          'EVAL_ARGUMENTS',
          `${name}: unexpected keyword argument "${shortened(word)}"`,
          'give the arguments by position',
        );
      throw unexpectedName(`${name}: unexpected keyword argument`, word, params.slice(positionalOnly));
    }
    if (bound[index] !== undefined)
      throw new EvalError(
        'EVAL_ARGUMENTS',
        `${name}: got multiple values for keyword argument "${shortened(word)}"`,
      );
    bound[index] = value;
  }
  for (let index = 0; index < required; index += 1) {
    if (bound[index] === undefined)
      throw new EvalError('EVAL_ARGUMENTS', `${name}: missing argument for ${params[index]}`);
  }
  return bound;
}

function wrongCount({ name, params, positional, required }: FixedNative, given: number): EvalError {
  if (positional < params.length && given > positional)
    return new EvalError(
      'EVAL_ARGUMENTS',
      `${name}: got ${given} positional arguments, want at most ${positional}`,
      `give the others by name: ${params
        .slice(positional)
        .map((word) => `${word} = …`)
        .join(', ')}`,
    );
  const bound = required === params.length ? '' : given < required ? 'at least ' : 'at most ';
  const wanted = given < required ? required : params.length;
  return new EvalError(
    'EVAL_ARGUMENTS',
    `${name}: got ${given} argument${given === 1 ? '' : 's'}, want ${bound}${wanted}`,
  );
}

// Arguments -> parameters.
//
//   positional values, named values -> the first registers of the function's frame, or EVAL_ARGUMENTS
//
// Each argument is charged by who gives it, each parameter that gets none here (`chargeDefaults`). What is remembered
// of earlier calls makes a call faster but never cheaper, since a snapshot does not hold it.

const LONG_NAME = 100;
const MANY_NAMES = 16;

/** Fills the registers of `frame`, which is not active, for a call of `closure`. When it throws, the caller empties them. */
function bindArguments(
  thread: Thread,
  closure: Closure,
  frame: Frame,
  args: readonly Value[],
  named: readonly Named[],
): void {
  const { code, defaults } = closure;
  const { names, positional, rest } = code.parameters;
  const { regs } = frame;
  const byPosition = Math.min(args.length, positional);
  if (args.length > positional && rest < 0) throw tooMany(code, args.length);
  for (let index = 0; index < byPosition; index += 1) regs[index] = args[index];
  if (rest >= 0) {
    const surplus = args.slice(byPosition);
    chargeTuple(thread.meter, surplus.length);
    regs[rest] = new Tuple(surplus);
  }
  if (named.length > 0 || code.parameters.keywords >= 0) bindNamed(thread, code, frame, named);
  chargeDefaults(thread, Math.max(0, names.length - byPosition - named.length));
  let missing: string[] | null = null;
  for (let index = byPosition; index < names.length; index += 1) {
    if (regs[index] !== undefined) continue;
    const value = defaults[index];
    if (value === undefined) (missing ??= []).push(names[index] as string);
    else regs[index] = value;
  }
  if (missing !== null) {
    throw new EvalError(
      'EVAL_ARGUMENTS',
      `function ${code.name} missing ${missing.length} argument${missing.length === 1 ? '' : 's'} (${missing.join(', ')})`,
    );
  }
}

function bindNamed(thread: Thread, code: FunctionCode, frame: Frame, named: readonly Named[]): void {
  const { names, keywords } = code.parameters;
  const { regs } = frame;
  const others = keywords < 0 ? null : newDict(thread);
  thread.meter.work(named.length * (names.length < MANY_NAMES ? 1 : 6));
  for (let at = 0; at < named.length; at += 1) {
    const pair = named[at] as Named;
    const name = pair[0];
    const value = pair[1];
    const index = slotOf(code, name);
    if (index >= 0 ? regs[index] !== undefined : others !== null && dictHas(thread, others, name)) {
      throw new EvalError(
        'EVAL_ARGUMENTS',
        `function ${code.name} got multiple values for parameter "${shortened(name)}"`,
      );
    }
    if (index >= 0) regs[index] = value;
    else if (others !== null) dictSet(thread, others, name, value);
    else throw unexpectedName(`function ${code.name} got an unexpected keyword argument`, name, names);
  }
  if (others !== null) regs[keywords] = others;
}

/** For `count` parameters that are given no argument. */
export function chargeDefaults(thread: Thread, count: number): void {
  thread.meter.work(count >> 1);
}

const slots = new WeakMap<FunctionCode, ReadonlyMap<string, number>>();

/** The index of the parameter `name`, or -1. */
function slotOf(code: FunctionCode, name: string): number {
  const { names } = code.parameters;
  // A search is quicker than a table, unless there are many names.
  if (names.length < MANY_NAMES) return names.indexOf(name);
  let table = slots.get(code);
  if (table === undefined) {
    table = new Map(names.map((each, index) => [each, index]));
    slots.set(code, table);
  }
  return table.get(name) ?? -1;
}

/** `names` are those that would have been right. */
function unexpectedName(what: string, name: string, names: readonly string[]): EvalError {
  // One letter is close to every other one.
  const close = name.length < 3 || name.length > LONG_NAME ? null : nearest(name, names);
  return new EvalError(
    'EVAL_ARGUMENTS',
    `${what} "${shortened(name)}"`,
    close === null ? null : `did you mean ${close}?`,
  );
}

/** A name can come out of a dict, and be of any length. */
function shortened(name: string): string {
  return name.length > LONG_NAME ? `${name.slice(0, LONG_NAME)}…` : name;
}

function tooMany({ name, parameters }: FunctionCode, given: number): EvalError {
  const { names, positional, hasDefault } = parameters;
  if (names.length === 0)
    return new EvalError('EVAL_ARGUMENTS', `function ${name} accepts no arguments (${given} given)`);
  const atMost = hasDefault.slice(0, positional).includes(true) ? 'at most ' : '';
  return new EvalError(
    'EVAL_ARGUMENTS',
    `function ${name} accepts ${atMost}${positional} positional argument${positional === 1 ? '' : 's'} (${given} given)`,
  );
}

/** For a call with `positional` values and then these names, which are distinct; null if it would be an error. */
export function planKeywords(
  code: FunctionCode,
  positional: number,
  keywordNames: readonly string[],
): KeywordPlan | null {
  const { names, rest, keywords, hasDefault } = code.parameters;
  const byPosition = Math.min(positional, code.parameters.positional);
  if (byPosition < positional && rest < 0) return null;
  const found = keywordNames.map((name) => slotOf(code, name));
  if (found.some((slot) => (slot < 0 ? keywords < 0 : slot < byPosition))) return null;
  const given = new Uint8Array(names.length);
  for (const slot of found) if (slot >= 0) given[slot] = 1;
  const defaults: number[] = [];
  for (let index = byPosition; index < names.length; index += 1) {
    if (given[index] === 1) continue;
    if (!hasDefault[index]) return null;
    defaults.push(index);
  }
  return { code, byPosition, slots: found, defaults };
}

// The outermost task of a run: the module body, then the entry function, then the end.

/** The value that the task waited for is there. */
function advanceMain(machine: Machine, frame: Frame, task: Task & { kind: 'main' }): Frame | null {
  if (task.phase === 'body') {
    if (task.module.program.interactive)
      return end(machine, task.value === null ? null : repr(machine, task.value));
    completeModule(task.module);
    if (machine.options.entry === null) return end(machine, null);
    task.phase = 'entry';
    const next = invoke(
      machine,
      frame,
      findEntry(task.module, machine.options.entry),
      machine.entryArgs,
      machine.entryNamed,
    );
    machine.entryArgs = [];
    machine.entryNamed = [];
    if (next !== frame) return next;
    task.value = machine.result as Value;
  }
  return end(machine, task.value);
}

function end(machine: Machine, value: Value): null {
  machine.final = { kind: 'done', value: toData(machine, value, 'the result') };
  return null;
}

function findEntry(module: ModuleState, entry: string): Value {
  const value = module.globals[module.program.globals.indexOf(entry)];
  if (value === undefined) throw noEntry(module.program, entry);
  if (!isCallable(value))
    throw new EvalError(
      'EVAL_TYPE',
      `${entry} is not a function but a value of type ${typeName(value)}`,
      `define it: def ${entry}(): …`,
    );
  return value;
}

/** The program has no global of that name, which can be known before it runs. */
export function noEntry({ globals }: Program, entry: string): EvalError {
  const name = entry.slice(0, identifierEnd(entry, 0));
  if (name === '' || name !== entry) {
    return new EvalError(
      'EVAL_ATTRIBUTE',
      `the entry ${excerpt(entry)} is not the name of a function`,
      `give the name alone${globals.includes(name) ? `: ${name}` : ''}`,
    );
  }
  const close = nearest(entry, globals);
  return new EvalError(
    'EVAL_ATTRIBUTE',
    `the program has no function ${shortened(entry)}`,
    close === null ? `define it: def ${shortened(entry)}(): …` : `did you mean ${close}?`,
  );
}

function isCallable(v: Value): boolean {
  return (
    v instanceof Closure || v instanceof Builtin || v instanceof BoundMethod || v instanceof HostFunction
  );
}

/** The body has ended: what it made can no longer be changed. */
function completeModule(module: ModuleState): void {
  for (const value of module.globals) if (value !== undefined) freeze(value);
  module.complete = true;
}
