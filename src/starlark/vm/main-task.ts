// The outermost task of a run: the module body, then the entry function, then the end.
import { nearest } from '../../base/nearest.ts';
import type { Program } from '../compile/program.ts';
import { identifierEnd } from '../syntax/token.ts';
import { toData } from '../value/boundary.ts';
import { EvalError } from '../value/eval-error.ts';
import { freeze } from '../value/mutable.ts';
import { excerpt } from '../value/parse-number.ts';
import { repr } from '../value/repr.ts';
import { typeName } from '../value/type-name.ts';
import { BoundMethod, Builtin, Closure, HostFunction, type Value } from '../value/value.ts';
import { shortened, type Named } from './call-native.ts';
import type { Frame, ModuleState, Task, Machine } from './machine.ts';

type Invoke = (
  machine: Machine,
  caller: Frame,
  callee: Value,
  args: readonly Value[],
  named: readonly Named[],
) => Frame | null;

/** The value that the task waited for is there. */
export function advanceMain(
  machine: Machine,
  frame: Frame,
  task: Task & { kind: 'main' },
  invoke: Invoke,
): Frame | null {
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
export function completeModule(module: ModuleState): void {
  for (const value of module.globals) if (value !== undefined) freeze(value);
  module.complete = true;
}
