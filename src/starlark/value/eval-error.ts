// A fault that shows only when the program runs.
//
// Thrown by the operations of `value/` and `lib/` without a place; the machine knows the place and adds the backtrace.
import type { DiagnosticCode } from '../../base/codes.ts';

/** The codes a running program can end with, besides the limits. Each has a row in `base/codes.ts`. */
type EvalCode = Extract<
  DiagnosticCode,
  | 'EVAL_ARGUMENTS'
  | 'EVAL_ATTRIBUTE'
  | 'EVAL_FAIL'
  | 'EVAL_FROZEN'
  | 'EVAL_HOST'
  | 'EVAL_INDEX'
  | 'EVAL_ITERATING'
  | 'EVAL_KEY'
  | 'EVAL_LOAD'
  | 'EVAL_RECURSION'
  | 'EVAL_TYPE'
  | 'EVAL_UNASSIGNED'
  | 'EVAL_UNHASHABLE'
  | 'EVAL_VALUE'
  | 'EVAL_ZERO_DIVISION'
  | 'LOAD_DENIED'
>;

export class EvalError extends Error {
  readonly code: EvalCode;
  readonly hint: string | null;
  /** `cause` is what a function of the embedder threw. */
  constructor(
    code: EvalCode,
    message: string,
    hint: string | null = null,
    options?: { readonly cause: unknown },
  ) {
    super(message, options);
    this.name = 'EvalError';
    this.code = code;
    this.hint = hint;
  }
}
