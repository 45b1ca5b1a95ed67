// Source text -> a Program, or everything that is wrong with it.
import { collectInto, compareDiagnostics, type Diagnostic } from '../base/diagnostic.ts';
import { checkOptions, compileRules, shown } from './check-options.ts';
import { compileModule } from './compile/compile.ts';
import type { Program } from './compile/program.ts';
import { testing } from './lib/testing.ts';
import { universe } from './lib/universe.ts';
import { rememberSource } from './faulty-source.ts';
import type { CompileOptions } from './options.ts';
import { resolveModule } from './resolve/resolve.ts';
import { parseModule } from './syntax/parse.ts';

/** A program, or what is wrong with its text. */
export type CompileResult =
  | { readonly ok: true; readonly program: Program; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

const universalNames: ReadonlySet<string> = new Set(universe.keys());
const namesForTests: ReadonlySet<string> = new Set([...universe.keys(), ...testing.keys()]);

/** Reads a program and checks it: all static faults at once. */
export function compile(source: string, options: CompileOptions = {}): CompileResult {
  if (typeof source !== 'string')
    throw new TypeError(`compile: the source must be a string, not ${shown(source)}`);
  checkOptions('compile', options, compileRules);
  const {
    path = '<program>',
    predeclared = [],
    maxDepth = 200,
    maxSourceUnits = 1_000_000,
    testing: forTests = false,
    interactive = false,
  } = options;
  const diagnostics: Diagnostic[] = [];
  const report = collectInto(diagnostics, path);
  const module = parseModule(source, { maxDepth, maxSourceUnits, interactive }, report);
  if (module !== null) {
    resolveModule(
      module,
      {
        predeclared: new Set(predeclared),
        universal: forTests ? namesForTests : universalNames,
        interactive,
      },
      report,
    );
  }
  diagnostics.sort(compareDiagnostics);
  if (module === null || hasErrors(diagnostics)) {
    rememberSource(diagnostics, source);
    return { ok: false, diagnostics };
  }
  return {
    ok: true,
    program: compileModule(module, { path, source, predeclared, interactive }),
    diagnostics,
  };
}

function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}
