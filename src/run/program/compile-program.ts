// The program of an executable skill -> compiled with the names the host gives it, or everything that is wrong with
// it.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import { placeOf } from '../../base/span.ts';
import { hostFunctionNames } from '../../skill/host-functions.ts';
import type { Program } from '../../starlark.ts';
import { compile } from '../../starlark.ts';

export type CompiledProgram =
  | { readonly ok: true; readonly program: Program; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** `path` is shown in messages and backtraces: relative to the skill folder. */
export function compileProgram(source: string, path: string): CompiledProgram {
  const compiled = compile(source.startsWith('\uFEFF') ? source.slice(1) : source, {
    path,
    predeclared: hostFunctionNames,
  });
  if (!compiled.ok) return compiled;
  if (compiled.program.globals.includes('run')) return compiled;
  const diagnostics = [...compiled.diagnostics];
  collectInto(diagnostics, path)(
    'PROGRAM_RUN_MISSING',
    null,
    'a metaskill must define a run(input) function',
    'write: def run(input):',
  );
  return { ok: false, diagnostics };
}

/** One line each: `SKILL.star:2:10: message (hint)`. */
export function describeFaults(diagnostics: readonly Diagnostic[], source: string): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const lines = errors.slice(0, 10).map(({ path, span, message, hint }) => {
    const place = span === null ? null : placeOf(source, span.start);
    return `${path}${place === null ? '' : `:${place.line}:${place.column}`}: ${message}${hint === null ? '' : ` (${hint})`}`;
  });
  return [...lines, ...(errors.length > 10 ? [`and ${errors.length - 10} more`] : [])].join('\n');
}
