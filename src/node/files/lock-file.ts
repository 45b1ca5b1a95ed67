// A lock that is a file, respected by every process on the machine.
//
//   link(my record, lock) -> held          EEXIST -> look at the owner -> wait, or remove a dead owner's lock
//
// A lock file is complete from its first instant: it is a link to a finished record. It is removed by its owner, or,
// if the owner is dead, by the one process that holds the lock `<lock>.<token>`. Tokens are never reused, so a slow
// process that still believes in an old owner cannot remove the lock of a living one. Which owner is dead is decided
// in owner-record.ts. Waiting is bounded; then LOCKED names the file and its owner.
import type { promises } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TechneError } from '../../base/error.ts';
import type { AsyncCalls } from './durable.ts';
import { codeOf, faultOf, leadsNowhere } from './file-fault.ts';
import { makeFolders } from './durable.ts';
import { nodeCrypto } from '../environment.ts';
import type { OwnerRecord } from './owner-record.ts';
import { isDead, ownRecord } from './owner-record.ts';

interface LockRecord extends OwnerRecord {
  readonly token: string;
}

// A dead remover leaves a lock that itself has to be removed; more than a few in a row is a fault.
const maxRemovers = 8;

export async function withLockFile<T>(
  calls: AsyncCalls,
  path: string,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const mine: LockRecord = { token: nodeCrypto().randomBytes(12).toString('hex'), ...ownRecord() };
  const record = `${path}.${mine.token}.tmp`;
  const deadline = performance.now() + waitMs;
  let held = false;
  try {
    await makeFolders(calls, dirname(path), 0o700);
    await writeRecord(calls, record, mine);
    try {
      await acquire(calls, path, record, deadline, 0);
      held = true;
    } finally {
      await discard(calls, record);
    }
  } catch (error) {
    if (held) await release(calls, path, mine.token);
    throw error instanceof TechneError ? error : faultOf(error, path);
  }
  try {
    return await work();
  } finally {
    await release(calls, path, mine.token);
  }
}

/**
 * Removes the records beside the lock `path` that killed processes left: their names are never used again. One that cannot be
 * read may be of a process that is just writing it, and stays.
 */
export async function clearRecords(
  calls: AsyncCalls & Pick<typeof promises, 'readdir'>,
  path: string,
): Promise<void> {
  const folder = dirname(path);
  const prefix = `${basename(path)}.`;
  for (const name of await calls.readdir(folder)) {
    if (!name.startsWith(prefix) || !/^[0-9a-f]{24}\.tmp$/.test(name.slice(prefix.length))) continue;
    const owner = await readRecord(calls, join(folder, name));
    if (owner !== 'gone' && owner !== 'unreadable' && isDead(owner)) await discard(calls, join(folder, name));
  }
}

/** The living process that holds the lock; null: none does. An owner that cannot be told counts as alive. */
export async function holderOf(
  calls: AsyncCalls,
  path: string,
): Promise<{ readonly pid: number | null } | null> {
  const owner = await readRecord(calls, path);
  if (owner === 'gone') return null;
  if (owner === 'unreadable') return { pid: null };
  return isDead(owner) ? null : { pid: owner.pid };
}

async function acquire(
  calls: AsyncCalls,
  path: string,
  record: string,
  deadline: number,
  depth: number,
): Promise<void> {
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    if (await linked(calls, record, path)) return;
    const owner = await readRecord(calls, path);
    if (owner === 'gone') continue;
    if (owner !== 'unreadable' && depth < maxRemovers && isDead(owner)) {
      await removeDead(calls, path, owner.token, record, deadline, depth);
      continue;
    }
    if (performance.now() >= deadline) {
      const who = owner === 'unreadable' ? 'an unknown owner' : `process ${owner.pid} on ${owner.host}`;
      throw new TechneError('LOCKED', `"${path}" is held by ${who}`, {
        hint: `wait for it to end; if no such process exists, remove the file "${path}"`,
      });
    }
    // Spread out, so that many waiters do not wake in step.
    await sleep(pauseMs * (0.5 + Math.random()));
  }
}

async function removeDead(
  calls: AsyncCalls,
  path: string,
  token: string,
  record: string,
  deadline: number,
  depth: number,
): Promise<void> {
  const remover = `${path}.${token}`;
  await acquire(calls, remover, record, deadline, depth + 1);
  try {
    const owner = await readRecord(calls, path);
    if (owner !== 'gone' && owner !== 'unreadable' && owner.token === token) await discard(calls, path);
  } finally {
    await discard(calls, remover);
  }
}

/** Whether `record` could be made visible as `path`; `false` when something is there already. */
async function linked(calls: AsyncCalls, record: string, path: string): Promise<boolean> {
  try {
    await calls.link(record, path);
    return true;
  } catch (error) {
    switch (codeOf(error)) {
      case 'EEXIST':
        return false;
      case 'EPERM':
      case 'ENOSYS':
      case 'ENOTSUP':
      case 'EOPNOTSUPP':
        return copied(calls, record, path);
      default:
        throw error;
    }
  }
}

/** For file systems without links. A crash between these two lines leaves a lock without an owner, which counts as alive. */
async function copied(calls: AsyncCalls, record: string, path: string): Promise<boolean> {
  const bytes = await calls.readFile(record);
  try {
    const handle = await calls.open(path, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** A lock that stays behind while its owner lives stops everyone, so this is tried more than once. */
async function release(calls: AsyncCalls, path: string, token: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const owner = await readRecord(calls, path);
      if (owner !== 'gone' && owner !== 'unreadable' && owner.token === token) await discard(calls, path);
      return;
    } catch (error) {
      if (attempt === 3) throw faultOf(error, path);
    }
  }
}

async function writeRecord(calls: AsyncCalls, path: string, record: LockRecord): Promise<void> {
  const handle = await calls.open(path, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(record));
  } catch (error) {
    await discard(calls, path);
    throw error;
  } finally {
    await handle.close();
  }
}

async function discard(calls: AsyncCalls, path: string): Promise<void> {
  try {
    await calls.unlink(path);
  } catch (error) {
    if (!leadsNowhere(error)) throw error;
  }
}

async function readRecord(calls: AsyncCalls, path: string): Promise<LockRecord | 'gone' | 'unreadable'> {
  let text: string;
  try {
    text = await calls.readFile(path, 'utf8');
  } catch (error) {
    if (leadsNowhere(error)) return 'gone';
    throw error;
  }
  return parseRecord(text) ?? 'unreadable';
}

function parseRecord(text: string): LockRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { token, pid, startedAt, bootId, pidSpace, host } = value as Partial<
    Record<keyof LockRecord, unknown>
  >;
  if (typeof token !== 'string' || !/^[0-9a-f]{24}$/.test(token)) return null;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof host !== 'string')
    return null;
  return {
    token,
    pid,
    host,
    startedAt: textOrNull(startedAt),
    bootId: textOrNull(bootId),
    pidSpace: textOrNull(pidSpace),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
