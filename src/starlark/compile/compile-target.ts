// Assignment: `a = …`, `a[i] = …`, `a.b = …`, `a, (b, c) = …`, in statements, loops and comprehensions.
import type { Expression, Identifier } from '../syntax/ast.ts';
import { assignName, registerOf } from './compile-name.ts';
import type { FunctionContext } from './context.ts';
import type { Written } from './emitter.ts';

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
export function compileParallel(
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
