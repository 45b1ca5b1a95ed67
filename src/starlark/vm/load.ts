// `load`: the embedder finds the program, the machine runs it once, its globals are then frozen and shared.
import { nearest } from '../../base/nearest.ts';
import type { Program } from '../compile/program.ts';
import { EvalError } from '../value/eval-error.ts';
import type { Value } from '../value/value.ts';
import { type Frame, ModuleState, taskFrame } from './frame.ts';
import { activate, checkCallable } from './invoke.ts';
import type { Machine } from './machine.ts';

/** The frame to go on with, as `invoke`: the caller if the module is there, else the body of the module. */
export function loadModule(machine: Machine, caller: Frame, name: string): Frame {
  const known = machine.modules.get(name);
  if (known !== undefined) {
    if (!known.complete) throw new EvalError('EVAL_LOAD', `cannot load "${name}": it is being loaded already, so the modules load each other in a cycle`);
    machine.result = known;
    return caller;
  }
  const module = new ModuleState(findProgram(machine, name, caller.module?.path ?? ''));
  machine.modules.set(name, module);
  const task = taskFrame({ kind: 'load', name, module }, caller);
  const body = machine.frameOf(module, module.program.body);
  checkCallable(machine, body, task);
  machine.tasks.push(task);
  activate(machine, body, null, task);
  return body;
}

function findProgram(machine: Machine, name: string, from: string): Program {
  const { load } = machine.options;
  if (load === null) throw new EvalError('LOAD_DENIED', 'load is not available in this program');
  const found = load(name, from);
  if (found === null) throw new EvalError('EVAL_LOAD', `cannot load "${name}": there is no such module`);
  if (!('kind' in found)) {
    const [first] = found;
    throw new EvalError('EVAL_LOAD', `cannot load "${name}": ${first === undefined ? 'it has errors' : `${first.path}: ${first.message}`}`);
  }
  if (found.interactive) throw new Error(`the program of "${name}" was compiled for a prompt`);
  const missing = found.predeclared.find((word) => !machine.predeclared.has(word));
  if (missing !== undefined) throw new EvalError('EVAL_LOAD', `cannot load "${name}": it needs ${missing}, which this run does not have`);
  return found;
}

export function loadMember(module: ModuleState, name: string): Value {
  const { program, globals } = module;
  const index = program.globals.indexOf(name);
  const value = index < 0 || program.loaded.has(name) || name.startsWith('_') ? undefined : globals[index];
  if (value !== undefined) return value;
  const close = nearest(name, program.globals.filter((word) => !program.loaded.has(word) && !word.startsWith('_')));
  throw new EvalError('EVAL_LOAD', `load: name "${name}" not found in module "${module.path}"`, close === null ? null : `did you mean ${close}?`);
}
