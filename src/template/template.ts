// `src/template`: Jinja2 templates and expressions, compiled once and rendered under limits.
//
//   text -> Template | Diagnostic[]           Template + variables -> text or value | Diagnostic
//
// Hermetic: a template sees its variables, and nothing else; it loads no other template and reads no clock. The same
// template with the same variables and options gives the same, with the same steps, on every machine. Never throws for
// what a template or its variables hold: faults are diagnostics with a place, all of them when it is compiled, the
// first when it is rendered.
import type { Diagnostic } from '../base/diagnostic.ts';
import { type Json, emptyObject } from '../base/json.ts';
import { compileTree } from './compile/compile-tree.ts';
import { TooDeep } from './compile/context.ts';
import { evaluate } from './evaluate.ts';
import { filters } from './filters/filters.ts';
import { tests } from './filters/tests.ts';
import { methods } from './methods/methods.ts';
import type { CompileOptions, HostFilter, Outcome, TemplateOptions, Variables } from './options.ts';
import { type Reference, referencesIn } from './references.ts';
import type { Expression, TemplateTree } from './syntax/ast.ts';
import { Faults } from './syntax/faults.ts';
import { parseExpressionSource, parseTemplate } from './syntax/parse.ts';
import { fromData, toData } from './value/data.ts';
import type { FilterFunction, Library } from './value/evaluation.ts';
import { TemplateError } from './value/template-error.ts';
import { isTrue } from './value/truth.ts';
import { Undefined } from './value/value.ts';

export type { Reference } from './references.ts';
export type { CompileOptions, HostFilter, Outcome, TemplateOptions, Variables } from './options.ts';
export { templateProfile } from './options.ts';
export type { Data } from './value/data.ts';
export { Float } from './value/value.ts';
export type * from './syntax/ast.ts';

type CompiledTemplate =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };
type CompiledExpression =
  | { readonly ok: true; readonly expression: CompiledCondition }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export interface Template {
  readonly source: string;
  readonly path: string;
  readonly tree: TemplateTree;
  /** What it reads of its variables, in the order of the text. */
  readonly references: readonly Reference[];
  /** Whether it is one `{{ expression }}` and nothing else, so that `evaluate` gives a value that may be no text. */
  readonly isValue: boolean;
  render(variables: Variables, options?: TemplateOptions): Outcome<string>;
  /** The value of a lone `{{ expression }}`, and the text of anything else. */
  evaluate(variables: Variables, options?: TemplateOptions): Outcome<Json>;
}

export interface CompiledCondition {
  readonly source: string;
  readonly path: string;
  readonly tree: Expression;
  readonly references: readonly Reference[];
  /** A variable that does not exist is null, as in Jinja's `compile_expression`; anything done with it is a failure. */
  evaluate(variables: Variables, options?: TemplateOptions): Outcome<Json>;
  /** Whether its value counts as true: for `when`, `condition` and the like. */
  test(variables: Variables, options?: TemplateOptions): Outcome<boolean>;
}

const defaults = { path: '<template>', filters: {}, maxDepth: 200, maxSourceUnits: 1_000_000 } as const;

export function compileTemplate(source: string, options: CompileOptions = {}): CompiledTemplate {
  const { path, filters: given, maxDepth, maxSourceUnits } = { ...defaults, ...options };
  const faults = new Faults(path);
  const tree = parseTemplate(source, { maxDepth, maxSourceUnits }, faults);
  const library = libraryWith(given);
  const code =
    tree === null ? null : unlessTooDeep(() => compileTree(source, tree.body, library, faults, maxDepth));
  if (tree === null || code === null || faults.any) return { ok: false, diagnostics: faults.diagnostics() };
  const references = referencesIn(tree.body, code.free);
  const { value } = code;
  const template: Template = {
    source,
    path,
    tree,
    references,
    isValue: value !== null,
    render: (variables, limits) =>
      evaluate(path, library, code, variables, limits, (frame) => code.render(frame)),
    evaluate: (variables, limits) =>
      evaluate(path, library, code, variables, limits, (frame, e) =>
        value === null ? code.render(frame) : toData(e, value(frame)),
      ),
  };
  return { ok: true, template };
}

/** `source` is what would be between `{{` and `}}`. */
export function compileExpression(source: string, options: CompileOptions = {}): CompiledExpression {
  const { path, filters: given, maxDepth, maxSourceUnits } = { ...defaults, ...options };
  const faults = new Faults(path);
  const tree = parseExpressionSource(source, { maxDepth, maxSourceUnits }, faults);
  const library = libraryWith(given);
  const body =
    tree === null ? [] : [{ kind: 'output' as const, value: tree, start: tree.start, end: tree.end }];
  const code =
    tree === null ? null : unlessTooDeep(() => compileTree(source, body, library, faults, maxDepth));
  if (tree === null || code?.value === undefined || code.value === null || faults.any)
    return { ok: false, diagnostics: faults.diagnostics() };
  const references = referencesIn([tree], code.free);
  const { value } = code;
  const expression: CompiledCondition = {
    source,
    path,
    tree,
    references,
    evaluate: (variables, limits) =>
      evaluate(path, library, code, variables, limits, (frame, e) => {
        const result = value(frame);
        return result instanceof Undefined ? null : toData(e, result);
      }),
    test: (variables, limits) =>
      evaluate(path, library, code, variables, limits, (frame) => {
        const result = value(frame);
        return !(result instanceof Undefined) && isTrue(result);
      }),
  };
  return { ok: true, expression };
}

function unlessTooDeep<T>(compile: () => T): T | null {
  try {
    return compile();
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

const own: Library = { filters, tests, methods };

function libraryWith(given: { readonly [name: string]: HostFilter }): Library {
  const names = Object.keys(given);
  if (names.length === 0) return own;
  const all = new Map(filters);
  for (const name of names) all.set(name, hostFilter(name, given[name] as HostFilter));
  return { ...own, filters: all };
}

function hostFilter(name: string, apply: HostFilter): FilterFunction {
  return (e, value, args, named) => {
    const record = emptyObject();
    for (const [key, each] of named) record[key] = toData(e, each);
    const data = toData(e, value);
    const list = args.map((each) => toData(e, each));
    try {
      return fromData(apply(data, list, record));
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new TemplateError('EVAL_HOST', `the filter "${name}" failed: ${message}`, null, null, { cause });
    }
  };
}
