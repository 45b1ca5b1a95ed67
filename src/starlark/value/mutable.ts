// Guards every change of a list, dict or set: refused while it is iterated over, and once it is frozen. Freezes values.
import { EvalError } from './eval-error.ts';
import { typeName } from './type-name.ts';
import { Dict, FROZEN, List, SetValue, BoundMethod, Closure, Struct, Tuple } from './value.ts';
import type { Value } from './value.ts';

type Mutable = List | Dict | SetValue;

/** Called before each change. `verb` completes "cannot … list", as in `append to`. */
export function checkMutable(v: Mutable, verb = 'change'): void {
  if (v.locks !== 0) refuse(v, verb);
}

function refuse(v: Mutable, verb: string): never {
  const name = typeName(v);
  if (v.locks === FROZEN) {
    throw new EvalError(
      'EVAL_FROZEN',
      `cannot ${verb} frozen ${name}`,
      `copy it first: ${name}(x) makes a ${name} that can be changed`,
    );
  }
  throw new EvalError(
    'EVAL_ITERATING',
    `cannot ${verb} ${name} during iteration: it is temporarily immutable`,
    v instanceof List
      ? 'loop over a copy: for x in list(xs)'
      : 'loop over a copy of the keys: for k in list(d)',
  );
}

/** Marks the start of a loop over `v`. Each needs one `endIteration`. */
export function beginIteration(v: Value): void {
  if ((v instanceof List || v instanceof Dict || v instanceof SetValue) && v.locks !== FROZEN) v.locks += 1;
}

/** Does nothing for what was frozen meanwhile. */
export function endIteration(v: Value): void {
  if ((v instanceof List || v instanceof Dict || v instanceof SetValue) && v.locks !== FROZEN) v.locks -= 1;
}

/**
 * Makes a value and all it reaches unchangeable. No recursion: data may nest as deep as memory allows. What is frozen is not
 * entered again. The globals of a closure's module are left to the machine.
 */
export function freeze(v: Value): void {
  const pending: (Value | undefined)[] = [v];
  const structs = new Set<Struct>();
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'object' && next !== null) freezeOne(next, pending, structs);
  }
}

function freezeOne(v: object, pending: (Value | undefined)[], structs: Set<Struct>): void {
  if (v instanceof List) {
    if (v.locks === FROZEN) return;
    v.locks = FROZEN;
    pushAll(v.items, pending);
  } else if (v instanceof Dict) {
    if (v.locks === FROZEN) return;
    v.locks = FROZEN;
    pushAll(v.keys, pending);
    pushAll(v.values, pending);
  } else if (v instanceof SetValue) {
    if (v.locks === FROZEN) return;
    v.locks = FROZEN;
    pushAll(v.items, pending);
  } else if (v instanceof Tuple) {
    if (v.frozen) return;
    v.frozen = true;
    pushAll(v.items, pending);
  } else if (v instanceof Closure) {
    if (v.frozen) return;
    v.frozen = true;
    pushAll(v.defaults, pending);
    for (const cell of v.free) pending.push(cell.value);
  } else if (v instanceof BoundMethod) {
    pending.push(v.self);
  } else if (v instanceof Struct && !structs.has(v)) {
    structs.add(v);
    for (const member of v.members.values()) pending.push(member);
  }
}

function pushAll(items: readonly (Value | undefined)[], pending: (Value | undefined)[]): void {
  for (let i = 0; i < items.length; i += 1) {
    const item = items[i];
    if (typeof item === 'object' && item !== null) pending.push(item);
  }
}
