// Counts the diagnostics of a snapshot by severity, and renders the counts for commands that list skills.
import type { Severity } from '../base/codes.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { counted } from '../base/render-table.ts';

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

/** One line with the counts; null if there are none. */
export function problemsText(
  { error, warning }: { readonly error: number; readonly warning: number },
  quiet = false,
): string | null {
  if (error + warning === 0) return null;
  const parts = [
    ...(error > 0 ? [counted(error, 'error')] : []),
    ...(warning > 0 ? [counted(warning, 'warning')] : []),
  ];
  return `${parts.join(' and ')} in skill files${quiet ? '' : '; "techne check" shows them'}`;
}
