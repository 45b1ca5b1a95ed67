// A whole template -> the pieces it writes, each with what is known of it.
//
// Both branches of a condition and one round of a loop are evaluated: what they write may be written. What is captured
// (`set` blocks, macros, filter blocks) is written only where it is used. In a loop over the pieces of a text of any
// length, nothing that is written is bounded. Macros and recursive loops are evaluated until nothing new comes out of
// them; where that would take too long, nothing is known of the result.
import type {
  CallBlock,
  Expression,
  Filter,
  For,
  Macro,
  Parameter,
  Statement,
  Target,
} from '../../template/syntax/ast.ts';
import type { Abstract, Atom, Call, Given } from './abstract-value.ts';
import { clean, constant, make, keyOf, cleanText, plain } from './abstract-value.ts';
import { changed, textAtoms } from './as-text.ts';
import type { Bound } from './macro-arguments.ts';
import { boundBy, joinedCalls } from './macro-arguments.ts';
import type { Names, Watcher } from './evaluate.ts';
import { evaluateAbstract } from './evaluate.ts';
import { applyFilter } from './filters.ts';
import { argument, givenBy, nothingGiven, allOf } from './arguments.ts';
import { join } from './join-values.ts';
import { lost, madeOf } from './lost-value.ts';
import { callMethod, callValue } from './methods.ts';
import { settledBy } from './narrowing.ts';
import type { Piece, Write } from './written-piece.ts';
import { textOfPieces } from './written-piece.ts';
import { Scope } from './template-scope.ts';
import { itemAt, sequenceOf } from './sequence.ts';
import { heightOf, sizeOfExpression } from './macro-size.ts';

export function runTemplate(body: readonly Statement[], names: Names, watch: Watcher): readonly Piece[] {
  const pieces: Piece[] = [];
  new Runner(watch).run(body, new Scope(names), (piece) => pieces.push(piece), true);
  const [only] = body;
  return body.length === 1 && only?.kind === 'output'
    ? pieces.map((piece) => ({ ...piece, lone: true }))
    : pieces;
}

/** How many nodes are looked at inside calls. */
const fuelForCalls = 60_000;
/** How deep calls may go, in levels of their trees: each takes several of the stack. */
const maxHeight = 600;
/** A macro that is called inside itself more often is taken to call itself without end. */
const nestedCalls = 3;
const maxRounds = 8;
/** After so many rounds only what went in is kept, so that there is an end. */
const exactRounds = 3;

interface Activation {
  readonly scope: Scope;
  readonly calls: Bound[];
  result: Abstract;
}

class Runner {
  private readonly watch: Watcher;
  private readonly active = new Map<object, Activation[]>();
  private readonly likeness = new Likeness();
  /** Of the calls that are being followed. */
  private height = 0;
  private fuel = fuelForCalls;
  /** Whether a macro is read without a call: those it calls are read by themselves. */
  private isUnused = false;

  constructor(watch: Watcher) {
    this.watch = watch;
  }

  run(body: readonly Statement[], scope: Scope, write: Write, certain: boolean): void {
    for (const statement of body) this.statement(statement, scope, write, certain);
  }

  private value(node: Expression, scope: Scope): Abstract {
    return this.spend(this.height === 0 ? 0 : sizeOfExpression(node).nodes)
      ? evaluateAbstract(node, scope, this.watch)
      : lost;
  }

  private spend(amount: number): boolean {
    this.fuel -= amount;
    return this.fuel >= 0;
  }

  private statement(node: Statement, scope: Scope, write: Write, certain: boolean): void {
    const at = { start: node.start, end: node.end };
    const put = (value: Abstract, isOutput: boolean): void =>
      write({ value, ...at, isOutput, certain, repeated: false, lone: false });
    if (this.height > 0 && !this.spend(1)) {
      put(lost, false);
      return;
    }
    switch (node.kind) {
      case 'text':
        put(constant(node.text), false);
        return;
      case 'output':
        put(this.value(node.value, scope), true);
        return;
      case 'if':
        for (const { test } of node.branches) this.value(test, scope);
        scope.branch(
          [...node.branches, { test: null, body: node.otherwise }].map(({ test, body }) => ({
            facts: test === null ? [] : settledBy(test),
            read: () => this.run(body, scope, write, false),
          })),
          { ...at, guarded: true },
        );
        return;
      case 'for':
        this.loop(node, scope, write);
        return;
      case 'assign':
        bind(node.target, this.value(node.value, scope), scope);
        return;
      case 'assign-block': {
        const inner = new Scope(scope);
        bind(node.target, this.filtered(node.filter, this.captured(node.body, inner), inner), scope);
        return;
      }
      case 'with': {
        const inner = new Scope(scope);
        const values = node.bindings.map(({ value }) => this.value(value, scope));
        node.bindings.forEach(({ target }, index) => bind(target, values[index] as Abstract, inner));
        this.run(node.body, inner, write, certain);
        return;
      }
      case 'macro':
        scope.set(node.name, make({ calls: [(given) => this.called(node, scope, given)] }));
        this.readUnused(() => this.called(node, scope, { ...nothingGiven, rest: clean }));
        return;
      case 'call-block':
        put(this.callBlock(node, scope), false);
        return;
      case 'filter-block': {
        const inner = new Scope(scope);
        put(this.filtered(node.filter, this.captured(node.body, inner), inner), false);
        return;
      }
    }
  }

  /** Read once by itself, so that its faults are reported even if it is never called. */
  private readUnused(read: () => void): void {
    if (this.height > 0) return;
    const { fuel } = this;
    this.isUnused = true;
    read();
    this.isUnused = false;
    this.fuel = fuel;
  }

  private loop(node: For, scope: Scope, write: Write): void {
    const list = sequenceOf(this.value(node.iterable, scope));
    const round = ({ value, ...piece }: Piece): Piece => ({
      ...piece,
      value: endless ? changed(value, asCrumb) : value,
      certain: false,
      repeated: true,
    });
    let { each, endless } = list;
    const body = (recurse: Call | null, to: Write): void => {
      const inner = new Scope(scope);
      inner.set('loop', loopValue(each, recurse));
      bind(node.target, each, inner);
      if (node.test !== null) this.value(node.test, inner);
      if (node.test !== null) inner.settle(settledBy(node.test));
      this.run(node.body, inner, (piece) => to(round(piece)), false);
    };
    if (node.recursive) {
      this.untilSettled(heightOf(node.body), (result, count) => {
        const pieces: Piece[] = [];
        body(
          (given) => {
            const more = sequenceOf(argument(given, 0, 'iterable', clean));
            each = count < exactRounds ? join([each, more.each]) : madeOf(each, more.each);
            endless ||= more.endless;
            return result;
          },
          (piece) => pieces.push(piece),
        );
        return { pieces, result: make({ text: textAtoms(textOfPieces(pieces)) }), state: each };
      }).forEach(write);
    } else body(null, write);
    this.run(node.otherwise, new Scope(scope), write, false);
  }

  /** Runs `round` until it gives nothing new. */
  private untilSettled(
    height: number,
    round: (
      result: Abstract,
      count: number,
    ) => { readonly pieces: readonly Piece[]; readonly result: Abstract; readonly state: Abstract },
  ): readonly Piece[] {
    if (this.height + height > maxHeight) return round(lost, 0).pieces;
    this.height += height;
    let before = '';
    let end = round(constant(''), 0);
    for (let count = 1; count < maxRounds; count += 1) {
      const after = `${this.likeness.of(end.state)} ${this.likeness.of(end.result)}`;
      if (after === before) break;
      before = after;
      end = round(end.result, count);
      if (count === maxRounds - 1) end = round(lost, count);
    }
    this.height -= height;
    return end.pieces;
  }

  private callBlock(node: CallBlock, scope: Scope): Abstract {
    const body = (given: Given): Abstract => this.called(node, scope, given);
    this.readUnused(() => body({ ...nothingGiven, rest: clean }));
    const { callee, arguments: written } = node.call;
    const target = callee.kind === 'attribute' ? this.value(callee.object, scope) : this.value(callee, scope);
    const given = givenBy(written, (one) => this.value(one, scope));
    const withCaller: Given = {
      ...given,
      named: new Map([...given.named, ['caller', make({ calls: [body] })]]),
    };
    return callee.kind === 'attribute'
      ? callMethod(target, callee.name, withCaller, { start: node.start, end: node.end, guarded: false })
      : callValue(target, withCaller);
  }

  private captured(body: readonly Statement[], scope: Scope): Abstract {
    const pieces: Piece[] = [];
    this.run(body, scope, (piece) => pieces.push(piece), true);
    return textOfPieces(pieces);
  }

  private filtered(filter: Filter | null, value: Abstract, scope: Scope): Abstract {
    if (filter === null) return value;
    const input =
      filter.input === null
        ? value
        : filter.input.kind === 'filter'
          ? this.filtered(filter.input, value, scope)
          : this.value(filter.input, scope);
    return applyFilter(
      filter.name,
      input,
      givenBy(filter.arguments, (one) => this.value(one, scope)),
    );
  }

  /** A macro, or the block of a call. */
  private called(node: CallBlock | Macro, scope: Scope, given: Given): Abstract {
    if (this.isUnused && this.height > 0) return clean;
    const height = heightOf(node.body) + 1;
    if (this.height + height > maxHeight || !this.spend(1)) return lost;
    const bound = boundBy(node.parameters, given);
    const running = this.active.get(node) ?? [];
    this.active.set(node, running);
    const inside = running.at(-1);
    if (running.length > nestedCalls && inside?.scope === scope) {
      inside.calls.push(bound);
      return inside.result;
    }
    const activation: Activation = { scope, calls: [bound], result: constant('') };
    running.push(activation);
    this.height += height;
    const value = this.settledCall(activation, node);
    this.height -= height;
    running.pop();
    return value;
  }

  /** The text of a macro, for all the arguments it is called with while it runs. */
  private settledCall(activation: Activation, { parameters, body }: CallBlock | Macro): Abstract {
    const { scope, calls } = activation;
    for (let count = 0; count < maxRounds; count += 1) {
      const known = joinedCalls(calls, count >= exactRounds);
      const before = calls.length;
      const value = this.captured(body, this.scopeFor(scope, parameters, known));
      if (calls.length === before) return value;
      const isSettled =
        this.likeness.of(value) === this.likeness.of(activation.result) &&
        this.alike(known, joinedCalls(calls, count >= exactRounds));
      if (isSettled) return value;
      activation.result = count < exactRounds ? value : make({ text: textAtoms(value) });
    }
    return lost;
  }

  private scopeFor(outer: Scope, parameters: readonly Parameter[], known: Bound): Scope {
    const inner = new Scope(outer);
    const names = new Set(parameters.map(({ name }) => name));
    for (const [name, values] of known)
      if (!names.has(name)) inner.set(name, join(values.map((one) => one ?? clean)));
    for (const { name, fallback } of parameters) {
      const values = known.get(name) ?? [null];
      const missing = values.includes(null) ? [fallback === null ? clean : this.value(fallback, inner)] : [];
      inner.set(name, join([...values.flatMap((one) => one ?? []), ...missing]));
    }
    return inner;
  }

  private alike(one: Bound, other: Bound): boolean {
    return [...one.keys()].every((name) => {
      const written = (some: Bound): readonly (string | null)[] =>
        (some.get(name) ?? []).map((value) => (value === null ? null : this.likeness.of(value)));
      return JSON.stringify(written(one)) === JSON.stringify(written(other));
    });
  }
}

function bind(target: Target, value: Abstract, scope: Scope): void {
  if (target.kind === 'name-target') {
    scope.set(target.name, value);
    return;
  }
  target.items.forEach((item, index) => bind(item, itemAt(value, index), scope));
}

function asCrumb(one: Atom): Atom {
  return { ...one, crumb: true, bound: Number.POSITIVE_INFINITY };
}

/** Whether the same is known of two values: a loop is followed until nothing new is known. */
class Likeness {
  private readonly numbers = new WeakMap<object, number>();
  private next = 0;

  /** Equal for values of which the same is known; lists, dicts and macros are equal only to themselves. */
  of({ constants, plain: isPlain, text, unknown, list, dicts, calls }: Abstract): string {
    const atoms = (some: Abstract['text']): readonly string[] | null => some?.map(keyOf).toSorted() ?? null;
    return JSON.stringify([
      constants,
      isPlain,
      atoms(text),
      atoms(unknown),
      list === null ? null : this.numberOf(list),
      dicts.map((one) => this.numberOf(one)),
      calls.map((one) => this.numberOf(one)),
    ]);
  }

  private numberOf(part: object): number {
    const known = this.numbers.get(part) ?? (this.next += 1);
    this.numbers.set(part, known);
    return known;
  }
}

/** `loop`: numbers, its neighbours, and two methods. */
function loopValue(each: Abstract, recurse: Call | null): Abstract {
  const cycle = make({ calls: [(given) => join(allOf(given))] });
  const changedMethod = make({ calls: [() => plain] });
  const members = new Map<string, Abstract>([
    ['previtem', each],
    ['nextitem', each],
    ['cycle', cycle],
    ['changed', changedMethod],
  ]);
  return make({
    dicts: [
      {
        get: (key) =>
          key === null ? join([plain, ...members.values()]) : (members.get(String(key)) ?? plain),
        keys: cleanText,
        entries: null,
        atoms: each.atoms,
        weight: 1,
        // Its methods give back what they are given.
        holdsCalls: recurse !== null,
      },
    ],
    calls: recurse === null ? [] : [recurse],
  });
}
