// `load`: the embedder finds the program, the machine runs it once, its globals are then frozen and shared.
//
// A module is its program: whatever names lead to a program with the same path and text, it runs once; one name may
// lead to two programs from two files.
import { nearest } from '../../base/nearest.ts';
import { isProgram, isPromise, placeText, shown } from '../compile-source.ts';
import type { Program } from '../compile/program.ts';
import type { Load, Loaded } from '../options.ts';
import { ThrownByHost, reasonOf, ModuleState, moduleKey, taskFrame, type Frame } from './machine.ts';
import { EvalError } from '../value/eval-error.ts';
import type { Value } from '../value/value.ts';
import { activate, checkCallable } from './invoke.ts';
import type { Machine } from './machine.ts';

/** The frame to continue with, as `invoke`: the caller if the module is there, else the body of the module. */
export function loadModule(machine: Machine, caller: Frame, name: string): Frame {
  const from = caller.module?.path ?? '';
  const program = findProgram(machine, name, from);
  const known = machine.modules.get(moduleKey(program));
  if (known !== undefined) {
    if (!known.complete)
      throw new EvalError(
        'EVAL_LOAD',
        `cannot load "${name}": it is being loaded already, so the modules load each other in a cycle`,
      );
    machine.result = known;
    return caller;
  }
  const module = new ModuleState(program, { name, from });
  machine.modules.set(moduleKey(program), module);
  const task = taskFrame({ kind: 'load', module }, caller);
  const body = machine.frameOf(module, module.program.body);
  checkCallable(machine, body, task);
  machine.tasks.push(task);
  activate(machine, body, null, task);
  return body;
}

function findProgram(machine: Machine, name: string, from: string): Program {
  const { load } = machine.options;
  if (load === null) throw new EvalError('LOAD_DENIED', 'load is not available in this program');
  const found = callLoader(load, name, from);
  if (found === null) throw new EvalError('EVAL_LOAD', `cannot load "${name}": there is no such module`);
  if (!isProgram(found)) throw faulty(name, found);
  if (found.interactive) throw new Error(`the program of "${name}" was compiled for a prompt`);
  const missing = found.predeclared.find((word) => !machine.predeclared.has(word));
  if (missing !== undefined)
    throw new EvalError(
      'EVAL_LOAD',
      `cannot load "${name}": it needs ${missing}, which this run does not have`,
    );
  return found;
}

function callLoader(load: Load, name: string, from: string): Loaded {
  let found: Loaded;
  try {
    found = load(name, from);
  } catch (error) {
    if (error instanceof ThrownByHost) throw error;
    throw new EvalError('EVAL_LOAD', `cannot load "${name}": ${reasonOf(error)}`, null, { cause: error });
  }
  const fault = faultOfLoaded(found, name);
  if (fault !== null) throw new ThrownByHost(fault);
  return found;
}

/** What is wrong with what a loader gave: that is a mistake of the embedder, and no failure of the program. */
function faultOfLoaded(found: unknown, name: string): TypeError | null {
  if (found === null || Array.isArray(found) || isProgram(found)) return null;
  const hint = isPromise(found)
    ? 'only execute awaits a loader'
    : typeof found === 'object' && 'diagnostics' in found
      ? 'from what compile gave, give its program or its diagnostics'
      : 'give a program, an array of diagnostics, or null if there is no such module';
  return new TypeError(`load("${name}") gave ${shown(found)}: ${hint}`);
}

function faulty(name: string, diagnostics: Exclude<Loaded, Program | null>): EvalError {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors[0] ?? diagnostics[0];
  if (first === undefined) return new EvalError('EVAL_LOAD', `cannot load "${name}": it has errors`);
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new EvalError(
    'EVAL_LOAD',
    `cannot load "${name}": ${placeText(first)}: ${first.message}${more}`,
    first.hint,
  );
}

export function loadMember(module: ModuleState, name: string): Value {
  const { program, globals } = module;
  const index = program.globals.indexOf(name);
  const value = index < 0 || program.loaded.has(name) || name.startsWith('_') ? undefined : globals[index];
  if (value !== undefined) return value;
  const close = nearest(
    name,
    program.globals.filter((word) => !program.loaded.has(word) && !word.startsWith('_')),
  );
  throw new EvalError(
    'EVAL_LOAD',
    `load: name "${name}" not found in module "${module.path}"`,
    close === null ? null : `did you mean ${close}?`,
  );
}

// A loader that may take its time -> one that answers immediately.
//
// Modules are asked for in the order in which a run does it: depth first, each name once for each file that loads it.
// What a loader throws is kept, and thrown when the program comes to that `load`. What lies deeper than calls may nest
// is not asked for: the run ends before it gets there.

type Entry = { readonly found: Loaded } | { readonly thrown: unknown };

export async function loadAhead(
  program: Program,
  load: (name: string, from: string) => Loaded | Promise<Loaded>,
  maxDepth: number,
  wait: <T>(promise: Promise<T>) => Promise<T>,
): Promise<Load> {
  const known = new Map<string, Entry>();
  const placeOf = (name: string, from: string): string => `${from}\0${name}`;
  const followed = new Set<string>();
  const ask = async (name: string, from: string): Promise<Entry> => {
    try {
      const found = await load(name, from);
      const fault = faultOfLoaded(found, name);
      return fault === null ? { found } : { thrown: new ThrownByHost(fault) };
    } catch (thrown) {
      return { thrown };
    }
  };
  // Not by recursion: a chain of modules may be long.
  const path: { readonly program: Program; next: number }[] = [{ program, next: 0 }];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const name = top.program.loads[top.next];
    top.next += 1;
    if (name === undefined) {
      path.pop();
      continue;
    }
    const place = placeOf(name, top.program.path);
    if (known.has(place)) continue;
    const entry = await wait(ask(name, top.program.path));
    known.set(place, entry);
    if (
      'thrown' in entry ||
      !isProgram(entry.found) ||
      path.length > maxDepth ||
      followed.has(moduleKey(entry.found))
    )
      continue;
    followed.add(moduleKey(entry.found));
    path.push({ program: entry.found, next: 0 });
  }
  return (name, from) => {
    const entry = known.get(placeOf(name, from));
    if (entry === undefined) return null;
    if ('thrown' in entry) throw entry.thrown;
    return entry.found;
  };
}
