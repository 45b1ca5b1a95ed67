// What the compiler knows at a place in the tree.
import type { DiagnosticCode } from '../../base/codes.ts';
import type { Span } from '../../base/span.ts';
import type { Name } from '../syntax/ast.ts';
import type { Faults } from '../syntax/faults.ts';
import type { Library } from '../value/evaluation.ts';
import { Scope, type Slot, Unit } from './symbols.ts';

/** The tree is too deep: nothing more is compiled. */
export class TooDeep extends Error {}

export class Context {
  readonly source: string;
  readonly library: Library;
  readonly faults: Faults;
  private readonly maxDepth: number;
  scope: Scope;
  /** The names that are read from the variables of the template. */
  readonly free = new Set<Name>();
  private depth = 0;

  constructor(source: string, library: Library, faults: Faults, maxDepth: number, scope: Scope) {
    this.source = source;
    this.library = library;
    this.faults = faults;
    this.maxDepth = maxDepth;
    this.scope = scope;
  }

  fault(code: DiagnosticCode, at: Span, message: string, hint?: string): void {
    this.faults.add(code, at, message, hint);
  }

  /** Compiles a part of what is being compiled. */
  nested<T>(at: Span, compile: () => T): T {
    this.depth += 1;
    if (this.depth > this.maxDepth) {
      this.fault(
        'TEMPLATE_TOO_DEEP',
        at,
        `nested more than ${this.maxDepth} deep`,
        'give a part of it a name with {% set %}',
      );
      throw new TooDeep();
    }
    const { unit } = this.scope;
    const result = compile();
    this.depth -= 1;
    unit.depth = Math.max(unit.depth, this.depth + 1 - unit.base);
    return result;
  }

  /** A scope for what is called by itself: a macro, a recursive loop, the test of a loop. */
  newUnit(): Scope {
    return new Scope(this.scope, new Unit(this.scope.unit, this.depth));
  }

  /** A scope inside this one. */
  newScope(): Scope {
    return new Scope(this.scope, this.scope.unit);
  }

  /** Compiles with `scope` as the innermost one. */
  within<T>(scope: Scope, compile: () => T): T {
    const outer = this.scope;
    this.scope = scope;
    const result = compile();
    this.scope = outer;
    return result;
  }

  /** How many units further out a slot is. */
  hopsTo(slot: Slot): number {
    let hops = 0;
    for (let unit = this.scope.unit; unit !== slot.unit; hops += 1) {
      if (unit.parent === null) throw new Error(`the slot of ${slot.name} is out of reach`);
      unit = unit.parent;
    }
    return hops;
  }
}
