// Guards every change of a list, dict or set: refused while it is iterated over, and once it is frozen.
import { EvalError } from './eval-error.ts';
import { typeName } from './type-name.ts';
import { Dict, FROZEN, List, SetValue, type Value } from './value.ts';

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
