// An error -> a problem (RFC 9457): status, our code, what happened, what to do.
//
// This is the one place where codes become statuses. A bug is INTERNAL, and nothing of it reaches the client.
import type { ErrorCode } from '../base/error.ts';
import { TechneError, errorCodes } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import type { HttpRefusal } from './server/check-place.ts';

export type ProblemStatus = HttpRefusal['status'] | 404 | 409 | 410 | 422 | 502;

export interface Problem {
  readonly status: ProblemStatus;
  readonly code: string;
  readonly detail: string;
  readonly hint: string | null;
  /** What of a request does not fit. */
  readonly faults?: readonly string[];
  readonly headers?: { readonly [name: string]: string };
}

/** A request that does not fit the schemas of its operation. */
export class RequestFault extends TechneError {
  readonly faults: readonly string[];
  readonly status: 400 | 413 | 415;

  constructor(faults: readonly string[], status: 400 | 413 | 415 = 400) {
    super('REQUEST_INVALID', faults[0] ?? 'the request does not fit', { hint: 'see /openapi.json' });
    this.faults = faults;
    this.status = status;
  }
}

const statusOf: { readonly [code in ErrorCode]?: ProblemStatus } = {
  USAGE: 400,
  REQUEST_INVALID: 400,
  PATH_UNSAFE: 400,
  TOKEN_REFUSED: 401,
  ROLE_REFUSED: 403,
  PLACE_REFUSED: 403,
  EXECUTION_OFF: 403,
  NOT_TRUSTED: 403,
  CONTENT_REFUSED: 403,
  PERSON_NEEDED: 403,
  INSTALL_REFUSED: 403,
  CONSENT_NEEDED: 403,
  SOURCE_REFUSED: 403,
  SKILL_UNKNOWN: 404,
  WORKSPACE_UNKNOWN: 404,
  RUN_UNKNOWN: 404,
  QUESTION_UNKNOWN: 404,
  CHAT_UNKNOWN: 404,
  CALLBACK_UNKNOWN: 404,
  WEBHOOK_UNKNOWN: 404,
  PROPOSAL_UNKNOWN: 404,
  JOB_UNKNOWN: 404,
  FINDING_UNKNOWN: 404,
  LOCK_MISSING: 404,
  DECISION_UNKNOWN: 404,
  FILE_MISSING: 404,
  BLOB_MISSING: 404,
  ROUTE_UNKNOWN: 404,
  RUN_EXISTS: 409,
  RUN_OWNED: 409,
  RUN_UNFINISHED: 409,
  RUN_ENDED: 409,
  OWNER_LOST: 409,
  CHAT_BUSY: 409,
  KEY_REUSED: 409,
  STALE: 409,
  PROPOSAL_REFUSED: 409,
  PROPOSAL_CHANGED: 409,
  PROFILE_UNSUPPORTED: 409,
  DRIFTED: 409,
  TARGET_EXISTS: 409,
  SOURCE_CHANGED: 409,
  SOURCE_TOO_NEW: 409,
  QUESTION_EXPIRED: 410,
  REQUEST_LIMIT: 413,
  FILE_LIMIT: 413,
  SOURCE_LIMIT: 413,
  SOURCE_DAMAGED: 422,
  SOURCE_AMBIGUOUS: 422,
  SOURCE_EMPTY: 422,
  LOCK_INVALID: 422,
  HUB_SIGNATURE: 422,
  SOURCE_INVALID: 422,
  MANIFEST_INVALID: 422,
  ANSWER_REFUSED: 422,
  FILE_INVALID: 422,
  RATE_LIMITED: 429,
  SOURCE_UNREACHABLE: 502,
  LOCKED: 503,
  OVERLOADED: 503,
  ENVIRONMENT: 503,
  TOKENS_FILE: 503,
  HUB_KEYS: 503,
  ACCEPTED_FILE: 503,
  FILE_DENIED: 503,
};

/** Why a run was refused: codes of `run/failure-codes.ts` that are not those of errors. */
const statusOfRefusal: { readonly [code: string]: ProblemStatus } = {
  SKILL_UNKNOWN: 404,
  NOT_TRUSTED: 403,
  EXECUTION_OFF: 403,
  CONTENT_REFUSED: 403,
};

/** `null`: a bug. */
export function problemOf(error: unknown): Problem | null {
  if (!(error instanceof TechneError)) return null;
  const { code, message, hint } = error;
  const isFault = error instanceof RequestFault;
  return {
    status: isFault ? error.status : (statusOf[code] ?? 500),
    code,
    detail: printableLine(message),
    hint: hint === null ? null : printableLine(hint),
    ...(isFault ? { faults: error.faults.map(printableLine) } : {}),
  };
}

/** Of a run that could not start. */
export function refusalProblem(
  error: { readonly code: string; readonly message: string; readonly hint: string | null } | null,
  text: string,
): Problem {
  const code = error?.code ?? 'USAGE';
  return {
    status: statusOfRefusal[code] ?? 422,
    code,
    detail: printableLine(error?.message ?? text),
    hint: error?.hint === null || error === null ? null : printableLine(error.hint),
  };
}

/** Of what is not an error of ours, so that it has no row among them. */
const bugCode = 'INTERNAL';

const codeOfStatus: { readonly [status: number]: ErrorCode | typeof bugCode } = {
  400: 'REQUEST_INVALID',
  401: 'TOKEN_REFUSED',
  403: 'PLACE_REFUSED',
  404: 'ROUTE_UNKNOWN',
  405: 'ROUTE_UNKNOWN',
  413: 'REQUEST_LIMIT',
  415: 'REQUEST_INVALID',
  429: 'RATE_LIMITED',
  500: bugCode,
  503: 'OVERLOADED',
};

/** A refusal of the guard or the server. */
export function problemOfRefusal({ status, message, code, hint, headers }: HttpRefusal): Problem {
  return {
    status,
    code: typeof code === 'string' ? code : (codeOfStatus[status] ?? bugCode),
    detail: message,
    hint: hint ?? null,
    ...(headers === undefined ? {} : { headers }),
  };
}

export const problemType = 'application/problem+json';

export function renderProblem({ status, code, detail, hint, faults }: Problem): string {
  const title = Object.hasOwn(errorCodes, code)
    ? errorCodes[code as ErrorCode]
    : code === bugCode
      ? 'a bug in techne'
      : 'the run was refused';
  return JSON.stringify({
    type: `urn:techne:error:${code}`,
    title,
    status,
    detail,
    code,
    hint,
    ...(faults === undefined ? {} : { faults }),
  });
}

export function problemResponse(problem: Problem): Response {
  return new Response(renderProblem(problem), {
    status: problem.status,
    headers: { 'content-type': problemType, 'cache-control': 'no-store', ...problem.headers },
  });
}
