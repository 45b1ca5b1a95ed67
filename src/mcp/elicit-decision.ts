// A call with an unknown outcome <-> an elicitation, with which the client asks its user.
//
// Only a person can decide: `run_answer` does not take decisions. The person sees the whole call.
import type { RequestStateCodec, InputRequiredResult } from '@modelcontextprotocol/server';
import { inputRequired } from '@modelcontextprotocol/server';
import type { Json, JsonObject } from '../base/json.ts';
import { printable } from '../base/printable.ts';
import type { RunResult, UndecidedEffect } from '../run/result/result.ts';
import type { Decision } from '../run/runner.ts';
import { describeEffect } from './describe-effect.ts';
import type { ElicitedQuestion, ElicitTurn } from './elicit-form.ts';

export function decisionToElicit({ status, undecided }: RunResult): UndecidedEffect | null {
  return status === 'needs_decision' ? (undecided[0] ?? null) : null;
}

const choices = ['done', 'retry', 'fail'] as const;

export async function elicitDecision(
  codec: RequestStateCodec<ElicitedQuestion>,
  asked: ElicitTurn & { readonly run: string; readonly skill: string },
  { run: of, key, kind, request }: UndecidedEffect,
  fault: string | null,
): Promise<InputRequiredResult> {
  const lines = [
    `A run of the skill "${asked.skill}" was stopped during this call, and it is unknown whether it was done:`,
    describeEffect(kind, request),
    'What happened to it? "done": it was done; "retry": do it again; "fail": it failed, and the run continues.',
    ...(fault === null ? [] : [fault]),
  ];
  return inputRequired({
    inputRequests: {
      form: inputRequired.elicit({
        message: printable(lines.join('\n')),
        requestedSchema: {
          type: 'object',
          properties: {
            decision: { type: 'string', title: 'What happened to it?', enum: [...choices] },
            value: { type: 'string', title: 'If it was done: its output, as JSON or text' },
          },
          required: ['decision'],
        },
      }),
    },
    requestState: await codec.mint({
      kind: 'decision',
      run: asked.run,
      of,
      key,
      round: asked.round,
      tries: asked.tries,
    }),
  });
}

/** `null` if it is not one of the choices. */
export function readDecision({ decision, value }: JsonObject): Pick<Decision, 'as' | 'value'> | null {
  const as = choices.find((choice) => choice === decision);
  if (as === undefined) return null;
  return { as, value: as === 'retry' || typeof value !== 'string' || value === '' ? null : parsed(value) };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
