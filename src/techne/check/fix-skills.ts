// Skills with faults that can be corrected -> their corrected files.
//
// Only insertions are made: every other byte stays, and a file that differs from the checked text is not touched. A
// correction is checked before it is written: the skill must then have no further corrections and no new error. All
// files of a skill are corrected, or none.
import { basename, dirname, join, relative, sep } from 'node:path';
import { decodeUtf8 } from '../../base/utf8.ts';
import { nodeFrontmatter, nodeParseFull } from '../../node/yaml.ts';
import { quoteFixes } from '../../skill/check/quote-fixes.ts';
import { FileFault } from '../../ports/files.ts';
import type { Files } from '../../ports/files.ts';
import { compilePlan } from '../../plan/compile-plan.ts';
import { applyFixes } from '../../base/fix.ts';
import { emptyWorld } from '../../plan/world.ts';
import { severityOf } from '../../base/codes.ts';
import { headOfFrontmatter } from '../../skill/parse-head.ts';
import type { CheckedSkill } from './check-skill.ts';
import { checkLimits } from './check-skill.ts';

/** One file of a skill, before and after. */
interface Correction {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly edits: number;
}

export interface Corrections {
  readonly made: readonly Correction[];
  /** Why a file was not changed. */
  readonly left: readonly { readonly file: string; readonly why: string }[];
}

export async function fixSkills(
  files: Files,
  fixable: readonly CheckedSkill[],
  dryRun: boolean,
): Promise<Corrections> {
  const made: Correction[] = [];
  const left: { file: string; why: string }[] = [];
  for (const skill of fixable) {
    if (skill.text === null) continue;
    const changes = changesOf(skill);
    const why = (await Promise.all(changes.map((change) => isUnchanged(files, change)))).every(Boolean)
      ? faultOf(skill, changes)
      : 'it is not plain UTF-8, is a link, or has changed since it was checked';
    for (const change of changes) {
      if (why !== null) left.push({ file: change.file, why });
      else {
        if (!dryRun)
          await files.writeAtomic(
            change.file,
            Buffer.from(change.after, 'utf8'),
            Number((files.stat(change.file)?.mode ?? 0o644n) & 0o777n),
          );
        made.push(change);
      }
    }
  }
  return { made, left };
}

function changesOf({ file, text, fixes, fileFixes }: CheckedSkill): readonly Correction[] {
  const change = (path: string, before: string, edits: CheckedSkill['fixes']): Correction => ({
    file: path,
    before,
    after: applyFixes(before, edits),
    edits: edits.length,
  });
  return [
    ...(fixes.length === 0 || text === null ? [] : [change(file, text, fixes)]),
    ...fileFixes.map((one) => change(join(dirname(file), one.path), one.text, one.fixes)),
  ];
}

/** Whether the file is, byte for byte, the text. */
async function isUnchanged(files: Files, { file, before: text }: Correction): Promise<boolean> {
  try {
    if (files.lstat(file)?.isFile() !== true) return false;
    const read = await files.read(file, checkLimits.fileBytes);
    return read !== null && decodeUtf8(read.bytes).valid && Buffer.from(text, 'utf8').equals(read.bytes);
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}

/** Why a correction must not be written. */
function faultOf(skill: CheckedSkill, changes: readonly Correction[]): string | null {
  const earlier = compileAlone(skill, changes, 'before');
  const later = compileAlone(skill, changes, 'after');
  if (later.errors > earlier.errors) return 'the correction would make an error';
  return later.fixes > 0 ? 'the correction would not be the last' : null;
}

function compileAlone(
  { file, text: written }: CheckedSkill,
  changes: readonly Correction[],
  when: 'before' | 'after',
): { readonly errors: number; readonly fixes: number } {
  let errors = 0;
  const report = (code: Parameters<typeof severityOf>[0]): void => {
    if (severityOf(code) === 'error') errors += 1;
  };
  const texts = new Map(
    changes.map((change) => [relative(dirname(file), change.file).split(sep).join('/'), change[when]]),
  );
  const text = texts.get(basename(file)) ?? (written as string);
  const frontmatter = nodeFrontmatter(text);
  const head = headOfFrontmatter(
    frontmatter,
    { folderName: basename(dirname(file)), entries: [], fileBytes: Buffer.byteLength(text) },
    report,
  );
  const world = { ...emptyWorld, file: (path: string) => texts.get(path), paths: () => [...texts.keys()] };
  const { fixes, fileFixes } = compilePlan({ head, frontmatter, world }, report, () => report);
  return {
    errors,
    fixes: fixes.length + fileFixes.length + quoteFixes(frontmatter, nodeParseFull).length,
  };
}
