// Reading and writing variables, wherever they live.
import type { Expression, Identifier } from '../syntax/ast.ts';
import type { FunctionContext } from './context.ts';

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
export function registerOf(name: Identifier): number | undefined {
  const { binding } = name;
  return binding?.kind === 'local' && !binding.variable.captured ? binding.variable.index : undefined;
}

export function assignName(context: FunctionContext, name: Identifier, value: number): void {
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
