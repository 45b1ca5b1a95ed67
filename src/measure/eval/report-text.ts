// What the reports of an evaluation have in common.
import { printableLine } from '../../base/printable.ts';

/** Nothing of nothing. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** A skill, or that there was none. */
export function nameOf(skill: string | null): string {
  return skill === null ? 'none' : printableLine(skill);
}

/** A message on one line. */
export function excerptOf(message: string, most = 100): string {
  const shown = printableLine(message.replace(/\s+/g, ' ').trim());
  return shown.length > most ? `${shown.slice(0, most - 1)}…` : shown;
}

/** What a list leaves out. */
export function more(total: number, most: number): readonly string[] {
  return total > most ? [`  and ${total - most} more; --json has all`] : [];
}
