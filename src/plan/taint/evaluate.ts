// An expression of a template -> what is known of its value.
//
// Only values flow: a condition selects a value but does not become part of it. Comparisons, tests and `not` give
// truth values, which contain nothing from outside.
import type { Expression } from '../../template/syntax/ast.ts';
import type { Abstract, Access } from './abstract-value.ts';
import { clean, constant, plain } from './abstract-value.ts';
import { combined, negated } from './arithmetic.ts';
import { concatenated } from './as-text.ts';
import { applyFilter } from './filters.ts';
import { givenBy } from './arguments.ts';
import { join } from './join-values.ts';
import { dictOf, memberAt, memberOf } from './member.ts';
import { callMethod, callValue } from './methods.ts';
import type { Path } from './narrowing.ts';
import { pathOf, settledBy } from './narrowing.ts';
import { isMethod } from './method-names.ts';
import { exactly } from './sequence.ts';
import { sliced } from './slice.ts';

export interface Names {
  /** `null`: there is no such name. */
  readonly look: (name: string, access: Access) => Abstract | null;
  /** The value of a path, known from a comparison before. */
  readonly settled?: (path: Path) => Abstract | null;
}

export interface Watcher {
  /** A name that nothing defines. */
  readonly unknownName: (name: string, start: number, end: number, guarded: boolean) => void;
  /** A closed choice is compared with a text that is not among its choices. */
  readonly neverEqual: (choices: readonly string[], text: string, start: number, end: number) => void;
  /** A text is asked for a member that no text has. */
  readonly noMember: (name: string, start: number, end: number, guarded: boolean) => void;
}

export function evaluateAbstract(node: Expression, names: Names, watch: Watcher, guarded = false): Abstract {
  const value = (child: Expression): Abstract => evaluateAbstract(child, names, watch);
  const at = { start: node.start, end: node.end, guarded };
  const path = names.settled === undefined ? null : pathOf(node);
  const known = path === null ? null : (names.settled?.(path) ?? null);
  if (known !== null) return known;
  /** The value that a member is looked up in. */
  const ownerOf = (child: Expression, key: unknown): Abstract => {
    const owner = value(child);
    if (typeof key === 'string' && isOnlyText(owner) && !isMethod(key, false, true))
      watch.noMember(key, node.start, node.end, guarded);
    return owner;
  };
  switch (node.kind) {
    case 'literal':
      // 1.0 is not written as 1 is.
      return node.type === 'float' || typeof node.value === 'bigint' ? plain : constant(node.value);
    case 'name': {
      const found = names.look(node.name, at);
      if (found === null) watch.unknownName(node.name, node.start, node.end, guarded);
      return found ?? clean;
    }
    case 'list':
    case 'tuple':
      return exactly(node.items.map(value));
    case 'dict':
      return dictOf(node.entries.map(({ key, value: entry }) => ({ key: value(key), value: value(entry) })));
    case 'attribute':
      return memberOf(ownerOf(node.object, node.name), node.name, at, callMethod);
    case 'item': {
      const key = node.index.kind === 'literal' ? node.index.value : null;
      return memberAt(ownerOf(node.object, key), value(node.index), at, callMethod);
    }
    case 'slice':
      return sliced(
        value(node.object),
        ...[node.lower, node.upper, node.step].map((one) => (one === null ? constant(null) : value(one))),
      );
    case 'call': {
      const given = givenBy(node.arguments, value);
      const { callee } = node;
      return callee.kind === 'attribute'
        ? callMethod(ownerOf(callee.object, callee.name), callee.name, given, at)
        : callValue(value(callee), given);
    }
    case 'filter': {
      const tolerant = node.name === 'default' || node.name === 'd';
      const input = node.input === null ? clean : evaluateAbstract(node.input, names, watch, tolerant);
      return applyFilter(node.name, input, givenBy(node.arguments, value));
    }
    case 'test':
      evaluateAbstract(node.input, names, watch, node.name === 'defined' || node.name === 'undefined');
      givenBy(node.arguments, value);
      return plain;
    case 'unary': {
      const operand = value(node.operand);
      return node.operator === 'not' ? plain : negated(node.operator, operand);
    }
    case 'binary':
      return combined(node.operator, value(node.left), value(node.right));
    case 'logic':
      return join(node.operands.map(value));
    case 'comparison':
      compare(node, value, watch);
      return plain;
    case 'concat':
      return concatenated(node.parts.map(value));
    case 'conditional': {
      value(node.test);
      const then = evaluateAbstract(node.value, narrowed(names, node.test), watch);
      return join([then, node.otherwise === null ? constant('') : value(node.otherwise)]);
    }
  }
}

/** It comes from outside and can be nothing but text. */
function isOnlyText({ text, plain: isPlain, list, dicts, unknown, calls }: Abstract): boolean {
  return (
    text !== null &&
    text.length > 0 &&
    !isPlain &&
    list === null &&
    dicts.length === 0 &&
    unknown === null &&
    calls.length === 0
  );
}

/** `names` where `test` holds. */
function narrowed(names: Names, test: Expression): Names {
  const here = new Map(settledBy(test).map(({ path, value }) => [path.id, value]));
  if (here.size === 0) return names;
  return { look: names.look, settled: (path) => here.get(path.id) ?? names.settled?.(path) ?? null };
}

function compare(
  { first, rest }: Extract<Expression, { kind: 'comparison' }>,
  value: (node: Expression) => Abstract,
  watch: Watcher,
): void {
  const check = ({ choices }: Abstract, other: Expression): void => {
    if (
      choices === undefined ||
      other.kind !== 'literal' ||
      typeof other.value !== 'string' ||
      choices.includes(other.value)
    )
      return;
    watch.neverEqual(choices, other.value, other.start, other.end);
  };
  let left = { node: first, known: value(first) };
  for (const { operator, operand } of rest) {
    const right = { node: operand, known: value(operand) };
    if (operator === '==') {
      check(left.known, right.node);
      check(right.known, left.node);
    }
    if (operator === 'in' && (operand.kind === 'list' || operand.kind === 'tuple'))
      for (const item of operand.items) check(left.known, item);
    left = right;
  }
}
