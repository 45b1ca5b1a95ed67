// Whether a version or a commit has been public long enough.
//
//   Resolved × now × hours -> ok, or how long to wait
//
// A bad release is usually found within a day, and a day later it is gone. A time that the source does not state, or that lies
// in the future, counts as new. Sources without times (folders, archives, MCP, an index without them) have no age to judge.
import { unreachable } from '../../base/error.ts';
import type { Resolved } from './source.ts';

export type AgeDecision =
  | { readonly ok: true; readonly reason: 'off' | 'old-enough' | 'no-age' }
  | {
      readonly ok: false;
      /** What is too new: `version 1.2.3` or `commit abc…`. */
      readonly what: string;
      /** ISO 8601; `null`: the source does not say. */
      readonly since: string | null;
      /** ISO 8601: when it is old enough; `null` where that is not known. */
      readonly until: string | null;
    };

const hourMs = 3_600_000;

/** `pinned`: the person named this very commit or version, which they chose to trust already. */
export function judgeAge(
  resolved: Resolved,
  { nowMs, minimumHours, pinned = false }: { nowMs: number; minimumHours: number; pinned?: boolean },
): AgeDecision {
  if (minimumHours <= 0) return { ok: true, reason: 'off' };
  const aged = agedPart(resolved);
  if (aged === null || pinned) return { ok: true, reason: 'no-age' };
  const since = aged.since === null ? Number.NaN : Date.parse(aged.since);
  if (Number.isNaN(since)) return { ok: false, what: aged.what, since: null, until: null };
  const until = since + minimumHours * hourMs;
  if (since <= nowMs && until <= nowMs) return { ok: true, reason: 'old-enough' };
  return { ok: false, what: aged.what, since: aged.since, until: timeText(until) };
}

function agedPart(resolved: Resolved): { readonly what: string; readonly since: string | null } | null {
  switch (resolved.kind) {
    case 'git':
      return { what: `commit ${resolved.commit}`, since: resolved.committedAt };
    case 'npm':
      return { what: `version ${resolved.version}`, since: resolved.publishedAt };
    case 'well-known':
      return resolved.publishedAt === null
        ? null
        : { what: `version ${resolved.version ?? resolved.digest}`, since: resolved.publishedAt };
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
