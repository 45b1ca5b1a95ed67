// The program of a skill -> its faults as Starlark, and as the program of a run. It must have a function `run` that takes
// one argument. Host functions may only be called inside functions, because the module body runs before there is a run.
// Options that are written as a dict with literal names must exist.
import type { Diagnostic, Report } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import { nearest } from '../../base/nearest.ts';
import type { ScopedCall, ToolScope } from '../../skill/tools/tool-scope.ts';
import { scopeFault } from '../../skill/tools/tool-scope.ts';
import { hostFunctionNames, hostFunctionOptions } from '../../skill/host-functions.ts';
import { compile } from '../../starlark/compile-source.ts';
import type { CallExpression, Expression, Module, Parameter, Statement } from '../../starlark/syntax/ast.ts';
import { parseModule } from '../../starlark/syntax/parse.ts';

/** `path` is that of the diagnostics. A byte order mark is skipped. `scopes`: the tools that the skill is held to. */
export function checkSkillProgram(
  text: string,
  path: string,
  scopes: readonly ToolScope[] = [],
): readonly Diagnostic[] {
  const skipped = text.startsWith('\uFEFF') ? 1 : 0;
  const source = text.slice(skipped);
  const diagnostics: Diagnostic[] = [
    ...compile(source, { path, predeclared: hostFunctionNames }).diagnostics,
  ];
  const module = parseModule(
    source,
    { maxDepth: 200, maxSourceUnits: 1_000_000, interactive: false },
    () => undefined,
  ); // its faults are among those of `compile`
  if (module !== null) {
    const report = collectInto(diagnostics, path);
    checkRun(module, report);
    const bound = new Set(module.body.flatMap(namesBoundBy));
    checkCalls(module, scopes, report);
    for (const { callee, start, end } of callsOutsideFunctions(module)) {
      if (
        callee.kind !== 'identifier' ||
        bound.has(callee.name) ||
        !(hostFunctionNames as readonly string[]).includes(callee.name)
      )
        continue;
      report(
        'PROGRAM_HOST_CALL',
        { start, end },
        `${callee.name} is called outside any function, where the host cannot answer`,
        'call it in run, or in a function that run calls',
      );
    }
  }
  if (skipped === 0) return diagnostics;
  return diagnostics.map((found) =>
    found.span === null
      ? found
      : { ...found, span: { start: found.span.start + skipped, end: found.span.end + skipped } },
  );
}

function checkRun({ body, doubtful }: Module, report: Report): void {
  const hint = 'write: def run(input):';
  const run = body.find((statement) => statement.kind === 'def' && statement.name.name === 'run');
  if (run === undefined || run.kind !== 'def') {
    // It may be a lambda, or stand in lines that could not be read.
    if (!doubtful.has('run') && !body.some((statement) => namesBoundBy(statement).includes('run')))
      report('PROGRAM_RUN_MISSING', null, 'the program defines no function run', hint);
  } else if (!takesOne(run.parameters)) {
    report(
      'PROGRAM_RUN_MISSING',
      { start: run.name.start, end: run.name.end },
      'run must take one argument, the input of the skill',
      hint,
    );
  }
}

function takesOne(parameters: readonly Parameter[]): boolean {
  const star = parameters.findIndex(({ kind }) => kind !== 'plain');
  const positional = star === -1 ? parameters : parameters.slice(0, star);
  const later = star === -1 ? [] : parameters.slice(star);
  const needed = (list: readonly Parameter[]): number =>
    list.filter(({ kind, defaultValue }) => kind === 'plain' && defaultValue === null).length;
  const takesAny = later.some(({ kind, name }) => kind === 'star' && name !== null);
  return needed(positional) <= 1 && (positional.length >= 1 || takesAny) && needed(later) === 0;
}

/** Checks literal options, and commands against the tools of the skill. A program that redefines one of the names is not checked. */
function checkCalls(module: Module, scopes: readonly ToolScope[], report: Report): void {
  const calls: CallExpression[] = [];
  const rebound = new Set<string>();
  walkNodes(module.body, (node) => {
    if (node.kind === 'call') calls.push(node as unknown as CallExpression);
    else if (node.kind === 'assign')
      for (const name of namesIn((node as unknown as { readonly target: Expression }).target))
        rebound.add(name);
    else if (node.kind === 'def')
      rebound.add((node as unknown as { readonly name: { readonly name: string } }).name.name);
    if (node.kind === 'def' || node.kind === 'lambda')
      for (const { name } of (node as unknown as { readonly parameters: readonly Parameter[] }).parameters)
        if (name !== null) rebound.add(name.name);
  });
  for (const { callee, args, start, end } of calls) {
    if (callee.kind !== 'identifier' || rebound.has(callee.name)) continue;
    const outside = callee.name === 'command' ? scopeFault(scopes, commandOf(args[0]?.value)) : null;
    if (outside !== null)
      report(
        'PROGRAM_SCOPE',
        { start, end },
        `the command is denied: ${outside}`,
        'name Bash in allowed-tools (or tools), or leave out the call',
      );
    const known = hostFunctionOptions[callee.name as keyof typeof hostFunctionOptions] as
      | readonly string[]
      | undefined;
    const given =
      args.find(({ kind, name }) => kind === 'named' && name === 'opts') ??
      (args[1]?.kind === 'positional' ? args[1] : undefined);
    if (known === undefined || given?.value.kind !== 'dict') continue;
    for (const { key } of given.value.entries) {
      if (key.kind !== 'string' || known.includes(key.value)) continue;
      const meant = nearest(key.value, known);
      report(
        'PROGRAM_OPTION',
        { start: key.start, end: key.end },
        `${callee.name} has no option ${JSON.stringify(key.value)}`,
        meant === null ? `its options are ${known.join(', ')}` : `did you mean "${meant}"?`,
      );
    }
  }
}

/** With its words, where they are all written. */
function commandOf(argv: Expression | undefined): ScopedCall {
  const words = argv?.kind === 'list' ? argv.items : [];
  const texts = words.flatMap((word) => (word.kind === 'string' ? [word.value] : []));
  return texts.length === 0 || texts.length < words.length
    ? { tool: 'command' }
    : { tool: 'command', argv: texts };
}

function walkNodes(node: unknown, visit: (node: { readonly kind: string }) => void): void {
  if (Array.isArray(node)) for (const one of node) walkNodes(one, visit);
  else if (typeof node === 'object' && node !== null && !(node instanceof Uint8Array)) {
    if (typeof (node as { readonly kind?: unknown }).kind === 'string')
      visit(node as { readonly kind: string });
    for (const one of Object.values(node)) walkNodes(one, visit);
  }
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
      if (kind === 'def' || kind === 'lambda')
        walk((node as { readonly parameters: readonly Parameter[] }).parameters);
      else Object.values(node).forEach(walk);
    }
  };
  walk(module.body);
  return calls;
}
