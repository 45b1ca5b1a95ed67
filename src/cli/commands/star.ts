// techne star
//
// JSON of a run: {ok, value, output: [line], diagnostics: [{code, severity, path, line, column, endLine, endColumn,
// message, hint}], backtrace: [{function, path, line, column}], usage: {steps, memoryBytes, outputUnits}}.
// JSON of --check: {ok, files, errors, warnings, diagnostics}.
import { TechneError } from '../../base/error.ts';
import { printable } from '../../base/printable.ts';
import type { Data, Failure, RunOptions, Usage } from '../../starlark/options.ts';
import { start } from '../../starlark/vm/start.ts';
import type { CommandContext } from '../context.ts';
import { describeDiagnostic } from '../../base/describe-diagnostic.ts';
import { exitCodes } from '../exit-code.ts';
import { checkPrograms } from '../star/check-programs.ts';
import { Loading } from '../star/explain-failure.ts';
import { starLimitsOf } from '../star/limits.ts';
import { createModules } from '../star/load-modules.ts';
import { parseData, renderData } from '../../starlark/parse-data.ts';
import { compileFile, givenNames, programNames } from '../star/program-names.ts';
import { givenCode, isStandardInput, readBytes, readProgram } from '../star/read-program.ts';
import type { SourceFile } from '../star/read-program.ts';
import { lookOf, renderStarFailure, renderProblems } from '../star/render-problems.ts';
import { runSlices, whereStopped } from '../star/run-slices.ts';

const maxInputBytes = 16_000_000;

export async function runStar(context: CommandContext): Promise<number> {
  const { args, io } = context;
  const limits = starLimitsOf(args);
  const names = givenNames(args);
  const [given, code] = [args.positionals, args.value('code')];
  if (code !== null && given.length > 0)
    throw usage(`"${given[0]}" is one argument too many: --code is the program`);
  if (args.flag('check')) {
    for (const name of ['entry', 'input', 'steps', 'memory', 'output'])
      if (args.flag(name)) throw usage(`--check does not run the program, so --${name} has no meaning`);
    if (code !== null) return checkPrograms(context, [givenCode(code, io)], names);
    if (given.length === 0 && io.stdin.isTTY === true)
      throw usage('FILE is missing: --check needs at least one');
    return checkPrograms(context, given.length === 0 ? ['-'] : given, names);
  }
  if (given.length > 1)
    throw usage(`"${given[1]}" is one argument too many: only --check takes more than one FILE`);
  const [entry, input] = [args.value('entry'), args.value('input')];
  if (entry === null && input !== null) throw usage('--input needs --entry');
  const prompt = code === null && given.length === 0 && io.stdin.isTTY === true && io.stdout.isTTY === true;
  if (prompt) {
    if (context.json || entry !== null || args.flag('allow-load')) throw usage('FILE is missing');
    const { runPrompt } = await import('../star/prompt.ts');
    return runPrompt(context, limits, names);
  }
  const name = given[0] ?? '-';
  if (
    code === null &&
    isStandardInput(name) &&
    input !== null &&
    (input === '-' || isStandardInput(input.slice(1)))
  )
    throw usage('standard input cannot be both the program and the input');
  const call =
    entry === null ? {} : input === null ? { entry } : { entry, args: [await readInput(context, input)] };
  const file = code === null ? await readProgram(name, io) : givenCode(code, io);
  return runFile(context, file, { ...limits, ...call }, programNames(file.path, names));
}

/** JSON, `@FILE`, or `-`. */
async function readInput({ io }: CommandContext, given: string): Promise<Data> {
  const from = given === '-' ? '-' : given.startsWith('@') ? given.slice(1) : null;
  const text = from === null ? given : new TextDecoder().decode(await readBytes(from, io, maxInputBytes));
  try {
    return parseData(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw usage(
      `${from === null ? '--input' : `the input in ${from === '-' ? 'standard input' : `"${from}"`}`} is not JSON: ${error.message}`,
    );
  }
}

async function runFile(
  context: CommandContext,
  file: SourceFile,
  options: RunOptions,
  predeclared: readonly string[],
): Promise<number> {
  const { args, io, out, err, json } = context;
  const texts = new Map([[file.path, file.text]]);
  const find = createModules(file, (module) => compileFile(module, predeclared));
  const compiled = compileFile(file, predeclared);
  const output: string[] = [];
  const loading = new Loading(find, (path, text) => texts.set(path, text));
  const ended = {
    value: null as Data,
    failure: null as Failure | null,
    usage: { steps: 0, memoryBytes: 0, outputUnits: 0 } as Usage,
  };
  if (compiled.ok) {
    if (!json) err.write(renderProblems(compiled.diagnostics, texts, lookOf(context)));
    // Control characters are escaped for a terminal only; a file or a pipe gets the exact output.
    const shown = io.stdout.isTTY === true ? printable : (text: string) => text;
    const runOptions: RunOptions = {
      ...options,
      print: json ? (text) => output.push(text) : (text) => out.line(shown(text)),
      ...(args.flag('allow-load') ? { load: (name, from) => loading.load(name, from) } : {}),
    };
    const run = start(compiled.program, runOptions);
    let interrupted = false;
    const stopListening = io.onInterrupt?.(() => {
      interrupted = true;
    });
    const state = await runSlices(run, () => out.left || interrupted);
    stopListening?.();
    ended.usage = run.usage;
    if (state.kind === 'done') ended.value = state.value;
    if (state.kind === 'failed') ended.failure = loading.explain(state.failure);
    if (state.kind === 'paused' && !out.left) ended.failure = whereStopped(compiled.program, run, runOptions);
  }
  const { value, failure } = ended;
  const ok = compiled.ok && failure === null;
  if (json) {
    const diagnostics = [
      ...compiled.diagnostics,
      ...loading.diagnostics,
      ...(failure === null ? [] : [failure.diagnostic]),
    ];
    out.line(
      renderData({
        ok,
        value,
        output,
        diagnostics: diagnostics.map((diagnostic) =>
          describeDiagnostic(diagnostic, texts.get(diagnostic.path) ?? null),
        ),
        backtrace: (failure?.backtrace ?? []).map(({ function: name, path, line, column }) => ({
          function: name,
          path,
          line,
          column,
        })),
        usage: { ...ended.usage },
      }),
    );
  } else {
    if (!compiled.ok) err.write(renderProblems(compiled.diagnostics, texts, lookOf(context)));
    err.write(renderProblems(loading.diagnostics, texts, lookOf(context)));
    if (failure !== null) err.write(renderStarFailure(failure, texts, lookOf(context)));
    if (options.entry !== undefined && ok) out.line(renderData(value));
  }
  return ok
    ? exitCodes.fine
    : failure?.diagnostic.code === 'INTERRUPTED'
      ? exitCodes.interrupted
      : exitCodes.files;
}

function usage(message: string): TechneError {
  return new TechneError('USAGE', message, { hint: 'see "techne star --help"' });
}
