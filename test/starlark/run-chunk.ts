// Compiles and runs one program of the suite.
//
//   Chunk -> Outcome: everything that was reported, and how much was used
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompileOptions, RunOptions } from '../../src/starlark/options.ts';
import type { Json } from '../../src/base/json.ts';
import { placeOf } from '../../src/base/span.ts';
import type { Program } from '../../src/starlark/compile/program.ts';
import { compile, restore, start } from '../../src/starlark.ts';
import type { Chunk, Expectation, Options } from './star-file.ts';

export const suiteFolder = join(import.meta.dirname, 'suite');

export interface Outcome {
  readonly faults: readonly Fault[];
  /** As a run reports it; null where nothing ran. */
  readonly steps: number | null;
  readonly printed: readonly string[];
}

export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  /** Where it may be expected: its own line, or those of the backtrace that lie in the same file. */
  readonly lines: readonly number[];
}

/** `whole`: in one go. `slices`: stopped again and again. `restored`: also written down and read back at each stop. */
export type Manner = 'whole' | 'slices' | 'restored';

export function runChunk(chunk: Chunk, path: string, manner: Manner = 'whole', sliceSteps = 1): Outcome {
  const compiled = compile(chunk.source, compileOptions(chunk.options, path));
  const faults: Fault[] = compiled.diagnostics.map((fault) => ({
    code: fault.code,
    message: fault.message,
    hint: fault.hint,
    // A fault of the program as a whole may be expected on any of its lines.
    lines:
      fault.span === null
        ? chunk.expected.map(({ line }) => line)
        : [placeOf(chunk.source, fault.span.start).line],
  }));
  const printed: string[] = [];
  if (!compiled.ok) return { faults, steps: null, printed };
  const options = { ...runOptions(chunk.options), print: (text: string) => void printed.push(text) };
  let run = start(compiled.program, options);
  const slice = manner === 'whole' ? undefined : sliceSteps;
  for (;;) {
    const state = run.run(slice);
    switch (state.kind) {
      case 'done':
        return { faults, steps: run.usage.steps, printed };
      case 'failed': {
        const { diagnostic, backtrace } = state.failure;
        const lines = backtrace.filter((frame) => frame.path === path).map((frame) => frame.line);
        faults.push({ code: diagnostic.code, message: diagnostic.message, hint: diagnostic.hint, lines });
        return { faults, steps: run.usage.steps, printed };
      }
      case 'host-call':
      case 'paused':
        if (manner === 'restored')
          run = restore(compiled.program, JSON.parse(JSON.stringify(run.snapshot())) as Json, options);
        if (state.kind === 'paused') break;
        if (state.name === 'echo') run.resume(state.args[0] ?? null);
        else run.refuse(typeof state.args[0] === 'string' ? state.args[0] : JSON.stringify(state.args[0]));
    }
  }
}

/** What was expected and did not happen, and what happened and was not expected, one line each. */
export function compareFaults(
  expected: readonly Expectation[],
  faults: readonly Fault[],
  path: string,
): readonly string[] {
  const unmet = [...expected];
  const wrong: string[] = [];
  for (const fault of faults) {
    const at = unmet.findIndex(
      ({ line, code, text }) =>
        fault.lines.includes(line) && code === fault.code && fault.message.includes(text),
    );
    if (at < 0)
      wrong.push(
        `${path}:${fault.lines.join(',')}: not expected: ${fault.code} ${JSON.stringify(fault.message)}`,
      );
    else unmet.splice(at, 1);
  }
  return [
    ...wrong,
    ...unmet.map(
      ({ line, code, text }) => `${path}:${line}: did not happen: ${code} ${JSON.stringify(text)}`,
    ),
  ];
}

function compileOptions(options: Options, path: string): CompileOptions {
  return {
    path,
    testing: true,
    predeclared: options.has('host') ? ['echo', 'refuse'] : [],
    ...number('maxDepth', options.get('parse-depth')),
    ...number('maxSourceUnits', options.get('source')),
  };
}

function runOptions(options: Options): RunOptions {
  const entry = options.get('entry');
  return {
    ...number('maxSteps', options.get('steps')),
    ...number('maxMemoryBytes', options.get('memory')),
    ...number('maxIntBits', options.get('bits')),
    ...number('maxCallDepth', options.get('depth')),
    ...number('maxOutputUnits', options.get('output')),
    ...(entry === undefined ? {} : { entry }),
    ...(options.has('load') ? { load: loadModule } : {}),
    hostCallsAtModuleLevel: !options.has('no-module-calls'),
  };
}

const modules = new Map<string, Program>();

function loadModule(name: string): ReturnType<NonNullable<RunOptions['load']>> {
  const known = modules.get(name);
  if (known !== undefined) return known;
  const file = join(suiteFolder, 'modules', name);
  if (!existsSync(file)) return null;
  const compiled = compile(readFileSync(file, 'utf8'), { path: name, testing: true });
  if (!compiled.ok) return compiled.diagnostics;
  modules.set(name, compiled.program);
  return compiled.program;
}

function number<Name extends string>(
  name: Name,
  value: string | undefined,
): { readonly [key in Name]?: number } {
  return value === undefined ? {} : ({ [name]: Number(value) } as { readonly [key in Name]: number });
}
