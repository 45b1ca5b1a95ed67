// A program in the playground -> what it shows. Pure: the same in a worker, in a browser and in Node.
//
//   Asked -> evaluateProgram, with a report of each printed line and call -> Outcome
//   a SKILL.md -> evaluatePlan (evaluate-plan.ts) -> Outcome
//
// Everything is counted: steps, memory, and the clock that the caller gives, looked at between slices.
import { cutMiddle } from '../../src/base/cut-text.ts';
import { renderDiagnostic } from '../../src/base/render-diagnostic.ts';
import { deniedCommand } from '../../src/run/effect/perform-command.ts';
import { hostFunctionNames } from '../../src/skill/host-functions.ts';
import type { Data, RunOptions } from '../../src/starlark/options.ts';
import { compile } from '../../src/starlark/compile-source.ts';
import { start } from '../../src/starlark/vm/start.ts';
import { checkSkillProgram } from '../../src/techne/check/check-skill-program.ts';

export interface Asked {
  /** `starlark`: a module. `program`: the SKILL.star of a skill, whose `run` is called. `plan`: a SKILL.md. */
  readonly kind: 'starlark' | 'program' | 'plan';
  readonly source: string;
  /** Of a program: JSON. Default: `{}`. */
  readonly input?: string;
  /** Of a program: the answers of its asks, in order. Default: none. */
  readonly answers?: readonly string[];
  readonly maxSteps: number;
  readonly maxMemoryBytes: number;
  readonly maxMs: number;
}

export interface Outcome {
  readonly ok: boolean;
  /** The value of a program, a plan as text, or why there is none. */
  readonly text: string;
  /** As people read them. */
  readonly diagnostics: readonly string[];
  /** The message of the error alone, for those who compare. */
  readonly message: string | null;
  readonly steps: number;
  readonly memoryBytes: number;
  /** Of a plan. */
  readonly svg: string | null;
}

/** A line that was printed, or a call of a host function. */
export type OnLine = (kind: 'print' | 'call', text: string) => void;

/** More would fill the page behind the limits of the program. */
export const mostLines = 2_000;
const mostUnits = 100_000;

/** The first lines, each cut. */
function bounded(onLine: OnLine): OnLine {
  let lines = 0;
  return (kind, text) => {
    lines += 1;
    if (lines > mostLines) return;
    onLine(kind, lines === mostLines ? '… more lines are not shown' : cutMiddle(text, mostUnits).text);
  };
}

/** Steps between two looks at the clock: some milliseconds. */
const slice = 200_000;

export function evaluateProgram(asked: Asked, onEachLine: OnLine, now: () => number): Outcome {
  const onLine = bounded(onEachLine);
  const isSkill = asked.kind === 'program';
  const path = isSkill ? 'SKILL.star' : 'playground.star';
  const input = isSkill ? parseInput(asked.input ?? '{}') : { value: null };
  if ('fault' in input) return failed(`the input is not JSON: ${input.fault}`);
  const faults = isSkill ? checkSkillProgram(asked.source, path) : [];
  const compiled = compile(asked.source, { path, predeclared: isSkill ? hostFunctionNames : [] });
  const found = isSkill ? faults : compiled.diagnostics;
  const diagnostics = found.map((one) => renderDiagnostic(one, asked.source));
  if (!compiled.ok || found.some(({ severity }) => severity === 'error'))
    return {
      ...failed('It does not compile.'),
      diagnostics,
      message: found.map(({ message }) => message).join('\n'),
    };

  const options: RunOptions = {
    maxSteps: asked.maxSteps,
    maxMemoryBytes: asked.maxMemoryBytes,
    print: (text) => onLine('print', text),
    ...(isSkill ? { entry: 'run', args: [input.value], hostCallsAtModuleLevel: false } : {}),
  };
  const run = start(compiled.program, options);
  const answers = [...(asked.answers ?? [])];
  const end = now() + asked.maxMs;
  for (;;) {
    const state = run.run(slice);
    const used = { steps: run.usage.steps, memoryBytes: run.usage.memoryBytes, svg: null };
    if (state.kind === 'done')
      return {
        ok: true,
        text: isSkill ? cutMiddle(show(state.value), mostUnits).text : '',
        diagnostics,
        message: null,
        ...used,
      };
    if (state.kind === 'failed') {
      const { diagnostic, backtrace } = state.failure;
      const calls = backtrace.map(
        (frame) => `  ${frame.path}:${frame.line}:${frame.column}: in ${frame.function}`,
      );
      const shown = [
        renderDiagnostic(diagnostic, asked.source),
        ...(calls.length > 1 ? ['called from:', ...calls] : []),
      ];
      return {
        ok: false,
        text: 'It failed.',
        diagnostics: [...diagnostics, shown.join('\n')],
        message: diagnostic.message,
        ...used,
      };
    }
    if (now() > end) {
      const message = `stopped after ${asked.maxMs} ms`;
      return { ok: false, text: message, diagnostics, message, ...used };
    }
    if (state.kind === 'host-call') {
      const reply = answerCall(state.name, state.args, state.named, answers, onLine);
      if ('refused' in reply) run.refuse(reply.refused);
      else run.resume(reply.value);
    }
  }
}

type Reply = { readonly value: Data } | { readonly refused: string };

/** Nothing here reaches a model or a machine: asks are answered from the page, and commands are denied. */
function answerCall(
  name: string,
  args: readonly Data[],
  named: { readonly [name: string]: Data },
  answers: string[],
  onLine: OnLine,
): Reply {
  const [first = Object.values(named)[0] ?? null] = args;
  onLine('call', `${name}(${show(first)})`);
  const ask = (): Reply => {
    const answer = answers.shift();
    if (answer === undefined) return { refused: 'there are no more answers: add a line to "Answers"' };
    onLine('call', `  answer: ${answer}`);
    return { value: { answer, exhausted: false, turns: 1, truncated: false } };
  };
  if (name === 'ask') return ask();
  if (name === 'ask_all') {
    const replies = (Array.isArray(first) ? first : []).map(ask);
    const refused = replies.find((reply) => 'refused' in reply);
    return refused ?? { value: replies.map((reply) => ('value' in reply ? reply.value : null)) };
  }
  if (name === 'command') return { value: deniedCommand('the playground runs no commands') };
  return { value: null };
}

function parseInput(text: string): { readonly value: Data } | { readonly fault: string } {
  try {
    return { value: JSON.parse(text) as Data };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

function show(value: Data): string {
  return (
    JSON.stringify(
      value,
      (_, one: unknown) =>
        typeof one === 'bigint' ? String(one) : one instanceof Uint8Array ? [...one] : one,
      2,
    ) ?? 'null'
  );
}

export function failed(text: string): Outcome {
  return { ok: false, text, diagnostics: [], message: text, steps: 0, memoryBytes: 0, svg: null };
}
