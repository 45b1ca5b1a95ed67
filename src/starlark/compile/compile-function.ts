// Functions: the code is made once, at compile time; running the `def` or `lambda` makes a closure of it.
//
// Making a closure costs a step for each default and each captured variable, as for the items of a display. A call
// clears the registers of the function when it ends, and makes its cells when it begins: where they are many, that is
// part of what entering the function costs, whatever its body then does.
import type { DefStatement, LambdaExpression, Parameter } from '../syntax/ast.ts';
import type { FunctionScope } from '../resolve/scope.ts';
import { type CompileExpression, FunctionContext, type ModuleContext } from './context.ts';
import type { FunctionCode, ParameterList } from './program.ts';

const MANY_REGISTERS = 64;

/** Compiles a lambda and leaves the closure in a register. */
export function compileLambda(context: FunctionContext, lambda: LambdaExpression, wanted?: number): number {
  return compileClosure(context, lambda, { name: 'lambda', documentation: null }, wanted, (inner) => {
    inner.emitter.emit('RETURN', inner.expression(lambda.body));
  });
}

/** `compileBody` compiles what is inside; it need not end in a return. */
export function compileClosure(
  context: FunctionContext,
  node: DefStatement | LambdaExpression,
  about: { readonly name: string; readonly documentation: string | null },
  wanted: number | undefined,
  compileBody: (inner: FunctionContext) => void,
): number {
  const { emitter } = context;
  const scope = node.scope as FunctionScope;
  const mark = emitter.mark();
  const defaults = node.parameters.flatMap(({ defaultValue }) =>
    defaultValue === null ? [] : [context.expression(defaultValue)],
  );
  emitter.release(mark);
  emitter.charge(1 + defaults.length + scope.free.length + (node.parameters.length >> 3));
  const code = compileFunction(
    context.module,
    context.compileExpression,
    { ...about, node, parameters: node.parameters, scope },
    compileBody,
  );
  const result = context.destination(wanted);
  emitter.emitList(node, 'CLOSURE', [result, code.id], defaults);
  return result;
}

interface FunctionSource {
  readonly name: string;
  readonly documentation: string | null;
  readonly node: { readonly start: number; readonly end: number };
  readonly parameters: readonly Parameter[];
  readonly scope: FunctionScope;
}

export function compileFunction(
  module: ModuleContext,
  compileExpression: CompileExpression,
  source: FunctionSource,
  compileBody: (inner: FunctionContext) => void,
): FunctionCode {
  const { scope } = source;
  const id = module.functions.push(null) - 1;
  const parameters = parameterList(source.parameters);
  const context = new FunctionContext(module, scope, compileExpression);
  for (let index = 0; index < parameterCount(parameters); index += 1) context.assigned.set(index);
  compileBody(context);
  context.emitter.emit('RETURN', context.emitter.constant(null));
  const cells = scope.locals
    .filter(({ captured, index }) => captured && !context.ownCells.has(index))
    .map(({ index }) => index);
  const finished = context.emitter.finish();
  const code: FunctionCode = {
    id,
    name: source.name,
    documentation: source.documentation,
    start: source.node.start,
    end: source.node.end,
    parameters,
    ...finished,
    cost: finished.cost + frameCost(finished.registers, cells.length),
    variables: scope.locals.map(({ name }) => name),
    freeNames: scope.free.map(({ variable }) => variable.name),
    cells,
    free: scope.free.map(({ from, index }) => ({ from, index })),
  };
  module.functions[id] = code;
  return code;
}

/** Few registers are cleared within the steps that a call costs anyway. */
function frameCost(registers: number, cells: number): number {
  return registers < MANY_REGISTERS ? 0 : (registers >> 3) + cells;
}

function parameterList(written: readonly Parameter[]): ParameterList {
  const star = written.findIndex(({ kind }) => kind === 'star');
  const plain = written.filter(({ kind }) => kind === 'plain');
  const named = (kind: Parameter['kind']) =>
    written.some((parameter) => parameter.kind === kind && parameter.name !== null);
  const rest = named('star') ? plain.length : -1;
  return {
    names: plain.map(({ name }) => (name as NonNullable<typeof name>).name),
    positional: star < 0 ? plain.length : star,
    hasDefault: plain.map(({ defaultValue }) => defaultValue !== null),
    rest,
    keywords: named('double-star') ? plain.length + (rest < 0 ? 0 : 1) : -1,
  };
}

function parameterCount({ names, rest, keywords }: ParameterList): number {
  return names.length + (rest < 0 ? 0 : 1) + (keywords < 0 ? 0 : 1);
}
