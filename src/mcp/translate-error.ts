// An error -> the response of the MCP server.
//
//   tools        a result with `isError`, because a model can act on it: code, message, hint
//   all else     a JSON-RPC error: -32602 if the request is at fault, -32603 if not
//
// A detached run is not an error of anyone. Any other error that is not a TechneError is a bug: the client gets no details, and the
// operator gets all of them.
//
// translate-error#X2. No response has a stack trace; text from others is printable and bounded.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ErrorCode } from '../base/error.ts';
import { TechneError } from '../base/error.ts';
import type { JsonObject } from '../base/json.ts';
import { printable } from '../base/printable.ts';
import { Stopping } from '../run/effect/effect-context.ts';
import { cutText, maxMessageUnits } from '../base/cut-text.ts';

interface ToldError {
  readonly code: ErrorCode | 'INTERNAL';
  readonly message: string;
  readonly hint: string | null;
}

/** Called for bugs of techne. Must not throw. */
export type OnBug = (error: unknown) => void;

const left: ToldError = {
  code: 'RUN_UNFINISHED',
  message: 'the run was stopped and can be resumed',
  hint: 'run_status without a run finds it; run_answer with the run resumes it',
};
const internal: ToldError = {
  code: 'INTERNAL',
  message: 'internal error in techne; see the log of the server',
  hint: null,
};

export function toldError(error: unknown, onBug: OnBug): ToldError {
  if (error instanceof TechneError)
    return {
      code: error.code,
      message: shown(error.message),
      hint: error.hint === null ? null : shown(error.hint),
    };
  if (error instanceof Stopping) return left;
  onBug(error);
  return internal;
}

function shown(text: string): string {
  return cutText(printable(text), maxMessageUnits).text;
}

/** Not the fault of the request: it may succeed later. */
const ofTheServer: ReadonlySet<ToldError['code']> = new Set([
  'INTERNAL',
  'FILE_DENIED',
  'STALE',
  'BLOB_MISSING',
  'BLOB_CORRUPT',
  'TRUST_STORE',
  'APPROVALS_STORE',
  'HUB_KEYS',
  'LOCKED',
  'ENVIRONMENT',
  'OWNER_LOST',
  'JOURNAL_CORRUPT',
  'JOURNAL_FULL',
  'JOURNAL_WRITE',
  'JOURNAL_SEQUENCE',
]);

export function protocolError(error: unknown, onBug: OnBug): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const { code, message, hint } = toldError(error, onBug);
  const number = ofTheServer.has(code) ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(number, message, { code, hint });
}

export function errorFields({ code, message, hint }: ToldError): JsonObject {
  return { error: { code, message, hint } };
}
