// Statements.
import type {
  AssignStatement,
  AugmentedStatement,
  BinaryOperator,
  DefStatement,
  ForStatement,
  IfStatement,
  LoadStatement,
  ReturnStatement,
  Statement,
} from '../syntax/ast.ts';
import { compileCondition } from './compile-condition.ts';
import { compileClosure } from './compile-function.ts';
import { assignName, compileName, registerOf } from './compile-name.ts';
import { compileParallel, compileTarget, targetRegister } from './compile-target.ts';
import type { FunctionContext } from './context.ts';
import type { Label } from './emitter.ts';
import type { OpcodeName } from './opcodes.ts';

const augmentedOpcodes: Readonly<Partial<Record<BinaryOperator, OpcodeName>>> = {
  '+': 'ADD_IN_PLACE',
  '-': 'SUBTRACT_IN_PLACE',
  '*': 'MULTIPLY',
  '/': 'DIVIDE',
  '//': 'FLOOR_DIVIDE',
  '%': 'MODULO',
  '&': 'BIT_AND_IN_PLACE',
  '|': 'BIT_OR_IN_PLACE',
  '^': 'BIT_XOR_IN_PLACE',
  '<<': 'SHIFT_LEFT',
  '>>': 'SHIFT_RIGHT',
};

export function compileStatements(context: FunctionContext, statements: readonly Statement[]): void {
  for (const statement of statements) {
    const mark = context.emitter.mark();
    context.emitter.charge(1);
    compileStatement(context, statement);
    context.emitter.release(mark);
  }
}

function compileStatement(context: FunctionContext, statement: Statement): void {
  const { emitter } = context;
  switch (statement.kind) {
    case 'expression':
      context.expression(statement.expression);
      return;
    case 'assign':
      compileAssign(context, statement);
      return;
    case 'augmented':
      compileAugmented(context, statement);
      return;
    case 'if':
      compileIf(context, statement);
      return;
    case 'for':
      compileFor(context, statement);
      return;
    case 'return':
      compileReturn(context, statement);
      return;
    case 'def':
      compileDef(context, statement);
      return;
    case 'load':
      compileLoad(context, statement);
      return;
    case 'break': {
      const loop = innermost(context);
      emitter.emit('END_ITERATE', loop.iterator);
      emitter.emitJump(null, 'JUMP', [], loop.end);
      context.assigned.leave();
      return;
    }
    case 'continue':
      emitter.emitJump(null, 'JUMP', [], innermost(context).next);
      context.assigned.leave();
      return;
    case 'pass':
      return;
  }
}

function innermost(context: FunctionContext) {
  const loop = context.loops.at(-1);
  if (loop === undefined) throw new Error('break or continue outside a loop');
  return loop;
}

function compileAssign(context: FunctionContext, { target, value, start, end }: AssignStatement): void {
  const written = { start, end };
  const isSequence = target.kind === 'tuple' || target.kind === 'list';
  if (
    isSequence &&
    (value.kind === 'tuple' || value.kind === 'list') &&
    value.items.length === target.items.length
  ) {
    context.emitter.charge(1 + value.items.length);
    compileParallel(context, target.items, value.items, written);
    return;
  }
  compileTarget(context, target, context.expression(value, targetRegister(target)), written);
}

function compileAugmented(context: FunctionContext, statement: AugmentedStatement): void {
  const { emitter } = context;
  const { target, operator } = statement;
  const opcode = augmentedOpcodes[operator];
  if (opcode === undefined) throw new Error(`there is no ${operator}=`);
  emitter.charge(1);
  if (target.kind === 'identifier') {
    const old = compileName(context, target);
    const operand = context.expression(statement.value);
    const result = registerOf(target) ?? emitter.temporary();
    emitter.emitAt(statement, opcode, result, old, operand);
    assignName(context, target, result);
    return;
  }
  const object = context.expression(target.object);
  const result = emitter.temporary();
  if (target.kind === 'index') {
    const index = context.expression(target.index);
    emitter.emitAt(target, 'INDEX', result, object, index);
    emitter.emitAt(statement, opcode, result, result, context.expression(statement.value));
    emitter.emitAt(statement, 'SET_INDEX', object, index, result);
  } else {
    const name = emitter.method(target.name);
    emitter.emitAt(target, 'ATTRIBUTE', result, object, name);
    emitter.emitAt(statement, opcode, result, result, context.expression(statement.value));
    emitter.emitAt(statement, 'SET_ATTRIBUTE', object, name, result);
  }
}

function compileIf(context: FunctionContext, statement: IfStatement): void {
  const { emitter, assigned } = context;
  const otherwise = emitter.label();
  const mark = emitter.mark();
  compileCondition(context, statement.condition, otherwise, false);
  emitter.release(mark);
  if (statement.otherwise.length === 0) {
    assigned.either(
      () => compileStatements(context, statement.then),
      () => emitter.bind(otherwise),
    );
    return;
  }
  const end = emitter.label();
  assigned.either(
    () => {
      compileStatements(context, statement.then);
      emitter.emitJump(null, 'JUMP', [], end);
    },
    () => {
      emitter.bind(otherwise);
      compileStatements(context, statement.otherwise);
    },
  );
  emitter.bind(end);
}

function compileFor(context: FunctionContext, statement: ForStatement): void {
  const { emitter, assigned, loops } = context;
  const iterator = emitter.temporary();
  const source = context.expression(statement.iterable, iterator);
  emitter.emitAt(statement.iterable, 'ITERATE', iterator, source);
  emitter.release(iterator + 1);
  const variable = targetRegister(statement.target) ?? emitter.temporary();
  const [body, next, end]: Label[] = [emitter.label(), emitter.label(), emitter.label()];
  emitter.emitJump(null, 'JUMP', [], next as Label);
  emitter.openLoop();
  emitter.bind(body as Label);
  loops.push({ iterator, next: next as Label, end: end as Label });
  assigned.maybe(() => {
    compileTarget(context, statement.target, variable, statement.target);
    compileStatements(context, statement.body);
  });
  loops.pop();
  emitter.bind(next as Label);
  const written = { start: statement.start, end: statement.iterable.end };
  emitter.emitJump(written, 'FOR', [iterator, variable, emitter.closeLoop()], body as Label);
  emitter.bind(end as Label);
}

function compileReturn(context: FunctionContext, statement: ReturnStatement): void {
  const { emitter } = context;
  const value = statement.value === null ? emitter.constant(null) : context.expression(statement.value);
  for (const { iterator } of context.loops.toReversed()) emitter.emit('END_ITERATE', iterator);
  emitter.emit('RETURN', value);
  context.assigned.leave();
}

function compileDef(context: FunctionContext, statement: DefStatement): void {
  const about = { name: statement.name.name, documentation: statement.documentation };
  const value = compileClosure(context, statement, about, registerOf(statement.name), (inner) =>
    compileStatements(inner, statement.body),
  );
  assignName(context, statement.name, value);
}

function compileLoad(context: FunctionContext, statement: LoadStatement): void {
  const { emitter, module } = context;
  const name = statement.module.value;
  module.loads.push(name);
  const loaded = emitter.temporary();
  emitter.emitAt(statement, 'LOAD', loaded, emitter.constant(name));
  for (const binding of statement.bindings) {
    emitter.charge(1);
    const value = emitter.temporary();
    emitter.emitAt(binding, 'LOAD_MEMBER', value, loaded, emitter.constant(binding.original));
    assignName(context, binding.local, value);
    emitter.release(value);
  }
}
