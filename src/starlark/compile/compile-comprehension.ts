// Comprehensions: loops around one push, in the frame of the function that has them.
import type { Comprehension, ForClause } from '../syntax/ast.ts';
import { compileCondition } from './compile-condition.ts';
import { compileTarget, namesIn, targetRegister } from './compile-target.ts';
import type { FunctionContext } from './context.ts';
import type { Label } from './emitter.ts';

interface Loop {
  readonly clause: ForClause;
  readonly iterator: number;
  readonly variable: number;
  readonly body: Label;
  readonly next: Label;
}

export function compileComprehension(
  context: FunctionContext,
  expression: Comprehension,
  wanted?: number,
): number {
  const { emitter, assigned } = context;
  emitter.charge(1);
  const result = context.scratch(wanted);
  const mark = emitter.mark();
  assigned.maybe(() => {
    freshVariables(context, expression);
    const loops: Loop[] = [];
    for (const clause of expression.clauses) {
      if (clause.kind === 'for') {
        loops.push(openLoop(context, clause));
        // The first iterable is evaluated before there is a result.
        if (loops.length === 1) beginResult(context, expression, result, loops[0] as Loop);
        else enterLoop(context, loops.at(-1) as Loop);
      } else compileCondition(context, clause.condition, (loops.at(-1) as Loop).next, false);
    }
    emitter.charge(1);
    const inner = emitter.mark();
    if (expression.key === null)
      emitter.emitAt(expression.body, 'LIST_PUSH', result, context.expression(expression.body));
    else {
      const key = context.expression(expression.key);
      emitter.emitAt(expression.key, 'DICT_PUT', result, key, context.expression(expression.body));
    }
    emitter.release(inner);
    for (const loop of loops.reverse()) {
      emitter.bind(loop.next);
      emitter.emitJump(loop.clause, 'FOR', [loop.iterator, loop.variable, emitter.closeLoop()], loop.body);
    }
  });
  emitter.release(mark);
  return result;
}

/** Each evaluation has variables of its own: no value is left from the last one, and no cell is shared with it. */
function freshVariables(context: FunctionContext, expression: Comprehension): void {
  const [first, ...others] = expression.clauses.filter((clause) => clause.kind === 'for');
  const firstNames = namesIn((first as ForClause).target);
  const names = [...firstNames, ...others.flatMap((clause) => namesIn(clause.target))];
  for (const [index, { binding }] of names.entries()) {
    if (binding?.kind !== 'local') continue;
    const { variable } = binding;
    if (variable.captured) {
      context.ownCells.add(variable.index);
      context.emitter.emitAt(expression, 'NEW_CELL', variable.index);
    } else if (index >= firstNames.length) context.emitter.emit('CLEAR', variable.index);
  }
}

function openLoop(context: FunctionContext, clause: ForClause): Loop {
  const { emitter } = context;
  const iterator = emitter.temporary();
  const source = context.expression(clause.iterable, iterator);
  emitter.emitAt(clause.iterable, 'ITERATE', iterator, source);
  emitter.release(iterator + 1);
  const variable = targetRegister(clause.target) ?? emitter.temporary();
  return { clause, iterator, variable, body: emitter.label(), next: emitter.label() };
}

function beginResult(context: FunctionContext, expression: Comprehension, result: number, loop: Loop): void {
  if (expression.key === null) context.emitter.emitList(expression, 'LIST', [result], []);
  else context.emitter.emitAt(expression, 'DICT', result);
  enterLoop(context, loop);
}

function enterLoop(context: FunctionContext, loop: Loop): void {
  const { emitter } = context;
  emitter.emitJump(null, 'JUMP', [], loop.next);
  emitter.openLoop();
  emitter.bind(loop.body);
  compileTarget(context, loop.clause.target, loop.variable, loop.clause.target);
}
