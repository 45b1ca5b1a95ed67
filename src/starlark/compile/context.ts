// What the compiling functions pass along: one context for each function, one module for the program.
import type { Expression } from '../syntax/ast.ts';
import type { FunctionScope } from '../resolve/scope.ts';
import { Assigned } from './assigned.ts';
import { Emitter, type Label } from './emitter.ts';
import type { FunctionCode } from './program.ts';

export interface ModuleContext {
  readonly globals: readonly string[];
  readonly interactive: boolean;
  /** A function's place is taken when it is begun and filled when it is complete. */
  readonly functions: (FunctionCode | null)[];
  readonly loads: string[];
  /** Globals that have a value whenever what is being compiled runs: a statement before it, outside functions, gives it. */
  readonly assignedGlobals: Set<number>;
}

interface OpenLoop {
  readonly iterator: number;
  /** Where the next round begins. */
  readonly next: Label;
  readonly end: Label;
}

/** A register that holds the value of `expression`; `wanted` itself if one is given and the value is not in one already. */
export type CompileExpression = (context: FunctionContext, expression: Expression, wanted?: number) => number;

export class FunctionContext {
  readonly module: ModuleContext;
  readonly emitter: Emitter;
  readonly assigned: Assigned;
  readonly loops: OpenLoop[] = [];
  /** Captured variables of comprehensions: their cells are made where the comprehension begins. */
  readonly ownCells = new Set<number>();
  /** Passed along, since calls, comprehensions and functions are expressions made of expressions. */
  readonly compileExpression: CompileExpression;

  constructor(module: ModuleContext, scope: FunctionScope, compileExpression: CompileExpression) {
    this.module = module;
    this.emitter = new Emitter(scope.locals.length);
    this.assigned = new Assigned(scope.locals.length);
    this.compileExpression = compileExpression;
  }

  expression(expression: Expression, wanted?: number): number {
    return this.compileExpression(this, expression, wanted);
  }

  /** Puts the value of `expression` into exactly this register. */
  into(expression: Expression, register: number): void {
    const found = this.expression(expression, register);
    if (found !== register) this.emitter.emit('MOVE', register, found);
  }

  /** `wanted`, unless it is a variable (which must not change before the expression is complete) or missing. */
  scratch(wanted: number | undefined): number {
    return wanted !== undefined && wanted >= this.emitter.firstTemporary ? wanted : this.emitter.temporary();
  }

  destination(wanted: number | undefined): number {
    return wanted ?? this.emitter.temporary();
  }
}
