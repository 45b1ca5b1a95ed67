// Checks of what the functions of the language are given, besides those of strings.
import { EvalError } from '../value/eval-error.ts';
import { typeName } from '../value/type-name.ts';
import { BoundMethod, Builtin, Closure, HostFunction, type Value } from '../value/value.ts';

export function wrongType(name: string, parameter: string, got: Value, want: string): EvalError {
  return new EvalError(
    'EVAL_TYPE',
    `${name}: for parameter ${parameter}, got ${typeName(got)}, want ${want}`,
  );
}

function isCallable(v: Value): boolean {
  return (
    v instanceof Closure || v instanceof Builtin || v instanceof BoundMethod || v instanceof HostFunction
  );
}

/** The `key` argument of sorted, min and max; None is not a key. */
export function keyArgument(name: string, v: Value | undefined): Value {
  if (v === undefined || v === null) return null;
  if (!isCallable(v)) throw wrongType(name, 'key', v, 'callable');
  return v;
}

export function refuseNamed(name: string, named: readonly (readonly [string, Value])[]): void {
  const [first] = named;
  if (first !== undefined)
    throw new EvalError('EVAL_ARGUMENTS', `${name}: unexpected keyword argument ${first[0]}`);
}

/** The only argument of a function that takes any number of keywords too, or undefined. */
export function atMostOne(name: string, args: readonly Value[]): Value | undefined {
  if (args.length > 1)
    throw new EvalError('EVAL_ARGUMENTS', `${name}: got ${args.length} arguments, want at most 1`);
  return args[0];
}
