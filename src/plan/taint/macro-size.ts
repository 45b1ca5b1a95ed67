// How large the trees of macros are: what calling them costs, and how deep it goes.
import type { Expression, Statement } from '../../template/syntax/ast.ts';
import { childrenOf, partsOf } from '../../template/syntax/walk.ts';

interface Size {
  readonly nodes: number;
  readonly height: number;
}

const known = new WeakMap<object, Size>();

function remembered(node: object, children: () => readonly Size[]): Size {
  let size = known.get(node);
  if (size === undefined) {
    const inside = children();
    size = {
      nodes: 1 + inside.reduce((sum, one) => sum + one.nodes, 0),
      height: 1 + inside.reduce((most, one) => Math.max(most, one.height), 0),
    };
    known.set(node, size);
  }
  return size;
}

export function sizeOfExpression(node: Expression): Size {
  return remembered(node, () => childrenOf(node).map(sizeOfExpression));
}

export function heightOf(body: readonly Statement[]): number {
  return body.reduce((most, one) => Math.max(most, sizeOfStatement(one).height), 0);
}

function sizeOfStatement(node: Statement): Size {
  return remembered(node, () =>
    partsOf(node).flatMap((part) =>
      'reads' in part ? [sizeOfExpression(part.reads)] : 'runs' in part ? [sizeOfStatement(part.runs)] : [],
    ),
  );
}
