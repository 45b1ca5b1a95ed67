// Skills of which something can be put right -> the files, corrected.
//
// F1. Every byte but what is inserted stays as it is: a file that is not exactly the text that was checked is left alone.
// F2. A correction is checked before it is written: the file must then have nothing left to correct, and no new error.
import { basename, dirname } from 'node:path';
import { nodeDecodeUtf8 } from '../host/node-environment.ts';
import { nodeParseFull } from '../host/node-yaml.ts';
import { FileFault } from '../host/ports/files.ts';
import type { Files } from '../host/ports/files.ts';
import { compilePlan } from '../plan/compile-plan.ts';
import { applyFixes } from '../plan/fix.ts';
import { emptyWorld } from '../plan/world.ts';
import { severityOf } from '../base/codes.ts';
import { parseHead } from '../skill/parse-head.ts';
import type { CheckedSkill } from './check-skill.ts';
import { checkLimits } from './check-skill.ts';

export interface Correction {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly edits: number;
}

export interface Corrections {
  readonly made: readonly Correction[];
  /** Why a file was left alone. */
  readonly left: readonly { readonly file: string; readonly why: string }[];
}

export async function fixSkills(files: Files, fixable: readonly CheckedSkill[], dryRun: boolean): Promise<Corrections> {
  const made: Correction[] = [];
  const left: { file: string; why: string }[] = [];
  for (const { file, text, fixes } of fixable) {
    if (text === null) continue;
    const after = applyFixes(text, fixes);
    const why = (await isUnchanged(files, file, text)) ? faultOf(file, text, after) : 'it is not plain UTF-8, or has changed since it was checked';
    if (why !== null) {
      left.push({ file, why });
      continue;
    }
    if (!dryRun) await files.writeAtomic(file, Buffer.from(after, 'utf8'), Number((files.stat(file)?.mode ?? 0o644n) & 0o777n));
    made.push({ file, before: text, after, edits: fixes.length });
  }
  return { made, left };
}

/** Whether the file is, byte for byte, the text. */
async function isUnchanged(files: Files, file: string, text: string): Promise<boolean> {
  try {
    const read = await files.read(file, checkLimits.fileBytes);
    return read !== null && nodeDecodeUtf8(read.bytes).valid && Buffer.from(text, 'utf8').equals(read.bytes);
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}

/** Why a correction cannot be trusted (F2). */
function faultOf(file: string, before: string, after: string): string | null {
  const earlier = compileAlone(file, before);
  const later = compileAlone(file, after);
  if (later.errors > earlier.errors) return 'the correction would make an error';
  return later.fixes > 0 ? 'the correction would not be the last' : null;
}

function compileAlone(file: string, text: string): { readonly errors: number; readonly fixes: number } {
  let errors = 0;
  const report = (code: Parameters<typeof severityOf>[0]): void => {
    if (severityOf(code) === 'error') errors += 1;
  };
  const head = parseHead(text, { folderName: basename(dirname(file)), entries: [], complete: true, fileBytes: Buffer.byteLength(text), parseFull: nodeParseFull }, report);
  if (head === 'more') return { errors: errors + 1, fixes: 0 };
  return { errors, fixes: compilePlan({ head, text, parseFull: nodeParseFull, world: emptyWorld }, report).fixes.length };
}
