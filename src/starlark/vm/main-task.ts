// The outermost task of a run: the module body, then the entry function, then the end.
import { nearest } from '../../base/nearest.ts';
import { toData } from '../value/boundary.ts';
import { EvalError } from '../value/eval-error.ts';
import { freeze } from '../value/freeze.ts';
import { repr } from '../value/repr.ts';
import type { Value } from '../value/value.ts';
import type { Named } from './bind-arguments.ts';
import type { Frame, ModuleState, Task } from './frame.ts';
import type { Machine } from './machine.ts';

type Invoke = (machine: Machine, caller: Frame, callee: Value, args: readonly Value[], named: readonly Named[]) => Frame | null;

/** The value that the task waited for is there. */
export function advanceMain(machine: Machine, frame: Frame, task: Task & { kind: 'main' }, invoke: Invoke): Frame | null {
  if (task.phase === 'body') {
    if (task.module.program.interactive) return end(machine, task.value === null ? null : repr(machine, task.value));
    completeModule(task.module);
    if (machine.options.entry === null) return end(machine, null);
    task.phase = 'entry';
    const next = invoke(machine, frame, findEntry(task.module, machine.options.entry), machine.entryArgs, machine.entryNamed);
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
  const { program } = module;
  const index = program.globals.indexOf(entry);
  const value = index < 0 ? undefined : module.globals[index];
  if (value !== undefined) return value;
  const close = nearest(entry, program.globals);
  throw new EvalError('EVAL_ATTRIBUTE', `the program has no function ${entry}`, close === null ? `define it: def ${entry}(): …` : `did you mean ${close}?`);
}

/** The body has ended: what it made can no longer be changed. */
export function completeModule(module: ModuleState): void {
  for (const value of module.globals) if (value !== undefined) freeze(value);
  module.complete = true;
}
