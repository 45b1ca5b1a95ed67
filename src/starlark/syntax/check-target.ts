// What can be assigned to: a name, x[i], x.f, and tuples and lists of these.
import type { Expression } from './ast.ts';
import type { Cursor } from './cursor.ts';

const unassignable: Partial<Record<Expression['kind'], string>> = {
  int: 'literal',
  float: 'literal',
  string: 'literal',
  bytes: 'literal',
  call: 'call expression',
  slice: 'slice expression',
  comprehension: 'comprehension',
  conditional: 'conditional expression',
  dict: 'dict expression',
  lambda: 'lambda expression',
  binary: 'binary expression',
  logical: 'binary expression',
  unary: 'unary expression',
};

/** Says what of `target` cannot be assigned to. */
export function checkTarget(c: Cursor, target: Expression): void {
  if (target.kind === 'tuple' || target.kind === 'list') {
    for (const item of target.items) checkTarget(c, item);
    return;
  }
  const name = unassignable[target.kind];
  if (name === undefined) return;
  const hint =
    target.kind === 'slice'
      ? 'assign to each element, or build a new list'
      : 'a name, x[i] or x.f can be assigned to';
  c.fault('STAR_TARGET', target.start, target.end, `can't assign to ${name}`, hint);
}
