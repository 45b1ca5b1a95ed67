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

/** Which skill came instead of which, under a heading; nothing if none did. `came` is what the other one did. */
export function confusionLines(
  confusions: readonly {
    readonly expected: string | null;
    readonly found: string | null;
    readonly count: number;
  }[],
  came: string,
  most: number,
): readonly string[] {
  if (confusions.length === 0) return [];
  return [
    '',
    `expected -> ${came}`,
    ...confusions
      .slice(0, most)
      .map(
        ({ expected, found, count }) =>
          `  ${String(count).padStart(3)}  ${nameOf(expected)} -> ${nameOf(found)}`,
      ),
    ...more(confusions.length, most),
  ];
}
