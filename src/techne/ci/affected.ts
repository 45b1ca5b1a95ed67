// Changed files and the skills that are there -> the skills that a change concerns, each with the reason.
//
// A1. A skill is concerned when a file in its folder changed (as found or with links resolved), or a link on the way to it; when
//     its entry in the lock changed; and when a skill that it names is concerned, at any distance.
// A2. A skill that names one which is not there is concerned when a skill was removed.
// A3. A change of the configuration concerns every skill.
import { basename, dirname, join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { parseLock } from '../../hub/lock/lock-text.ts';
import { lockFileName } from '../../hub/lock/lock.ts';
import type { Skill } from '../../registry/types.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { skillsNamedIn } from '../check/plan-world.ts';

export interface ChangedFiles {
  /** Absolute, links of the folder of the repository resolved. */
  readonly paths: readonly string[];
  readonly realPath: (path: string) => string | null;
  readonly isThere: (path: string) => boolean;
  /** A file as it is, and as it was before; `null`: it is not there. */
  readonly now: (path: string) => Promise<string | null>;
  readonly before: (path: string) => Promise<string | null>;
}

/** The names of skills that a skill uses: its steps, and what it requires. */
function namedBy({ head, name }: Skill): ReadonlySet<string> {
  const named = new Set([...skillsNamedIn(head), ...(head.requires?.skills ?? [])]);
  named.delete(name);
  return named;
}

/** The skills that a skill names, found as a step finds them: beside it, then by name. */
export function createUses(
  skills: readonly Skill[],
  winners: Pick<Snapshot, 'has' | 'get'>,
): (skill: Skill) => { readonly found: readonly Skill[]; readonly missing: readonly string[] } {
  const byFolder = new Map(skills.map((skill) => [skill.folder, skill]));
  return (skill) => {
    const found: Skill[] = [];
    const missing: string[] = [];
    for (const name of namedBy(skill)) {
      const other =
        byFolder.get(join(dirname(skill.folder), name)) ?? (winners.has(name) ? winners.get(name) : null);
      if (other === null) missing.push(name);
      else found.push(other);
    }
    return { found, missing };
  };
}

/** Why each skill is concerned; those that are not are left out. */
export async function findAffected(
  skills: readonly Skill[],
  winners: Pick<Snapshot, 'has' | 'get'>,
  changed: ChangedFiles,
): Promise<ReadonlyMap<Skill, string>> {
  const reasons = new Map<Skill, string>();
  const files = new Set(changed.paths);
  const folders = new Set<string>();
  for (const path of files) for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at);
  const locked = await changedLocks(changed);
  for (const skill of skills) {
    const parent = changed.realPath(dirname(skill.folder)) ?? dirname(skill.folder);
    const places = [skill.realFolder, join(parent, basename(skill.folder))];
    if (places.some((place) => folders.has(place) || files.has(place) || isBehindLink(place, files)))
      reasons.set(skill, 'changed');
    else if (locked(places)) reasons.set(skill, 'its entry in the lock changed');
  }
  const removed = changed.paths.some(
    (path) => basename(path).toLowerCase() === 'skill.md' && !changed.isThere(path),
  );
  const uses = createUses(skills, winners);
  const users = new Map<Skill, Skill[]>();
  for (const skill of skills) {
    const { found, missing } = uses(skill);
    for (const other of found) users.set(other, [...(users.get(other) ?? []), skill]);
    if (removed && missing.length > 0 && !reasons.has(skill))
      reasons.set(skill, `uses "${missing[0]}", which is not there`);
  }
  const ahead = [...reasons.keys()];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    for (const user of users.get(next) ?? []) {
      if (reasons.has(user)) continue;
      reasons.set(user, `uses "${next.name}"`);
      ahead.push(user);
    }
  }
  return reasons;
}

/** A link that changed above the folder, or a repository in it. */
function isBehindLink(place: string, files: ReadonlySet<string>): boolean {
  for (let at = dirname(place); at !== dirname(at); at = dirname(at)) if (files.has(at)) return true;
  return false;
}

/** Whether a lock says something else about a folder than before. */
async function changedLocks({
  paths,
  now,
  before,
}: ChangedFiles): Promise<(places: readonly string[]) => boolean> {
  const changes: { readonly folder: string; readonly names: ReadonlySet<string> | null }[] = [];
  for (const path of paths.filter((one) => basename(one) === lockFileName)) {
    const [is, was] = [entriesOf(await now(path), path), entriesOf(await before(path), path)];
    const names =
      is === null || was === null
        ? null
        : new Set([...is.keys(), ...was.keys()].filter((name) => is.get(name) !== was.get(name)));
    changes.push({ folder: join(dirname(path), '.techne', 'skills'), names });
  }
  return (places) =>
    changes.some(({ folder, names }) =>
      places.some((place) => dirname(place) === folder && (names === null || names.has(basename(place)))),
    );
}

/** By name; `null`: it cannot be read, so that everything in it may differ. */
function entriesOf(text: string | null, path: string): ReadonlyMap<string, string> | null {
  if (text === null) return new Map();
  try {
    return new Map(parseLock(text, path).skills.map((entry) => [entry.name, JSON.stringify(entry)]));
  } catch (error) {
    if (error instanceof TechneError) return null;
    throw error;
  }
}
