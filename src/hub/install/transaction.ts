// Changes what is installed: all of the changes, or none of them, whatever happens meanwhile.
//
//   changes -> intent on the disk -> folders renamed -> lock -> receipts -> intent removed -> stage removed
//
// T1. Once the intent is on the disk the change is finished by this process or by the next command (`heal`); before that
//     nothing outside the stage is touched.
// T2. A skill folder is moved by one rename, never written to in place: it is the old one or the new one, whole. Between
//     taking the old one away and putting the new one in its place there is none, for the time of one call; a process killed
//     there leaves the intent, and whoever looks at the skills next puts the new one in its place first.
// T3. A staged folder is verified, byte for byte, after the lock on the place was taken and before it is moved.
// T4. A call that fails takes everything back. If that fails too, the intent stays, and the next command goes on.
import { basename, dirname, join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import { nodeCrypto } from '../../node/environment.ts';
import { makeFolders, replaceFile, syncFolder } from '../../node/files/durable.ts';
import { leadsNowhere } from '../../node/files/file-fault.ts';
import { clearRecords, withLockFile } from '../../node/files/lock-file.ts';
import type { Lock, LockEntry } from '../lock/lock.ts';
import { emptyLock, findEntry, withEntries } from '../lock/lock.ts';
import { maxLockBytes, parseLock, renderLock } from '../lock/lock-text.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import type { HeldFolder, HubCalls } from '../stage/held-folder.ts';
import { holdFolder, inFolder, isThere } from '../stage/held-folder.ts';
import { clearStages, guarded, removeStage } from '../stage/stage.ts';
import type { TreeLimits } from '../stage/tree.ts';
import { isExactly, readTree } from '../stage/tree.ts';
import type { Intent, IntendedChange } from './intent.ts';
import { parseIntent, renderIntent } from './intent.ts';
import type { HubPlace } from './place.ts';
import type { Receipt, Receipts } from './receipts.ts';
import { parseReceipts, renderReceipts } from './receipts.ts';

export interface Change extends IntendedChange {
  /** What must be in the place of the skill: nothing, the files of `before`, or whatever is there. */
  readonly expects: 'nothing' | 'as-locked' | 'anything';
}

export interface TransactionOptions {
  readonly calls: HubCalls;
  readonly limits: TreeLimits;
  /** How long to wait for another command. */
  readonly waitMs: number;
}

/** Throws STALE where something changed since the change was planned, LOCKED, LOCK_INVALID, and faults of files. */
export async function commit(
  place: HubPlace,
  stage: string | null,
  changes: readonly Change[],
  options: TransactionOptions,
): Promise<void> {
  const { calls } = options;
  await exclusively(place, options, async () => {
    await healNow(place, options);
    const current = await readLock(place, calls);
    for (const change of changes) await checkPlan(place, current, change, stage, options);
    const intent: Intent = { stage, changes };
    await makeFolders(calls, place.skills, 0o755);
    await inFolder(calls, place.skills, async () => undefined);
    try {
      await writeDurable(calls, place.intentFile, renderIntent(intent), 0o600);
      await goForward(place, intent, options);
    } catch (error) {
      await takeBack(place, intent, options)
        .then(() => removeIntent(place, calls))
        .catch((again: unknown) => {
          throw unfinished(error, again);
        });
      throw error;
    }
    await finish(place, intent, options);
  });
}

/** Finishes, or takes back, what a killed process began. Gives whether there was anything. */
export async function heal(place: HubPlace, options: TransactionOptions): Promise<boolean> {
  if (!(await guarded(place.intentFile, () => isThere(options.calls, place.intentFile)))) return false;
  return exclusively(place, options, () => healNow(place, options));
}

/** Removes what killed processes left in the folder of stages and beside the mutex. */
export async function clearLeftovers(place: HubPlace, options: TransactionOptions): Promise<void> {
  await exclusively(place, options, async () => {
    await healNow(place, options);
    await clearStages(place, null, options.calls);
    await clearRecords(options.calls, place.mutexFile);
  });
}

function exclusively<T>(
  place: HubPlace,
  { calls, waitMs }: TransactionOptions,
  work: () => Promise<T>,
): Promise<T> {
  return guarded(place.state, () => withLockFile(calls, place.mutexFile, waitMs, work));
}

async function healNow(place: HubPlace, options: TransactionOptions): Promise<boolean> {
  const text = await readText(options.calls, place.intentFile);
  if (text === null) return false;
  const intent = parseIntent(text, place.intentFile);
  if (await canGoForward(place, intent, options)) await goForward(place, intent, options);
  else await takeBack(place, intent, options);
  await finish(place, intent, options);
  return true;
}

/** The plan was made before somebody was asked; much can have happened since. */
async function checkPlan(
  place: HubPlace,
  current: Lock,
  { name, act, before, after, expects }: Change,
  stage: string | null,
  options: TransactionOptions,
): Promise<void> {
  const stale = (what: string): TechneError =>
    new TechneError('STALE', `nothing was changed: ${what} of "${name}" changed meanwhile`, {
      hint: 'run the command again',
    });
  if (!isSameEntry(findEntry(current, name), before)) throw stale('the entry in the lock');
  const target = join(place.skills, name);
  if (expects === 'nothing') {
    if (await isThere(options.calls, target)) throw stale('the folder');
  } else if (expects === 'as-locked') {
    const tree = await readTree(options.calls, target, options.limits);
    if (tree === null || tree.strange.length > 0 || tree.manifest.digest !== before?.digest)
      throw stale('the content');
  }
  if (act === 'put' && !(await isStaged(place, stage, name, after, options))) throw stale('the private copy');
}

function isSameEntry(a: LockEntry | null, b: LockEntry | null): boolean {
  return canonicalJson(a as unknown as Json) === canonicalJson(b as unknown as Json);
}

async function isStaged(
  place: HubPlace,
  stage: string | null,
  name: string,
  entry: LockEntry | null,
  { calls, limits }: TransactionOptions,
): Promise<boolean> {
  if (stage === null || entry === null) return false;
  const tree = await readTree(calls, join(place.stages, stage, 'new', name), limits);
  return tree !== null && isExactly(tree, entry.digest);
}

/** Whether every new folder is staged, or in its place already. */
async function canGoForward(
  place: HubPlace,
  { stage, changes }: Intent,
  options: TransactionOptions,
): Promise<boolean> {
  for (const { name, act, after } of changes) {
    if (act !== 'put' || (await isStaged(place, stage, name, after, options))) continue;
    const tree = await readTree(options.calls, join(place.skills, name), options.limits);
    if (tree === null || after === null || !isExactly(tree, after.digest)) return false;
  }
  return true;
}

/** Can be done again from any point at which it was ended. */
async function goForward(place: HubPlace, intent: Intent, options: TransactionOptions): Promise<void> {
  const { calls } = options;
  await moving(place, intent.stage, calls, async (skills, fresh, old) => {
    for (const { name, act } of intent.changes) {
      if (act === 'keep') continue;
      const isWaiting = act === 'take' || (await isThere(calls, fresh.at(name)));
      // Once the new one is in its place, what is there is not the old one.
      if (isWaiting && (await isThere(calls, skills.at(name))))
        await calls.rename(skills.at(name), old.at(name));
      if (act === 'put' && isWaiting) await calls.rename(fresh.at(name), skills.at(name));
    }
  });
  await writeRecords(place, intent, 'after', calls);
}

/** Can be done again from any point, too. */
async function takeBack(place: HubPlace, intent: Intent, options: TransactionOptions): Promise<void> {
  const { calls } = options;
  await moving(place, intent.stage, calls, async (skills, fresh, old) => {
    for (const { name, act } of intent.changes) {
      if (act === 'keep') continue;
      const isNewThere =
        act === 'put' && !(await isThere(calls, fresh.at(name))) && (await isThere(calls, skills.at(name)));
      if (isNewThere) await calls.rename(skills.at(name), fresh.at(name));
      if ((await isThere(calls, old.at(name))) && !(await isThere(calls, skills.at(name))))
        await calls.rename(old.at(name), skills.at(name));
    }
  });
  await writeRecords(place, intent, 'before', calls);
}

/** Holds the three folders between which skills are moved, and makes their names durable. */
async function moving(
  place: HubPlace,
  stage: string | null,
  calls: HubCalls,
  work: (skills: HeldFolder, fresh: HeldFolder, old: HeldFolder) => Promise<void>,
): Promise<void> {
  if (stage === null) return;
  const held: HeldFolder[] = [];
  try {
    for (const path of [place.skills, join(place.stages, stage, 'new'), join(place.stages, stage, 'old')]) {
      const folder = await holdFolder(calls, path);
      if (folder === null)
        throw new TechneError(
          'FILE_MISSING',
          `"${path}" is gone, and with it a part of an unfinished change`,
          {
            hint: 'look at what is installed with "techne hub list"; "techne restore" puts it right',
          },
        );
      held.push(folder);
    }
    const [skills, fresh, old] = held as [HeldFolder, HeldFolder, HeldFolder];
    await work(skills, fresh, old);
    for (const folder of [old, fresh, skills]) await folder.sync();
  } finally {
    // All of them, also when one cannot be closed.
    await Promise.all(held.map((folder) => folder.close()));
  }
}

/** The lock, then the receipts. Entries of other skills stay as they are now. */
async function writeRecords(
  place: HubPlace,
  { changes }: Intent,
  side: 'before' | 'after',
  calls: HubCalls,
): Promise<void> {
  const current = await readLock(place, calls);
  const entries = new Map(changes.map((change) => [change.name, change[side]]));
  if (changes.some(({ name }) => !isSameEntry(findEntry(current, name), entries.get(name) ?? null)))
    await writeDurable(calls, place.lockFile, renderLock(withEntries(current, entries)), 0o644);
  const receipts = new Map(await readReceipts(place, calls));
  for (const [name, entry] of entries)
    if (entry === null) receipts.delete(name);
    else receipts.set(name, receiptOf(entry));
  const text = renderReceipts(receipts);
  if (text !== (await readText(calls, place.receiptsFile)))
    await writeDurable(calls, place.receiptsFile, text, 0o600);
}

function receiptOf({ source, digest }: LockEntry): Receipt {
  return { source, digest };
}

async function finish(place: HubPlace, { stage }: Intent, { calls }: TransactionOptions): Promise<void> {
  await removeIntent(place, calls);
  if (stage !== null) await removeStage(place, stage, calls);
}

async function removeIntent(place: HubPlace, calls: HubCalls): Promise<void> {
  try {
    await calls.unlink(place.intentFile);
  } catch (error) {
    if (!leadsNowhere(error)) throw error;
  }
  await syncFolder(place.state, calls);
}

function unfinished(error: unknown, again: unknown): Error {
  return new TechneError(
    'FILE_DENIED',
    `the change could neither be finished nor taken back: ${messageOf(error)}; ${messageOf(again)}`,
    { hint: 'the next techne command finishes it, or takes it back', cause: error },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A missing lock is an empty one. Throws LOCK_INVALID. */
export async function readLock(place: HubPlace, calls: HubCalls): Promise<Lock> {
  const text = await readText(calls, place.lockFile);
  return text === null ? emptyLock : parseLock(text, place.lockFile);
}

export async function readReceipts(place: HubPlace, calls: HubCalls): Promise<Receipts> {
  const text = await readText(calls, place.receiptsFile);
  return text === null ? new Map() : parseReceipts(text, place.receiptsFile);
}

async function readText(calls: HubCalls, path: string): Promise<string | null> {
  let bytes: Uint8Array;
  try {
    bytes = await calls.readFile(path);
  } catch (error) {
    if (leadsNowhere(error)) return null;
    throw error;
  }
  const { text, valid } = decodeUtf8(bytes);
  if (!valid || bytes.length > maxLockBytes)
    throw new TechneError('LOCK_INVALID', `"${path}" is ${valid ? 'too large' : 'not valid UTF-8'}`, {
      hint: 'put back an earlier version of the file',
    });
  return text;
}

async function writeDurable(calls: HubCalls, path: string, text: string, mode: number): Promise<void> {
  const folder = dirname(path);
  await makeFolders(calls, folder, mode === 0o600 ? 0o700 : 0o755);
  const temporary = join(folder, `.${basename(path)}.${nodeCrypto().randomBytes(6).toString('hex')}.tmp`);
  await replaceFile(calls, { path, temporary, bytes: encodeUtf8(text), createMode: 0o600, mode });
  await syncFolder(folder, calls);
}
