// Faults in what a user wrote.
//
//   a stage -> report(CODE, span, message, hint) -> Diagnostic[]
//
// They are reported, never thrown, so that one fault does not hide the next. The code decides the severity
// (`codes.ts`). `message` says what is wrong, with the value and its bound; `hint` says what to do.
import type { DiagnosticCode, Severity } from './codes.ts';
import { severityOf } from './codes.ts';
import type { Span } from './span.ts';
import { placeOf } from './span.ts';

/** A fault in a file that a user wrote: code, place, message, and a hint where there is one. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** The file the fault is in, as the caller named it. */
  readonly path: string;
  /** `null` when the fault is about the file as a whole (it cannot be read, it is a directory). */
  readonly span: Span | null;
  readonly message: string;
  readonly hint: string | null;
}

/** How a stage reports a fault. Must not throw. */
export type Report = (code: DiagnosticCode, at: Span | null, message: string, hint?: string) => void;

/** A `Report` that collects into `into`, for faults in the file `path`. */
export function collectInto(into: Diagnostic[], path: string): Report {
  return (code, at, message, hint) => {
    into.push({ code, severity: severityOf(code), path, span: at, message, hint: hint ?? null });
  };
}

/** Errors first is for people; files and positions first is for machines: this is the machine order. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  const byPlace = (a.span?.start ?? -1) - (b.span?.start ?? -1);
  if (byPlace !== 0) return byPlace;
  return a.code < b.code ? -1 : a.code > b.code ? 1 : 0;
}

/** The errors among them, one line each: `SKILL.star:2:10: message (hint)`. */
export function describeFaults(diagnostics: readonly Diagnostic[], source: string): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const lines = errors.slice(0, 10).map(({ path, span, message, hint }) => {
    const place = span === null ? null : placeOf(source, span.start);
    return `${path}${place === null ? '' : `:${place.line}:${place.column}`}: ${message}${hint === null ? '' : ` (${hint})`}`;
  });
  return [...lines, ...(errors.length > 10 ? [`and ${errors.length - 10} more`] : [])].join('\n');
}
