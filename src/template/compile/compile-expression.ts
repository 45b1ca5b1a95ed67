// Expressions -> closures.
//
// A closure sets `e.at` to its place just before it does what can fail, behind its operands. Operands are evaluated in
// the order of Python's code that Jinja would make.
import { nearest } from '../../base/nearest.ts';
import { placeOf } from '../../base/span.ts';
import type { Arguments, Comparison, Expression, Filter, Literal, Name, Slice, Test } from '../syntax/ast.ts';
import { refusedFilters } from '../filters/filters.ts';
import { binary, unary } from '../value/arithmetic.ts';
import { getAttribute, getCallee, getItem, typeKey } from '../value/attributes.ts';
import { contains, isEqual, isOrdered } from '../value/compare.ts';
import { Dict } from '../value/dict.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { strOf } from '../value/repr.ts';
import { sliceOf } from '../value/slice.ts';
import { failUndefined, typeError } from '../value/template-error.ts';
import { isTrue } from '../value/truth.ts';
import { typeName } from '../value/type-name.ts';
import { Callable, Float, List, type Named, noNames, Tuple, Undefined, type Value } from '../value/value.ts';
import { compileArguments } from './compile-arguments.ts';
import type { Context } from './context.ts';
import type { Evaluate, Frame } from './frame.ts';

export function compileExpression(c: Context, expression: Expression): Evaluate {
  return c.nested(expression, () => compile(c, expression));
}

function compile(c: Context, expression: Expression): Evaluate {
  switch (expression.kind) {
    case 'literal':
      return compileLiteral(expression);
    case 'name':
      return compileName(c, expression);
    case 'list':
    case 'tuple':
      return compileSequence(c, expression.kind, expression.items);
    case 'dict':
      return compileDict(c, expression.entries);
    case 'attribute': {
      const object = compileExpression(c, expression.object);
      const { name } = expression;
      return (f) => {
        const value = object(f);
        f.e.at = expression;
        return getAttribute(f.e, value, name);
      };
    }
    case 'item': {
      const object = compileExpression(c, expression.object);
      const index = compileExpression(c, expression.index);
      return (f) => {
        const value = object(f);
        const key = index(f);
        f.e.at = expression;
        return getItem(f.e, value, key);
      };
    }
    case 'slice':
      return compileSlice(c, expression);
    case 'call':
      return compileCall(c, expression.callee, expression.arguments, expression, null);
    case 'filter':
      return compileFilter(
        c,
        expression,
        expression.input === null ? null : compileExpression(c, expression.input),
      );
    case 'test':
      return compileTest(c, expression);
    case 'unary': {
      const operand = compileExpression(c, expression.operand);
      const { operator } = expression;
      if (operator === 'not') return (f) => !isTrue(operand(f));
      return (f) => {
        const value = operand(f);
        f.e.at = expression;
        return unary(operator, value);
      };
    }
    case 'binary': {
      const left = compileExpression(c, expression.left);
      const right = compileExpression(c, expression.right);
      const { operator } = expression;
      return (f) => {
        const a = left(f);
        const b = right(f);
        f.e.at = expression;
        return binary(f.e, operator, a, b);
      };
    }
    case 'logic':
      return compileLogic(c, expression.operator, expression.operands);
    case 'comparison':
      return compileComparison(c, expression);
    case 'concat':
      return compileConcat(c, expression.parts);
    case 'conditional': {
      const test = compileExpression(c, expression.test);
      const then = compileExpression(c, expression.value);
      const otherwise = expression.otherwise === null ? null : compileExpression(c, expression.otherwise);
      const describe = (): { message: string; hint: string } => {
        const { line } = placeOf(c.source, expression.start);
        return {
          message: `the inline if-expression on line ${line} evaluated to false and no else section was defined.`,
          hint: 'add an "else"',
        };
      };
      return (f) =>
        isTrue(test(f))
          ? then(f)
          : otherwise === null
            ? new Undefined(describe, expression, 'undefined', true)
            : otherwise(f);
    }
  }
}

function compileLiteral({ type, value }: Literal): Evaluate {
  const constant = type === 'float' ? new Float(value as number) : value;
  return () => constant;
}

/** Names of Jinja's global functions, which templates here do not have. */
const globals: ReadonlySet<string> = new Set(['range', 'dict', 'lipsum', 'cycler', 'joiner', 'namespace']);

function compileName(c: Context, node: Name): Evaluate {
  const { name } = node;
  const slot = c.scope.find(name);
  if (slot === null) throw new Error(`no slot for ${name}`);
  const { index } = slot;
  const hops = c.hopsTo(slot);
  const load = c.scope.findLoad(slot);
  if (load?.kind === 'resolve') c.free.add(node);
  const missing = (f: Frame): Undefined =>
    new Undefined(
      () => ({
        message: `'${name}' is undefined`,
        hint: globals.has(name) ? 'templates have no global functions' : suggestion(f.variables, name),
      }),
      node,
    );
  return (f) => {
    const value = hops === 0 ? f.slots[index] : f.out(hops).slots[index];
    return value === undefined ? missing(f) : value;
  };
}

function suggestion(variables: Dict, name: string): string | null {
  const close = nearest(
    name,
    variables
      .keys()
      .slice(0, 500)
      .filter((key) => typeof key === 'string'),
  );
  return close === null ? null : `did you mean "${close}"?`;
}

function compileSequence(c: Context, kind: 'list' | 'tuple', items: readonly Expression[]): Evaluate {
  const parts = items.map((item) => compileExpression(c, item));
  const make = (values: Value[]): Value => (kind === 'list' ? new List(values) : new Tuple(values));
  return (f) => {
    f.e.makeItems(parts.length);
    const values: Value[] = [];
    for (const part of parts) values.push(part(f));
    return make(values);
  };
}

function compileDict(
  c: Context,
  entries: readonly { readonly key: Expression; readonly value: Expression }[],
): Evaluate {
  const parts = entries.map(({ key, value }) => ({
    at: key,
    key: compileExpression(c, key),
    value: compileExpression(c, value),
  }));
  return (f) => {
    f.e.makeItems(parts.length, 64);
    const values = parts.map(({ key, value }) => [key(f), value(f)] as const);
    const dict = new Dict();
    for (const [at, [key, value]] of values.entries()) {
      f.e.at = (parts[at] as { at: Expression }).at;
      dict.set(key, value);
    }
    return dict;
  };
}

function compileSlice(c: Context, node: Slice): Evaluate {
  const object = compileExpression(c, node.object);
  const [lower, upper, step] = [node.lower, node.upper, node.step].map((bound) =>
    bound === null ? () => null : compileExpression(c, bound),
  ) as [Evaluate, Evaluate, Evaluate];
  return (f) => {
    const value = object(f);
    const bounds = [lower(f), upper(f), step(f)] as const;
    f.e.at = node;
    return sliceOf(f.e, value, ...bounds);
  };
}

function compileLogic(c: Context, operator: 'and' | 'or', operands: readonly Expression[]): Evaluate {
  const parts = operands.map((operand) => compileExpression(c, operand));
  const last = parts.length - 1;
  const stopsAt = operator === 'or';
  return (f) => {
    for (let at = 0; at < last; at += 1) {
      const value = (parts[at] as Evaluate)(f);
      if (isTrue(value) === stopsAt) return value;
    }
    return (parts[last] as Evaluate)(f);
  };
}

function compileComparison(c: Context, node: Comparison): Evaluate {
  const first = compileExpression(c, node.first);
  const rest = node.rest.map(({ operator, operand }) => ({
    operator,
    operand: compileExpression(c, operand),
  }));
  return (f) => {
    let left = first(f);
    for (const { operator, operand } of rest) {
      const right = operand(f);
      f.e.at = node;
      if (!compared(f.e, operator, left, right)) return false;
      left = right;
    }
    return true;
  };
}

function compared(
  e: Evaluation,
  operator: Comparison['rest'][0]['operator'],
  left: Value,
  right: Value,
): boolean {
  switch (operator) {
    case '==':
      return isEqual(e, left, right);
    case '!=':
      return !isEqual(e, left, right);
    case 'in':
      return contains(e, right, left);
    case 'not in':
      return !contains(e, right, left);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return isOrdered(e, operator, left, right);
  }
}

function compileConcat(c: Context, parts: readonly Expression[]): Evaluate {
  const operands = parts.map((part) => compileExpression(c, part));
  return (f) => {
    const { e } = f;
    const values = operands.map((operand) => operand(f));
    let length = 0;
    const texts = values.map((value) => {
      const text = strOf(e, value);
      length += text.length;
      return text;
    });
    e.makeText(length);
    return texts.join('');
  };
}

/** `caller` is the block of a `call` statement, which is passed along by name. */
export function compileCall(
  c: Context,
  callee: Expression,
  args: Arguments,
  span: Expression,
  caller: ((f: Frame) => Value) | null,
): Evaluate {
  const readArguments = compileArguments(args, (each) => compileExpression(c, each));
  const withCaller = (f: Frame, named: Named): Named =>
    caller === null ? named : new Map([...named, ['caller', caller(f)]]);
  if (callee.kind === 'attribute') {
    const object = compileExpression(c, callee.object);
    const { name } = callee;
    return (f) => {
      const { e } = f;
      const self = object(f);
      const method = self instanceof Callable ? undefined : e.library.methods.get(typeKey(self))?.get(name);
      e.at = callee;
      const target = method === undefined ? getCallee(e, self, name) : null;
      const { positional, named } = readArguments(f);
      e.at = span;
      e.work(2);
      return method === undefined
        ? callValue(e, target, positional, withCaller(f, named))
        : method(e, self, positional, withCaller(f, named));
    };
  }
  const target = compileExpression(c, callee);
  return (f) => {
    const value = target(f);
    const { positional, named } = readArguments(f);
    f.e.at = span;
    return callValue(f.e, value, positional, withCaller(f, named));
  };
}

function callValue(e: Evaluation, target: Value, args: readonly Value[], named: Named): Value {
  if (target instanceof Undefined) failUndefined(target);
  if (!(target instanceof Callable)) return typeError(`'${typeName(target)}' object is not callable`);
  return target.call(e, args, named);
}

/** `input` gives what is filtered; null when the missing filter was already reported. */
export function compileFilter(c: Context, node: Filter, input: Evaluate | null): Evaluate {
  const apply = c.library.filters.get(node.name);
  if (apply === undefined) {
    const refused = refusedFilters.get(node.name);
    const close = nearest(node.name, c.library.filters.keys());
    c.fault(
      'TEMPLATE_FILTER',
      node.nameSpan,
      refused === undefined
        ? `there is no filter "${node.name}"`
        : `the filter "${node.name}" is not available`,
      refused ?? (close === null ? undefined : `did you mean "${close}"?`),
    );
  }
  const readArguments = compileArguments(node.arguments, (each) => compileExpression(c, each));
  if (apply === undefined || input === null) return () => null;
  if (isEmpty(node.arguments)) {
    return (f) => {
      const value = input(f);
      f.e.at = node;
      f.e.work(2);
      return apply(f.e, value, [], noNames);
    };
  }
  return (f) => {
    const value = input(f);
    const { positional, named } = readArguments(f);
    f.e.at = node;
    f.e.work(2);
    return apply(f.e, value, positional, named);
  };
}

function isEmpty({ positional, named, spread, namedSpread }: Arguments): boolean {
  return positional.length === 0 && named.length === 0 && spread === null && namedSpread === null;
}

function compileTest(c: Context, node: Test): Evaluate {
  const holds = c.library.tests.get(node.name);
  if (holds === undefined) {
    const close = nearest(node.name, c.library.tests.keys());
    c.fault(
      'TEMPLATE_TEST',
      node.nameSpan,
      `there is no test "${node.name}"`,
      close === null ? undefined : `did you mean "${close}"?`,
    );
  }
  const input = compileExpression(c, node.input);
  const readArguments = compileArguments(node.arguments, (each) => compileExpression(c, each));
  if (holds === undefined) return () => null;
  return (f) => {
    const value = input(f);
    const { positional, named } = readArguments(f);
    f.e.at = node;
    f.e.work(1);
    return holds(f.e, value, positional, named);
  };
}
