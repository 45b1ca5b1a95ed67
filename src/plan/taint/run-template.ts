// A whole template -> the pieces it writes, each with what is known of it.
//
// M1. Both branches of a condition are taken, and a loop is gone through once: what is written there may be written.
// M2. What is captured (`set` blocks, macros, filter blocks) is written only where it comes out again.
import type { Filter, Macro, Parameter, Statement, Target } from '../../template/syntax/ast.ts';
import type { Abstract, Access } from './abstract.ts';
import { blend, clean, constant, join, listOf, opaque } from './abstract.ts';
import type { Names, Watcher } from './evaluate.ts';
import { concatenated, evaluate, narrowed } from './evaluate.ts';
import { applyFilter, elementOf } from './filters.ts';
import { memberOf } from './methods.ts';

export interface Piece {
  readonly value: Abstract;
  readonly start: number;
  readonly end: number;
  /** `{{ … }}`, which a filter can be added to. */
  readonly isOutput: boolean;
  /** Written whatever happens. */
  readonly certain: boolean;
}

const maxCallDepth = 12;
const maxCalls = 1000;

class Scope implements Names {
  readonly own = new Map<string, Abstract>();
  private readonly outer: Names;

  constructor(outer: Names) {
    this.outer = outer;
  }

  look = (name: string, access: Access): Abstract | null => this.own.get(name) ?? this.outer.look(name, access);

  isOneOf = (path: string): boolean => this.outer.isOneOf?.(path) === true;
}

export function runTemplate(body: readonly Statement[], names: Names, watch: Watcher): readonly Piece[] {
  const pieces: Piece[] = [];
  new Runner(watch).run(body, new Scope(names), (piece) => pieces.push(piece), true);
  return pieces;
}

class Runner {
  private readonly watch: Watcher;
  private depth = 0;
  private callsLeft = maxCalls;

  constructor(watch: Watcher) {
    this.watch = watch;
  }

  run(body: readonly Statement[], scope: Scope, write: (piece: Piece) => void, certain: boolean): void {
    for (const statement of body) this.statement(statement, scope, write, certain);
  }

  private statement(node: Statement, scope: Scope, write: (piece: Piece) => void, certain: boolean): void {
    const at = { start: node.start, end: node.end };
    switch (node.kind) {
      case 'text':
        write({ value: constant(node.text), ...at, isOutput: false, certain });
        return;
      case 'output':
        write({ value: evaluate(node.value, scope, this.watch), ...at, isOutput: true, certain });
        return;
      case 'if': {
        for (const { test } of node.branches) evaluate(test, scope, this.watch);
        const bodies = [...node.branches.map(({ test, body }) => ({ names: narrowed(scope, test), body })), { names: scope, body: node.otherwise }];
        const ends = bodies.map(({ names, body }) => {
          const branch = new Scope(names);
          this.run(body, branch, write, false);
          return branch.own;
        });
        // Names set in a branch are seen behind it.
        for (const name of new Set(ends.flatMap((own) => [...own.keys()]))) {
          const before = scope.look(name, { start: node.start, end: node.end, guarded: true });
          scope.own.set(name, join([...ends.flatMap((own) => own.get(name) ?? []), ...(before === null ? [] : [before])]));
        }
        return;
      }
      case 'for': {
        const iterable = evaluate(node.iterable, scope, this.watch);
        const inner = new Scope(scope);
        this.bind(node.target, elementOf(iterable), inner);
        inner.own.set('loop', { atoms: [], get: (key) => (key === 'previtem' || key === 'nextitem' ? elementOf(iterable) : { atoms: [], call: () => clean }), call: () => opaque(iterable) });
        if (node.test !== null) evaluate(node.test, inner, this.watch);
        this.run(node.body, inner, write, false);
        this.run(node.otherwise, new Scope(scope), write, false);
        return;
      }
      case 'assign':
        this.bind(node.target, evaluate(node.value, scope, this.watch), scope);
        return;
      case 'assign-block':
        this.bind(node.target, this.filtered(node.filter, this.captured(node.body, new Scope(scope)), scope), scope);
        return;
      case 'with': {
        const inner = new Scope(scope);
        for (const { target, value } of node.bindings) this.bind(target, evaluate(value, scope, this.watch), inner);
        this.run(node.body, inner, write, certain);
        return;
      }
      case 'macro':
        scope.own.set(node.name, { atoms: [], call: (positional, named) => this.macro(node, scope, positional, named, null) });
        // Read once by itself, so that what is wrong in it is told even when nobody calls it.
        this.macro(node, scope, node.parameters.map(() => clean), new Map(), clean);
        return;
      case 'call-block': {
        const caller: Abstract = { atoms: [], call: (positional) => this.callBody(node.parameters, node.body, scope, positional) };
        const { callee, arguments: given } = node.call;
        const target = evaluate(callee, scope, this.watch);
        const positional = given.positional.map((one) => evaluate(one, scope, this.watch));
        const named = new Map(given.named.map(({ name, value }) => [name, evaluate(value, scope, this.watch)]));
        named.set('caller', caller);
        write({ value: target.call?.(positional, named) ?? opaque(join([...positional, this.callBody(node.parameters, node.body, scope, [])])), ...at, isOutput: false, certain });
        return;
      }
      case 'filter-block':
        write({ value: this.filtered(node.filter, this.captured(node.body, new Scope(scope)), scope), ...at, isOutput: false, certain });
        return;
    }
  }

  private bind(target: Target, value: Abstract, scope: Scope): void {
    if (target.kind === 'name-target') {
      scope.own.set(target.name, value);
      return;
    }
    target.items.forEach((item, index) => this.bind(item, memberOf(value, String(index), { start: target.start, end: target.end, guarded: true }), scope));
  }

  private captured(body: readonly Statement[], scope: Scope): Abstract {
    const pieces: Abstract[] = [];
    this.run(body, scope, ({ value }) => pieces.push(opaque(value).atoms.length === 0 ? value : opaque(value)), true);
    return concatenated(pieces);
  }

  private filtered(filter: Filter | null, value: Abstract, scope: Scope): Abstract {
    if (filter === null) return value;
    const input = filter.input === null ? value : filter.input.kind === 'filter' ? this.filtered(filter.input, value, scope) : evaluate(filter.input, scope, this.watch);
    const positional = filter.arguments.positional.map((one) => evaluate(one, scope, this.watch));
    const named = new Map(filter.arguments.named.map(({ name, value: one }) => [name, evaluate(one, scope, this.watch)]));
    return applyFilter(filter.name, input, { positional, named });
  }

  private macro({ parameters, body }: Macro, scope: Scope, positional: readonly Abstract[], named: ReadonlyMap<string, Abstract>, caller: Abstract | null): Abstract {
    const inner = new Scope(scope);
    const rest = positional.slice(parameters.length);
    inner.own.set('varargs', listOf(rest));
    inner.own.set('kwargs', blend(...named.values()));
    inner.own.set('caller', named.get('caller') ?? caller ?? clean);
    return this.callParameters(parameters, body, inner, positional, named);
  }

  private callBody(parameters: readonly Parameter[], body: readonly Statement[], scope: Scope, positional: readonly Abstract[]): Abstract {
    return this.callParameters(parameters, body, new Scope(scope), positional, new Map());
  }

  private callParameters(parameters: readonly Parameter[], body: readonly Statement[], inner: Scope, positional: readonly Abstract[], named: ReadonlyMap<string, Abstract>): Abstract {
    // A macro that calls itself gives back, at most, what went in.
    this.callsLeft -= 1;
    if (this.depth >= maxCallDepth || this.callsLeft < 0) return blend(...positional, ...named.values());
    this.depth += 1;
    parameters.forEach(({ name, fallback }, index) => {
      inner.own.set(name, positional[index] ?? named.get(name) ?? (fallback === null ? clean : evaluate(fallback, inner, this.watch)));
    });
    const value = this.captured(body, inner);
    this.depth -= 1;
    return value;
  }
}
