// What ended a drive without ending its run -> the same, with the run and what can be done about it.
import { TechneError } from '../base/error.ts';

export function faultOfRun(run: string, error: unknown): unknown {
  if (!(error instanceof TechneError)) return error;
  const { code, message, hint } = error;
  if (code === 'JOURNAL_FULL' || code === 'JOURNAL_WRITE') {
    return new TechneError(code, `run ${run} was stopped, and can be resumed: ${message}`, {
      hint: `${hint === null ? '' : `${hint}; `}techne runs resume ${run}`,
      cause: error,
    });
  }
  if (code === 'BLOB_MISSING' || code === 'BLOB_CORRUPT') {
    return new TechneError(code, `run ${run} cannot go on, since a part of it is lost: ${message}`, {
      hint: `techne runs show ${run}, techne runs cancel ${run}`,
      cause: error,
    });
  }
  return error;
}
