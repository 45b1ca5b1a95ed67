// Why a skill is not installed, updated or restored: what happened, and what to do.
//
// A way out that a hint names works in the state it is named for (test/hub/ways-out.test.ts).
import { TechneError } from '../../base/error.ts';
import type { Finding } from '../../guard/report.ts';
import type { Drift } from '../drift/find-drift.ts';
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

/**
 * What can be done about a skill that is not as locked. Every way that is named works in that state; none leads to a command
 * that names this one again.
 */
export function waysOut({ name, source, adopted }: LockEntry, { isMissing, files }: Drift): string {
  if (!isMissing && files.length === 0)
    return adopted ? 'remove what was added' : `techne restore ${name} removes what was added`;
  if (!adopted)
    return isMissing
      ? `techne restore ${name} puts it back; techne remove ${name} takes it out of the lock`
      : `techne restore ${name} puts it back; techne adopt ${name} keeps what is there`;
  const own = 'bring its files back from where you keep them, such as git';
  return isMissing
    ? `${own}; or techne remove ${name}, and then techne add ${shellWord(source)} --skill ${name} for the version of its source`
    : `${own}; techne adopt ${name} keeps what is there, techne remove --force ${name} removes it`;
}

/** The source has other content now. */
export function changedSource(entry: LockEntry, { isMissing }: Drift): TechneError {
  const { name, source } = entry;
  return new TechneError('SOURCE_CHANGED', `"${source}" no longer has "${name}" as it was locked`, {
    hint: isMissing
      ? `techne update ${name} shows what it has now; techne remove ${name} takes it out of the lock`
      : withoutSource(name),
  });
}

/** Why a skill cannot be restored, with a way out besides. `error`: what happened when its content was fetched. */
export function notRestored(entry: LockEntry, drift: Drift, error: unknown): NotProposed {
  const { name, adopted } = entry;
  if (!(error instanceof TechneError)) throw error;
  if (adopted)
    return {
      name,
      code: 'SOURCE_CHANGED',
      message: `"${name}" was adopted with changes that its source does not have`,
      hint: waysOut(entry, drift),
    };
  const way = drift.isMissing ? `techne remove ${name} takes it out of the lock` : withoutSource(name);
  return {
    ...notProposed(name, error),
    hint:
      error.hint?.includes(way) === true
        ? error.hint
        : `${error.hint === null ? '' : `${error.hint}; otherwise `}${way}`,
  };
}

function withoutSource(name: string): string {
  return `techne adopt ${name} keeps what is installed now; techne remove --force ${name} removes it`;
}

/** `entry`: of the lock; `null`: it has none. */
export function hasChanges(name: string, entry: LockEntry | null, isRemoval = false): TechneError {
  const ways = [
    entry === null || entry.adopted ? null : `techne restore ${name} drops them`,
    `techne adopt ${name} keeps them`,
    isRemoval || entry === null || entry.adopted
      ? `techne remove --force ${name} removes it with them`
      : null,
  ].filter((way) => way !== null);
  return new TechneError(
    'DRIFTED',
    `"${name}" was changed after it was installed, and the changes would be lost`,
    { hint: `${ways.join(', ')}${isRemoval ? '' : '; then try again'}` },
  );
}

/** Of a skill that was installed on this machine, and whose folder is there. A lock that is gone altogether is most likely in the repository still. */
export function lostEntry(
  name: string,
  { scope }: HubPlace,
  { hasLock, isChanged }: { readonly hasLock: boolean; readonly isChanged: boolean },
): TechneError {
  const keep = `techne adopt ${name} puts it back into the lock, techne remove ${isChanged ? '--force ' : ''}${name} removes it`;
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

/** A hint is copied into a shell: of a source that somebody else wrote, only plain words are. */
export function shellWord(source: string): string {
  return /^[\w@./:#~][\w@./:#-]*$/.test(source) ? source : 'SOURCE';
}

/** What accepts findings that are wrong, to be copied. `folder`: where the skill is, as it is to be shown; `null`: nowhere yet. */
export function acceptCommand(findings: readonly Finding[], folder: string | null): string {
  const prints = [...new Set(findings.map(({ fingerprint }) => fingerprint.slice(0, 12)))].slice(0, 20);
  const place = folder === null || shellWord(folder) !== folder ? 'FOLDER' : folder;
  return `techne scan accept ${prints.join(' ')} --in ${place} --reason TEXT`;
}
