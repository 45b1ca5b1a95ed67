// Statements.
import type {
  AssignStatement,
  AugmentedStatement,
  BinaryOperator,
  DefStatement,
  Expression,
  ForStatement,
  Identifier,
  IfStatement,
  LoadStatement,
  ReturnStatement,
  Statement,
} from '../syntax/ast.ts';
import { compileClosure } from './context.ts';
import type { FunctionContext, Label, Written } from './context.ts';
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

// Assignment: `a = …`, `a[i] = …`, `a.b = …`, `a, (b, c) = …`, in statements, loops and comprehensions.

/** Where a value for `target` is best computed. */
export function targetRegister(target: Expression): number | undefined {
  return target.kind === 'identifier' ? registerOf(target) : undefined;
}

export function compileTarget(
  context: FunctionContext,
  target: Expression,
  value: number,
  written: Written,
): void {
  const { emitter } = context;
  const mark = emitter.mark();
  switch (
    target.kind // oxlint-disable-line typescript/switch-exhaustiveness-check -- the parser lets nothing else through
  ) {
    case 'identifier':
      assignName(context, target, value);
      break;
    case 'index': {
      const object = context.expression(target.object);
      const index = context.expression(target.index);
      emitter.charge(1);
      emitter.emitAt(written, 'SET_INDEX', object, index, value);
      break;
    }
    case 'dot':
      emitter.charge(1);
      emitter.emitAt(
        written,
        'SET_ATTRIBUTE',
        context.expression(target.object),
        emitter.method(target.name),
        value,
      );
      break;
    case 'list':
    case 'tuple': {
      emitter.charge(target.items.length);
      const registers = target.items.map((item) => targetRegister(item) ?? emitter.temporary());
      emitter.emitList(written, 'UNPACK', [value], registers);
      for (const [index, item] of target.items.entries())
        compileTarget(context, item, registers[index] as number, written);
      break;
    }
    default:
      throw new Error(`a ${target.kind} cannot be assigned to`);
  }
  emitter.release(mark);
}

/** `a, b = x, y` without a tuple in between. */
function compileParallel(
  context: FunctionContext,
  targets: readonly Expression[],
  values: readonly Expression[],
  written: Written,
): void {
  const { emitter } = context;
  const mark = emitter.mark();
  const registers = values.map((value) => {
    const register = context.expression(value);
    if (register < 0 || register >= emitter.firstTemporary) return register;
    // A variable may get another value before this one is stored.
    const copy = emitter.temporary();
    emitter.emit('MOVE', copy, register);
    return copy;
  });
  for (const [index, target] of targets.entries())
    compileTarget(context, target, registers[index] as number, written);
  emitter.release(mark);
}

/** Every name that assigning to `target` gives a value to. */
export function namesIn(target: Expression): Identifier[] {
  if (target.kind === 'identifier') return [target];
  if (target.kind === 'list' || target.kind === 'tuple') return target.items.flatMap(namesIn);
  return [];
}

// Reading and writing variables, wherever they live.

export function compileName(context: FunctionContext, name: Identifier, wanted?: number): number {
  const { emitter, module } = context;
  const binding = name.binding;
  if (binding === null) throw new Error(`the name ${name.name} is not resolved`);
  switch (binding.kind) {
    case 'local': {
      const { variable } = binding;
      if (!variable.captured) {
        if (!context.assigned.has(variable.index)) emitter.emitAt(name, 'CHECK', variable.index);
        return variable.index;
      }
      const register = context.destination(wanted);
      emitter.emitAt(name, 'GET_CELL', register, variable.index);
      return register;
    }
    case 'free': {
      const register = context.destination(wanted);
      emitter.emitAt(name, 'GET_FREE', register, binding.index);
      return register;
    }
    case 'global': {
      const register = context.destination(wanted);
      if (module.interactive) emitter.emitAt(name, 'GET_NAME', register, emitter.constant(name.name));
      else emitter.emitAt(name, 'GET_GLOBAL', register, binding.index);
      return register;
    }
    case 'predeclared': {
      if (!module.interactive) return emitter.outside('predeclared', binding.name);
      const register = context.destination(wanted);
      emitter.emitAt(name, 'GET_NAME', register, emitter.constant(binding.name));
      return register;
    }
    case 'universal':
      if (binding.name === 'None') return emitter.constant(null);
      if (binding.name === 'True') return emitter.constant(true);
      if (binding.name === 'False') return emitter.constant(false);
      return emitter.outside('universal', binding.name);
  }
}

/** Whether evaluating it can neither fail nor be seen, so that it may as well be done earlier. */
export function isSettled(context: FunctionContext, expression: Expression): boolean {
  if (expression.kind === 'unary') return expression.operator === '-' && expression.operand.kind === 'int';
  if (expression.kind !== 'identifier')
    return (
      expression.kind === 'int' ||
      expression.kind === 'float' ||
      expression.kind === 'string' ||
      expression.kind === 'bytes'
    );
  const { binding } = expression;
  if (binding?.kind === 'local')
    return !binding.variable.captured && context.assigned.has(binding.variable.index);
  if (binding?.kind === 'global')
    return !context.module.interactive && context.module.assignedGlobals.has(binding.index);
  return binding?.kind === 'universal';
}

/** The register to compute a value into that is then to be assigned to `name`: its own, if it has one. */
function registerOf(name: Identifier): number | undefined {
  const { binding } = name;
  return binding?.kind === 'local' && !binding.variable.captured ? binding.variable.index : undefined;
}

function assignName(context: FunctionContext, name: Identifier, value: number): void {
  const { emitter, module } = context;
  const binding = name.binding;
  if (binding?.kind === 'local') {
    const { variable } = binding;
    if (variable.captured) emitter.emit('SET_CELL', variable.index, value);
    else if (value !== variable.index) emitter.emit('MOVE', variable.index, value);
    context.assigned.set(variable.index);
  } else if (binding?.kind === 'global') {
    if (module.interactive) emitter.emit('SET_NAME', emitter.constant(name.name), value);
    else {
      emitter.emit('SET_GLOBAL', binding.index, value);
      module.assignedGlobals.add(binding.index);
    }
  } else {
    throw new Error(`the name ${name.name} cannot be assigned`);
  }
}

// Conditions: a jump instead of a value.

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
