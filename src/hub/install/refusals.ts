// Why a skill is not installed, updated or restored: what happened, and what to do.
import { TechneError } from '../../base/error.ts';
import type { LockEntry } from '../lock/lock.ts';
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

export function hasChanges(name: string): TechneError {
  return new TechneError(
    'DRIFTED',
    `"${name}" was changed after it was installed, and the changes would be lost`,
    {
      hint: `techne restore ${name} drops them, techne adopt ${name} keeps them; then try again`,
    },
  );
}
