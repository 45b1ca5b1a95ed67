// Calls: `f(…)`, `x.method(…)`, with named arguments, with `*` and `**`.
import type { CallExpression } from '../syntax/ast.ts';
import type { FunctionContext } from './context.ts';

export function compileCall(context: FunctionContext, call: CallExpression, wanted?: number): number {
  const { emitter } = context;
  emitter.charge(1 + call.args.length);
  const { callee, args } = call;
  // An error of a call points at all of it, from the callee to the closing bracket.
  const written = call;
  const mark = emitter.mark();
  const simple = args.every(({ kind }) => kind === 'positional');
  if (simple && callee.kind === 'dot') {
    const receiver = context.expression(callee.object);
    const registers = args.map(({ value }) => context.expression(value));
    emitter.release(mark);
    const result = context.destination(wanted);
    emitter.emitList(written, 'CALL_METHOD', [result, receiver, emitter.method(callee.name)], registers);
    return result;
  }
  const target = context.expression(callee);
  const spread: { star?: number; doubleStar?: number } = {};
  const names: string[] = [];
  const registers: number[] = [];
  for (const { kind, name, value } of args) {
    const register = context.expression(value);
    if (kind === 'star') spread.star = register;
    else if (kind === 'double-star') spread.doubleStar = register;
    else {
      if (kind === 'named') names.push(name as string);
      registers.push(register);
    }
  }
  emitter.release(mark);
  const result = context.destination(wanted);
  if (simple) emitter.emitList(written, 'CALL', [result, target], registers);
  else if (spread.star === undefined && spread.doubleStar === undefined) {
    emitter.emitList(written, 'CALL_NAMED', [result, target, emitter.keywordNames(names)], registers);
  } else {
    const none = emitter.constant(null);
    const { star = none, doubleStar = none } = spread;
    const given = (spread.star === undefined ? 0 : 1) + (spread.doubleStar === undefined ? 0 : 2);
    emitter.emitList(
      written,
      'CALL_SPREAD',
      [result, target, emitter.keywordNames(names), given, star, doubleStar],
      registers,
    );
  }
  return result;
}
