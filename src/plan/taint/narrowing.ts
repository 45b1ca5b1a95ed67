// Paths such as `outputs.a`, and what a condition proves about them.
//
// `outputs.a`, `outputs['a']` and `outputs.get('a')` are the same path: a name and its keys. Where a condition
// compared a path with constants, its value is one of them.
import type { Expression } from '../../template/syntax/ast.ts';
import type { Abstract, Constant } from './abstract-value.ts';
import { make } from './abstract-value.ts';

/** A path, written so that no two are the same. */
export interface Path {
  readonly root: string;
  readonly id: string;
}

export function pathOf(node: Expression): Path | null {
  const keys: (number | string)[] = [];
  let at = node;
  while (at.kind !== 'name') {
    const member = memberIn(at);
    if (member === null) return null;
    keys.unshift(member.key);
    at = member.object;
  }
  return { root: at.name, id: JSON.stringify([at.name, ...keys]) };
}

function memberIn(node: Expression): { readonly object: Expression; readonly key: number | string } | null {
  if (node.kind === 'attribute') return { object: node.object, key: node.name };
  if (node.kind === 'item') return keyed(node.object, node.index);
  if (node.kind !== 'call' || node.callee.kind !== 'attribute' || node.callee.name !== 'get') return null;
  const { positional, named, spread, namedSpread } = node.arguments;
  const [key, fallback] = positional;
  if (key === undefined || named.length > 0 || spread !== null || namedSpread !== null) return null;
  return fallback === undefined || fallback.kind === 'literal' ? keyed(node.callee.object, key) : null;
}

function keyed(
  object: Expression,
  index: Expression,
): { readonly object: Expression; readonly key: number | string } | null {
  if (index.kind !== 'literal') return null;
  return (index.type === 'int' || index.type === 'string') && typeof index.value !== 'bigint'
    ? { object, key: index.value as number | string }
    : null;
}

export interface Settled {
  readonly path: Path;
  readonly value: Abstract;
}

/** What is settled where `test` holds. */
export function settledBy(test: Expression): readonly Settled[] {
  if (test.kind === 'logic' && test.operator === 'and') return test.operands.flatMap(settledBy);
  if (test.kind !== 'comparison' || test.rest.length !== 1) return [];
  const [{ operator, operand }] = test.rest as [(typeof test.rest)[number]];
  if (operator === '==') return [...settled(test.first, [operand]), ...settled(operand, [test.first])];
  return operator === 'in' && (operand.kind === 'list' || operand.kind === 'tuple')
    ? settled(test.first, operand.items)
    : [];
}

function settled(node: Expression, values: readonly Expression[]): readonly Settled[] {
  const path = pathOf(node);
  if (path === null || !values.every(({ kind }) => kind === 'literal')) return [];
  const constants = values.flatMap((one) =>
    one.kind === 'literal' && typeof one.value !== 'bigint' ? [one.value] : [],
  );
  // 1, 1.0 and True are equal: a value that is not text is only known to be plain.
  return [
    {
      path,
      value: make({
        constants: constants.filter((one: Constant) => typeof one === 'string'),
        plain:
          constants.some((one) => typeof one !== 'string') ||
          constants.length < values.length ||
          constants.length === 0,
      }),
    },
  ];
}
