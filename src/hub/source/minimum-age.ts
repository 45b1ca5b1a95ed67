// Whether a version or a commit has been public long enough.
//
//   Resolved × now × hours -> ok, or how long to wait
//
// A bad release is usually found within a day, and a day later it is gone. The time that a source states is its author's word,
// so the time at which this user first saw it counts as well: the later of the two. A time in the future counts as new. Folders,
// archives and MCP servers have no age to judge.
import { unreachable } from '../../base/error.ts';
import type { Resolved } from './source.ts';

export type AgeDecision =
  | { readonly ok: true; readonly reason: 'off' | 'old-enough' | 'no-age' }
  | {
      readonly ok: false;
      /** What is too new: `version 1.2.3` or `commit abc…`. */
      readonly what: string;
      /** ISO 8601: the later of what the source says and when it was first seen. */
      readonly since: string;
      /** Whether that is when this user first saw it. */
      readonly isFirstSeen: boolean;
      /** ISO 8601: when it is old enough; `null` for a time that no calendar has. */
      readonly until: string | null;
    };

const hourMs = 3_600_000;

/** `pinned`: the person named this very commit or version, which they chose to trust already. */
export function judgeAge(
  resolved: Resolved,
  {
    nowMs,
    minimumHours,
    firstSeen,
    pinned = false,
    isUpdate = true,
  }: { nowMs: number; minimumHours: number; firstSeen: string; pinned?: boolean; isUpdate?: boolean },
): AgeDecision {
  if (minimumHours <= 0) return { ok: true, reason: 'off' };
  const aged = agedPart(resolved);
  if (aged === null || pinned) return { ok: true, reason: 'no-age' };
  const stated = aged.since === null ? Number.NaN : Date.parse(aged.since);
  // Somebody who installs for the first time sees everything for the first time: then the stated date counts, where there is one.
  const isFirstSeen = Number.isNaN(stated) || (isUpdate && stated <= Date.parse(firstSeen));
  const since = isFirstSeen ? Date.parse(firstSeen) : stated;
  const until = since + minimumHours * hourMs;
  if (since <= nowMs && until <= nowMs) return { ok: true, reason: 'old-enough' };
  return {
    ok: false,
    what: aged.what,
    since: isFirstSeen ? firstSeen : (aged.since as string),
    isFirstSeen,
    until: timeText(until),
  };
}

function agedPart(resolved: Resolved): { readonly what: string; readonly since: string | null } | null {
  switch (resolved.kind) {
    case 'git':
      return { what: `commit ${resolved.commit}`, since: resolved.committedAt };
    case 'npm':
      return { what: `version ${resolved.version}`, since: resolved.publishedAt };
    case 'well-known':
      return { what: `version ${resolved.version ?? resolved.digest}`, since: resolved.publishedAt };
    case 'folder':
    case 'archive':
    case 'mcp':
      return null;
    default:
      return unreachable(resolved);
  }
}

function timeText(ms: number): string | null {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
