// The arguments of a call, filter or test -> a closure that reads them.
import type { Arguments, Expression } from '../syntax/ast.ts';
import { Dict } from '../value/dict.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { isIterable, listOf } from '../value/iterate.ts';
import { failUndefined, TemplateError, typeError } from '../value/template-error.ts';
import { asText } from '../value/text.ts';
import { typeName } from '../value/type-name.ts';
import { type Named, noNames, Undefined, type Value } from '../value/value.ts';
import type { Evaluate, Frame } from './frame.ts';

interface ReadArguments {
  readonly positional: readonly Value[];
  readonly named: Named;
}

const none: ReadArguments = { positional: [], named: noNames };

export function compileArguments(
  args: Arguments,
  compile: (expression: Expression) => Evaluate,
): (f: Frame) => ReadArguments {
  const positional = args.positional.map(compile);
  const named = args.named.map(({ name, value }) => ({ name, value: compile(value) }));
  const spread = args.spread === null ? null : compile(args.spread);
  const namedSpread = args.namedSpread === null ? null : compile(args.namedSpread);
  if (named.length > 0 || spread !== null || namedSpread !== null)
    return (f) => readAll(f, positional, named, spread, namedSpread);
  const [first] = positional;
  if (first === undefined) return () => none;
  if (positional.length === 1) return (f) => ({ positional: [first(f)], named: noNames });
  return (f) => ({ positional: positional.map((each) => each(f)), named: noNames });
}

function readAll(
  f: Frame,
  positional: readonly Evaluate[],
  named: readonly { name: string; value: Evaluate }[],
  spread: Evaluate | null,
  namedSpread: Evaluate | null,
): ReadArguments {
  const { e } = f;
  const values = positional.map((each) => each(f));
  const names = new Map<string, Value>();
  for (const { name, value } of named) names.set(name, value(f));
  if (spread !== null) values.push(...spreadValues(e, spread(f)));
  if (namedSpread !== null) addNames(e, names, namedSpread(f));
  e.work(values.length + names.size);
  return { positional: values, named: names };
}

/** More would not fit on the stack. */
const maxSpread = 10_000;

function spreadValues(e: Evaluation, value: Value): readonly Value[] {
  if (!isIterable(value)) return typeError(`argument after * must be an iterable, not ${typeName(value)}`);
  const values = listOf(e, value);
  if (values.length > maxSpread)
    throw new TemplateError(
      'EVAL_ARGUMENTS',
      `${values.length} arguments are given: ${maxSpread} are the most`,
    );
  return values;
}

function addNames(e: Evaluation, names: Map<string, Value>, value: Value): void {
  if (value instanceof Undefined) failUndefined(value);
  if (!(value instanceof Dict))
    return typeError(`argument after ** must be a mapping, not ${typeName(value)}`);
  const values = value.values();
  e.makeItems(values.length, 32);
  for (const [at, key] of value.keys().entries()) {
    const name = asText(key) ?? typeError('keywords must be strings');
    if (names.has(name))
      throw new TemplateError('EVAL_ARGUMENTS', `got multiple values for keyword argument '${name}'`);
    names.set(name, values[at] as Value);
  }
}
