// A form that a run waits for <-> an elicitation of the client, which asks its user.
//
// E1. Only forms are asked this way: an approval is decided where the person sees the whole command, and what a client
//     says of its user is no proof of one.
// E2. Which question is asked travels through the client; the server signs it, and believes only what it signed.
import { createRequestStateCodec, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type { ElicitRequestFormParams, InputRequiredResult, RequestStateCodec, ServerContext } from '@modelcontextprotocol/server';
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { printable } from '../base/printable.ts';
import type { PendingQuestion, RunResult } from '../run/result/result.ts';
import { isForm } from './describe-run.ts';

export interface AskedForm {
  readonly run: string;
  readonly question: string;
  /** How often the client was asked in this call. */
  readonly round: number;
}

export const maxRounds = 12;

export function createFormCodec(key: Uint8Array): RequestStateCodec<AskedForm> {
  return createRequestStateCodec<AskedForm>({ key, ttlSeconds: 3_600 });
}

/** The first form that a person is to fill in, where nothing else can be said before. */
export function formToElicit({ status, questions }: RunResult): PendingQuestion | null {
  if (status !== 'paused') return null;
  return questions.find(({ audience, question }) => audience === 'person' && isForm(question)) ?? null;
}

export async function elicitForm(codec: RequestStateCodec<AskedForm>, asked: AskedForm, question: Json, fault: string | null): Promise<InputRequiredResult> {
  const { prompt = '', schema = {}, error = null } = isJsonObject(question) ? question : {};
  const why = fault ?? (typeof error === 'string' ? error : null);
  const message = printable(`${typeof prompt === 'string' ? prompt : ''}${why === null ? '' : `\n${why}`}`);
  return inputRequired({
    inputRequests: { form: inputRequired.elicit({ message, requestedSchema: requestedSchema(schema) }) },
    requestState: await codec.mint(asked),
  });
}

/** The protocol knows flat objects only, which forms are; it has no word for further properties. */
function requestedSchema(schema: Json): ElicitRequestFormParams['requestedSchema'] {
  const { properties = {}, required = [] } = isJsonObject(schema) ? schema : {};
  return { type: 'object', properties, required } as unknown as ElicitRequestFormParams['requestedSchema'];
}

export type Elicited = { readonly kind: 'none' } | { readonly kind: 'said'; readonly form: AskedForm; readonly values: JsonObject } | { readonly kind: 'declined'; readonly form: AskedForm };

export function readElicited({ mcpReq }: ServerContext): Elicited {
  const form = mcpReq.requestState<AskedForm>();
  if (form === undefined) return { kind: 'none' };
  const response = inputResponse(mcpReq.inputResponses, 'form');
  if (response.kind === 'elicit' && response.action === 'accept') return { kind: 'said', form, values: (response.content ?? {}) as JsonObject };
  return { kind: 'declined', form };
}
