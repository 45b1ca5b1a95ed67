// techne star
//
// JSON of a run: {ok, value, output: [line], diagnostics: [{code, severity, path, line, column, endLine, endColumn,
// message, hint}], backtrace: [{function, path, line, column}], usage: {steps, memoryBytes, outputUnits}}.
// JSON of --check: {ok, files, errors, warnings, diagnostics}.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { compareDiagnostics } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import { parseJson } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { renderJson } from '../../base/render-json.ts';
import { compile } from '../../starlark/compile-source.ts';
import type { Data, Failure, RunOptions, Usage } from '../../starlark/options.ts';
import { start } from '../../starlark/vm/start.ts';
import type { CommandContext } from '../context.ts';
import { describeDiagnostic } from '../describe-diagnostic.ts';
import { exitCodes } from '../exit-code.ts';
import { counted } from '../render-table.ts';
import { describeData } from '../star/describe-data.ts';
import { limitsOf } from '../star/limits.ts';
import { createLoader } from '../star/load-modules.ts';
import { readProgram } from '../star/read-program.ts';
import type { SourceFile } from '../star/read-program.ts';
import { renderFailed, renderProblems } from '../star/render-problems.ts';
import { runSlices } from '../star/run-slices.ts';

export async function runStar(context: CommandContext): Promise<number> {
  const { args, io } = context;
  const limits = limitsOf(args);
  const call = callOf(context);
  const given = args.positionals;
  if (args.flag('check')) {
    for (const name of ['entry', 'input', 'steps', 'memory', 'allow-load']) if (args.flag(name)) throw usage(`--check does not run the program, so --${name} has no meaning`);
    if (given.length === 0 && io.stdin.isTTY === true) throw usage('FILE is missing: --check needs at least one');
    return checkFiles(context, given.length === 0 ? ['-'] : given);
  }
  if (given.length > 1) throw usage(`"${given[1]}" is one argument too many: only --check takes more than one FILE`);
  const prompt = given.length === 0 && io.stdin.isTTY === true && io.stdout.isTTY === true;
  if (prompt) {
    if (context.json || call.entry !== undefined || args.flag('allow-load')) throw usage('FILE is missing');
    const { runPrompt } = await import('../star/prompt.ts');
    return runPrompt(context, limits);
  }
  return runFile(context, await readProgram(given[0] ?? '-', io), { ...limits, ...call });
}

/** --entry and --input. */
function callOf({ args }: CommandContext): Pick<RunOptions, 'entry' | 'args'> {
  const [entry, input] = [args.value('entry'), args.value('input')];
  if (entry === null) {
    if (input !== null) throw usage('--input is what the function of --entry is given, and there is none');
    return {};
  }
  if (input === null) return { entry };
  try {
    return { entry, args: [parseJson(input) as Data] };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw usage(`--input is not JSON: ${error.message}`);
  }
}

async function runFile(context: CommandContext, file: SourceFile, options: RunOptions): Promise<number> {
  const { args, io, out, err, json } = context;
  const texts = new Map([[file.path, file.text]]);
  const compiled = compile(file.text, { path: file.path });
  const output: string[] = [];
  const ended = { value: null as Data, failure: null as Failure | null, usage: { steps: 0, memoryBytes: 0, outputUnits: 0 } as Usage };
  if (compiled.ok) {
    if (!json) err.write(renderProblems(compiled.diagnostics, texts, lookOf(context)));
    // A terminal gets no commands from a program; a file or a pipe gets exactly what was printed.
    const shown = io.stdout.isTTY === true ? printable : (text: string) => text;
    const load = createLoader(file, (text, path) => compile(text, { path }), (path, text) => texts.set(path, text));
    const run = start(compiled.program, {
      ...options,
      print: json ? (text) => output.push(text) : (text) => out.line(shown(text)),
      ...(args.flag('allow-load') ? { load } : {}),
    });
    const state = await runSlices(run, () => out.left);
    ended.usage = run.usage;
    if (state.kind === 'done') ended.value = state.value;
    if (state.kind === 'failed') ended.failure = state.failure;
  }
  const { value, failure } = ended;
  const ok = compiled.ok && failure === null;
  if (json) {
    const diagnostics = [...compiled.diagnostics, ...(failure === null ? [] : [failure.diagnostic])];
    out.json({
      ok,
      value: describeData(value),
      output,
      diagnostics: diagnostics.map((diagnostic) => describeDiagnostic(diagnostic, texts.get(diagnostic.path) ?? null)),
      backtrace: failure?.backtrace ?? [],
      usage: ended.usage,
    });
  } else {
    if (!compiled.ok) err.write(renderProblems(compiled.diagnostics, texts, lookOf(context)));
    if (failure !== null) err.write(renderFailed(failure, texts, lookOf(context)));
    if (options.entry !== undefined && ok && value !== null) out.line(renderJson(describeData(value), 2));
  }
  return ok ? exitCodes.fine : exitCodes.files;
}

async function checkFiles(context: CommandContext, given: readonly string[]): Promise<number> {
  const { io, out } = context;
  const texts = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const name of new Set(given)) {
    const file = await readProgram(name, io);
    texts.set(file.path, file.text);
    diagnostics.push(...[...compile(file.text, { path: file.path }).diagnostics].sort(compareDiagnostics));
  }
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
  if (context.json) {
    out.json({ ok: errors === 0, files: texts.size, errors, warnings, diagnostics: diagnostics.map((diagnostic) => describeDiagnostic(diagnostic, texts.get(diagnostic.path) ?? null)) });
  } else {
    const problems = renderProblems(diagnostics, texts, { ...lookOf(context), colour: context.colour });
    out.write(problems === '' ? '' : `${problems}\n`);
    out.line(`${counted(texts.size, 'program')} checked: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`);
  }
  return errors > 0 ? exitCodes.files : exitCodes.fine;
}

/** Colours are decided for standard output; standard error has them only where it is a terminal as well. */
function lookOf({ colour, columns, quiet, io }: CommandContext): { colour: boolean; columns: number | null; quiet: boolean } {
  return { colour: colour && io.stderr.isTTY === true, columns, quiet };
}

function usage(message: string): TechneError {
  return new TechneError('USAGE', message, { hint: 'see "techne star --help"' });
}
