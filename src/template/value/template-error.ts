// A fault that shows only when the template runs. Thrown inside an evaluation, which turns it into a diagnostic.
import type { DiagnosticCode } from '../../base/codes.ts';
import type { Span } from '../../base/span.ts';
import type { Undefined } from './value.ts';

/** The codes a running template can end with, besides the limits. Each has a row in `base/codes.ts`. */
type EvalCode = Extract<
  DiagnosticCode,
  | 'EVAL_ARGUMENTS'
  | 'EVAL_ATTRIBUTE'
  | 'EVAL_HOST'
  | 'EVAL_INDEX'
  | 'EVAL_KEY'
  | 'EVAL_TYPE'
  | 'EVAL_UNDEFINED'
  | 'EVAL_UNHASHABLE'
  | 'EVAL_UNSAFE'
  | 'EVAL_VALUE'
  | 'EVAL_ZERO_DIVISION'
>;

export class TemplateError extends Error {
  readonly code: EvalCode;
  readonly hint: string | null;
  /** Where it comes from, when that is not where it shows. */
  readonly span: Span | null;

  constructor(
    code: EvalCode,
    message: string,
    hint: string | null = null,
    span: Span | null = null,
    options?: { readonly cause: unknown },
  ) {
    super(message, options);
    this.name = 'TemplateError';
    this.code = code;
    this.hint = hint;
    this.span = span;
  }
}

export function typeError(message: string, hint: string | null = null): never {
  throw new TemplateError('EVAL_TYPE', message, hint);
}

export function valueError(message: string, hint: string | null = null): never {
  throw new TemplateError('EVAL_VALUE', message, hint);
}

/** Something was done with a value that does not exist. */
export function failUndefined(value: Undefined): never {
  const { message, hint } = value.describe();
  throw new TemplateError(
    value.kind === 'unsafe' ? 'EVAL_UNSAFE' : 'EVAL_UNDEFINED',
    message,
    hint,
    value.span,
  );
}
