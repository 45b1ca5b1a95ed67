// Expressions: the value ends in a register.
import type {
  BinaryExpression,
  BinaryOperator,
  CallExpression,
  Comprehension,
  ConditionalExpression,
  DictExpression,
  Expression,
  ForClause,
  LogicalExpression,
  SliceExpression,
} from '../syntax/ast.ts';
import { Bytes, Float } from '../value/value.ts';
import {
  compileCondition,
  compileName,
  compileTarget,
  isSettled,
  namesIn,
  targetRegister,
} from './compile-statement.ts';
import { compileLambda } from './context.ts';
import type { FunctionContext, Label } from './context.ts';
import type { OpcodeName } from './opcodes.ts';

const binaryOpcodes: Readonly<Record<BinaryOperator, OpcodeName>> = {
  '+': 'ADD',
  '-': 'SUBTRACT',
  '*': 'MULTIPLY',
  '/': 'DIVIDE',
  '//': 'FLOOR_DIVIDE',
  '%': 'MODULO',
  '&': 'BIT_AND',
  '|': 'BIT_OR',
  '^': 'BIT_XOR',
  '<<': 'SHIFT_LEFT',
  '>>': 'SHIFT_RIGHT',
  '==': 'EQUAL',
  '!=': 'NOT_EQUAL',
  '<': 'LESS',
  '<=': 'LESS_EQUAL',
  '>': 'GREATER',
  '>=': 'GREATER_EQUAL',
  in: 'IN',
  'not in': 'NOT_IN',
};

const unaryOpcodes = { '-': 'NEGATE', '+': 'PLUS', '~': 'INVERT', not: 'NOT' } as const satisfies Record<
  string,
  OpcodeName
>;

/** A display with more items is made in parts, so that its items need few registers at a time. */
const displayPart = 32;

/** A dict display of up to so many entries is made at once, in arrays of just its size: most records are such. */
const shortDict = 8;

export function compileExpression(context: FunctionContext, expression: Expression, wanted?: number): number {
  const { emitter } = context;
  switch (expression.kind) {
    case 'identifier':
      return compileName(context, expression, wanted);
    case 'int':
    case 'string':
      return emitter.constant(expression.value);
    case 'float':
      return emitter.constant(new Float(expression.value), `float ${expression.value}`);
    case 'bytes':
      return emitter.constant(new Bytes(expression.value), expression);
    case 'binary':
      return compileBinary(context, expression, wanted);
    case 'unary': {
      const literal = expression.operator === '-' ? expression.operand : null;
      if (literal?.kind === 'int' && typeof literal.value === 'number' && literal.value !== 0)
        return emitter.constant(-literal.value);
      emitter.charge(1);
      const mark = emitter.mark();
      const operand = context.expression(expression.operand);
      emitter.release(mark);
      const result = context.destination(wanted);
      emitter.emitAt(expression, unaryOpcodes[expression.operator], result, operand);
      return result;
    }
    case 'logical':
      return compileLogical(context, expression, wanted);
    case 'conditional':
      return compileConditional(context, expression, wanted);
    case 'call':
      return compileCall(context, expression, wanted);
    case 'comprehension':
      return compileComprehension(context, expression, wanted);
    case 'dict':
      return compileDict(context, expression, wanted);
    case 'list':
      return compileItems(context, expression, 'LIST', wanted);
    case 'tuple':
      return compileItems(context, expression, 'TUPLE', wanted);
    case 'dot': {
      emitter.charge(1);
      const mark = emitter.mark();
      const object = context.expression(expression.object);
      emitter.release(mark);
      const result = context.destination(wanted);
      emitter.emitAt(expression, 'ATTRIBUTE', result, object, emitter.method(expression.name));
      return result;
    }
    case 'index': {
      emitter.charge(1);
      const mark = emitter.mark();
      const object = context.expression(expression.object);
      const index = context.expression(expression.index);
      emitter.release(mark);
      const result = context.destination(wanted);
      emitter.emitAt(expression, 'INDEX', result, object, index);
      return result;
    }
    case 'slice':
      return compileSlice(context, expression, wanted);
    case 'lambda':
      return compileLambda(context, expression, wanted);
  }
}

/** `a * b % m`, `a * b & m`, `(a * b + c) % m`, `(a * b + c) & m` (opcodes#I3), or null if it is none of these. */
function compileReduced(
  context: FunctionContext,
  expression: BinaryExpression,
  wanted?: number,
): number | null {
  const { operator } = expression;
  const left = expression.left as BinaryExpression;
  if (!isReduced(context, expression)) return null;
  const sum = left.operator === '+' ? left : null;
  const product = (sum === null ? left : sum.left) as BinaryExpression;
  const { emitter } = context;
  emitter.charge(sum === null ? 2 : 3);
  const mark = emitter.mark();
  const operands = [product.left, product.right, ...(sum === null ? [] : [sum.right]), expression.right].map(
    (operand) => context.expression(operand),
  );
  emitter.release(mark);
  const result = context.destination(wanted);
  const opcode =
    sum === null
      ? operator === '%'
        ? 'MULTIPLY_MODULO'
        : 'MULTIPLY_AND'
      : operator === '%'
        ? 'MULTIPLY_ADD_MODULO'
        : 'MULTIPLY_ADD_AND';
  emitter.emitAt(expression, opcode, result, ...operands);
  return result;
}

/** What follows the product is evaluated before it, so that must not be noticeable. */
function isReduced(context: FunctionContext, { operator, left, right }: BinaryExpression): boolean {
  if ((operator !== '%' && operator !== '&') || left.kind !== 'binary') return false;
  const product = left.operator === '+' ? left.left : left;
  if (product.kind !== 'binary' || product.operator !== '*') return false;
  return isSettled(context, right) && (product === left || isSettled(context, left.right));
}

/** Goes down the left side without recursion: `a + b + c + …` may be long. */
function compileBinary(context: FunctionContext, expression: BinaryExpression, wanted?: number): number {
  const reduced = compileReduced(context, expression, wanted);
  if (reduced !== null) return reduced;
  const { emitter } = context;
  const chain = [expression];
  for (let left = expression.left; left.kind === 'binary' && !isReduced(context, left); left = left.left)
    chain.push(left);
  const mark = emitter.mark();
  let left = context.expression((chain.at(-1) as BinaryExpression).left);
  for (const step of chain.reverse()) {
    emitter.charge(1);
    const right = context.expression(step.right);
    emitter.release(mark);
    const result = step === expression ? context.destination(wanted) : emitter.temporary();
    emitter.emitAt(step, binaryOpcodes[step.operator], result, left, right);
    left = result;
  }
  return left;
}

function compileLogical(context: FunctionContext, expression: LogicalExpression, wanted?: number): number {
  const { emitter } = context;
  emitter.charge(1);
  const result = context.scratch(wanted);
  const end = emitter.label();
  context.into(expression.left, result);
  emitter.emitJump(null, expression.operator === 'and' ? 'JUMP_UNLESS' : 'JUMP_IF', [result], end);
  context.into(expression.right, result);
  emitter.bind(end);
  return result;
}

function compileConditional(
  context: FunctionContext,
  expression: ConditionalExpression,
  wanted?: number,
): number {
  const { emitter } = context;
  emitter.charge(1);
  // Each branch writes it last, so a variable may be written directly.
  const result = context.destination(wanted);
  const otherwise = emitter.label();
  const end = emitter.label();
  const mark = emitter.mark();
  compileCondition(context, expression.condition, otherwise, false);
  emitter.release(mark);
  context.into(expression.then, result);
  emitter.emitJump(null, 'JUMP', [], end);
  emitter.bind(otherwise);
  emitter.release(mark);
  context.into(expression.otherwise, result);
  emitter.bind(end);
  emitter.release(mark);
  return result;
}

function compileItems(
  context: FunctionContext,
  expression: Expression & { kind: 'list' | 'tuple' },
  opcode: 'LIST' | 'TUPLE',
  wanted?: number,
): number {
  const { emitter } = context;
  const { items } = expression;
  emitter.charge(1 + items.length);
  const mark = emitter.mark();
  if (items.length <= displayPart) {
    const registers = items.map((item) => context.expression(item));
    emitter.release(mark);
    const result = context.destination(wanted);
    emitter.emitList(expression, opcode, [result], registers);
    return result;
  }
  const result = context.scratch(wanted);
  const inner = emitter.mark();
  emitter.emitList(expression, 'LIST', [result], []);
  for (let from = 0; from < items.length; from += displayPart) {
    const registers = items.slice(from, from + displayPart).map((item) => context.expression(item));
    emitter.emitList(expression, 'LIST_EXTEND', [result], registers);
    emitter.release(inner);
  }
  if (opcode === 'TUPLE') emitter.emit('TUPLE_OF', result, result);
  return result;
}

function compileDict(context: FunctionContext, expression: DictExpression, wanted?: number): number {
  const { emitter } = context;
  const { entries } = expression;
  emitter.charge(1 + entries.length);
  if (entries.length > 0 && entries.length <= shortDict) {
    const mark = emitter.mark();
    const registers = entries.flatMap(({ key, value }) => [
      context.expression(key),
      context.expression(value),
    ]);
    emitter.release(mark);
    const result = context.destination(wanted);
    emitter.emitList(expression, 'DICT_OF', [result], registers);
    for (const [index, entry] of entries.entries())
      emitter.placeOperand(entry, 3 + registers.length, 3 + 2 * index);
    return result;
  }
  const result = context.scratch(wanted);
  const mark = emitter.mark();
  emitter.emitAt(expression, 'DICT', result);
  for (const entry of expression.entries) {
    const key = context.expression(entry.key);
    const value = context.expression(entry.value);
    emitter.emitAt(entry, 'DICT_ENTRY', result, key, value);
    emitter.release(mark);
  }
  return result;
}

function compileSlice(context: FunctionContext, expression: SliceExpression, wanted?: number): number {
  const { emitter } = context;
  emitter.charge(1);
  const mark = emitter.mark();
  const object = context.expression(expression.object);
  // None means the same as nothing (spec).
  const [from, to, step] = [expression.from, expression.to, expression.step].map((part) =>
    part === null ? emitter.constant(null) : context.expression(part),
  ) as [number, number, number];
  emitter.release(mark);
  const result = context.destination(wanted);
  emitter.emitAt(expression, 'SLICE', result, object, from, to, step);
  return result;
}

function compileCall(context: FunctionContext, call: CallExpression, wanted?: number): number {
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

// Comprehensions: loops around one push, in the frame of the function that has them.

interface Loop {
  readonly clause: ForClause;
  readonly iterator: number;
  readonly variable: number;
  readonly body: Label;
  readonly next: Label;
}

function compileComprehension(context: FunctionContext, expression: Comprehension, wanted?: number): number {
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
