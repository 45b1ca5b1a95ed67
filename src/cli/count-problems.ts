// How much is wrong with the skills of a snapshot and the files that gave none, by weight.
import type { Severity } from '../base/codes.ts';
import type { Snapshot } from '../registry/snapshot.ts';

/** Parses every head; what is wrong with bodies only `techne check` knows. */
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
