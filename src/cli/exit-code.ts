// Error codes and run statuses -> exit codes.
import type { ErrorCode } from '../base/error.ts';
import type { RunStatus } from '../run/result/result.ts';

/**
 * `files`: errors in the user's files, or a failed run. `bug`: an unexpected error. `interrupted`: Ctrl-C, as in shells.
 * `refused`, `paused` and `undecided` are statuses of a run.
 */
export const exitCodes = {
  fine: 0,
  files: 1,
  usage: 2,
  environment: 3,
  refused: 4,
  paused: 5,
  undecided: 6,
  bug: 70,
  interrupted: 130,
} as const;

export const exitCodeOfStatus: Record<RunStatus, number> = {
  completed: exitCodes.fine,
  partial: exitCodes.files,
  failed: exitCodes.files,
  refused: exitCodes.refused,
  paused: exitCodes.paused,
  needs_decision: exitCodes.undecided,
  cancelled: exitCodes.interrupted,
};

const byError: Record<ErrorCode, number> = {
  USAGE: exitCodes.usage,
  SKILL_UNKNOWN: exitCodes.usage,
  PATH_UNSAFE: exitCodes.usage,
  FILE_MISSING: exitCodes.usage,
  FILE_DENIED: exitCodes.environment,
  FILE_INVALID: exitCodes.files,
  FILE_LIMIT: exitCodes.files,
  ORIGIN_REFUSED: exitCodes.usage,
  STALE: exitCodes.environment,
  CONTENT_REFUSED: exitCodes.files,
  ACCEPTED_FILE: exitCodes.environment,
  FINDING_UNKNOWN: exitCodes.usage,
  BLOB_MISSING: exitCodes.environment,
  BLOB_CORRUPT: exitCodes.environment,
  DIGEST_LIMIT: exitCodes.files,
  TRUST_NEEDS_PERSON: exitCodes.environment,
  PERSON_NEEDED: exitCodes.environment,
  TRUST_TOO_WIDE: exitCodes.usage,
  TRUST_STORE: exitCodes.environment,
  APPROVALS_STORE: exitCodes.environment,
  LOCKED: exitCodes.environment,
  TARGET_EXISTS: exitCodes.usage,
  LOCK_MISSING: exitCodes.files,
  LOCK_INVALID: exitCodes.files,
  DRIFTED: exitCodes.files,
  INSTALL_REFUSED: exitCodes.refused,
  CONSENT_NEEDED: exitCodes.refused,
  PROPOSAL_UNKNOWN: exitCodes.usage,
  PROPOSAL_REFUSED: exitCodes.refused,
  PROPOSAL_CHANGED: exitCodes.refused,
  ENVIRONMENT: exitCodes.environment,
  RUN_UNKNOWN: exitCodes.usage,
  RUN_EXISTS: exitCodes.usage,
  RUN_OWNED: exitCodes.environment,
  KEY_REUSED: exitCodes.usage,
  RUN_UNFINISHED: exitCodes.usage,
  RUN_ENDED: exitCodes.usage,
  OWNER_LOST: exitCodes.environment,
  JOURNAL_CORRUPT: exitCodes.environment,
  JOURNAL_FULL: exitCodes.environment,
  JOURNAL_WRITE: exitCodes.environment,
  JOURNAL_SEQUENCE: exitCodes.environment,
  QUESTION_UNKNOWN: exitCodes.usage,
  QUESTION_EXPIRED: exitCodes.usage,
  PROFILE_UNSUPPORTED: exitCodes.environment,
  EXECUTION_OFF: exitCodes.refused,
  NOT_TRUSTED: exitCodes.refused,
  DECISION_UNKNOWN: exitCodes.usage,
  ANSWER_REFUSED: exitCodes.usage,
  HUB_SIGNATURE: exitCodes.refused,
  HUB_KEYS: exitCodes.environment,
  PUBLISH_REFUSED: exitCodes.files,
  SOURCE_INVALID: exitCodes.usage,
  SOURCE_AMBIGUOUS: exitCodes.usage,
  SOURCE_REFUSED: exitCodes.refused,
  SOURCE_UNREACHABLE: exitCodes.environment,
  SOURCE_LIMIT: exitCodes.files,
  SOURCE_DAMAGED: exitCodes.files,
  SOURCE_EMPTY: exitCodes.files,
  SOURCE_CHANGED: exitCodes.files,
  SOURCE_TOO_NEW: exitCodes.refused,
};

export function exitCodeOf(code: ErrorCode): number {
  return byError[code];
}
