// An error -> the error of a request of the client.
//
//   no model            auth_required, with what to configure: a client then offers to set the agent up
//   a fault of the request -32602, of techne or the machine -32603; an unknown session as the protocol says
//
// The message is for a person, since clients show it. No response has a stack trace.
import { RequestError } from '@agentclientprotocol/sdk';
import { cutText, maxMessageUnits } from '../base/cut-text.ts';
import { TechneError } from '../base/error.ts';
import { printable } from '../base/printable.ts';

const codes = { params: -32_602, internal: -32_603, auth: -32_000 } as const;
const ofTheRequest: ReadonlySet<string> = new Set(['USAGE', 'CHAT_BUSY', 'CHAT_UNKNOWN', 'SKILL_UNKNOWN']);

export function requestError(error: unknown, onBug: (error: unknown) => void): RequestError {
  if (error instanceof RequestError) return error;
  if (!(error instanceof TechneError)) {
    onBug(error);
    return new RequestError(codes.internal, 'internal error in techne; see the log of the agent');
  }
  return new RequestError(ofTheRequest.has(error.code) ? codes.params : codes.internal, told(error), {
    code: error.code,
  });
}

/** No model can hold a conversation: `error` says why, and what to do. */
export function setupError(error: TechneError): RequestError {
  return new RequestError(codes.auth, told(error), { code: error.code });
}

/** The model failed; nothing is wrong with the request. */
export function failed(message: string): RequestError {
  return new RequestError(codes.internal, cutText(printable(message), maxMessageUnits).text);
}

function told({ message, hint }: TechneError): string {
  return cutText(printable(`${message}${hint === null ? '' : ` (${hint})`}`), maxMessageUnits).text;
}
