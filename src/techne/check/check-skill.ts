// One SKILL.md and its folder -> all diagnostics.
//
// The file goes through the parser of loading, then the lint of the body, the checks of the program or the plan, the
// test prompts, and in strict mode the open standard. A fault that the strict rules report at the same place is
// reported once, by them.
import { basename, dirname, join } from 'node:path';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto, compareDiagnostics } from '../../base/diagnostic.ts';
import { FileFault } from '../../ports/files.ts';
import type { Files } from '../../ports/files.ts';
import { checkEvals, evalsFile } from '../../skill/check/check-evals.ts';
import type { TriggerOwner } from '../../plan/trigger-collisions.ts';
import { placeBar } from '../../registry/facts/facts.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { checkProgram } from '../../skill/form.ts';
import { isExcluded } from '../../skill/resources.ts';
import { inspectText } from '../../skill/check/inspect-text.ts';
import { lintSkill, triggerPlaces } from '../../skill/check/lint.ts';
import { scopesOf } from '../../skill/tools/tool-scope.ts';
import { parseBody } from '../../skill/body/parse-body.ts';
import type { Frontmatter } from '../../skill/frontmatter/read-frontmatter.ts';
import { headOfFrontmatter } from '../../skill/parse-head.ts';
import type { SkillBody, SkillHead } from '../../skill/types.ts';
import { decodeProgram } from './decode-program.ts';
import { validateStrict } from '../../skill/check/validate-strict.ts';
import { nodeFrontmatter, nodeParseFull } from '../../node/yaml.ts';
import { byPlace } from '../../plan/fix.ts';
import { quoteFixes } from '../../skill/check/quote-fixes.ts';
import type { Span } from '../../base/span.ts';
import type { CompiledPlan } from '../../plan/compile-plan.ts';
import { checkEntrypoint, compilePlan } from '../../plan/compile-plan.ts';
import type { PlanRisk } from '../../plan/plan.ts';
import type { PlanWorldParts } from './plan-world.ts';
import { planWorldFor, skillsNamedIn } from './plan-world.ts';
import { checkNote } from '../../plan/check-note.ts';
import { checkSkillProgram } from './check-skill-program.ts';

export const checkLimits = { fileBytes: 4 * 1024 * 1024, files: 5000, depth: 8 } as const;

export interface CheckedSkill extends PlanFixes {
  readonly file: string;
  /** `null` when it cannot be read. */
  readonly text: string | null;
  /** By place. */
  readonly diagnostics: readonly Diagnostic[];
  /** For what concerns several skills. */
  readonly triggers: TriggerOwner | null;
  /** What its steps do; `null` where it has no plan, or one with errors. */
  readonly planRisk: PlanRisk | null;
}

interface CheckOptions {
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
      return { file, text: null, diagnostics, ...noFixes, triggers: null, planRisk: null };
    }
    const { text, valid } = decodeUtf8(read.bytes);
    inspectText(text, valid, report);
    const frontmatter = nodeFrontmatter(text);
    const context = {
      folderName: basename(folder),
      entries: files.list(folder) ?? [],
      fileBytes: read.bytes.length,
    };
    const head = headOfFrontmatter(frontmatter, context, report);
    const [body, paths] = [parseBody(text), pathsIn(files, folder)];
    lintSkill(head, body, paths, frontmatter, report);
    // A skill in another file than SKILL.md is not executed, and FILE_NAME_CASE says so.
    if (basename(file) === 'SKILL.md') await checkProgramFile(files, folder, head, diagnostics);
    const fixes = await checkSkillPlan(
      files,
      { file, frontmatter, head, body, paths, strict: options.strict },
      options.loadSnapshot ?? noSkills,
      diagnostics,
    );
    const needsRubric =
      options.strict && head.form === 'composition' && head.frontmatter['eval_prompts'] === undefined;
    await checkEvalsFile(files, folder, { needsRubric, description: head.description }, diagnostics);
    const barred = diagnostics.find(({ code }) => code === head.bar?.code)?.span ?? null;
    if (options.strict) validateStrict(head, frontmatter, { ...context, validUtf8: valid, barred }, report);
    return {
      file,
      text,
      diagnostics: withoutRepeats(diagnostics, head).sort(compareDiagnostics),
      ...fixes,
      fixes: [...quoteFixes(frontmatter, nodeParseFull), ...fixes.fixes].sort(byPlace),
      triggers: ownerOf(head, file, frontmatter),
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
    return { file, text: null, diagnostics, ...noFixes, triggers: null, planRisk: null };
  }
}

const noSkills = (): Promise<Pick<Snapshot, 'skills'>> => Promise.resolve({ skills: [] });

/** `null`: no message starts it by a trigger. */
export function ownerOf(
  { name, priority, triggers, invocation }: Pick<SkillHead, 'name' | 'priority' | 'triggers' | 'invocation'>,
  file: string,
  frontmatter: Frontmatter,
): TriggerOwner | null {
  if (triggers.length === 0 || (!invocation.model && !invocation.user)) return null;
  const places = triggerPlaces(frontmatter);
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
  checkNote(
    head,
    head.inputs?.map(({ key }) => key) ?? null,
    null,
    collectInto(diagnostics, join(folder, 'SKILL.md')),
  );
  const read = await files.read(path, checkLimits.fileBytes);
  if (read === null) {
    report('PROGRAM_MISSING', null, `the program "${head.program}" does not exist`);
    return;
  }
  const { text, valid } = decodeUtf8(read.bytes);
  const bar = checkProgram(text, read.bytes.length);
  if (bar !== null) report(bar.code, null, bar.message);
  else if (!valid || text.includes('\0')) diagnostics.push(...faultsOf(decodeProgram(read.bytes, path)));
  else diagnostics.push(...checkSkillProgram(text, path, scopesOf(head)));
}

function faultsOf({ fault }: { readonly fault: Diagnostic | null }): readonly Diagnostic[] {
  return fault === null ? [] : [fault];
}

async function checkEvalsFile(
  files: Files,
  folder: string,
  expected: Parameters<typeof checkEvals>[2],
  diagnostics: Diagnostic[],
): Promise<void> {
  const path = join(folder, evalsFile);
  const report = collectInto(diagnostics, path);
  try {
    const stat = files.lstat(path);
    if (stat === null) return;
    const read = stat.isFile() ? await files.read(path, checkLimits.fileBytes) : null;
    if (read === null)
      report('LINT_EVALS', null, 'the test prompts are not a file', 'put the file itself into the folder');
    else checkEvals(decodeUtf8(read.bytes).text, report, expected);
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

/** STRICT_FORM says what bars the skill again, as an error. */
function withoutRepeats(diagnostics: readonly Diagnostic[], { bar }: SkillHead): Diagnostic[] {
  const seen = new Set<string>();
  const strictPlaces = new Set(
    diagnostics.filter(({ code, span }) => code.startsWith('STRICT_') && span !== null).map(place),
  );
  const isFormRefused = diagnostics.some(({ code }) => code === 'STRICT_FORM');
  return diagnostics.filter((diagnostic) => {
    if (isFormRefused && diagnostic.severity !== 'error' && diagnostic.code === bar?.code) return false;
    if (diagnostic.severity !== 'error' && strictPlaces.has(place(diagnostic))) return false;
    const key = `${place(diagnostic)}:${diagnostic.code}:${diagnostic.message}`;
    return !seen.has(key) && seen.add(key);
  });
}

// The plan of a skill, and its entry point -> what is wrong with them, and what can be put right.

interface PlanCheck {
  readonly file: string;
  readonly frontmatter: Frontmatter;
  readonly head: SkillHead;
  readonly body: SkillBody;
  readonly paths: readonly string[];
  readonly strict: boolean;
}

/** Corrections of the plan in SKILL.md, and in other files of the skill. */
type PlanFixes = Pick<CompiledPlan, 'fixes' | 'fileFixes'>;

const noFixes: PlanFixes = { fixes: [], fileFixes: [] };
const noPlan = { ...noFixes, planRisk: null };

async function checkSkillPlan(
  files: Files,
  { file, frontmatter, head, body, paths, strict }: PlanCheck,
  loadSnapshot: PlanWorldParts['loadSnapshot'],
  diagnostics: Diagnostic[],
): Promise<PlanFixes & Pick<CheckedSkill, 'planRisk'>> {
  const folder = dirname(file);
  const isPlan =
    (head.form === 'composition' || head.form === 'workflow' || head.form === 'chain') &&
    (head.bar === null || runsItself(head, folder, skillsNamedIn(head)));
  const hasEntrypoint = (head.frontmatter['entrypoint'] ?? null) !== null;
  if (!isPlan && !hasEntrypoint) return noPlan;
  const report = collectInto(diagnostics, file);
  const world = await planWorldFor(folder, head, paths, { files, loadSnapshot });
  const source = { head, frontmatter, world, bodyInputs: body.inputKeys, strict };
  if (hasEntrypoint) checkEntrypoint(source, report);
  const found = isPlan
    ? compilePlan(source, report, (path) => collectInto(diagnostics, join(folder, path)))
    : null;
  dropRepeats(diagnostics);
  return {
    fixes: found?.fixes ?? [],
    fileFixes: found?.fileFixes ?? [],
    planRisk: found?.plan?.risk ?? null,
  };
}

/** Diagnostics of the fields, replaced or removed where the plan reports better ones. */
function dropRepeats(diagnostics: Diagnostic[]): void {
  const spansOf = (wanted: (code: string) => boolean): readonly Span[] =>
    diagnostics.flatMap(({ code, span }) => (wanted(code) && span !== null ? [span] : []));
  const unquoted = spansOf((code) => code === 'PLAN_UNQUOTED');
  const planned = spansOf((code) => code.startsWith('PLAN_'));
  const faulty = spansOf((code) => code === 'FIELD_VALUE' || code === 'FIELD_TYPE');
  const templates = diagnostics
    .filter(({ code }) => code === 'PLAN_OUTPUT_MISSING')
    .map(({ message }) => /"[^"]+"/.exec(message)?.[0] ?? '');
  const isMoot = ({ code, span, message }: Diagnostic): boolean => {
    const isSame = (other: Span): boolean =>
      span !== null && other.start === span.start && other.end === span.end;
    // Read as text after all, so nothing was dropped.
    if (code === 'YAML_KEY_NOT_TEXT')
      return span !== null && unquoted.some(({ start, end }) => start <= span.start && span.end <= end);
    if (code === 'FIELD_VALUE' || code === 'FORM_INCOMPLETE') return planned.some(isSame);
    if (code === 'RISK_UNDECLARED') return faulty.some(isSame);
    return code === 'LINT_REFERENCE_MISSING' && templates.some((path) => message.startsWith(path));
  };
  const kept = diagnostics.filter((diagnostic) => !isMoot(diagnostic));
  diagnostics.splice(0, diagnostics.length, ...kept);
}

/** A chain that runs itself is refused, but its other faults are reported as well. */
function runsItself({ form, bar }: SkillHead, folder: string, named: ReadonlySet<string>): boolean {
  return form === 'chain' && bar?.code === 'FORM_INCOMPLETE' && named.has(basename(folder));
}
