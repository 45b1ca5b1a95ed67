// A form that a run waits for <-> an elicitation, with which the client asks its user.
//
// Forms are asked this way, and decisions about calls with an unknown outcome (elicit-decision.ts). Approvals are not: a person
// must see the whole command, and a client cannot prove that a person answered. The id of the question travels through the
// client; the server signs it and accepts only its own signature. Texts for the client have no hidden characters (form-schema.ts)
// and a bounded length.
//
// elicit-form#E4. One call can ask its user several things, each at most three times: a client that always answers wrongly would
//     otherwise be asked forever.
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
import { isFormQuestion } from './describe-run.ts';
import { shownForm } from './form-schema.ts';

/** The question that the client was asked. */
export type ElicitedQuestion = ElicitTurn &
  (
    | { readonly kind: 'form'; readonly run: string; readonly question: string }
    | {
        readonly kind: 'decision';
        readonly run: string;
        /** The run of the call. */ readonly of: string;
        readonly key: string;
      }
  );

/** How often this call has asked the user, including now: anything, and the same question again (elicit-form#E4). */
export interface ElicitTurn {
  readonly round: number;
  readonly tries: number;
}

type AskedForm = Extract<ElicitedQuestion, { readonly kind: 'form' }>;

export const maxRounds = 12;
export const maxTries = 3;

/** null: do not ask again. */
export function nextTurn({ round, tries }: ElicitTurn, isSame: boolean): ElicitTurn | null {
  return round >= maxRounds || (isSame && tries >= maxTries)
    ? null
    : { round: round + 1, tries: isSame ? tries + 1 : 1 };
}

export function createAskedCodec(key: Uint8Array): RequestStateCodec<ElicitedQuestion> {
  return createRequestStateCodec<ElicitedQuestion>({ key, ttlSeconds: 3_600 });
}

/** Whether it is asked again, because the last answer was not valid. */
export function isAskedAgain({ question }: PendingQuestion): boolean {
  return isJsonObject(question) && typeof question['error'] === 'string';
}

/** The first form for a person, if no other question comes first. */
export function formToElicit({ status, questions }: RunResult): PendingQuestion | null {
  if (status !== 'paused') return null;
  return (
    questions.find(({ audience, question }) => audience === 'person' && isFormQuestion(question)) ?? null
  );
}

export async function elicitForm(
  codec: RequestStateCodec<ElicitedQuestion>,
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

type Elicited =
  | { readonly kind: 'none' }
  | { readonly kind: 'said'; readonly asked: ElicitedQuestion; readonly values: JsonObject }
  | { readonly kind: 'declined'; readonly asked: ElicitedQuestion };

export function readElicited({ mcpReq }: ServerContext): Elicited {
  const asked = mcpReq.requestState<ElicitedQuestion>();
  if (asked === undefined) return { kind: 'none' };
  const response = inputResponse(mcpReq.inputResponses, 'form');
  if (response.kind === 'elicit' && response.action === 'accept')
    return { kind: 'said', asked, values: (response.content ?? {}) as JsonObject };
  return { kind: 'declined', asked };
}
