// Statements -> closures that write text.
//
// Steps are charged by the block: as many as it has nodes, each time it is run. So a loop's rounds are charged too.
import type { Assign, AssignBlock, FilterBlock, If, Statement, Target, With } from '../syntax/ast.ts';
import { childrenOf, partsOf } from '../syntax/walk.ts';
import { unpack } from '../value/iterate.ts';
import { strOf } from '../value/repr.ts';
import { typeError } from '../value/template-error.ts';
import { asText } from '../value/text.ts';
import { typeName } from '../value/type-name.ts';
import { isTrue } from '../value/truth.ts';
import type { Value } from '../value/value.ts';
import { compileEntry } from './compile-entry.ts';
import { compileExpression, compileFilter } from './compile-expression.ts';
import { compileFor } from './compile-for.ts';
import { compileCallBlock, compileMacro } from './compile-macro.ts';
import type { Context } from './context.ts';
import { type AssignTo, type Evaluate, type Execute, type Frame, Sink } from './frame.ts';

export function compileBody(c: Context, body: readonly Statement[]): Execute {
  const cost = body.reduce((sum, statement) => sum + costOf(statement), 1);
  const parts = body.map((statement) => c.nested(statement, () => compileStatement(c, statement)));
  const [only] = parts;
  if (only !== undefined && parts.length === 1) {
    return (f, sink) => {
      f.e.work(cost);
      only(f, sink);
    };
  }
  return (f, sink) => {
    f.e.work(cost);
    for (const part of parts) part(f, sink);
  };
}

/** Nodes of a statement, without those of the statements inside it. */
export function costOf(statement: Statement): number {
  let cost = 1;
  for (const part of partsOf(statement)) if ('reads' in part) cost += sizeOf(part.reads);
  return cost;
}

function sizeOf(expression: Parameters<typeof childrenOf>[0]): number {
  return childrenOf(expression).reduce((sum, child) => sum + sizeOf(child), 1);
}

function compileStatement(c: Context, statement: Statement): Execute {
  switch (statement.kind) {
    case 'text': {
      const { text } = statement;
      return (_f, sink) => sink.write(text);
    }
    case 'output': {
      const value = compileExpression(c, statement.value);
      return (f, sink) => {
        const result = value(f);
        f.e.at = statement;
        sink.write(typeof result === 'string' ? result : strOf(f.e, result));
      };
    }
    case 'if':
      return compileIf(c, statement);
    case 'for':
      return compileFor(c, statement, compileBody, compileTarget);
    case 'assign':
      return compileAssign(c, statement);
    case 'assign-block':
      return compileAssignBlock(c, statement);
    case 'with':
      return compileWith(c, statement);
    case 'macro':
      return compileMacro(c, statement, compileBody);
    case 'call-block':
      return compileCallBlock(c, statement, compileBody, blockText);
    case 'filter-block':
      return compileFilterBlock(c, statement);
  }
}

function compileIf(c: Context, node: If): Execute {
  const branches = node.branches.map(({ test, body }) => ({
    test: compileExpression(c, test),
    body: compileBody(c, body),
  }));
  const otherwise = compileBody(c, node.otherwise);
  return (f, sink) => {
    for (const { test, body } of branches) if (isTrue(test(f))) return body(f, sink);
    return otherwise(f, sink);
  };
}

function compileTarget(c: Context, target: Target): AssignTo {
  if (target.kind === 'tuple-target') {
    const items = target.items.map((item) => compileTarget(c, item));
    return (f, value) => {
      f.e.at = target;
      const values = unpack(f.e, value, items.length);
      for (let at = 0; at < items.length; at += 1) (items[at] as AssignTo)(f, values[at] as Value);
    };
  }
  const slot = c.scope.find(target.name);
  if (slot === null) throw new Error(`no slot for ${target.name}`);
  const { index } = slot;
  const hops = c.hopsTo(slot);
  return (f, value) => {
    f.out(hops).slots[index] = value;
  };
}

function compileAssign(c: Context, node: Assign): Execute {
  const value = compileExpression(c, node.value);
  const assign = compileTarget(c, node.target);
  return (f) => assign(f, value(f));
}

/** A block gives text: what a filter makes of it is not turned into text by itself, as in Jinja. */
function blockText(value: Value): string {
  return (
    asText(value) ??
    typeError(`expected str instance, ${typeName(value)} found`, 'end the chain of filters with "string"')
  );
}

function captured(f: Frame, body: Execute): string {
  const sink = new Sink(f.e);
  body(f, sink);
  return sink.text;
}

function compileAssignBlock(c: Context, node: AssignBlock): Execute {
  const scope = c.newScope();
  scope.readBody(node.body);
  if (node.filter !== null) scope.readExpression(node.filter);
  const { enter, body, filter } = c.within(scope, () => ({
    enter: compileEntry(c, scope),
    body: compileBody(c, node.body),
    filter: node.filter === null ? null : compileChain(c, node.filter),
  }));
  const assign = compileTarget(c, node.target);
  return (f) => {
    enter(f);
    const text = captured(f, body);
    assign(f, filter === null ? text : filter(f, text));
  };
}

/** A chain of filters that is applied to the text of a block. */
function compileChain(c: Context, filter: FilterBlock['filter']): (f: Frame, text: string) => Value {
  const { input } = filter;
  const inner = input === null ? null : compileChain(c, input as FilterBlock['filter']);
  let current: Value = '';
  const read: Evaluate = () => current;
  const apply = compileFilter(c, filter, read);
  return (f, text) => {
    const value = inner === null ? text : inner(f, text);
    current = value;
    const result = apply(f);
    current = '';
    return result;
  };
}

function compileFilterBlock(c: Context, node: FilterBlock): Execute {
  const scope = c.newScope();
  scope.readBody(node.body);
  scope.readExpression(node.filter);
  const { enter, body, filter } = c.within(scope, () => ({
    enter: compileEntry(c, scope),
    body: compileBody(c, node.body),
    filter: compileChain(c, node.filter),
  }));
  return (f, sink) => {
    enter(f);
    const result = filter(f, captured(f, body));
    f.e.at = node.filter;
    sink.write(blockText(result));
  };
}

function compileWith(c: Context, node: With): Execute {
  const scope = c.newScope();
  const values = node.bindings.map(({ value }) => compileExpression(c, value));
  for (const { target } of node.bindings) scope.readTarget(target, true);
  scope.readBody(node.body);
  const { enter, targets, body } = c.within(scope, () => ({
    enter: compileEntry(c, scope),
    targets: node.bindings.map(({ target }) => compileTarget(c, target)),
    body: compileBody(c, node.body),
  }));
  return (f, sink) => {
    enter(f);
    for (let at = 0; at < targets.length; at += 1) (targets[at] as AssignTo)(f, (values[at] as Evaluate)(f));
    body(f, sink);
  };
}
