// Why a skill is not installed, updated or restored: what happened, and what to do.
import { TechneError } from '../../base/error.ts';
import type { LockEntry } from '../lock/lock.ts';
import type { HubPlace } from './place.ts';
import type { NotProposed } from './proposal.ts';

/** A fault of one skill does not keep the others back; anything that is no refusal is thrown. */
export function notProposed(name: string, error: unknown): NotProposed {
  if (!(error instanceof TechneError)) throw error;
  return { name, code: error.code, message: error.message, hint: error.hint };
}

export function gone({ name, source }: LockEntry): TechneError {
  return new TechneError('SOURCE_CHANGED', `"${source}" no longer has the skill "${name}"`, {
    hint: `keep it as it is with "techne pin ${name}", or remove it with "techne remove ${name}"`,
  });
}

export function changedSource({ name, source }: LockEntry): TechneError {
  return new TechneError('SOURCE_CHANGED', `"${source}" no longer has "${name}" as it was locked`, {
    hint: `techne update ${name} shows what it has now`,
  });
}

export function cannotRestore({ name }: LockEntry): TechneError {
  return new TechneError(
    'SOURCE_CHANGED',
    `"${name}" was adopted with changes that its source does not have`,
    {
      hint: `get the files from where you keep them (git), or adopt again with "techne adopt ${name}", or remove it and add it again`,
    },
  );
}

/** `force`: how the command does it all the same, where it can. */
export function hasChanges(name: string, force = ''): TechneError {
  return new TechneError(
    'DRIFTED',
    `"${name}" was changed after it was installed, and the changes would be lost`,
    {
      hint: `techne restore ${name} drops them, techne adopt ${name} keeps them; then try again${force}`,
    },
  );
}

/** Of a skill that was installed on this machine. A lock that is gone altogether is most likely in the repository still. */
export function lostEntry(name: string, { scope }: HubPlace, hasLock: boolean): TechneError {
  const keep = `techne adopt ${name} puts it back into the lock, techne remove ${name} removes it`;
  if (hasLock)
    return new TechneError('DRIFTED', 'it was installed, and the lock no longer has it', { hint: keep });
  return new TechneError(
    'DRIFTED',
    scope === 'user'
      ? 'it was installed, and there is no techne-lock.json in ~/.techne'
      : 'it was installed, and there is no techne-lock.json here',
    { hint: scope === 'user' ? keep : `git restore techne-lock.json brings the lock back; ${keep}` },
  );
}
