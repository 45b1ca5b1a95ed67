// `macro` and `call` -> closures.
import type { CallBlock, Macro, Parameter, Statement } from '../syntax/ast.ts';
import { namesRead } from '../syntax/walk.ts';
import type { Value } from '../value/value.ts';
import { compileEntry } from './compile-entry.ts';
import { compileCall, compileExpression } from './compile-expression.ts';
import type { Context } from './context.ts';
import type { Execute } from './frame.ts';
import { type MacroCode, MacroValue } from './macro-value.ts';
import type { Slot } from './symbols.ts';

type CompileBody = (c: Context, body: readonly Statement[]) => Execute;

const special = ['caller', 'kwargs', 'varargs'] as const;

function compileCode(
  c: Context,
  name: string | null,
  parameters: readonly Parameter[],
  body: readonly Statement[],
  compileBody: CompileBody,
): MacroCode {
  const scope = c.newUnit();
  for (const parameter of parameters) scope.parameter(parameter.name);
  const read = namesRead(body, special);
  const isParameter = (each: string): boolean => parameters.some((parameter) => parameter.name === each);
  const [caller, kwargs, varargs] = special.map((each) =>
    !read.has(each) ? null : isParameter(each) ? (scope.find(each) as Slot) : scope.parameter(each),
  ) as [Slot | null, Slot | null, Slot | null];
  const explicit = parameters.find((parameter) => parameter.name === 'caller');
  if (caller !== null && explicit?.fallback === null)
    c.fault('TEMPLATE_ARGUMENTS', explicit, 'the parameter "caller" must have a default, or be left out');
  for (const { fallback } of parameters) if (fallback !== null) scope.readExpression(fallback);
  scope.readBody(body);
  return c.within(scope, () => ({
    name,
    unit: scope.unit,
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      index: (scope.find(parameter.name) as Slot).index,
      fallback: parameter.fallback === null ? null : compileExpression(c, parameter.fallback),
    })),
    caller: caller?.index ?? null,
    kwargs: kwargs === null || isParameter('kwargs') ? null : kwargs.index,
    varargs: varargs === null || isParameter('varargs') ? null : varargs.index,
    enter: compileEntry(c, scope),
    body: compileBody(c, body),
  }));
}

export function compileMacro(c: Context, node: Macro, compileBody: CompileBody): Execute {
  const code = compileCode(c, node.name, node.parameters, node.body, compileBody);
  const slot = c.scope.find(node.name) as Slot;
  const hops = c.hopsTo(slot);
  return (f) => {
    f.out(hops).slots[slot.index] = new MacroValue(code, f);
  };
}

export function compileCallBlock(
  c: Context,
  node: CallBlock,
  compileBody: CompileBody,
  blockText: (value: Value) => string,
): Execute {
  const code = compileCode(c, null, node.parameters, node.body, compileBody);
  const call = compileCall(
    c,
    node.call.callee,
    node.call.arguments,
    node.call,
    (f) => new MacroValue(code, f),
  );
  return (f, sink) => {
    const result = call(f);
    f.e.at = node.call;
    sink.write(blockText(result));
  };
}
