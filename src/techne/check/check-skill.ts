// One SKILL.md and its folder -> everything that can be said about it.
//
// Q1. The same parser as loading, over the whole file; then body lint, the program (as Starlark, too) or the plan, the
//     test prompts, and in strict mode the open standard.
// Q2. A fault that the strict rules report at the same place is said once, by them.
import { basename, dirname, join } from 'node:path';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto, compareDiagnostics } from '../../base/diagnostic.ts';
import { FileFault } from '../../ports/files.ts';
import type { Files } from '../../ports/files.ts';
import { checkEvals, evalsFile } from '../../skill/check/check-evals.ts';
import type { TriggerOwner } from '../../plan/trigger-collisions.ts';
import { placeBar } from '../../registry/facts/execution-bar.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { checkProgram } from '../../skill/check/check-program.ts';
import { isExcluded } from '../../skill/file-manifest.ts';
import { inspectText } from '../../skill/check/inspect-text.ts';
import { lintSkill, triggerPlaces } from '../../skill/check/lint.ts';
import { parseBody } from '../../skill/body/parse-body.ts';
import { parseHead } from '../../skill/parse-head.ts';
import type { SkillHead } from '../../skill/types.ts';
import type { PlanFixes } from './check-skill-plan.ts';
import { checkSkillPlan, noFixes } from './check-skill-plan.ts';
import { checkSkillProgram } from './check-skill-program.ts';
import { decodeProgram } from './decode-program.ts';
import { validateStrict } from '../../skill/check/validate-strict.ts';
import { nodeParseFull } from '../../node/yaml.ts';

export const checkLimits = { fileBytes: 4 * 1024 * 1024, files: 5000, depth: 8 } as const;

export interface CheckedSkill extends PlanFixes {
  readonly file: string;
  /** `null` when it cannot be read. */
  readonly text: string | null;
  /** By place. */
  readonly diagnostics: readonly Diagnostic[];
  /** For what concerns several skills. */
  readonly triggers: TriggerOwner | null;
}

export interface CheckOptions {
  readonly strict: boolean;
  /** The skills that a plan may name, besides those beside it. Default: there are none. */
  readonly loadSnapshot?: () => Promise<Pick<Snapshot, 'skills'>>;
}

export async function checkSkill(files: Files, file: string, options: CheckOptions): Promise<CheckedSkill> {
  const diagnostics: Diagnostic[] = [];
  const report = collectInto(diagnostics, file);
  const folder = dirname(file);
  try {
    const read = await files.read(file, checkLimits.fileBytes);
    if (read === null) {
      report('FILE_UNREADABLE', null, 'the file does not exist');
      return { file, text: null, diagnostics, ...noFixes, triggers: null };
    }
    const { text, valid } = decodeUtf8(read.bytes);
    inspectText(text, valid, report);
    const context = {
      folderName: basename(folder),
      entries: files.list(folder) ?? [],
      complete: true,
      fileBytes: read.bytes.length,
      parseFull: nodeParseFull,
    };
    const head = parseHead(text, context, report);
    let fixes = noFixes;
    if (typeof head !== 'string') {
      const [body, paths] = [parseBody(text), pathsIn(files, folder)];
      lintSkill(head, body, paths, text, report, nodeParseFull);
      await checkProgramFile(files, folder, head, diagnostics);
      fixes = await checkSkillPlan(
        files,
        { folder, text, head, body, paths, strict: options.strict },
        options.loadSnapshot ?? noSkills,
        diagnostics,
      );
      await checkEvalsFile(files, folder, diagnostics);
    }
    if (options.strict) validateStrict(text, { ...context, validUtf8: valid }, report);
    const triggers = typeof head === 'string' ? null : ownerOf(head, file, text);
    return {
      file,
      text,
      diagnostics: withoutRepeats(diagnostics).sort(compareDiagnostics),
      ...fixes,
      triggers,
    };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    report(
      error.kind === 'too-large'
        ? 'FILE_TOO_LARGE'
        : error.kind === 'not-a-file'
          ? 'FILE_NOT_A_FILE'
          : 'FILE_UNREADABLE',
      null,
      error.message,
    );
    return { file, text: null, diagnostics, ...noFixes, triggers: null };
  }
}

const noSkills = (): Promise<Pick<Snapshot, 'skills'>> => Promise.resolve({ skills: [] });

function ownerOf(
  { name, priority, triggers, invocation }: SkillHead,
  file: string,
  text: string,
): TriggerOwner | null {
  if (triggers.length === 0 || (!invocation.model && !invocation.user)) return null;
  const places = triggerPlaces(text, nodeParseFull);
  return {
    name,
    file,
    priority,
    triggers: triggers.map(({ phrase }) => ({ phrase, span: places.get(phrase)?.[0] ?? null })),
  };
}

async function checkProgramFile(
  files: Files,
  folder: string,
  head: SkillHead,
  diagnostics: Diagnostic[],
): Promise<void> {
  if (head.form === 'instructions' || head.bar !== null) return;
  const path = join(folder, head.program ?? 'SKILL.md');
  const report = collectInto(diagnostics, path);
  const misplaced = placeBar(files, files.realPath(folder) ?? folder, head.program);
  if (misplaced !== null) {
    if (misplaced.code === 'PROGRAM_PATH')
      report(misplaced.code, null, misplaced.message, 'put the file itself into the folder');
    else report(misplaced.code, null, misplaced.message);
  }
  if (misplaced !== null || head.program === null) return;
  const read = await files.read(path, checkLimits.fileBytes);
  if (read === null) {
    report('PROGRAM_MISSING', null, `the program "${head.program}" does not exist`);
    return;
  }
  const { text, valid } = decodeUtf8(read.bytes);
  const bar = checkProgram(text, read.bytes.length);
  if (bar !== null) report(bar.code, null, bar.message);
  else if (!valid || text.includes('\0')) diagnostics.push(...faultsOf(decodeProgram(read.bytes, path)));
  else diagnostics.push(...checkSkillProgram(text, path));
}

function faultsOf({ fault }: { readonly fault: Diagnostic | null }): readonly Diagnostic[] {
  return fault === null ? [] : [fault];
}

async function checkEvalsFile(files: Files, folder: string, diagnostics: Diagnostic[]): Promise<void> {
  const path = join(folder, evalsFile);
  const report = collectInto(diagnostics, path);
  try {
    const stat = files.lstat(path);
    if (stat === null) return;
    const read = stat.isFile() ? await files.read(path, checkLimits.fileBytes) : null;
    if (read === null)
      report('LINT_EVALS', null, 'the test prompts are not a file', 'put the file itself into the folder');
    else checkEvals(decodeUtf8(read.bytes).text, report);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    report('LINT_EVALS', null, `the test prompts cannot be read: ${error.message}`);
  }
}

/** Paths of the files in a skill folder, relative, with `/`; links are named, not followed. */
function pathsIn(files: Files, folder: string): readonly string[] {
  const paths: string[] = [];
  const walk = (relative: string, depth: number): void => {
    for (const { name, kind } of files.list(join(folder, relative)) ?? []) {
      const path = relative === '' ? name : `${relative}/${name}`;
      if (paths.length >= checkLimits.files || isExcluded(path)) continue;
      if (kind === 'folder') {
        if (depth < checkLimits.depth) walk(path, depth + 1);
      } else paths.push(path);
    }
  };
  walk('', 0);
  return paths;
}

function place({ path, span }: Diagnostic): string {
  return `${path}:${span?.start}:${span?.end}`;
}

function withoutRepeats(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  const strictPlaces = new Set(
    diagnostics.filter(({ code, span }) => code.startsWith('STRICT_') && span !== null).map(place),
  );
  return diagnostics.filter((diagnostic) => {
    if (diagnostic.severity !== 'error' && strictPlaces.has(place(diagnostic))) return false;
    const key = `${place(diagnostic)}:${diagnostic.code}:${diagnostic.message}`;
    return !seen.has(key) && seen.add(key);
  });
}
