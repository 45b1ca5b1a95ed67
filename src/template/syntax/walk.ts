// Going through a tree: the parts of each node, in Jinja's order.
import type { Arguments, Expression, Statement, Target } from './ast.ts';

function argumentsOf({ positional, named, spread, namedSpread }: Arguments): Expression[] {
  return [...positional, ...named.map(({ value }) => value), ...present(spread), ...present(namedSpread)];
}

function present<T>(value: T | null): T[] {
  return value === null ? [] : [value];
}

/** The expressions directly inside an expression. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'name':
      return [];
    case 'list':
    case 'tuple':
      return expression.items;
    case 'dict':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'attribute':
      return [expression.object];
    case 'item':
      return [expression.object, expression.index];
    case 'slice':
      return [
        expression.object,
        ...present(expression.lower),
        ...present(expression.upper),
        ...present(expression.step),
      ];
    case 'call':
      return [expression.callee, ...argumentsOf(expression.arguments)];
    case 'filter':
      return [...present(expression.input), ...argumentsOf(expression.arguments)];
    case 'test':
      return [expression.input, ...argumentsOf(expression.arguments)];
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'logic':
      return expression.operands;
    case 'comparison':
      return [expression.first, ...expression.rest.map(({ operand }) => operand)];
    case 'concat':
      return expression.parts;
    case 'conditional':
      return [expression.test, expression.value, ...present(expression.otherwise)];
  }
}

/** What a statement is made of: names that it binds, expressions, and statements inside it. */
type Part = { readonly binds: string } | { readonly reads: Expression } | { readonly runs: Statement };

const reads = (expression: Expression): Part => ({ reads: expression });
const runs = (body: readonly Statement[]): Part[] => body.map((statement) => ({ runs: statement }));

function bindings(target: Target): Part[] {
  return target.kind === 'name-target' ? [{ binds: target.name }] : target.items.flatMap(bindings);
}

export function partsOf(statement: Statement): readonly Part[] {
  switch (statement.kind) {
    case 'text':
      return [];
    case 'output':
      return [reads(statement.value)];
    case 'if':
      return [
        ...statement.branches.flatMap(({ test, body }) => [reads(test), ...runs(body)]),
        ...runs(statement.otherwise),
      ];
    case 'for':
      return [
        ...bindings(statement.target),
        reads(statement.iterable),
        ...runs(statement.body),
        ...runs(statement.otherwise),
        ...present(statement.test).map(reads),
      ];
    case 'assign':
      return [...bindings(statement.target), reads(statement.value)];
    case 'assign-block':
      return [
        ...bindings(statement.target),
        ...present(statement.filter).map(reads),
        ...runs(statement.body),
      ];
    case 'with':
      return [
        ...statement.bindings.flatMap(({ target }) => bindings(target)),
        ...statement.bindings.map(({ value }) => reads(value)),
        ...runs(statement.body),
      ];
    case 'macro':
      return [...parameters(statement.parameters), ...runs(statement.body)];
    case 'call-block':
      return [reads(statement.call), ...parameters(statement.parameters), ...runs(statement.body)];
    case 'filter-block':
      return [...runs(statement.body), reads(statement.filter)];
  }
}

function parameters(
  each: readonly { readonly name: string; readonly fallback: Expression | null }[],
): Part[] {
  return [
    ...each.map(({ name }) => ({ binds: name })),
    ...each.flatMap(({ fallback }) => present(fallback).map(reads)),
  ];
}

/** Which of `names` a body reads, anywhere inside, before it binds them itself. */
export function namesRead(body: readonly Statement[], names: readonly string[]): ReadonlySet<string> {
  const sought = new Set(names);
  const found = new Set<string>();
  const readExpression = (expression: Expression): void => {
    if (expression.kind === 'name' && sought.has(expression.name)) found.add(expression.name);
    for (const child of childrenOf(expression)) readExpression(child);
  };
  const readStatement = (statement: Statement): void => {
    for (const part of partsOf(statement)) {
      if ('binds' in part) sought.delete(part.binds);
      else if ('reads' in part) readExpression(part.reads);
      else readStatement(part.runs);
    }
  };
  for (const statement of body) readStatement(statement);
  return found;
}
