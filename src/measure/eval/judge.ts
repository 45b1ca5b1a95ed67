// Asks a model to judge two results -> a judgement, or why there is none.
//
//   results, order -> request -> answer -> checked against the schema -> scores by arm
//
// An answer that does not fit is returned once with its faults. If the next one does not fit either, the judgement is
// invalid: it is reported, and counts for no arm. A verdict that contradicts the scores does not fit. A judge that
// gives no answer at all is an error, which is not the same as an invalid judgement.
import type { Abort } from '../../base/abort.ts';
import type { ChatModel, Said } from '../../ports/model.ts';
import { turnText } from '../../ports/model.ts';
import { readStructured } from '../../run/effect/read-answer.ts';
import { meanOf } from './confidence.ts';
import { judgeAgain, judgeRequest, judgeSchema, judgeSystem } from './judge-request.ts';
import { BudgetSpent } from './model-budget.ts';
import type { OutputCase } from './output-case.ts';

export const arms = ['with', 'without'] as const;
/** With the skill, or without it. */
export type Arm = (typeof arms)[number];

export type OutputJudgement = {
  /** Which one was shown as A. */
  readonly first: Arm;
  /** The answers of the judge, try by try. */
  readonly replies: readonly string[];
} & (
  | {
      readonly status: 'valid';
      readonly scores: { readonly [arm in Arm]: readonly number[] };
      readonly better: Arm | 'tie';
      readonly reason: string;
    }
  /** `faults`: of the last try. */
  | { readonly status: 'invalid'; readonly faults: readonly string[] }
  | { readonly status: 'error'; readonly message: string }
);

interface JudgeOptions {
  readonly model: ChatModel;
  readonly signal: Abort;
}

const tries = 2;

/** Rejects only when the budget is spent, or the signal aborts. */
export async function judgeOutput(
  one: OutputCase,
  texts: { readonly [arm in Arm]: string },
  first: Arm,
  { model, signal }: JudgeOptions,
): Promise<OutputJudgement> {
  const second: Arm = first === 'with' ? 'without' : 'with';
  const said: Said[] = [
    { by: 'user', text: judgeRequest(one, { first: texts[first], second: texts[second] }) },
  ];
  const replies: string[] = [];
  let faults: readonly string[] = [];
  for (let at = 0; at < tries; at += 1) {
    try {
      const { turn } = await model.takeTurn({
        system: judgeSystem,
        said,
        tools: [],
        before: at,
        purpose: 'judge',
        signal,
        onText: () => undefined,
      });
      const reply = turnText(turn);
      replies.push(reply);
      const read = readJudgement(reply, one.rubric.length);
      if (read.ok)
        return {
          first,
          replies,
          status: 'valid',
          scores: first === 'with' ? { with: read.a, without: read.b } : { with: read.b, without: read.a },
          better: read.better === 'tie' ? 'tie' : read.better === 'A' ? first : second,
          reason: read.reason,
        };
      faults = read.faults;
      said.push({ by: 'model', turn, results: [] }, { by: 'user', text: judgeAgain(faults) });
    } catch (error) {
      if (error instanceof BudgetSpent || signal.aborted) throw error;
      return {
        first,
        replies,
        status: 'error',
        message: error instanceof Error ? error.message : String(error),
      };
    }
  }
  return { first, replies, status: 'invalid', faults };
}

type ReadJudgement =
  | {
      readonly ok: true;
      readonly a: readonly number[];
      readonly b: readonly number[];
      readonly better: 'A' | 'B' | 'tie';
      readonly reason: string;
    }
  | { readonly ok: false; readonly faults: readonly string[] };

export function readJudgement(reply: string, sentences: number): ReadJudgement {
  const read = readStructured(reply, judgeSchema(sentences));
  if (!read.ok) return read;
  const {
    A: a,
    B: b,
    better,
    reason,
  } = read.value as unknown as {
    readonly A: readonly number[];
    readonly B: readonly number[];
    readonly better: 'A' | 'B' | 'tie';
    readonly reason: string;
  };
  const [ofA, ofB] = [meanOf(a) ?? 0, meanOf(b) ?? 0];
  if ((better === 'A' && ofA < ofB) || (better === 'B' && ofB < ofA))
    return { ok: false, faults: [`"better" is "${better}", and the scores show the opposite`] };
  return { ok: true, a, b, better, reason };
}
