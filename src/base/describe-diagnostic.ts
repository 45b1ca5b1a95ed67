// A diagnostic as the data that `--json` prints: {code, severity, path, line, column, endLine, endColumn, message, hint}.
// Lines and columns count from 1, columns in UTF-16 code units; all four are null for a fault of the whole file.
import type { Diagnostic } from './diagnostic.ts';
import type { Json } from './json.ts';
import { placeOf } from './span.ts';

export function describeDiagnostic(
  diagnostic: Diagnostic,
  text: string | null,
): { readonly [field: string]: Json } {
  const { code, severity, path, span, message, hint } = diagnostic;
  const start = span === null || text === null ? null : placeOf(text, span.start);
  const end = span === null || text === null ? null : placeOf(text, span.end);
  return {
    code,
    severity,
    path,
    line: start?.line ?? null,
    column: start?.column ?? null,
    endLine: end?.line ?? null,
    endColumn: end?.column ?? null,
    message,
    hint,
  };
}
