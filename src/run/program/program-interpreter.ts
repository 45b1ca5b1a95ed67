// The program of an executable skill -> compiled -> effects in the order of its calls -> its result.
//
// A key is the number of the call: `1`, `2`; `3.1`, `3.2` … for those of one ask_all. Trace and print are effects of
// kind `trace`, with keys `t1` … and `p1` …, delivered like any other. `ok: false` ends the program at the call, with
// the code of the outcome.
import { isJsonObject, emptyObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Data, Failure, Program, Run } from '../../starlark.ts';
import { start, compile } from '../../starlark.ts';
import { cutText } from '../../base/cut-text.ts';
import type { Advance, EffectOutcome, EffectRequest, Interpreter } from '../effect/effect.ts';
import type { HostCall } from './host-arguments.ts';
import { readCall, dataToJson, dataTypeName } from './host-arguments.ts';
import type { RunLimits } from '../budget/limits.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import { hostFunctionNames } from '../../skill/host-functions.ts';

interface ProgramOptions {
  readonly program: Program;
  readonly input: JsonObject;
  readonly limits: RunLimits;
  /** Steps of one `advance`. Default 200,000: about a millisecond. */
  readonly sliceSteps?: number;
}

/** Printed lines of one entry, and entries of one run. */
const maxPrintUnits = 4_000;
const maxPrintEntries = 200;

const nothing: Advance = { kind: 'waiting', effects: [] };

export class ProgramInterpreter implements Interpreter {
  readonly inputs: JsonObject;
  readonly #run: Run;
  readonly #limits: RunLimits;
  readonly #sliceSteps: number;
  #calls = 0;
  #traces = 0;
  #prints = 0;
  #printed: string[] = [];
  /** What is waited for, and what has come of it; for ask_all in the order of its prompts. */
  #awaited = new Map<string, EffectOutcome | null>();
  #missing = 0;
  #group = false;
  /** A call that was seen but not yet proposed, since printed lines come first. */
  #held: Advance | null = null;
  /** Why the program was refused: it ends there. */
  #refusal: { readonly code: string; readonly message: string } | null = null;

  constructor(options: ProgramOptions) {
    this.inputs = options.input;
    this.#limits = options.limits;
    this.#sliceSteps = options.sliceSteps ?? 200_000;
    this.#run = start(options.program, {
      entry: 'run',
      args: [options.input as Data],
      frozenArgs: true,
      hostCallsAtModuleLevel: false,
      maxSteps: options.limits.steps,
      maxMemoryBytes: options.limits.memoryBytes,
      print: (line) => this.#printed.push(line),
    });
  }

  get steps(): number {
    return this.#run.usage.steps;
  }

  advance(): Advance {
    if (this.#missing > 0) return nothing;
    if (this.#awaited.size > 0) this.#answer();
    const held = this.#held;
    if (held !== null) {
      this.#held = null;
      return held.kind === 'waiting' ? this.#propose(held.effects) : held;
    }
    const next = this.#step();
    if (this.#printed.length === 0 || this.#prints >= maxPrintEntries)
      return next.kind === 'waiting' ? this.#propose(next.effects) : next;
    this.#held = next.kind === 'slice' ? null : next;
    return this.#propose([this.#printEffect()]);
  }

  deliver(key: string, outcome: EffectOutcome): void {
    if (this.#awaited.get(key) !== null) throw new Error(`nothing waits for effect ${key}`);
    this.#awaited.set(key, outcome);
    this.#missing -= 1;
  }

  #propose(effects: readonly EffectRequest[]): Advance {
    for (const { key } of effects) this.#awaited.set(key, null);
    this.#missing = effects.length;
    return { kind: 'waiting', effects };
  }

  /** What was waited for is there. */
  #answer(): void {
    const values: Json[] = [];
    let failed: Extract<EffectOutcome, { ok: false }> | null = null;
    let isPrint = false;
    for (const [key, outcome] of this.#awaited as Map<string, EffectOutcome>) {
      isPrint = key.startsWith('p');
      if (outcome.ok) values.push(outcome.value);
      else failed ??= outcome;
    }
    this.#awaited.clear();
    if (isPrint) return;
    if (failed !== null) return this.#refuse(failed.code, failed.message);
    this.#run.resume((this.#group ? values : (values[0] as Json)) as Data);
  }

  #refuse(code: string, message: string): void {
    this.#refusal = { code, message };
    this.#run.refuse(message);
  }

  #step(): Advance {
    for (;;) {
      const state = this.#run.run(this.#sliceSteps);
      switch (state.kind) {
        case 'paused':
          return { kind: 'slice' };
        case 'done': {
          const result = normalizeResult(state.value);
          return result.ok
            ? { kind: 'done', value: result.envelope }
            : { kind: 'failed', code: 'INVALID_RESULT', message: result.message, detail: null };
        }
        case 'failed':
          return this.#failed(state.failure);
        case 'host-call': {
          const effects = this.#call(state);
          if (effects !== null) return { kind: 'waiting', effects };
        }
      }
    }
  }

  /** The effects of a call, or null when it was answered immediately. */
  #call(call: HostCall): readonly EffectRequest[] | null {
    const read = readCall(call, this.#limits);
    this.#group = read.kind === 'ask_all';
    switch (read.kind) {
      case 'fault':
        this.#refuse('HOST_ARGUMENTS', read.message);
        return null;
      case 'value':
        this.#run.resume(read.value as Data);
        return null;
      case 'trace':
        this.#traces += 1;
        return [
          {
            key: `t${this.#traces}`,
            kind: 'trace',
            request: { kind: read.label, data: read.data },
            repeatable: true,
          },
        ];
      case 'ask_all': {
        if (read.requests.length === 0) {
          this.#run.resume([]);
          return null;
        }
        this.#calls += 1;
        return read.requests.map(({ request, repeatable }, index) => ({
          key: `${this.#calls}.${index + 1}`,
          kind: 'ask' as const,
          request,
          repeatable,
        }));
      }
      case 'ask':
      case 'command':
        this.#calls += 1;
        return [
          { key: String(this.#calls), kind: read.kind, request: read.request, repeatable: read.repeatable },
        ];
    }
  }

  #printEffect(): EffectRequest {
    this.#prints += 1;
    const { text, truncated } = cutText(this.#printed.join('\n'), maxPrintUnits);
    this.#printed = [];
    return {
      key: `p${this.#prints}`,
      kind: 'trace',
      request: { print: text, ...(truncated ? { truncated } : {}) },
      repeatable: true,
    };
  }

  #failed({ diagnostic, backtrace }: Failure): Advance {
    const at = backtrace.at(-1);
    const place = at === undefined ? '' : `${at.path}:${at.line}:${at.column} in ${at.function}: `;
    const detail = backtrace
      .map(({ function: name, path, line, column }) => `${path}:${line}:${column} in ${name}`)
      .join('\n');
    const refusal = this.#refusal;
    if (refusal !== null)
      return {
        kind: 'failed',
        code: refusal.code,
        message: `${refusal.message}${at === undefined ? '' : ` (${at.path}:${at.line}:${at.column})`}`,
        detail,
      };
    const hint = diagnostic.hint === null ? '' : ` (${diagnostic.hint})`;
    return {
      kind: 'failed',
      code: diagnostic.code,
      message: `runtime error: ${place}${diagnostic.message}${hint}`,
      detail,
    };
  }
}

/** The text of a print entry, or null for an entry of `trace`. */
export function printedText(request: JsonObject): string | null {
  return isJsonObject(request) && typeof request['print'] === 'string' ? request['print'] : null;
}

// The value that `run(input)` returned -> the envelope of S0 §9, or why it is not one.

type NormalizedResult =
  | { readonly ok: true; readonly envelope: JsonObject }
  | { readonly ok: false; readonly message: string };

/** `None`, text or a dict; anything else is refused. The keys of a dict keep their order, and what is missing follows. */
export function normalizeResult(value: Data): NormalizedResult {
  if (value === null) return { ok: true, envelope: { status: 'ok', answer: '' } };
  if (typeof value === 'string') return { ok: true, envelope: { status: 'ok', answer: value } };
  if (typeof value !== 'object' || Array.isArray(value) || value instanceof Uint8Array) {
    return {
      ok: false,
      message: `invalid return value: run must return None, a string or a dict, not ${dataTypeName(value)}`,
    };
  }
  const converted = dataToJson(value, 'the result');
  if (!converted.ok) return { ok: false, message: `invalid return value: ${converted.message}` };
  const envelope = emptyObject();
  // A `trace` of its own would be taken for that of the run.
  if (isJsonObject(converted.json))
    for (const [key, item] of Object.entries(converted.json)) if (key !== 'trace') envelope[key] = item;
  envelope['status'] ??= 'ok';
  envelope['answer'] ??= '';
  return { ok: true, envelope };
}

// The program of an executable skill -> compiled with the names the host gives it, or everything that is wrong with
// it.

export type CompiledProgram =
  | { readonly ok: true; readonly program: Program; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** `path` is shown in messages and backtraces: relative to the skill folder. */
export function compileProgram(source: string, path: string): CompiledProgram {
  const compiled = compile(source.startsWith('\uFEFF') ? source.slice(1) : source, {
    path,
    predeclared: hostFunctionNames,
  });
  if (!compiled.ok) return compiled;
  if (compiled.program.globals.includes('run')) return compiled;
  const diagnostics = [...compiled.diagnostics];
  collectInto(diagnostics, path)(
    'PROGRAM_RUN_MISSING',
    null,
    'a metaskill must define a run(input) function',
    'write: def run(input):',
  );
  return { ok: false, diagnostics };
}
