// A finding -> the corrections that were tried and that help.
//
//   candidates (language/fixes/) -> each laid over the texts of the editor -> checked again -> those without the finding
//
// Q1. What is offered leaves the file clean of the finding: fewer findings of its code, and none with its words more than before.
// Q2. It makes nothing worse: no more errors, unless the finding hid them (a skill that is not read as one has no other faults).
// Q3. The texts of the editor are not touched, however many are tried at once.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import type { Candidate, TextChange } from '../../language/fixes/candidates.ts';
import { candidatesFor } from '../../language/fixes/candidates.ts';
import { applyFixes } from '../../base/fix.ts';
import type { DraftFix } from '../draft-skill.ts';
import type { CheckedFolder } from './check-folder.ts';
import type { OverlayFiles } from './overlay-files.ts';

export interface QuickFix {
  readonly title: string;
  readonly changes: readonly TextChange[];
}

export interface Trial {
  readonly overlay: OverlayFiles;
  readonly check: () => Promise<CheckedFolder>;
}

const mostOffered = 4;

/** Of a finding in the file at `path`, whose checked text is `text`. */
export async function quickFixes(
  { diagnostic, path, text, inside }: FixRequest,
  { diagnostics, fixes }: CheckedFolder,
  { overlay, check }: Trial,
): Promise<readonly QuickFix[]> {
  const found: QuickFix[] = [];
  const made = new Set<string>();
  const own = mechanical(
    diagnostic,
    fixes.filter((fix) => fix.path === inside),
  );
  for (const { title, changes } of [...own, ...candidatesFor(diagnostic, text)]) {
    const after = applyChanges(text, changes);
    if (after === text || made.has(after) || found.length >= mostOffered) continue;
    made.add(after);
    overlay.setText(path, encodeUtf8(after));
    try {
      if (helps(diagnostic, diagnostics, (await check()).diagnostics)) found.push({ title, changes });
    } finally {
      overlay.setText(path, null);
    }
  }
  return found;
}

export interface FixRequest {
  readonly diagnostic: Diagnostic;
  readonly path: string;
  readonly text: string;
  /** The path inside of the skill. */
  readonly inside: string;
}

/** What `techne check --fix` inserts at the place of the finding. */
function mechanical({ span }: Diagnostic, fixes: readonly DraftFix[]): readonly Candidate[] {
  const here = fixes.filter(({ at }) => span !== null && span.start <= at && at <= span.end);
  const reasons = [...new Set(here.map(({ why }) => why))];
  return reasons.map((why) => ({
    title: `Correct ${why}`.slice(0, 120),
    changes: here
      .filter((fix) => fix.why === why)
      .map(({ at, insert }) => ({ start: at, end: at, text: insert })),
  }));
}

/** Everything that can be corrected mechanically, as changes of one file. */
export function fixAllChanges(fixes: readonly DraftFix[], inside: string): readonly TextChange[] {
  return fixes
    .filter(({ path }) => path === inside)
    .map(({ at, insert }) => ({ start: at, end: at, text: insert }));
}

function applyChanges(text: string, changes: readonly TextChange[]): string {
  if (changes.every(({ start, end }) => start === end))
    return applyFixes(
      text,
      changes
        .toSorted((a, b) => a.start - b.start)
        .map(({ start, text: insert }) => ({ at: start, insert, why: '' })),
    );
  let made = text;
  for (const { start, end, text: by } of changes.toSorted((a, b) => b.start - a.start))
    made = made.slice(0, start) + by + made.slice(end);
  return made;
}

/** What hides other faults while it is there. */
const hiding = /^(?:FORM|FIELD|FRONTMATTER|YAML|NAME|ENCODING|LANGUAGE|DESCRIPTION)_/;

function helps(finding: Diagnostic, before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean {
  const isSameCode = ({ path, code }: Diagnostic): boolean => path === finding.path && code === finding.code;
  const isSame = (one: Diagnostic): boolean => isSameCode(one) && one.message === finding.message;
  if (count(after, isSameCode) >= count(before, isSameCode) || count(after, isSame) >= count(before, isSame))
    return false;
  const family = /^[A-Z]+_/.exec(finding.code)?.[0] ?? finding.code;
  const isFamily = ({ code, severity }: Diagnostic): boolean =>
    severity !== 'info' && code.startsWith(family);
  if (count(after, isFamily) > count(before, isFamily)) return false;
  const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
  return hiding.test(finding.code) || count(after, isError) <= count(before, isError);
}

function count(all: readonly Diagnostic[], test: (one: Diagnostic) => boolean): number {
  return all.filter(test).length;
}
