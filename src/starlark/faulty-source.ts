// The text that a diagnostic is about, for a loader that gives only diagnostics.
import type { Diagnostic } from '../base/diagnostic.ts';
import { placeOf } from '../base/span.ts';

const sources = new WeakMap<Diagnostic, string>();

export function rememberSource(diagnostics: readonly Diagnostic[], source: string): void {
  for (const diagnostic of diagnostics) sources.set(diagnostic, source);
}

/** `path:line:column`, as far as it is known. */
export function placeText(diagnostic: Diagnostic): string {
  const source = sources.get(diagnostic);
  if (diagnostic.span === null || source === undefined) return diagnostic.path;
  const { line, column } = placeOf(source, diagnostic.span.start);
  return `${diagnostic.path}:${line}:${column}`;
}
