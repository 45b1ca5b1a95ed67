// The files of a run, and what their names mean.
//
//   journal.<epoch>     the entries of one owner
//   owner.<epoch>.<…>   who wrote or writes it; empty, since its name is the record
//   inbox/<ulid>.json   messages for the owner
//
// The file of an owner is made before its segment. It is complete or missing, and one that a crash removed belonged
// to a process that the crash ended.
import type { OwnerRecord } from '../files/owner-record.ts';

export interface RunNames {
  /** Epochs that have a segment, in order. */
  readonly epochs: readonly number[];
  readonly owners: readonly OwnerFile[];
}

interface OwnerFile {
  readonly name: string;
  readonly epoch: number;
  readonly owner: OwnerRecord;
  readonly token: string;
}

export function segmentName(epoch: number): string {
  return `journal.${epoch}`;
}

/** `token` keeps two owners of one process apart. */
export function ownerName(epoch: number, owner: OwnerRecord, token: string): string {
  const parts = [
    String(epoch),
    String(owner.pid),
    owner.startedAt,
    owner.bootId,
    owner.pidSpace,
    token,
    owner.host,
  ];
  return `owner.${parts.map((part) => (part === null ? '-' : encodeURIComponent(part).replaceAll('.', '%2E'))).join('.')}`;
}

export function parseRunNames(names: readonly string[]): RunNames {
  const epochs: number[] = [];
  const owners: OwnerFile[] = [];
  for (const name of names) {
    const epoch = /^journal\.([1-9][0-9]{0,14})$/.exec(name)?.[1];
    if (epoch !== undefined) epochs.push(Number(epoch));
    const owner = parseOwner(name);
    if (owner !== null) owners.push(owner);
  }
  return { epochs: epochs.sort((a, b) => a - b), owners };
}

function parseOwner(name: string): OwnerFile | null {
  const parts = name.split('.');
  if (parts[0] !== 'owner' || parts.length !== 8) return null;
  let texts: (string | null)[];
  try {
    texts = parts.slice(1).map((part) => (part === '-' ? null : decodeURIComponent(part)));
  } catch {
    return null;
  }
  const [epochText, pidText, startedAt = null, bootId = null, pidSpace = null, token, host] = texts;
  const [epoch, pid] = [Number(epochText), Number(pidText)];
  if (!Number.isSafeInteger(epoch) || epoch < 1 || !Number.isSafeInteger(pid) || pid < 1) return null;
  if (typeof token !== 'string' || typeof host !== 'string') return null;
  return { name, epoch, token, owner: { pid, startedAt, bootId, pidSpace, host } };
}
