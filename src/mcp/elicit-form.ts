// A form that a run waits for <-> an elicitation of the client, which asks its user.
//
// E1. Forms are asked this way, and what became of a call that was cut off (elicit-decision.ts). An approval never is: it is
//     decided where the person sees the whole command, and what a client says of its user is no proof of one.
// E2. Which question is asked travels through the client; the server signs it, and believes only what it signed.
// E3. What the client shows has no hidden character in it (form-schema.ts), and what was wrong with an answer is bounded.
// E4. One call asks its user for several things, and for each of them three times at the most: a client that cannot do better
//     would be asked for ever.
import { createRequestStateCodec, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type {
  ElicitRequestFormParams,
  InputRequiredResult,
  RequestStateCodec,
  ServerContext,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { printable } from '../base/printable.ts';
import { cutText, maxMessageUnits } from '../base/cut-text.ts';
import type { PendingQuestion, RunResult } from '../run/result/result.ts';
import { isForm } from './describe-run.ts';
import { shownForm } from './form-schema.ts';

/** What the client was asked. */
export type Asked = Turn &
  (
    | { readonly kind: 'form'; readonly run: string; readonly question: string }
    | {
        readonly kind: 'decision';
        readonly run: string;
        /** The run that is told the decision. */ readonly of: string;
        readonly key: string;
      }
  );

/** How often the user was asked in this call, this time counted: anything, and the same without an answer that fits (E4). */
export interface Turn {
  readonly round: number;
  readonly tries: number;
}

export type AskedForm = Extract<Asked, { readonly kind: 'form' }>;

export const maxRounds = 12;
export const maxTries = 3;

/** Null when it is enough. */
export function nextTurn({ round, tries }: Turn, isSame: boolean): Turn | null {
  return round >= maxRounds || (isSame && tries >= maxTries)
    ? null
    : { round: round + 1, tries: isSame ? tries + 1 : 1 };
}

export function createAskedCodec(key: Uint8Array): RequestStateCodec<Asked> {
  return createRequestStateCodec<Asked>({ key, ttlSeconds: 3_600 });
}

/** Whether it is asked again, since what was said before could not be read. */
export function isAskedAgain({ question }: PendingQuestion): boolean {
  return isJsonObject(question) && typeof question['error'] === 'string';
}

/** The first form that a person is to fill in, where nothing else can be said before. */
export function formToElicit({ status, questions }: RunResult): PendingQuestion | null {
  if (status !== 'paused') return null;
  return questions.find(({ audience, question }) => audience === 'person' && isForm(question)) ?? null;
}

export async function elicitForm(
  codec: RequestStateCodec<Asked>,
  asked: Omit<AskedForm, 'kind'>,
  question: Json,
  fault: string | null,
): Promise<InputRequiredResult> {
  const { prompt = '', error = null } = isJsonObject(question) ? question : {};
  const why = fault ?? (typeof error === 'string' ? error : null);
  const message = printable(
    `${typeof prompt === 'string' ? prompt : ''}${why === null ? '' : `\n${cutText(why, maxMessageUnits).text}`}`,
  );
  return inputRequired({
    inputRequests: {
      form: inputRequired.elicit({
        message,
        requestedSchema: shownForm(question) as unknown as ElicitRequestFormParams['requestedSchema'],
      }),
    },
    requestState: await codec.mint({ kind: 'form', ...asked }),
  });
}

export type Elicited =
  | { readonly kind: 'none' }
  | { readonly kind: 'said'; readonly asked: Asked; readonly values: JsonObject }
  | { readonly kind: 'declined'; readonly asked: Asked };

export function readElicited({ mcpReq }: ServerContext): Elicited {
  const asked = mcpReq.requestState<Asked>();
  if (asked === undefined) return { kind: 'none' };
  const response = inputResponse(mcpReq.inputResponses, 'form');
  if (response.kind === 'elicit' && response.action === 'accept')
    return { kind: 'said', asked, values: (response.content ?? {}) as JsonObject };
  return { kind: 'declined', asked };
}
