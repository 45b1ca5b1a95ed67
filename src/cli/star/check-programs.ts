// techne star --check
//
//   programs -> their diagnostics, without running them
//
// An unreadable file is reported like any other and does not end the check. The exit code is the worst of all files: 3 for an
// unreadable file, 2 for a missing one, 1 for errors.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto, compareDiagnostics } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import { FileFault } from '../../ports/files.ts';
import type { CommandContext } from '../context.ts';
import { describeDiagnostic } from '../../base/describe-diagnostic.ts';
import { exitCodeOf, exitCodes } from '../exit-code.ts';
import { counted } from '../../base/render-table.ts';
import { createModules } from './load-modules.ts';
import { compileFile, programNames } from './program-names.ts';
import { readProgram } from './read-program.ts';
import type { SourceFile } from './read-program.ts';
import { lookOf, renderProblems } from './render-problems.ts';
import { nearest } from '../../base/nearest.ts';
import type { Program } from '../../starlark/compile/program.ts';
import type { LoadStatement } from '../../starlark/syntax/ast.ts';
import { parseModule } from '../../starlark/syntax/parse.ts';
import type { FindModule, Module } from './load-modules.ts';

/** `given`: names, or programs that are read already. */
export async function checkPrograms(
  context: CommandContext,
  given: readonly (string | SourceFile)[],
  names: readonly string[],
): Promise<number> {
  const { args, io, out } = context;
  const texts = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  let worst: number = exitCodes.fine;
  for (const name of new Set(given)) {
    const file = typeof name === 'string' ? await readOrReport(name) : name;
    if (file === null) continue;
    const predeclared = programNames(file.path, names);
    // It may have been checked before, as a module of another program.
    if (!texts.has(file.path)) {
      texts.set(file.path, file.text);
      diagnostics.push(...[...compileFile(file, predeclared).diagnostics].sort(compareDiagnostics));
    }
    if (args.flag('allow-load'))
      diagnostics.push(
        ...followLoads(
          file,
          createModules(file, (module) => compileFile(module, predeclared)),
          texts,
        ),
      );
  }
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
  if (context.json) {
    out.json({
      ok: errors === 0,
      files: texts.size,
      errors,
      warnings,
      diagnostics: diagnostics.map((diagnostic) =>
        describeDiagnostic(diagnostic, texts.get(diagnostic.path) ?? null),
      ),
    });
  } else {
    const problems = renderProblems(diagnostics, texts, { ...lookOf(context), colour: context.colour });
    out.write(problems === '' ? '' : `${problems}\n`);
    out.line(
      `${counted(texts.size, 'program')} checked: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`,
    );
  }
  return Math.max(worst, errors > 0 ? exitCodes.files : exitCodes.fine);

  async function readOrReport(name: string): Promise<SourceFile | null> {
    const report = collectInto(diagnostics, name);
    try {
      return await readProgram(name, io);
    } catch (error) {
      if (error instanceof TechneError) {
        report('FILE_UNREADABLE', null, error.message, error.hint ?? undefined);
        worst = Math.max(worst, exitCodeOf(error.code));
      } else if (error instanceof FileFault) {
        report('FILE_UNREADABLE', null, error.message);
        worst = Math.max(worst, exitCodes.environment);
      } else throw error;
      return null;
    }
  }
}

/** Checks the load statements of a program, and the modules that they load. `seen` gets each module once, and is shared by all programs of one check. */
function followLoads(
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
