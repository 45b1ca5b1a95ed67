// `for` -> a closure.
import type { For, Statement, Target } from '../syntax/ast.ts';
import { namesRead } from '../syntax/walk.ts';
import { type Cursor, iterate, knownItems } from '../value/iterate.ts';
import { isTrue } from '../value/truth.ts';
import { Tuple, type Value } from '../value/value.ts';
import { compileEntry } from './compile-entry.ts';
import { compileExpression } from './compile-expression.ts';
import type { Context } from './context.ts';
import { type AssignTo, type Execute, Frame, Sink } from './frame.ts';
import { Loop, type Recurse } from './loop.ts';
import { Scope, type Slot } from './symbols.ts';

type CompileBody = (c: Context, body: readonly Statement[]) => Execute;
type CompileTarget = (c: Context, target: Target) => AssignTo;

/** Goes through `items` and writes the body for each; the body in case there are none. */
type Rounds = (f: Frame, sink: Sink, items: Value, depth0: number, recurse: Recurse | null) => void;

export function compileFor(
  c: Context,
  node: For,
  compileBody: CompileBody,
  compileTarget: CompileTarget,
): Execute {
  const iterable = compileExpression(c, node.iterable);
  const pick = node.test === null ? null : compilePick(c, node, compileTarget);
  const scope = node.recursive ? c.newUnit() : c.newScope();
  const rounds = compileRounds(c, node, scope, pick, compileBody, compileTarget);
  const { unit } = scope;
  const render = (outer: Frame, items: Value, depth0: number): string => {
    const { e } = outer;
    e.enter(unit.depth + 2);
    const sink = new Sink(e);
    const recurse: Recurse = (_e, more, depth) => render(outer, more, depth);
    rounds(new Frame(unit.slots, outer, e, outer.variables), sink, items, depth0, recurse);
    e.leave(unit.depth + 2);
    return sink.text;
  };
  return (f, sink) => {
    const items = iterable(f);
    f.e.at = node.iterable;
    if (node.recursive) sink.write(render(f, items, 0));
    else rounds(f, sink, items, 0, null);
  };
}

/** `for … if test`: gives the items for which the test holds, one by one, when they are asked for. */
type Pick = (f: Frame, items: Value) => Cursor;

function compilePick(c: Context, node: For, compileTarget: CompileTarget): Pick {
  const scope = c.newUnit();
  scope.readTarget(node.target, true);
  scope.readExpression(node.test as NonNullable<For['test']>);
  const { enter, assign, test, repack } = c.within(scope, () => ({
    enter: compileEntry(c, scope),
    assign: compileTarget(c, node.target),
    test: compileExpression(c, node.test as NonNullable<For['test']>),
    repack: compileRepack(scope, node.target),
  }));
  return (f, items) => {
    const own = new Frame(scope.unit.slots, f, f.e, f.variables);
    const cursor = iterate(f.e, items);
    enter(own);
    return () => {
      for (let item = cursor(); item !== undefined; item = cursor()) {
        f.e.work(4);
        assign(own, item);
        if (isTrue(test(own))) return repack(own);
      }
      return undefined;
    };
  };
}

/** What was taken apart into a target, put together again. */
function compileRepack(scope: Scope, target: Target): (f: Frame) => Value {
  if (target.kind === 'tuple-target') {
    const items = target.items.map((item) => compileRepack(scope, item));
    return (f) => new Tuple(items.map((item) => item(f)));
  }
  const { index } = scope.find(target.name) as Slot;
  return (f) => f.slots[index] as Value;
}

function compileRounds(
  c: Context,
  node: For,
  scope: Scope,
  pick: Pick | null,
  compileBody: CompileBody,
  compileTarget: CompileTarget,
): Rounds {
  const usesLoop = node.recursive || namesRead(node.body, ['loop']).has('loop');
  const loopSlot = usesLoop ? scope.parameter('loop') : null;
  scope.readTarget(node.target, true);
  scope.readBody(node.body);
  const { enter, assign, body } = c.within(scope, () => ({
    enter: compileEntry(c, scope),
    assign: compileTarget(c, node.target),
    body: compileBody(c, node.body),
  }));
  const otherwise =
    node.otherwise.length === 0
      ? null
      : compileOtherwise(c, node, new Scope(c.scope, scope.unit), compileBody);
  const { recursive } = node;
  const round = (f: Frame, sink: Sink, item: Value): void => {
    assign(f, item);
    enter(f);
    body(f, sink);
  };

  /** Gives whether there was a round. */
  const withoutLoop = (f: Frame, sink: Sink, source: Value | Cursor): boolean => {
    const known = typeof source === 'function' ? null : knownItems(f.e, source);
    if (known !== null) {
      for (let at = 0; at < known.length; at += 1) round(f, sink, known[at] as Value);
      return known.length > 0;
    }
    const cursor = typeof source === 'function' ? source : iterate(f.e, source);
    let item = cursor();
    const isAny = item !== undefined;
    for (; item !== undefined; item = cursor()) round(f, sink, item);
    return isAny;
  };
  const withLoop = (f: Frame, sink: Sink, loop: Loop, { index }: Slot): boolean => {
    for (let item = loop.advance(); item !== undefined; item = loop.advance()) {
      f.slots[index] = loop;
      round(f, sink, item);
    }
    return loop.index0 >= 0;
  };

  return (f, sink, items, depth0, recurse) => {
    // The test is of the unit around a recursive loop.
    const source = pick === null ? items : pick(recursive ? (f.parent as Frame) : f, items);
    const isAny =
      loopSlot === null
        ? withoutLoop(f, sink, source)
        : withLoop(f, sink, new Loop(f.e, source, depth0, recurse), loopSlot);
    if (!isAny && otherwise !== null) otherwise(f, sink);
  };
}

function compileOtherwise(c: Context, node: For, scope: Scope, compileBody: CompileBody): Execute {
  scope.readBody(node.otherwise);
  const { enter, body } = c.within(scope, () => ({
    enter: compileEntry(c, scope),
    body: compileBody(c, node.otherwise),
  }));
  return (f, sink) => {
    enter(f);
    body(f, sink);
  };
}
