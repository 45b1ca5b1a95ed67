// What an update or an adoption would change, for a person: files, text, tools and capabilities, the verdict.
import { printableLine } from '../../base/printable.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { ProposedSkill } from '../../hub/install/proposal.ts';
import type { Declared } from '../../hub/install/declared.ts';
import { diffLines } from '../../measure/testing/diff-lines.ts';
import type { Paint } from '../io.ts';
import { sizeText } from './progress.ts';

/** Of one file, and of all of a skill. */
const mostLines = 60;
const mostOfSkill = 240;

export interface FileChange {
  readonly path: string;
  readonly what: 'added' | 'removed' | 'changed' | 'mode';
}

export interface SkillDiff {
  readonly files: readonly FileChange[];
  /** `tools`, `capabilities` …: what is declared now and was not, and the other way round. */
  readonly declared: readonly {
    readonly what: string;
    readonly added: readonly string[];
    readonly removed: readonly string[];
  }[];
  readonly verdict: { readonly before: string | null; readonly after: string };
}

/** `filesNow`, `declaredNow` and `before`: what it was, as far as that is known. */
export type Compared = Pick<
  ProposedSkill,
  'files' | 'filesNow' | 'declared' | 'declaredNow' | 'before' | 'report'
>;

export function compareSkill({
  files,
  filesNow,
  declared,
  declaredNow,
  before,
  report,
}: Compared): SkillDiff {
  const old = new Map((filesNow ?? []).map((file) => [file.path, file]));
  const changed: FileChange[] = [];
  for (const { path, sha256, executable } of files) {
    const was = old.get(path);
    if (was === undefined) changed.push({ path, what: 'added' });
    else if (was.sha256 !== sha256) changed.push({ path, what: 'changed' });
    else if (was.executable !== executable) changed.push({ path, what: 'mode' });
    old.delete(path);
  }
  for (const path of old.keys()) changed.push({ path, what: 'removed' });
  return {
    files: changed.sort((a, b) => (a.path < b.path ? -1 : 1)),
    declared: compareDeclared(declaredNow, declared),
    verdict: { before: before?.verdict ?? null, after: report.verdict },
  };
}

function compareDeclared(before: Declared | null, after: Declared): SkillDiff['declared'] {
  return (['tools', 'capabilities', 'programs', 'variables', 'installHints'] as const).flatMap((what) => {
    const [was, is] = [before?.[what] ?? [], after[what]];
    const added = is.filter((item) => !was.includes(item));
    const removed = was.filter((item) => !is.includes(item));
    return added.length + removed.length === 0 ? [] : [{ what, added, removed }];
  });
}

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
