// What an update or an adoption would change, for a person: files, text, tools and capabilities, the verdict.
import { printableLine } from '../../base/printable.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { diffLines } from '../../measure/testing/diff-lines.ts';
import type { Compared, FileChange } from '../../techne/hub/compare-skill.ts';
import { compareSkill } from '../../techne/hub/compare-skill.ts';
import type { Paint } from '../io.ts';
import { sizeText } from './progress.ts';

/** Of one file, and of all of a skill. */
const mostLines = 60;
const mostOfSkill = 240;

const signs: { readonly [what in FileChange['what']]: string } = {
  added: '+',
  removed: '-',
  changed: '~',
  mode: 'x',
};

export function diffSkill(skill: Compared, paint: Paint): readonly string[] {
  const { files, declared, verdict } = compareSkill(skill);
  const lines: string[] = [];
  if (verdict.before !== null && verdict.before !== verdict.after)
    lines.push(`    verdict      was ${verdict.before}, is ${verdict.after}`);
  for (const { what, added, removed } of declared) {
    for (const item of added) lines.push(paint.yellow(`    ${what} + ${printableLine(item).slice(0, 200)}`));
    for (const item of removed) lines.push(`    ${what} - ${printableLine(item).slice(0, 200)}`);
  }
  let left = mostOfSkill;
  for (const { path, what } of files) {
    lines.push(
      `    ${signs[what]} ${printableLine(path)}${what === 'mode' ? ' (executable, or no longer)' : ''}`,
    );
    if (what === 'mode' || what === 'removed') continue;
    const shown =
      left <= 0
        ? ['      (more changes are not shown)']
        : textDiff(skill, path, Math.min(left, mostLines), paint);
    lines.push(...shown);
    left -= shown.length;
  }
  return lines;
}

function textDiff(
  { files, filesNow }: Compared,
  path: string,
  most: number,
  paint: Paint,
): readonly string[] {
  const [now, then] = [filesNow, files].map(
    (list) => list?.find((file) => file.path === path)?.bytes ?? new Uint8Array(),
  );
  const [before, after] = [decodeUtf8(now as Uint8Array), decodeUtf8(then as Uint8Array)];
  if (!before.valid || !after.valid) return [`      (not text: ${sizeText((then as Uint8Array).length)})`];
  const lines = diffLines(before.text, after.text).filter(({ sign }) => sign !== ' ');
  const shown = lines.slice(0, most).map(({ sign, text }) => {
    const line = `      ${sign} ${printableLine(text).slice(0, 200)}`;
    return sign === '+' ? paint.green(line) : paint.red(line);
  });
  return lines.length > most ? [...shown, `      (${lines.length - most} more lines)`] : shown;
}
