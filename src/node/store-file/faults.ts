// Errors of the file calls -> the errors of the RunStore.
import { TechneError } from '../../base/error.ts';
import { codeOf, faultOf } from '../files/file-fault.ts';
import { FileFault } from '../../ports/files.ts';

export function writeFault(path: string, cause: unknown): TechneError {
  if (cause instanceof TechneError) return cause;
  const code = codeOf(cause instanceof FileFault ? cause.cause : cause);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new TechneError('JOURNAL_FULL', `there is no room for "${path}"`, {
      hint: 'free disk space ("techne runs prune --older-than 7d" removes old runs), then resume the run',
      cause,
    });
  }
  const hint = ['EROFS', 'EACCES', 'EPERM'].includes(code)
    ? {
        hint: 'runs are kept in the folder .techne of your home folder: make it writable, or set HOME to a folder that is',
      }
    : {};
  return new TechneError(
    'JOURNAL_WRITE',
    `"${path}" cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
    { ...hint, cause },
  );
}

/** A fault of the file system as a FileFault; anything else as it is. */
export function readFault(path: string, cause: unknown): unknown {
  return codeOf(cause) === '' || cause instanceof TechneError ? cause : faultOf(cause, path);
}
