// What the checks found, by the line of the candidate that it is about.
import { printableLine } from '../../base/printable.ts';
import type { ProposalReport } from '../../proposals/proposal.ts';

/** `path:line` -> what was found there. */
export function lineNotes(report: ProposalReport | null): ReadonlyMap<string, readonly string[]> {
  const notes = new Map<string, string[]>();
  for (const { name, details } of report?.checks ?? []) {
    if (name !== 'guard' && name !== 'strict' && name !== 'plan') continue;
    for (const detail of details) {
      const at = /^(.+?:\d+): (.*)$/s.exec(detail);
      if (at === null) continue;
      const [, place = '', text = ''] = at;
      notes.set(place, [...(notes.get(place) ?? []), printableLine(text)]);
    }
  }
  return notes;
}
