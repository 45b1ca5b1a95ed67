// Requests we could not honour.
//
// E1. Thrown, with a closed code, the value and place in the message, a hint and a cause.
// E2. Each surface has one function from code to exit code, tool result or response.
// E3. Anything thrown that is not a TechneError is a bug of ours.

export const errorCodes = {
  USAGE: 'the command line is wrong',
  SKILL_UNKNOWN: 'no skill has this name',
  PATH_UNSAFE: 'the path leaves the skill folder or is not a relative path',
  FILE_MISSING: 'the file does not exist',
  FILE_DENIED: 'the file may not be read or written',
  FILE_LIMIT: 'the file is over the size limit',
  ORIGIN_REFUSED: 'a skill in memory cannot claim to be part of techne',
  STALE: 'the file changed after the snapshot was taken',
  CONTENT_REFUSED: 'the content gate refused the file',
  BLOB_MISSING: 'the blob store does not hold this digest',
  BLOB_CORRUPT: 'a stored blob does not match its digest',
  DIGEST_LIMIT: 'the skill folder has too many files or bytes to be digested',
  TRUST_NEEDS_PERSON: 'trust can only be granted by a person at a terminal',
  TRUST_STORE: 'the trust store cannot be read or written',
  TRUST_TOO_WIDE: 'the folder is too wide to be trusted',
  LOCKED: 'another process holds the lock',
  TARGET_EXISTS: 'the target already exists',
  ENVIRONMENT: 'something the command needs is missing on this machine',
} as const;

export type ErrorCode = keyof typeof errorCodes;

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
