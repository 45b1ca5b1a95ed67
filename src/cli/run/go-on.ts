// A run that has begun -> its end, as far as that can be reached here: forms that a script replies to, questions that a
// person at this terminal answers, and the run goes on.
//
// G1. What only the caller can answer, and everything where there is no terminal, leaves the run paused.
// G2. An abort cancels the run; one with a `DetachSignal` leaves it as it is, to be resumed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Abort } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { OpenRuns } from '../../techne/open-runs.ts';
import { DetachSignal } from '../../run/effect/effect-context.ts';
import type { PendingQuestion, RunResult } from '../../run/result/result.ts';
import { answerForms } from '../../scripted/inputs.ts';
import type { ScriptedInputs } from '../../scripted/inputs.ts';
import { isAtTerminal } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import type { Asked } from './ask-watched.ts';
import { askWatched } from './ask-watched.ts';
import type { Progress } from './progress.ts';

/** How often it is looked whether a run that another process drives is free. */
const lookMs = 300;

/** `asked`: what it waits for was asked at this terminal just now, and left for later. */
export interface Shown {
  readonly result: RunResult;
  readonly asked: boolean;
}

/** Forms that the script has replies to are answered first; what it has none for is asked here, or left open. */
export async function replied(
  context: CommandContext,
  runs: OpenRuns,
  inputs: ScriptedInputs | null,
  answerer: string,
  signal: AbortSignal,
  first: RunResult,
): Promise<RunResult> {
  if (inputs === null) return first;
  return answerForms(
    runs.runner,
    first,
    inputs,
    (run) => resumeWhenFree(context, runs, run, { answerer, signal }),
    ({ message }) => {
      throw new TechneError('ANSWER_REFUSED', `a form refused the reply of the script: ${message}`, {
        hint: `mend "inputs" of the script, then: techne runs resume ${first.run ?? ''}`,
      });
    },
  );
}

/** G1. */
export async function goOn(
  context: CommandContext,
  runs: OpenRuns,
  progress: Progress,
  answerer: string,
  signal: AbortSignal,
  first: RunResult,
): Promise<Shown> {
  let result = first;
  let asked = false;
  if (!isAtTerminal(context.io)) return { result, asked };
  while (result.status === 'paused' && result.run !== null) {
    const { run } = result;
    const here = result.questions.filter(({ audience }) => audience !== 'caller');
    if (here.length === 0) return { result, asked: false };
    progress.hold();
    let moved = false;
    for (const question of here) {
      const came = await answerHere(context, runs, question, signal);
      moved ||= came !== 'later';
      // What else is open by now is known when the run is looked at again.
      if (came === 'elsewhere' || signal.aborted) break;
    }
    asked = true;
    if (signal.aborted && !(signal.reason instanceof DetachSignal)) {
      await runs.runner.cancel(run, 'Ctrl-C', 'operator');
      return { result: await resumeWhenFree(context, runs, run, { answerer }), asked };
    }
    if (signal.aborted || !moved) return { result, asked };
    progress.release();
    result = await resumeWhenFree(context, runs, run, { answerer, signal });
  }
  return { result, asked: false };
}

/** Another process may have taken the run up; then what comes of it is waited for. */
export async function resumeWhenFree(
  { err }: Pick<CommandContext, 'err'>,
  { runner }: Pick<OpenRuns, 'runner'>,
  run: string,
  request: { readonly answerer?: string; readonly signal?: AbortSignal },
): Promise<RunResult> {
  const { signal } = request;
  let said = false;
  let told = false;
  for (;;) {
    try {
      return await runner.resume(run, request);
    } catch (error) {
      if (!(error instanceof TechneError) || error.code !== 'RUN_OWNED') throw error;
      if (!said) err.line('Another process goes on with the run; its result is shown here, too.');
      said = true;
    }
    if (signal?.aborted === true) {
      if (signal.reason instanceof DetachSignal) throw signal.reason;
      if (!told) await runner.cancel(run, 'Ctrl-C', 'operator');
      told = true;
    }
    await sleep(lookMs);
  }
}

/** An answer that does not fit is asked for again. */
async function answerHere(
  context: CommandContext,
  { runner, store }: OpenRuns,
  question: PendingQuestion,
  signal: Abort,
): Promise<'answered' | 'later' | 'elsewhere'> {
  for (;;) {
    let asked: Asked;
    try {
      asked = await askWatched(context, store, question, signal);
    } catch (error) {
      if (signal.aborted) return 'later';
      throw error;
    }
    if (asked.kind !== 'answer') return asked.kind;
    try {
      await runner.answer(question.run, {
        question: question.id,
        nonce: question.nonce,
        value: asked.value,
        from: question.audience,
      });
      return 'answered';
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      if (error.code === 'QUESTION_UNKNOWN' || error.code === 'QUESTION_EXPIRED') {
        context.err.line(`Too late: ${printableLine(error.message)}.`);
        return 'elsewhere';
      }
      if (error.code !== 'ANSWER_REFUSED') throw error;
      context.err.line(`That cannot be used: ${printableLine(error.message)}`);
    }
  }
}
