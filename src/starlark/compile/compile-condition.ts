// Conditions: a jump instead of a value.
import type { BinaryOperator, Expression } from '../syntax/ast.ts';
import type { FunctionContext } from './context.ts';
import type { Label } from './emitter.ts';
import type { OpcodeName } from './opcodes.ts';

/** For each comparison, the jump when it holds and the jump when it does not. */
const jumps: Readonly<Partial<Record<BinaryOperator, readonly [OpcodeName, OpcodeName]>>> = {
  '==': ['JUMP_EQUAL', 'JUMP_NOT_EQUAL'],
  '!=': ['JUMP_NOT_EQUAL', 'JUMP_EQUAL'],
  '<': ['JUMP_LESS', 'JUMP_NOT_LESS'],
  '<=': ['JUMP_LESS_EQUAL', 'JUMP_NOT_LESS_EQUAL'],
  '>': ['JUMP_GREATER', 'JUMP_NOT_GREATER'],
  '>=': ['JUMP_GREATER_EQUAL', 'JUMP_NOT_GREATER_EQUAL'],
  in: ['JUMP_IN', 'JUMP_NOT_IN'],
  'not in': ['JUMP_NOT_IN', 'JUMP_IN'],
};

/** Goes to `label` if the truth of `expression` is `when`, else on. */
export function compileCondition(
  context: FunctionContext,
  expression: Expression,
  label: Label,
  when: boolean,
): void {
  const { emitter } = context;
  const mark = emitter.mark();
  if (expression.kind === 'unary' && expression.operator === 'not') {
    compileCondition(context, expression.operand, label, !when);
    return;
  }
  if (expression.kind === 'logical') {
    emitter.charge(1);
    // `and` is decided by a false operand, `or` by a true one.
    const decides = expression.operator === 'or';
    const skip = decides === when ? label : emitter.label();
    compileCondition(context, expression.left, skip, decides);
    compileCondition(context, expression.right, label, when);
    if (skip !== label) emitter.bind(skip);
    return;
  }
  const jump = expression.kind === 'binary' ? jumps[expression.operator] : undefined;
  if (jump !== undefined && expression.kind === 'binary') {
    emitter.charge(1);
    const left = context.expression(expression.left);
    const right = context.expression(expression.right);
    emitter.emitJump(expression, jump[when ? 0 : 1], [left, right], label);
  } else {
    const register = context.expression(expression);
    emitter.emitJump(null, when ? 'JUMP_IF' : 'JUMP_UNLESS', [register], label);
  }
  emitter.release(mark);
}
