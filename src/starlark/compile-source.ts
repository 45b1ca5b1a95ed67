// Source text -> a Program, or everything that is wrong with it.
import { collectInto, compareDiagnostics } from '../base/diagnostic.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import type { Program, FunctionCode } from './compile/program.ts';
import { testing } from './lib/testing.ts';
import { universe } from './lib/universe.ts';
import type { CompileOptions } from './options.ts';
import { resolveModule } from './resolve/resolve.ts';
import { parseModule } from './syntax/parse.ts';
import { nearest } from '../base/nearest.ts';
import { placeOf } from '../base/span.ts';
import { languageProfile } from './options.ts';
import type { Module } from './syntax/ast.ts';
import { compileExpression } from './compile/compile-expression.ts';
import { compileFunction } from './compile/context.ts';
import { compileStatements } from './compile/compile-statement.ts';
import type { ModuleContext } from './compile/context.ts';

/** A program, or what is wrong with its text. */
export type CompileResult =
  | { readonly ok: true; readonly program: Program; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

const universalNames: ReadonlySet<string> = new Set(universe.keys());

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
        universal: forTests ? new Set([...universalNames, ...testing().keys()]) : universalNames,
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

/** Whether it is what `compile` gives. */
export function isProgram(found: unknown): found is Program {
  return (
    typeof found === 'object' &&
    found !== null &&
    'kind' in found &&
    found.kind === 'program' &&
    'functions' in found
  );
}

function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

// A resolved module -> a Program.
//
//   Module -> FunctionCode for the body and for each function in it
//
// Pure: the same tree gives the same program (program#P1). The body of a prompt's input returns the value of its
// last statement, if that is an expression.

interface ProgramInfo {
  readonly path: string;
  readonly source: string;
  readonly predeclared: readonly string[];
  readonly interactive?: boolean;
}

function compileModule(module: Module, info: ProgramInfo): Program {
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

// Options as the embedder gave them -> nothing, or a TypeError that names the option and what is wrong with it.
//
// Checked once, at the door: a limit that is NaN or text would be no limit at all, and a name that is written wrong
// would silently be the default. `undefined` is the same as leaving the option out.

type Rule =
  | { readonly kind: 'text' | 'flag' | 'function' | 'functions' | 'record' | 'array' | 'names' | 'object' }
  /** A safe integer that is at least `least`. */
  | { readonly kind: 'count'; readonly least: number };

type Rules = { readonly [name: string]: Rule };

const count = (least: number): Rule => ({ kind: 'count', least });

const compileRules: Rules = {
  path: { kind: 'text' },
  predeclared: { kind: 'names' },
  maxDepth: count(1),
  maxSourceUnits: count(0),
  testing: { kind: 'flag' },
  interactive: { kind: 'flag' },
};

export const runRules: Rules = {
  entry: { kind: 'text' },
  args: { kind: 'array' },
  named: { kind: 'record' },
  frozenArgs: { kind: 'flag' },
  values: { kind: 'record' },
  maxSteps: count(1),
  maxMemoryBytes: count(1),
  maxIntBits: count(64),
  maxCallDepth: count(1),
  maxOutputUnits: count(0),
  print: { kind: 'function' },
  load: { kind: 'function' },
  hostCallsAtModuleLevel: { kind: 'flag' },
  scope: { kind: 'object' },
};

export const executeRules: Rules = {
  ...runRules,
  host: { kind: 'functions' },
  sliceSteps: count(1),
  yieldToHost: { kind: 'function' },
  signal: { kind: 'object' },
};

/** `of` names the function the options are for. */
export function checkOptions(of: string, options: unknown, rules: Rules): void {
  if (!isRecord(options))
    throw new TypeError(`${of}: the options must be a plain object, not ${shown(options)}`);
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const close = nearest(name, Object.keys(rules));
      const hint = close === null ? `there are ${Object.keys(rules).join(', ')}` : `did you mean ${close}?`;
      throw new TypeError(`${of}: there is no option ${shown(name)}; ${hint}`);
    }
    if (value === undefined) continue;
    const wanted = faultOf(rule, value);
    if (wanted !== null)
      throw new TypeError(`${of}: the option ${name} must be ${wanted}, not ${shown(value)}`);
  }
}

/** What it should have been, or null. */
function faultOf(rule: Rule, value: unknown): string | null {
  switch (rule.kind) {
    case 'text':
      return typeof value === 'string' ? null : 'a string';
    case 'flag':
      return typeof value === 'boolean' ? null : 'true or false';
    case 'function':
      return typeof value === 'function' ? null : 'a function';
    case 'array':
      return Array.isArray(value) ? null : 'an array';
    case 'names':
      return Array.isArray(value) && value.every((name) => typeof name === 'string')
        ? null
        : 'an array of strings';
    case 'functions':
      return isRecord(value) &&
        Object.values(value).every((each) => typeof each === 'function' || each === undefined)
        ? null
        : 'a plain object of functions';
    case 'record':
      return isRecord(value) ? null : 'a plain object';
    case 'object':
      return typeof value === 'object' && value !== null ? null : 'an object';
    case 'count':
      return Number.isSafeInteger(value) && (value as number) >= rule.least
        ? null
        : `a whole number from ${rule.least} to 2^53 - 1`;
  }
}

/** An object whose properties are its own: no array, no function, nothing of a class but that of an object made elsewhere. */
function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** For a message: short, and never by calling anything of the value. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null)
    return isPromise(value) ? 'a promise' : isRecord(value) ? 'an object' : 'an object of a class';
  return typeof value === 'bigint' ? `${value}n` : String(value);
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

// The text that a diagnostic is about, for a loader that gives only diagnostics.

const sources = new WeakMap<Diagnostic, string>();

function rememberSource(diagnostics: readonly Diagnostic[], source: string): void {
  for (const diagnostic of diagnostics) sources.set(diagnostic, source);
}

/** `path:line:column`, as far as it is known. */
export function placeText(diagnostic: Diagnostic): string {
  const source = sources.get(diagnostic);
  if (diagnostic.span === null || source === undefined) return diagnostic.path;
  const { line, column } = placeOf(source, diagnostic.span.start);
  return `${diagnostic.path}:${line}:${column}`;
}
