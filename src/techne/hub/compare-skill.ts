// What an update or an adoption changes: files, what is declared, the verdict.
import type { Declared } from '../../hub/install/declared.ts';
import type { ProposedSkill } from '../../hub/install/proposal.ts';

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
