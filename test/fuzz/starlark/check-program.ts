// Runs one program in several ways and says which promise is broken.
//
//   source -> outcome (a code, or "done"), and what is wrong, or null
//
// O1. Nothing is thrown out of compile, start, run, resume, snapshot or restore.
// O2. The same text gives the same diagnostics, and the same answers of the host the same result, output and steps:
//     twice, in slices of any size, and when it is snapshotted and restored at host calls and pauses.
// O3. Diagnostics lie inside the text and can be rendered.
// O4. Nothing takes much longer than its limits allow.
import { renderDiagnostic } from '../../../src/base/render-diagnostic.ts';
import type { Data, Run, RunOptions, RunState } from '../../../src/starlark.ts';
import { compile, restore, start } from '../../../src/starlark.ts';

type Program = Extract<ReturnType<typeof compile>, { ok: true }>['program'];

export interface Checked {
  /** `done` or the code the program ended with. */
  readonly outcome: string;
  readonly broken: string | null;
}

const limits: RunOptions = {
  maxSteps: 30_000,
  maxMemoryBytes: 2_000_000,
  maxIntBits: 4096,
  maxCallDepth: 60,
  maxOutputUnits: 20_000,
};
/** Each is met by many programs: the run counts what it holds, and ends in the middle of something. */
const tightLimits: readonly RunOptions[] = [
  {},
  {},
  { maxMemoryBytes: 12_000 },
  { maxMemoryBytes: 3000, maxIntBits: 100 },
  { maxSteps: 700, maxOutputUnits: 60 },
  { maxCallDepth: 4 },
];
const compileOptions = { path: 'fuzz.star', predeclared: ['ask', 'note', 'input'], testing: true };
const values = {
  input: {
    rows: [1, 'a', null, [2.5, true]],
    name: 'x',
    big: 123456789012345678901234567890n,
    nested: { k: ['v'] },
  },
};
/** By the type that is asked for, else by turns. */
const typedAnswers: { readonly [type: string]: Data } = {
  int: 7,
  float: 2.5,
  str: 'answer',
  bool: true,
  list: [3, 1, 2],
  dict: { a: [1], b: 'x' },
  none: null,
  bytes: new Uint8Array([1, 255]),
};
const answers: readonly Data[] = [
  0,
  'answer',
  null,
  [3, 1, 2],
  { a: [1], b: 'x' },
  true,
  2.5,
  'zz',
  -7,
  12345678901234567890n,
];
/** Snapshots cost, so only so many are taken in one run. */
const maxSnapshots = 12;
const maxHostCalls = 400;
/** Parsing and running within the limits takes a few milliseconds. */
const slowMs = 1500;

interface Way {
  readonly sliceSteps?: number;
  readonly snapshots?: boolean;
}

interface Trace {
  readonly outcome: string;
  readonly text: string;
}

const modules = new Map<string, Program | null>();

function loadModule(name: string): Program | null {
  if (!modules.has(name)) {
    const compiled = name.endsWith('.star')
      ? compile('x = [1, 2]\ndef y(n): return n + len(x)\n', { path: name })
      : null;
    modules.set(name, compiled?.ok === true ? compiled.program : null);
  }
  return modules.get(name) ?? null;
}

function follow(program: Program, turn: number, way: Way): Trace {
  const lines: string[] = [];
  const options: RunOptions = {
    ...limits,
    ...tightLimits[turn % tightLimits.length],
    values,
    load: loadModule,
    print: (text) => lines.push(text),
  };
  let run: Run = start(program, options);
  let [calls, snapshots] = [0, 0];
  const again = (): void => {
    if (way.snapshots !== true || snapshots >= maxSnapshots) return;
    snapshots += 1;
    run = restore(program, JSON.parse(JSON.stringify(run.snapshot())) as never, options);
  };
  let state: RunState = run.run(way.sliceSteps);
  for (; state.kind === 'host-call' || state.kind === 'paused'; state = run.run(way.sliceSteps)) {
    if (state.kind === 'paused') {
      again();
      continue;
    }
    lines.push(`${state.name} ${show(state.args)} ${show(state.named)}`);
    again();
    calls += 1;
    if (calls > maxHostCalls || calls % 97 === 0) run.refuse('not now');
    else run.resume(answerOf(state.args[0], calls));
  }
  const outcome = state.kind === 'done' ? 'done' : state.failure.diagnostic.code;
  return {
    outcome,
    text: `${show(state)}\nsteps ${run.usage.steps}, memory ${run.usage.memoryBytes}, output ${run.usage.outputUnits}\n${lines.join('\n')}`,
  };
}

function answerOf(asked: Data | undefined, calls: number): Data {
  return (
    typeof asked === 'string' && Object.hasOwn(typedAnswers, asked)
      ? typedAnswers[asked]
      : answers[calls % answers.length]
  ) as Data;
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner));
}

/** `turn` chooses the limits, and which of the costlier ways are tried. `nowMs` is the caller's clock. */
export function checkProgram(source: string, turn: number, nowMs: () => number): Checked {
  const began = nowMs();
  let outcome = 'none';
  const ended = (broken: string | null): Checked => ({ outcome, broken });
  let stage = 'compile';
  try {
    const compiled = compile(source, compileOptions);
    if (!compiled.ok) {
      outcome = compiled.diagnostics[0]?.code ?? 'none';
      if (compiled.diagnostics.length === 0) return ended('refused without a diagnostic');
      stage = 'diagnostics';
      const astray = compiled.diagnostics.find(
        ({ span }) =>
          span !== null && !(span.start >= 0 && span.start <= span.end && span.end <= source.length),
      );
      if (astray !== undefined) return ended(`bad span in ${astray.code}`);
      for (const diagnostic of compiled.diagnostics.slice(0, 20)) renderDiagnostic(diagnostic, source);
      const second = compile(source, compileOptions);
      if (second.ok || show(second.diagnostics) !== show(compiled.diagnostics))
        return ended('other diagnostics the second time');
      return ended(slow(nowMs() - began));
    }
    stage = 'run';
    const first = follow(compiled.program, turn, {});
    outcome = first.outcome;
    const ranMs = nowMs() - began;
    const ways: readonly (readonly [string, Way])[] = [
      ['the second time', {}],
      [`in slices of ${1 + (turn % 50)}`, { sliceSteps: 1 + (turn % 50) }],
      ['in slices of 1000', { sliceSteps: 1000 }],
      ['with snapshots at host calls', { snapshots: true }],
      [
        `with snapshots, in slices of ${20 + (turn % 400)}`,
        { snapshots: true, sliceSteps: 20 + (turn % 400) },
      ],
    ];
    for (const [at, [name, way]] of ways.entries()) {
      // All ways where the program talks to the host, else two of them by turns.
      if (!/\b(?:ask|note)\b/.test(source) && at !== turn % ways.length && at !== (turn + 2) % ways.length)
        continue;
      stage = name;
      const other = follow(compiled.program, turn, way);
      if (other.text !== first.text)
        return ended(
          `differs ${name}\n--- at once\n${first.text.slice(0, 1500)}\n--- ${name}\n${other.text.slice(0, 1500)}`,
        );
    }
    return ended(slow(ranMs));
  } catch (error) {
    return ended(
      `threw (${stage}) ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
}

function slow(ms: number): string | null {
  return ms > slowMs ? `slow: ${Math.round(ms)} ms` : null;
}
