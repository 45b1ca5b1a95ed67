// A resolved module -> a Program.
//
//   Module -> FunctionCode for the body and for each function in it
//
// Pure: the same tree gives the same program (program#P1). The body of a prompt's input returns the value of its
// last statement, if that is an expression.
import { languageProfile } from '../options.ts';
import type { Module } from '../syntax/ast.ts';
import { compileExpression } from './compile-expression.ts';
import { compileFunction } from './context.ts';
import { compileStatements } from './compile-statement.ts';
import type { ModuleContext } from './context.ts';
import type { FunctionCode, Program } from './program.ts';

interface ProgramInfo {
  readonly path: string;
  readonly source: string;
  readonly predeclared: readonly string[];
  readonly interactive?: boolean;
}

export function compileModule(module: Module, info: ProgramInfo): Program {
  const { scope } = module;
  if (scope === null) throw new Error('the module is not resolved');
  const interactive = info.interactive ?? false;
  const context: ModuleContext = {
    globals: scope.globals,
    interactive,
    functions: [],
    loads: [],
    assignedGlobals: new Set(),
  };
  const source = { name: '<toplevel>', documentation: null, node: module, parameters: [], scope: scope.body };
  const body = compileFunction(context, compileExpression, source, (inner) => {
    const last = module.body.at(-1);
    if (!interactive || last?.kind !== 'expression') {
      compileStatements(inner, module.body);
      return;
    }
    compileStatements(inner, module.body.slice(0, -1));
    inner.emitter.charge(1);
    inner.emitter.emit('RETURN', inner.expression(last.expression));
  });
  return {
    kind: 'program',
    path: info.path,
    source: info.source,
    profile: languageProfile,
    body,
    functions: context.functions as FunctionCode[],
    globals: scope.globals,
    loaded: scope.loaded,
    loads: context.loads,
    predeclared: info.predeclared,
    interactive,
  };
}
