// The errors of run stores, with the same words in each.
import { TechneError } from '../base/error.ts';
import type { Claim } from '../ports/run-store.ts';

export function runUnknown(run: string): TechneError {
  return new TechneError('RUN_UNKNOWN', `there is no run "${run}"`, {
    hint: '`techne runs list` shows the runs there are',
  });
}

export function runExists(run: string): TechneError {
  return new TechneError('RUN_EXISTS', `there is a run "${run}" already`);
}

export function runOwned(run: string, owner: string): TechneError {
  return new TechneError('RUN_OWNED', `run ${run} is owned by ${owner}`, {
    hint: 'wait for it, or end that process',
  });
}

export function runUnfinished(run: string): TechneError {
  return new TechneError('RUN_UNFINISHED', `run ${run} has not ended`, { hint: 'cancel it first' });
}

export function runEnded(run: string): TechneError {
  return new TechneError('RUN_ENDED', `run ${run} has ended`);
}

export function ownerLost({ run, epoch }: Claim): TechneError {
  return new TechneError('OWNER_LOST', `run ${run} was taken over after epoch ${epoch}`);
}

export function outOfSequence(run: string, expectedSeq: number, seq: number): TechneError {
  return new TechneError(
    'JOURNAL_SEQUENCE',
    `run ${run} has ${seq} entries, and ${expectedSeq} were expected`,
  );
}

/** Normally a ULID; what matters is that the name of a run cannot be another path. */
const runName = /^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/;

export function isRunName(run: string): boolean {
  return runName.test(run);
}
