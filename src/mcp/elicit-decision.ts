// A call of a run that nobody knows the outcome of <-> an elicitation of the client, which asks its user.
//
// D1. Only a person can say what became of it. A caller has no way to: `run_answer` takes answers to questions, and this is
//     none of them.
// D2. The person reads the whole call before they decide.
import type { RequestStateCodec, InputRequiredResult } from '@modelcontextprotocol/server';
import { inputRequired } from '@modelcontextprotocol/server';
import type { Json, JsonObject } from '../base/json.ts';
import { printable } from '../base/printable.ts';
import type { RunResult, UndecidedEffect } from '../run/result/result.ts';
import type { Decision } from '../run/runner.ts';
import { describeEffect } from './describe-effect.ts';
import type { Asked, Turn } from './elicit-form.ts';

export function decisionToElicit({ status, undecided }: RunResult): UndecidedEffect | null {
  return status === 'needs_decision' ? (undecided[0] ?? null) : null;
}

const choices = ['done', 'retry', 'fail'] as const;

export async function elicitDecision(
  codec: RequestStateCodec<Asked>,
  asked: Turn & { readonly run: string; readonly skill: string },
  { run: of, key, kind, request }: UndecidedEffect,
  fault: string | null,
): Promise<InputRequiredResult> {
  const lines = [
    `A run of the skill "${asked.skill}" was stopped while this was under way, and nobody knows whether it was done:`,
    describeEffect(kind, request),
    'What became of it? "done": it was done; "retry": do it again; "fail": it failed, and the run goes on from there.',
    ...(fault === null ? [] : [fault]),
  ];
  return inputRequired({
    inputRequests: {
      form: inputRequired.elicit({
        message: printable(lines.join('\n')),
        requestedSchema: {
          type: 'object',
          properties: {
            decision: { type: 'string', title: 'What became of it?', enum: [...choices] },
            value: { type: 'string', title: 'Where it was done: what it gave, as JSON or text' },
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

/** `null` when it is none of the choices. */
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
