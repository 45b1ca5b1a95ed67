// `techne/starlark`: an interpreter for Starlark that can be bounded, suspended, snapshotted and resumed.
export type { DiagnosticCode, Severity } from './base/codes.ts';
export type { Diagnostic } from './base/diagnostic.ts';
export type { Json } from './base/json.ts';
export { renderDiagnostic, type RenderOptions } from './base/render-diagnostic.ts';
export { type Place, placeOf, type Span } from './base/span.ts';
export { compile, type CompileResult } from './starlark/compile-source.ts';
export type { FunctionCode, OutsideName, ParameterList, Program } from './starlark/compile/program.ts';
export {
  languageProfile,
  type BacktraceFrame,
  type CompileOptions,
  type Data,
  type Failure,
  type Load,
  type Loaded,
  type RunOptions,
  type RunState,
  type Usage,
} from './starlark/options.ts';
export { execute, type ExecuteOptions, type Execution, type Signal } from './starlark/vm/execute.ts';
export { Scope } from './starlark/vm/scope.ts';
export { restore, type Run, start } from './starlark/vm/start.ts';
