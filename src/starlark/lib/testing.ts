// What tests written in Starlark need: `assert`, `catch`, `freeze`, `struct` and `matches`.
//
// Not part of the language: a program sees them only when it is compiled with `testing: true`. Only here is a
// regular expression of JavaScript made from text of a program, so such programs must be trusted.
import { contains } from '../value/contains.ts';
import { compare, equals } from '../value/compare.ts';
import { EvalError } from '../value/eval-error.ts';
import { freeze } from '../value/mutable.ts';
import {
  CallCaught,
  fixed,
  type Finisher,
  type FixedNative,
  type Thread,
  variadic,
} from '../value/native.ts';
import { repr, str } from '../value/repr.ts';
import { truth } from '../value/truth.ts';
import { typeName } from '../value/type-name.ts';
import { Builtin, Module, Struct, type Value } from '../value/value.ts';

function fails(message: string): EvalError {
  return new EvalError('EVAL_FAIL', message);
}

function matches(pattern: Value | undefined, text: Value | undefined): boolean {
  if (typeof pattern !== 'string' || typeof text !== 'string')
    throw new EvalError(
      'EVAL_TYPE',
      `matches: got ${typeName(pattern ?? null)} and ${typeName(text ?? null)}, want two strings`,
    );
  return text.includes(pattern) || compilePattern(pattern).test(text);
}

function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch (error) {
    throw new EvalError('EVAL_VALUE', `matches: ${(error as SyntaxError).message}`);
  }
}

type Check = (thread: Thread, x: Value, y: Value) => string | null;

function assertion(name: string, signature: string, check: Check): FixedNative {
  return fixed(name, signature, (thread, _self, x, y) => {
    const message = check(thread, x as Value, y as Value);
    if (message !== null) throw fails(message);
    return null;
  });
}

let made: ReadonlyMap<string, Value> | null = null;

/** By name. Made when the first program asks for them: most runs are not tests. */
export function testing(): ReadonlyMap<string, Value> {
  made ??= make();
  return made;
}

function make(): ReadonlyMap<string, Value> {
  return new Map<string, Value>([
    [
      'assert',
      new Module('assert', new Map(assertions().map((native) => [native.name, new Builtin(native)]))),
    ],
    [
      'catch',
      new Builtin(
        fixed('catch', 'f, /', (_thread, _self, f) => new CallCaught(f as Value, 'catch', []), {
          callsBack: true,
        }),
      ),
    ],
    [
      'freeze',
      new Builtin(
        fixed('freeze', 'x, /', (_thread, _self, x) => {
          freeze(x as Value);
          return x as Value;
        }),
      ),
    ],
    [
      'matches',
      new Builtin(
        fixed('matches', 'pattern, text, /', (_thread, _self, pattern, text) => matches(pattern, text)),
      ),
    ],
    [
      'struct',
      new Builtin(
        variadic('struct', (_thread, _self, args, named) => {
          if (args.length > 0)
            throw new EvalError('EVAL_ARGUMENTS', 'struct: unexpected positional arguments');
          return new Struct(new Map([...named].sort(([a], [b]) => (a < b ? -1 : 1))));
        }),
      ),
    ],
  ]);
}

function assertions(): FixedNative[] {
  return [
    assertion('eq', 'x, y', (thread, x, y) =>
      equals(thread, x, y) ? null : `${repr(thread, x)} != ${repr(thread, y)}`,
    ),
    assertion('ne', 'x, y', (thread, x, y) =>
      equals(thread, x, y) ? `${repr(thread, x)} == ${repr(thread, y)}` : null,
    ),
    assertion('true', 'cond, msg?', (thread, x, y) =>
      truth(x) ? null : y === undefined ? 'assertion failed' : str(thread, y),
    ),
    assertion('lt', 'x, y', (thread, x, y) =>
      compare(thread, x, y, '<') < 0 ? null : `${repr(thread, x)} is not less than ${repr(thread, y)}`,
    ),
    assertion('contains', 'x, y', (thread, x, y) =>
      contains(thread, y, x) ? null : `${repr(thread, x)} does not contain ${repr(thread, y)}`,
    ),
    assertion('fail', 'msg', (thread, x) => str(thread, x)),
    fixed(
      'fails',
      'f, pattern',
      (_thread, _self, f, pattern) => new CallCaught(f as Value, 'fails', [pattern as Value]),
      { callsBack: true },
    ),
  ];
}

/** The one result is the text of the error that ended the call, or None (CallCaught in native.ts). */
export const testingFinishers: ReadonlyMap<string, Finisher> = new Map<string, Finisher>([
  ['catch', (_thread, _items, results) => results[0] as Value],
  [
    'fails',
    (thread, _items, results, extra) => {
      const [text] = results;
      const [pattern] = extra;
      if (typeof text !== 'string')
        throw fails(
          `evaluation succeeded unexpectedly (want error matching ${repr(thread, pattern as Value)})`,
        );
      if (!matches(pattern, text))
        throw fails(`error (${text}) did not match ${repr(thread, pattern as Value)}`);
      return null;
    },
  ],
]);
