// Diagnostics of the load statements of a program and of the modules, for --check --allow-load.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto, compareDiagnostics } from '../../base/diagnostic.ts';
import { nearest } from '../../base/nearest.ts';
import type { Program } from '../../starlark/compile/program.ts';
import type { LoadStatement } from '../../starlark/syntax/ast.ts';
import { parseModule } from '../../starlark/syntax/parse.ts';
import type { FindModule, Module } from './load-modules.ts';

/** `seen` gets each module once, and is shared by all programs of one check. */
export function followLoads(
  main: { readonly path: string; readonly text: string },
  find: FindModule,
  seen: Map<string, string>,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const visit = (file: { readonly path: string; readonly text: string }, trail: readonly string[]): void => {
    const report = collectInto(diagnostics, file.path);
    for (const {
      module: { value: name, ...span },
      bindings,
    } of loadsOf(file.text)) {
      const found = find(name, file.path);
      if ('reason' in found)
        report('EVAL_LOAD', span, `cannot load "${name}": ${found.reason}`, found.hint ?? undefined);
      else if (trail.includes(found.path))
        report('EVAL_LOAD', span, `cannot load "${name}": the modules load each other in a cycle`);
      else {
        if (!seen.has(found.path)) {
          seen.set(found.path, found.text);
          diagnostics.push(...[...found.diagnostics].sort(compareDiagnostics));
          visit(found, [...trail, found.path]);
        }
        if (found.program !== null)
          for (const binding of bindings) checkName(binding, found.program, found, report);
      }
    }
  };
  visit(main, [main.path]);
  return diagnostics;
}

function checkName(
  { original, start, end }: LoadStatement['bindings'][number],
  program: Program,
  { path }: Module,
  report: ReturnType<typeof collectInto>,
): void {
  const names = program.globals.filter((name) => !program.loaded.has(name) && !name.startsWith('_'));
  if (names.includes(original)) return;
  const close = nearest(original, names);
  report(
    'EVAL_LOAD',
    { start, end },
    `"${original}" is not in "${path}"`,
    close === null ? undefined : `did you mean ${close}?`,
  );
}

function loadsOf(text: string): readonly LoadStatement[] {
  // Errors in the module itself are reported elsewhere.
  const module = parseModule(
    text,
    { maxDepth: 200, maxSourceUnits: 1_000_000, interactive: false },
    () => undefined,
  );
  return module === null ? [] : module.body.filter((statement) => statement.kind === 'load');
}
