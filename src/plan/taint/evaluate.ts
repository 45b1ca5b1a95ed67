// An expression of a template -> what is known of its value.
//
// U1. Only values flow: a condition decides which value there is, but does not become part of it.
// U2. Comparisons, tests and `not` give truth values, which hold nothing from outside.
import type { Arguments, Expression } from '../../template/syntax/ast.ts';
import type { Abstract, Access } from './abstract.ts';
import { blend, change, clean, constant, join, joinAtoms, listOf, opaque } from './abstract.ts';
import { applyFilter, sliced } from './filters.ts';
import { callMethod, memberOf } from './methods.ts';

export interface Names {
  /** `null`: there is no such name. */
  readonly look: (name: string, access: Access) => Abstract | null;
  /** Whether a path, as `outputs.a`, was compared with constants on the way here, and so is one of them. */
  readonly isOneOf?: (path: string) => boolean;
}

export interface Watcher {
  /** A name that nothing defines. */
  readonly unknownName: (name: string, start: number, end: number, guarded: boolean) => void;
  /** A closed choice is compared with a text that is not among its choices. */
  readonly neverEqual: (choices: readonly string[], text: string, start: number, end: number) => void;
}

export function evaluate(node: Expression, names: Names, watch: Watcher, guarded = false): Abstract {
  const value = (child: Expression): Abstract => evaluate(child, names, watch);
  const path = names.isOneOf === undefined ? null : pathOf(node);
  if (path !== null && names.isOneOf?.(path) === true) return clean;
  switch (node.kind) {
    case 'literal':
      return constant(typeof node.value === 'bigint' ? Number(node.value) : node.value);
    case 'name': {
      const found = names.look(node.name, { start: node.start, end: node.end, guarded });
      if (found === null) watch.unknownName(node.name, node.start, node.end, guarded);
      return found ?? clean;
    }
    case 'list':
    case 'tuple':
      return listOf(node.items.map(value));
    case 'dict':
      return dictOf(node.entries.map(({ key, value: entry }) => ({ key: value(key), value: value(entry) })));
    case 'attribute':
      return memberOf(evaluate(node.object, names, watch), node.name, { start: node.start, end: node.end, guarded });
    case 'item': {
      const object = value(node.object);
      const index = value(node.index);
      const key = typeof index.constant === 'string' || typeof index.constant === 'number' ? String(index.constant) : null;
      return memberOf(object, key, { start: node.start, end: node.end, guarded });
    }
    case 'slice':
      return sliced(value(node.object), node.lower === null ? null : value(node.lower), node.upper === null ? null : value(node.upper), node.step === null ? null : value(node.step));
    case 'call':
      return called(node, names, watch);
    case 'filter': {
      const tolerant = node.name === 'default' || node.name === 'd';
      const input = node.input === null ? clean : evaluate(node.input, names, watch, tolerant);
      return applyFilter(node.name, input, argumentsOf(node.arguments, names, watch));
    }
    case 'test': {
      evaluate(node.input, names, watch, node.name === 'defined' || node.name === 'undefined');
      argumentsOf(node.arguments, names, watch);
      return clean;
    }
    case 'unary': {
      const operand = value(node.operand);
      if (node.operator === 'not') return clean;
      return typeof operand.constant === 'number' ? constant(node.operator === '-' ? -operand.constant : operand.constant) : opaque(operand);
    }
    case 'binary':
      return combined(node.operator, value(node.left), value(node.right));
    case 'logic':
      return join(node.operands.map(value));
    case 'comparison':
      compare(node, value, watch);
      return clean;
    case 'concat':
      return concatenated(node.parts.map(value));
    case 'conditional': {
      value(node.test);
      const then = evaluate(node.value, narrowed(names, node.test), watch);
      return join([then, ...(node.otherwise === null ? [] : [value(node.otherwise)])]);
    }
  }
}

/** `outputs.a`, `outputs['a']` and `outputs.get('a')` are one path. */
function pathOf(node: Expression): string | null {
  if (node.kind === 'name') return node.name;
  const member = memberIn(node);
  const object = member === null ? null : pathOf(member.object);
  return member === null || object === null ? null : `${object}.${member.key}`;
}

function memberIn(node: Expression): { readonly object: Expression; readonly key: string } | null {
  if (node.kind === 'attribute') return { object: node.object, key: node.name };
  if (node.kind === 'item') return node.index.kind === 'literal' ? { object: node.object, key: String(node.index.value) } : null;
  if (node.kind !== 'call' || node.callee.kind !== 'attribute' || node.callee.name !== 'get') return null;
  const [key, fallback] = node.arguments.positional;
  return key?.kind === 'literal' && (fallback === undefined || fallback.kind === 'literal') ? { object: node.callee.object, key: String(key.value) } : null;
}

/** `names` where `test` holds: what was found equal to a constant is that constant. */
export function narrowed(names: Names, test: Expression): Names {
  const paths = pathsSettledBy(test);
  if (paths.length === 0) return names;
  return { look: names.look, isOneOf: (path) => paths.includes(path) || names.isOneOf?.(path) === true };
}

function pathsSettledBy(test: Expression): readonly string[] {
  if (test.kind === 'logic' && test.operator === 'and') return test.operands.flatMap(pathsSettledBy);
  if (test.kind !== 'comparison' || test.rest.length !== 1) return [];
  const [{ operator, operand }] = test.rest as [(typeof test.rest)[number]];
  const isList = (operand.kind === 'list' || operand.kind === 'tuple') && operand.items.every(({ kind }) => kind === 'literal');
  if (operator === '==' && operand.kind === 'literal') return [pathOf(test.first) ?? ''];
  if (operator === '==' && test.first.kind === 'literal') return [pathOf(operand) ?? ''];
  return operator === 'in' && isList ? [pathOf(test.first) ?? ''] : [];
}

function compare({ first, rest }: Extract<Expression, { kind: 'comparison' }>, value: (node: Expression) => Abstract, watch: Watcher): void {
  const check = ({ choices }: Abstract, other: Expression): void => {
    if (choices === undefined || other.kind !== 'literal' || typeof other.value !== 'string' || choices.includes(other.value)) return;
    watch.neverEqual(choices, other.value, other.start, other.end);
  };
  let left = { node: first, known: value(first) };
  for (const { operator, operand } of rest) {
    const right = { node: operand, known: value(operand) };
    if (operator === '==') {
      check(left.known, right.node);
      check(right.known, left.node);
    }
    if (operator === 'in' && (operand.kind === 'list' || operand.kind === 'tuple')) for (const item of operand.items) check(left.known, item);
    left = right;
  }
}

function argumentsOf(given: Arguments, names: Names, watch: Watcher): { readonly positional: readonly Abstract[]; readonly named: ReadonlyMap<string, Abstract> } {
  const positional = given.positional.map((one) => evaluate(one, names, watch));
  const named = new Map(given.named.map(({ name, value }) => [name, evaluate(value, names, watch)]));
  if (given.spread !== null) positional.push(opaque(evaluate(given.spread, names, watch)));
  if (given.namedSpread !== null) named.set('**', opaque(evaluate(given.namedSpread, names, watch)));
  return { positional, named };
}

function called(node: Extract<Expression, { kind: 'call' }>, names: Names, watch: Watcher): Abstract {
  const { callee } = node;
  const { positional, named } = argumentsOf(node.arguments, names, watch);
  if (callee.kind === 'attribute') {
    return callMethod(evaluate(callee.object, names, watch), callee.name, positional, named, { start: node.start, end: node.end, guarded: false });
  }
  const target = evaluate(callee, names, watch);
  if (target.call !== undefined) return target.call(positional, named);
  // `range`, `dict` and the like: what comes out was put in.
  return blend(target, ...positional, ...named.values());
}

function dictOf(entries: readonly { readonly key: Abstract; readonly value: Abstract }[]): Abstract {
  const members = new Map<string, Abstract>();
  let closed = true;
  for (const { key, value } of entries) {
    if (typeof key.constant === 'string' || typeof key.constant === 'number') members.set(String(key.constant), value);
    else closed = false;
  }
  const all = entries.flatMap(({ key, value }) => [key, value]);
  const any = (): Abstract => (all.length === 0 ? clean : opaque(join(all)));
  return {
    atoms: joinAtoms(all.map(({ atoms }) => atoms)),
    weight: all.reduce((sum, { weight }) => sum + (weight ?? 1), 1),
    get: (key) => (key === null || !closed ? any() : (members.get(key) ?? clean)),
  };
}

function combined(operator: string, left: Abstract, right: Abstract): Abstract {
  const { constant: a } = left;
  const { constant: b } = right;
  if (typeof a === 'number' && typeof b === 'number') return constant(arithmetic(operator, a, b));
  if (operator === '+') return concatenated([left, right]);
  if (operator === '*') {
    // A text many times over.
    const times = typeof a === 'number' ? a : typeof b === 'number' ? b : Number.POSITIVE_INFINITY;
    return change(opaque(join([left, right])), (one) => ({ ...one, bound: one.bound * Math.max(1, times) }));
  }
  if (operator === '%') return blend(left, right);
  // Only numbers can be subtracted and divided.
  return clean;
}

function arithmetic(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '//':
      return Math.floor(a / b);
    case '%':
      return a - b * Math.floor(a / b);
    default:
      return a ** b;
  }
}

/** Only the first part that is there can bring a dash to the front. */
export function concatenated(parts: readonly Abstract[]): Abstract {
  const atoms: Abstract['atoms'][] = [];
  let leads = true;
  for (const part of parts) {
    atoms.push(leads ? part.atoms : part.atoms.map((one) => ({ ...one, dash: false })));
    if (part.constant !== undefined && part.constant !== null && String(part.constant) !== '') leads = false;
  }
  const elements = parts.flatMap((part) => part.elements ?? []);
  const known = parts.every(({ constant: text }) => typeof text === 'string');
  return { ...(elements.length === 0 ? { atoms: joinAtoms(atoms), isText: true } : listOf(elements, joinAtoms(atoms))), ...(known ? { constant: parts.map(({ constant: text }) => text).join('') } : {}) };
}
