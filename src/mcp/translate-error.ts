// What went wrong -> what an MCP client is told: the one place where that is decided.
//
//   tools        a result with `isError`, since a model can act on it: code, message, hint
//   all else     a JSON-RPC error: -32602 when the request cannot be honoured, -32603 when it is not the request's fault
//
// X1. A run that is left as it is, is no mistake of anybody. What else is no TechneError is a bug of ours: the client is told so and nothing else, and the operator gets the rest.
// X2. Nothing here holds a stack, and texts of others come printable and bounded.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ErrorCode } from '../base/error.ts';
import { TechneError } from '../base/error.ts';
import type { JsonObject } from '../base/json.ts';
import { printable } from '../base/printable.ts';
import { Stopping } from '../run/effect/effect-context.ts';
import { cutText, maxMessageUnits } from '../base/cut-text.ts';

export interface ToldError {
  readonly code: ErrorCode | 'INTERNAL';
  readonly message: string;
  readonly hint: string | null;
}

/** Told of what is our own fault. Must not throw. */
export type OnBug = (error: unknown) => void;

const left: ToldError = {
  code: 'RUN_UNFINISHED',
  message: 'the run was stopped and is left as it is',
  hint: 'run_status without a run finds it; run_answer with the run goes on',
};
const internal: ToldError = {
  code: 'INTERNAL',
  message: 'techne made a mistake; the log of the server says more',
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

/** Not the fault of what was asked: the same request may be honoured later, or elsewhere. */
const ofTheServer: ReadonlySet<ToldError['code']> = new Set([
  'INTERNAL',
  'FILE_DENIED',
  'STALE',
  'BLOB_MISSING',
  'BLOB_CORRUPT',
  'TRUST_STORE',
  'APPROVALS_STORE',
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
