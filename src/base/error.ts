// Requests that techne could not honour.
//
// A TechneError has a code from a closed list, the value and place in its message, a hint and a cause. Each surface has
// one function from the code to an exit code, tool result or response. Anything else that is thrown is a bug.

export const errorCodes = {
  USAGE: 'the request, the command line or a call of the library is wrong',
  SKILL_UNKNOWN: 'no skill has this name',
  PATH_UNSAFE: 'the path leaves the skill folder or is not a relative path',
  FILE_MISSING: 'the file does not exist',
  FILE_INVALID: 'the file has errors',
  FILE_DENIED: 'the file may not be read or written',
  FILE_LIMIT: 'the file is over the size limit',
  ORIGIN_REFUSED: 'a skill in memory cannot claim to be part of techne',
  STALE: 'the file changed after the snapshot was taken',
  CONTENT_REFUSED: 'the content guard, or the embedding program, refused the file',
  ACCEPTED_FILE: 'the file of accepted findings cannot be used',
  FINDING_UNKNOWN: 'no finding has this fingerprint',
  BLOB_MISSING: 'the blob store does not hold this digest',
  BLOB_CORRUPT: 'a stored blob does not match its digest',
  FILES_LOST: 'the files of a run were on a worker that is gone',
  MANIFEST_INVALID: 'a manifest of files cannot be used',
  WORKSPACE_UNKNOWN: 'the store has no workspace of this name, or not this version of it',
  DIGEST_LIMIT: 'the skill folder has too many files or bytes to be digested',
  TRUST_NEEDS_PERSON: 'trust can only be granted by a person at a terminal',
  PERSON_NEEDED: 'only a person at a terminal decides this',
  TRUST_STORE: 'the trust store cannot be read or written',
  APPROVALS_STORE: 'the approvals file cannot be read or written',
  TRUST_TOO_WIDE: 'the folder is too wide to be trusted',
  LOCKED: 'another process holds the lock',
  TARGET_EXISTS: 'the target already exists',
  LOCK_MISSING: 'there is no lock of installed skills to compare with',
  LOCK_INVALID: 'the lock of installed skills, or a record beside it, cannot be used',
  DRIFTED: 'an installed skill differs from its lock',
  INSTALL_REFUSED: 'the skill may not be installed',
  CONSENT_NEEDED: 'a person at a terminal must agree, or the source must be pinned',
  JOB_UNKNOWN: 'no job has this id',
  PROPOSAL_UNKNOWN: 'no proposal has this id',
  PROPOSAL_REFUSED: 'the change of a skill cannot be proposed, or the proposal cannot be accepted',
  PROPOSAL_CHANGED: 'the files of a proposal are not those that were proposed',
  RUN_UNKNOWN: 'no run has this id',
  RUN_EXISTS: 'a run with this id exists already',
  RUN_OWNED: 'a living process owns the run',
  KEY_REUSED: 'the idempotency key was used with another request',
  RUN_UNFINISHED: 'the run has not ended',
  RUN_ENDED: 'the run has ended and cannot be resumed',
  OWNER_LOST: 'another process has taken the run over',
  JOURNAL_CORRUPT: 'the journal of the run is damaged',
  JOURNAL_FULL: 'the disk is full: the journal cannot be written',
  JOURNAL_WRITE: 'the journal cannot be written',
  JOURNAL_SEQUENCE: 'the entries do not follow the last one of the journal',
  QUESTION_UNKNOWN: 'the run has no open question of this id',
  CHAT_UNKNOWN: 'there is no conversation of this id in this workspace',
  CHAT_BUSY: 'the conversation is being answered, here or by another process',
  CALLBACK_UNKNOWN: 'the callback token is unknown, used or expired, or its question is closed',
  WEBHOOK_UNKNOWN: 'there is no webhook of this name',
  QUESTION_EXPIRED: 'the question can no longer be answered',
  ANSWER_REFUSED:
    'the answer comes from the wrong audience, has the wrong nonce or does not fit the question',
  DECISION_UNKNOWN: 'no effect of this key waits for a decision',
  EXECUTION_OFF: 'execution is switched off, so the run cannot continue',
  NOT_TRUSTED: 'the skill is not trusted, so it is not executed',
  PROFILE_UNSUPPORTED: 'the run was started with a version of the language that this one cannot continue',
  HUB_SIGNATURE: 'the signature of a hub is broken, missing or another one than before',
  HUB_KEYS: 'the file of trusted keys cannot be read or written',
  PUBLISH_REFUSED: 'the skill or the hub is not in a state to be published',
  ENVIRONMENT: 'something the command needs is missing on this machine',
  SOURCE_INVALID: 'the source of a skill cannot be understood',
  SOURCE_AMBIGUOUS: 'the source of a skill can mean more than one thing',
  SOURCE_REFUSED: 'the source may not be fetched: its protocol, address or redirect is not allowed',
  SOURCE_UNREACHABLE: 'the source cannot be reached, or does not exist',
  SOURCE_LIMIT: 'the source is over a limit of size, number, depth or time',
  SOURCE_DAMAGED: 'the source does not match its digest, or is not well formed',
  SOURCE_EMPTY: 'the source holds no skill that can be installed',
  SOURCE_CHANGED: 'the source no longer has the content that was pinned',
  SOURCE_TOO_NEW: 'the version or commit is younger than the minimum age',
  TOKENS_FILE: 'the file of tokens cannot be read or written',
  TOKEN_REFUSED: 'the token of a request is missing, unknown, expired or revoked',
  ROLE_REFUSED: 'the role of the token is not enough for the request',
  PLACE_REFUSED: 'the request names another server, or comes from a web page that is not allowed',
  REQUEST_INVALID: 'the request does not fit what the API takes',
  REQUEST_LIMIT: 'the body of the request is over the limit',
  ROUTE_UNKNOWN: 'the server has nothing at this path, or not for this method',
  RATE_LIMITED: 'the token made too many requests in a short time',
  OVERLOADED: 'the server has too much to do, or is starting or stopping',
} as const;

/** Each has a row in docs/errors.md. */
export type ErrorCode = keyof typeof errorCodes;

/** A request that could not be honoured. `code` is for programs, `message` and `hint` for people. */
export class TechneError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | null;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TechneError';
    this.code = code;
    this.hint = options.hint ?? null;
  }
}

/** Marks a branch the types say is impossible. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
