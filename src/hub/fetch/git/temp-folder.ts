// A private temporary folder that is removed on every way out.
//
// It is removed when the work ends or fails, when the process exits, and on Ctrl-C, SIGTERM and SIGHUP. What a killed process
// left behind, the next fetch removes: the name holds the number of the process.
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TechneError } from '../../../base/error.ts';
import { codeOf, looked } from '../../../node/files/file-fault.ts';

const prefix = 'techne-fetch-';
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const cleanups = new Set<() => void>();

export async function withTempFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  removeLeftovers(parent);
  let folder: string;
  try {
    folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
    await chmod(folder, 0o700);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    throw new TechneError(
      'ENVIRONMENT',
      `no temporary folder can be made in "${parent}" (${codeOf(error)})`,
      {
        hint: 'free some space, or set TMPDIR',
        cause: error,
      },
    );
  }
  const forget = cleanedUp(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    forget();
  }
}

/** Calls `clean` when the process ends before the function that is returned was called. */
export function cleanedUp(clean: () => void): () => void {
  if (cleanups.size === 0) {
    process.on('exit', cleanAll);
    for (const signal of signals) process.on(signal, onSignal);
  }
  cleanups.add(clean);
  return () => {
    cleanups.delete(clean);
    if (cleanups.size === 0) stopListening();
  };
}

function stopListening(): void {
  process.off('exit', cleanAll);
  for (const signal of signals) process.off(signal, onSignal);
}

/** The last one first: processes end before their folder is removed. */
function cleanAll(): void {
  for (const clean of [...cleanups].toReversed()) clean();
  cleanups.clear();
}

/** With a listener of ours the process would not end by itself; another listener decides that, if there is one. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  cleanAll();
  stopListening();
  process.kill(process.pid, signal);
}

function removeLeftovers(parent: string): void {
  for (const name of looked(() => readdirSync(parent)) ?? []) {
    const owner = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const path = join(parent, name);
    const facts = looked(() => lstatSync(path));
    if (facts === null || !facts.isDirectory() || facts.uid !== process.getuid?.()) continue;
    looked(() => rmSync(path, { recursive: true, force: true }));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}
