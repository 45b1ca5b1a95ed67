// Calls of the functions of the language, with any arguments.
import { EvalError } from '../value/eval-error.ts';
import type { CallEach, FixedNative, Native } from '../value/native.ts';
import type { Value } from '../value/value.ts';
import { type Named, shortened, unexpectedName } from './bind-arguments.ts';
import type { Machine } from './machine.ts';

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
  const { name, params, positionalOnly, required } = native;
  const onlyPositional = positionalOnly >= params.length;
  if (args.length > params.length || (onlyPositional && named.length === 0 && args.length < required))
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

function wrongCount({ name, params, required }: FixedNative, given: number): EvalError {
  const bound = required === params.length ? '' : given < required ? 'at least ' : 'at most ';
  const wanted = given < required ? required : params.length;
  return new EvalError(
    'EVAL_ARGUMENTS',
    `${name}: got ${given} argument${given === 1 ? '' : 's'}, want ${bound}${wanted}`,
  );
}
