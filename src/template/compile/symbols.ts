// Names -> slots, by Jinja's rules of scope.
//
// `if` has no scope of its own; the bodies of `for`, `with`, `macro`, `call`, `filter` and block `set` have. A name
// that is read before it is set in its scope is looked up outside when the scope is entered: in the scope around it,
// or among the variables of the template. One that is set first starts empty, whatever is outside. What is set inside
// a scope is gone behind it; a loop's scope is entered anew in each round. A macro (and a recursive loop, and the test
// of a loop) is a unit with slots of its own for each call; it sees the slots of the units around it as they are when
// it runs.
import type { Expression, Statement, Target } from '../syntax/ast.ts';
import { childrenOf } from '../syntax/walk.ts';

/** The slots of one activation: the template itself, a macro, a recursive loop, the test of a loop. */
export class Unit {
  readonly parent: Unit | null;
  slots = 0;
  /** How deep the tree is where it begins. */
  readonly base: number;
  /** How deep its own tree is: what a call of it takes of the depth limit. */
  depth = 0;

  constructor(parent: Unit | null, base: number) {
    this.parent = parent;
    this.base = base;
  }
}

export interface Slot {
  readonly unit: Unit;
  readonly index: number;
  readonly name: string;
}

/** What a slot holds when its scope is entered. */
type Load =
  | { readonly kind: 'parameter' }
  | { readonly kind: 'resolve' }
  | { readonly kind: 'alias'; readonly slot: Slot }
  | { readonly kind: 'empty' };

export class Scope {
  readonly parent: Scope | null;
  readonly unit: Unit;
  /** Of a branch of an `if`: the scope that it is looked at for. Only what it adds is in the branch itself. */
  private readonly base: Scope | null;
  private readonly refs = new Map<string, Slot>();
  private readonly stores = new Set<string>();
  readonly loads = new Map<Slot, Load>();

  constructor(parent: Scope | null, unit: Unit, base: Scope | null = null) {
    this.parent = parent;
    this.unit = unit;
    this.base = base;
  }

  private own(name: string): Slot | null {
    return this.refs.get(name) ?? this.base?.own(name) ?? null;
  }

  private isStored(name: string): boolean {
    return this.stores.has(name) || this.base?.isStored(name) === true;
  }

  find(name: string): Slot | null {
    return this.own(name) ?? this.parent?.find(name) ?? null;
  }

  findLoad(slot: Slot): Load | null {
    return this.loads.get(slot) ?? this.base?.findLoad(slot) ?? this.parent?.findLoad(slot) ?? null;
  }

  /** The slot of a name in this scope: branches share it. */
  private slotFor(name: string): Slot {
    if (this.base !== null) return this.base.slotFor(name);
    let slot = this.slots.get(name);
    if (slot === undefined) {
      slot = { unit: this.unit, index: this.unit.slots, name };
      this.unit.slots += 1;
      this.slots.set(name, slot);
    }
    return slot;
  }

  private readonly slots = new Map<string, Slot>();

  private define(name: string, load: Load): Slot {
    const slot = this.slotFor(name);
    this.refs.set(name, slot);
    this.loads.set(slot, load);
    return slot;
  }

  parameter(name: string): Slot {
    this.stores.add(name);
    return this.define(name, { kind: 'parameter' });
  }

  load(name: string): void {
    if (this.find(name) === null) this.define(name, { kind: 'resolve' });
  }

  store(name: string): void {
    this.stores.add(name);
    if (this.own(name) !== null) return;
    const outer = this.parent?.find(name) ?? null;
    this.define(name, outer === null ? { kind: 'empty' } : { kind: 'alias', slot: outer });
  }

  private branch(): Scope {
    return new Scope(this.parent, this.unit, this);
  }

  /** Takes over what branches found out. What not all of them set must be there from before. */
  private merge(branches: readonly Scope[]): void {
    const counts = new Map<string, number>();
    for (const { stores } of branches)
      for (const name of stores) if (!this.isStored(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const branch of branches) {
      for (const [name, slot] of branch.refs) this.refs.set(name, slot);
      for (const [slot, load] of branch.loads) this.loads.set(slot, load);
      for (const name of branch.stores) this.stores.add(name);
    }
    for (const [name, count] of counts) {
      if (count === branches.length) continue;
      const outer = this.parent?.find(name) ?? null;
      this.loads.set(
        this.find(name) as Slot,
        outer === null ? { kind: 'resolve' } : { kind: 'alias', slot: outer },
      );
    }
  }

  /** The statements of this scope itself, without the scopes inside it. */
  readBody(body: readonly Statement[]): void {
    for (const statement of body) this.readStatement(statement);
  }

  private readStatement(statement: Statement): void {
    switch (statement.kind) {
      case 'text':
        return;
      case 'output':
        return this.readExpression(statement.value);
      case 'if':
        return this.readIf(statement.branches, statement.otherwise);
      case 'for':
        return this.readExpression(statement.iterable);
      case 'assign':
        this.readExpression(statement.value);
        return this.readTarget(statement.target, false);
      case 'assign-block':
        return this.readTarget(statement.target, false);
      case 'with':
        for (const { value } of statement.bindings) this.readExpression(value);
        return;
      case 'macro':
        return this.store(statement.name);
      case 'call-block':
        return this.readExpression(statement.call);
      case 'filter-block':
        return this.readExpression(statement.filter);
    }
  }

  private readIf(
    branches: readonly { readonly test: Expression; readonly body: readonly Statement[] }[],
    otherwise: readonly Statement[],
  ): void {
    const [first, ...others] = branches as [(typeof branches)[0], ...typeof branches];
    this.readExpression(first.test);
    const then = this.branch();
    then.readBody(first.body);
    const elses = this.branch();
    for (const each of others) elses.readIf([each], []);
    const last = this.branch();
    last.readBody(otherwise);
    this.merge([then, elses, last]);
  }

  readExpression(expression: Expression): void {
    if (expression.kind === 'name') return this.load(expression.name);
    for (const child of childrenOf(expression)) this.readExpression(child);
  }

  readTarget(target: Target, asParameter: boolean): void {
    if (target.kind === 'tuple-target') {
      for (const item of target.items) this.readTarget(item, asParameter);
    } else if (asParameter) {
      this.parameter(target.name);
    } else {
      this.store(target.name);
    }
  }
}
