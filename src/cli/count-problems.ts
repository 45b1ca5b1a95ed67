// Counts the diagnostics of a snapshot by severity.
import type { Severity } from '../base/codes.ts';
import type { Snapshot } from '../registry/snapshot.ts';

/** Parses every head; only `techne check` looks at bodies. */
export function countProblems(
  snapshot: Pick<Snapshot, 'skills' | 'shadowed' | 'diagnostics'>,
): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of snapshot.diagnostics) counts[severity] += 1;
  for (const skill of [...snapshot.skills, ...snapshot.shadowed.map((each) => each.skill)]) {
    for (const { severity } of skill.diagnostics) counts[severity] += 1;
  }
  return counts;
}
