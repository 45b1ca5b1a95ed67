// What changes in a skill, line by line, with what the guard found beside the lines, for a person.
import { printable, printableLine } from '../../base/printable.ts';
import type { ProposalReport } from '../../proposals/proposal.ts';
import type { ShownChange } from '../../techne/proposals/file-changes.ts';
import { lineNotes } from '../../techne/proposals/line-notes.ts';
import type { Paint } from '../io.ts';

/** Common lines around a difference. */
const around = 3;

/** Every changed line is shown: what a person accepts must not be cut. */
export function renderChanges(
  changes: readonly ShownChange[],
  report: ProposalReport | null,
  paint: Paint,
): readonly string[] {
  const notes = lineNotes(report);
  const shown: string[] = [''];
  for (const { path, what, lines } of changes) {
    shown.push(paint.bold(`${what} ${printableLine(path)}`));
    const isNear = (at: number): boolean =>
      lines.slice(Math.max(0, at - around), at + around + 1).some(({ sign }) => sign !== ' ');
    let isCut = false;
    for (const [at, { sign, text, line }] of lines.entries()) {
      const found = line === null ? [] : (notes.get(`${path}:${line}`) ?? []);
      if (!isNear(at) && found.length === 0) {
        if (!isCut) shown.push(paint.dim('  …'));
        isCut = true;
        continue;
      }
      isCut = false;
      const written = `  ${sign} ${printable(text)}`;
      shown.push(sign === '-' ? paint.red(written) : sign === '+' ? paint.green(written) : written);
      for (const note of found) shown.push(paint.yellow(`      ^ ${note}`));
    }
  }
  if (changes.length === 0) shown.push('  no file changes');
  return shown;
}
