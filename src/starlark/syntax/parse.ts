// Turns the text of a program into a tree.
//
//   text -> tokens (lex) -> Module, faults
//
// Never throws. All faults that can be found are reported, in the order of the text, and no fault that only follows from
// another one. Time is linear in the text; however it nests, the JavaScript stack does not run out.
import type { Report } from '../../base/diagnostic.ts';
import type { Module, Statement } from './ast.ts';
import { Cursor, Faults, isAbandoned } from './cursor.ts';
import { lex } from './lex.ts';
import { parseStatements } from './parse-statement.ts';

export interface ParseOptions {
  readonly maxDepth: number;
  readonly maxSourceUnits: number;
  readonly interactive: boolean;
}

/** The tree, also of a program with faults; null when there are too many, or the program is too large or too deep. */
export function parseModule(source: string, options: ParseOptions, report: Report): Module | null {
  if (source.length > options.maxSourceUnits) {
    report(
      'STAR_TOO_LARGE',
      null,
      `the program has ${source.length} characters, more than the ${options.maxSourceUnits} allowed`,
    );
    return null;
  }
  const faults = new Faults();
  const cursor = new Cursor(lex(source, faults), faults, options);
  const body = faults.isFull ? null : parseBody(cursor);
  faults.reportTo(report);
  if (body === null) return null;
  return {
    kind: 'module',
    start: 0,
    end: source.length,
    source,
    doubtful: cursor.doubtful,
    body,
    scope: null,
  };
}

function parseBody(cursor: Cursor): Statement[] | null {
  try {
    return parseStatements(cursor);
  } catch (error) {
    if (!isAbandoned(error)) throw error;
    return null;
  }
}
