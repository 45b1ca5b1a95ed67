// What a transaction is about to do, written down before it does it.
//
//   Intent <-> ~/.techne/hub/KEY/intent.json
//
// It names skills and a stage, never paths: where they are follows from the place. Entries of the lock are kept as the text
// of a lock, so that they are read with the same care.
import { TechneError } from '../../base/error.ts';
import { isJsonObject, jsonIn } from '../../base/json.ts';
import { emptyLock, findEntry, isSkillName, withEntries } from '../lock/lock.ts';
import type { LockEntry } from '../lock/lock.ts';
import { parseLock, renderLock } from '../lock/lock-text.ts';

/** `put`: the staged folder takes the place of what is there. `take`: what is there is taken away. `keep`: only the lock changes. */
export type Act = 'put' | 'take' | 'keep';

export interface IntendedChange {
  readonly name: string;
  readonly act: Act;
  /** The entry of the lock; `null`: it has none. */
  readonly before: LockEntry | null;
  readonly after: LockEntry | null;
}

export interface Intent {
  /** `null`: nothing was staged, and nothing is moved. */
  readonly stage: string | null;
  readonly changes: readonly IntendedChange[];
}

export function renderIntent({ stage, changes }: Intent): string {
  const lockOf = (side: 'before' | 'after'): string =>
    renderLock(withEntries(emptyLock, new Map(changes.map((change) => [change.name, change[side]]))));
  return `${JSON.stringify(
    {
      version: 1,
      stage,
      acts: changes.map(({ name, act }) => [name, act]),
      before: lockOf('before'),
      after: lockOf('after'),
    },
    null,
    2,
  )}\n`;
}

/** Throws LOCK_INVALID. */
export function parseIntent(text: string, file: string): Intent {
  const value = jsonIn(text);
  const bad = (why: string): TechneError =>
    new TechneError('LOCK_INVALID', `the record "${file}" of an unfinished change cannot be used: ${why}`, {
      hint: `look at what is installed with "techne hub list", then remove "${file}"`,
    });
  if (!isJsonObject(value) || value['version'] !== 1) throw bad('it is not as techne writes it');
  const { stage, acts, before, after } = value;
  if (stage !== null && !(typeof stage === 'string' && /^stage-[0-9a-f]{16}$/.test(stage)))
    throw bad('it names no stage');
  if (!Array.isArray(acts) || typeof before !== 'string' || typeof after !== 'string')
    throw bad('a part is missing');
  const [left, right] = [parseLock(before, file), parseLock(after, file)];
  const changes = acts.map((pair: unknown): IntendedChange => {
    const [name, act] = Array.isArray(pair) ? (pair as unknown[]) : [];
    if (typeof name !== 'string' || !isSkillName(name)) throw bad('it names no skill');
    if (act !== 'put' && act !== 'take' && act !== 'keep') throw bad('it does not say what to do');
    return { name, act, before: findEntry(left, name), after: findEntry(right, name) };
  });
  return { stage, changes };
}
