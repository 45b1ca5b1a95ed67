// A record of a process, from which others can tell later whether it still runs.
//
// An owner is dead if the machine was restarted, no process has its number, or that process started at another time
// or is a zombie. An owner that cannot be judged (another machine, another container) counts as alive.
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from './file-fault.ts';

export interface OwnerRecord {
  readonly pid: number;
  /** In the kernel's ticks since start-up; `null` where it cannot be known. */
  readonly startedAt: string | null;
  readonly bootId: string | null;
  readonly pidSpace: string | null;
  readonly host: string;
}

/** This process, and how others are judged. */
export interface Owners {
  readonly self: OwnerRecord;
  readonly isDead: (owner: OwnerRecord) => boolean;
}

export function describeOwner({ pid, host }: OwnerRecord): string {
  return `process ${pid} on ${host}`;
}

export function ownRecord(): OwnerRecord {
  return {
    pid: process.pid,
    startedAt: statOf(process.pid)?.startedAt ?? null,
    bootId: currentBootId(),
    pidSpace: currentPidSpace(),
    host: currentHost(),
  };
}

export function isDead(owner: OwnerRecord): boolean {
  if (owner.host !== currentHost()) return false;
  if (owner.bootId !== currentBootId()) return owner.bootId !== null;
  if (owner.pidSpace !== currentPidSpace()) return false;
  if (!exists(owner.pid)) return true;
  const stat = statOf(owner.pid);
  if (stat === null) return false;
  return (
    stat.state === 'Z' ||
    stat.state === 'X' ||
    (owner.startedAt !== null && owner.startedAt !== stat.startedAt)
  );
}

/** A name of a file must have room for it. */
function currentHost(): string {
  return hostname().slice(0, 64);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** Fields 3 and 22 of /proc/PID/stat; the second field is a name in brackets that may hold anything. */
function statOf(pid: number): { readonly state: string; readonly startedAt: string } | null {
  const text = proc(() => fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, startedAt] = [fields[0], fields[19]];
  return state === undefined || startedAt === undefined ? null : { state, startedAt };
}

function currentBootId(): string | null {
  return proc(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
}

function currentPidSpace(): string | null {
  return proc(() => fs.readlinkSync('/proc/self/ns/pid'));
}

/** `null` where there is no /proc. */
function proc(look: () => string): string | null {
  if (process.platform !== 'linux') return null;
  try {
    return look();
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return null;
  }
}
