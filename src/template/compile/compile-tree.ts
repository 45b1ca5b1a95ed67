// A tree -> the closures of the whole template.
import type { Name, Statement } from '../syntax/ast.ts';
import type { Faults } from '../syntax/faults.ts';
import type { Library } from '../value/evaluation.ts';
import { strOf } from '../value/repr.ts';
import { compileEntry } from './compile-entry.ts';
import { compileExpression } from './compile-expression.ts';
import { compileBody, costOf } from './compile-statement.ts';
import { Context } from './context.ts';
import { type Evaluate, type Execute, type Frame, Sink } from './frame.ts';
import { Scope, Unit } from './symbols.ts';

export interface Code {
  readonly slots: number;
  readonly free: ReadonlySet<Name>;
  /** Steps that an evaluation takes before anything else. */
  readonly cost: number;
  /** Fills the slots; before anything else. */
  readonly enter: (frame: Frame) => void;
  readonly render: (frame: Frame) => string;
  /** The expression of a template that is nothing else. */
  readonly value: Evaluate | null;
}

export function compileTree(
  source: string,
  body: readonly Statement[],
  library: Library,
  faults: Faults,
  maxDepth: number,
): Code {
  const unit = new Unit(null, 0);
  const scope = new Scope(null, unit);
  scope.readBody(body);
  const c = new Context(source, library, faults, maxDepth, scope);
  const enter = compileEntry(c, scope);
  const [only] = body;
  if (only?.kind !== 'output' || body.length > 1) {
    const write = compileBody(c, body);
    return {
      slots: unit.slots,
      free: c.free,
      enter,
      cost: 1,
      render: (frame) => captured(frame, write),
      value: null,
    };
  }
  const value = compileExpression(c, only.value);
  const write: Execute = (frame, sink) => {
    const result = value(frame);
    frame.e.at = only;
    sink.write(strOf(frame.e, result));
  };
  return {
    slots: unit.slots,
    free: c.free,
    enter,
    cost: 1 + costOf(only),
    render: (frame) => captured(frame, write),
    value,
  };
}

function captured(frame: Frame, write: Execute): string {
  const sink = new Sink(frame.e);
  write(frame, sink);
  return sink.text;
}
