// The program of a skill -> what is wrong with it as Starlark, and as what a run would start.
//
// G1. Every static error, with its place.
// G2. There must be a function `run` that can be called with one argument.
// G3. Host functions are called from functions only: the module body runs before there is a run to ask.
import type { Diagnostic, Report } from '../base/diagnostic.ts';
import { collectInto } from '../base/diagnostic.ts';
import { hostNames } from '../skill/host-names.ts';
import { compile } from '../starlark/compile-source.ts';
import type { CallExpression, Expression, Module, Parameter, Statement } from '../starlark/syntax/ast.ts';
import { parseModule } from '../starlark/syntax/parse.ts';

/** `path` is that of the diagnostics. A byte order mark is skipped. */
export function checkSkillProgram(text: string, path: string): readonly Diagnostic[] {
  const skipped = text.startsWith('\uFEFF') ? 1 : 0;
  const source = text.slice(skipped);
  const diagnostics: Diagnostic[] = [...compile(source, { path, predeclared: hostNames }).diagnostics];
  const module = parseModule(source, { maxDepth: 200, maxSourceUnits: 1_000_000, interactive: false }, () => undefined); // its faults are among those of `compile`
  if (module !== null) {
    const report = collectInto(diagnostics, path);
    checkRun(module, report);
    const bound = new Set(module.body.flatMap(namesBoundBy));
    for (const { callee, start, end } of callsOutsideFunctions(module)) {
      if (callee.kind !== 'identifier' || bound.has(callee.name) || !(hostNames as readonly string[]).includes(callee.name)) continue;
      report('PROGRAM_HOST_CALL', { start, end }, `${callee.name} is called outside any function, where the host cannot answer`, 'call it in run, or in a function that run calls');
    }
  }
  if (skipped === 0) return diagnostics;
  return diagnostics.map((found) => (found.span === null ? found : { ...found, span: { start: found.span.start + skipped, end: found.span.end + skipped } }));
}

function checkRun({ body, doubtful }: Module, report: Report): void {
  const hint = 'write: def run(input):';
  const run = body.find((statement) => statement.kind === 'def' && statement.name.name === 'run');
  if (run === undefined || run.kind !== 'def') {
    // It may be a lambda, or stand in lines that could not be read.
    if (!doubtful.has('run') && !body.some((statement) => namesBoundBy(statement).includes('run'))) report('PROGRAM_RUN_MISSING', null, 'the program defines no function run', hint);
  } else if (!takesOne(run.parameters)) {
    report('PROGRAM_RUN_MISSING', { start: run.name.start, end: run.name.end }, 'run must take one argument, the input of the skill', hint);
  }
}

function takesOne(parameters: readonly Parameter[]): boolean {
  const star = parameters.findIndex(({ kind }) => kind !== 'plain');
  const positional = star === -1 ? parameters : parameters.slice(0, star);
  const later = star === -1 ? [] : parameters.slice(star);
  const needed = (list: readonly Parameter[]): number => list.filter(({ kind, defaultValue }) => kind === 'plain' && defaultValue === null).length;
  const takesAny = later.some(({ kind, name }) => kind === 'star' && name !== null);
  return needed(positional) <= 1 && (positional.length >= 1 || takesAny) && needed(later) === 0;
}

/** By a statement at the top. */
function namesBoundBy(statement: Statement): readonly string[] {
  if (statement.kind === 'def') return [statement.name.name];
  if (statement.kind === 'load') return statement.bindings.map(({ local }) => local.name);
  if (statement.kind === 'assign') return namesIn(statement.target);
  return [];
}

function namesIn(target: Expression): readonly string[] {
  if (target.kind === 'identifier') return [target.name];
  if (target.kind === 'tuple' || target.kind === 'list') return target.items.flatMap(namesIn);
  return [];
}

/** Calls that are made while the module body runs; the tree nests no deeper than recursion may go. */
function callsOutsideFunctions(module: Module): readonly CallExpression[] {
  const calls: CallExpression[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    else if (typeof node === 'object' && node !== null && !(node instanceof Uint8Array)) {
      const { kind } = node as { readonly kind?: string };
      if (kind === 'call') calls.push(node as CallExpression);
      // Only the defaults of its parameters are evaluated here.
      if (kind === 'def' || kind === 'lambda') walk((node as { readonly parameters: readonly Parameter[] }).parameters);
      else Object.values(node).forEach(walk);
    }
  };
  walk(module.body);
  return calls;
}
