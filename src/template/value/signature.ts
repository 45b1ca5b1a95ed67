// The parameters of a filter, test or method, and the arguments that are bound to them.
import { TemplateError } from './template-error.ts';
import type { Named, Value } from './value.ts';

/** A name and its default; without a default the argument must be given. */
export type Parameter = readonly [name: string, fallback?: Value];

interface Signature {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** Arguments cannot be given by name, as for most methods of Python's own types. */
  readonly positionalOnly: boolean;
}

export function signature(name: string, parameters: readonly Parameter[], positionalOnly = false): Signature {
  return { name, parameters, positionalOnly };
}

function fail(message: string): never {
  throw new TemplateError('EVAL_ARGUMENTS', message);
}

/** One value for each parameter. */
export function bind(of: Signature, args: readonly Value[], named: Named): readonly Value[] {
  const { name, parameters, positionalOnly } = of;
  if (args.length > parameters.length)
    fail(`${name} takes at most ${counted(parameters.length)}, ${args.length} given`);
  if (named.size > 0 && positionalOnly) fail(`${name} takes no keyword arguments`);
  for (const each of named.keys()) {
    const at = parameters.findIndex(([parameter]) => parameter === each);
    if (at < 0) fail(`${name} got an unexpected keyword argument '${each}'`);
    if (at < args.length) fail(`${name} got multiple values for argument '${each}'`);
  }
  if (args.length === parameters.length) return args;
  return parameters.map((parameter, at) => {
    const value =
      at < args.length ? args[at] : named.has(parameter[0]) ? named.get(parameter[0]) : parameter[1];
    return value === undefined ? fail(`${name} is missing its argument '${parameter[0]}'`) : value;
  });
}

function counted(count: number): string {
  return count === 0 ? 'no arguments' : count === 1 ? '1 argument' : `${count} arguments`;
}
