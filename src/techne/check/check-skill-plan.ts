// The plan of a skill, and its entry point -> what is wrong with them, and what can be put right.
import { basename, join } from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import type { Span } from '../../base/span.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import type { Files } from '../../ports/files.ts';
import type { CompiledPlan } from '../../plan/compile-plan.ts';
import { checkEntrypoint, compilePlan } from '../../plan/compile-plan.ts';
import type { SkillBody, SkillHead } from '../../skill/types.ts';
import type { PlanWorldParts } from './plan-world.ts';
import { planWorldFor, skillsNamedIn } from './plan-world.ts';

export interface PlanCheck {
  readonly folder: string;
  readonly text: string;
  readonly head: SkillHead;
  readonly body: SkillBody;
  readonly paths: readonly string[];
  readonly strict: boolean;
}

/** What can be put right in SKILL.md, and in other files of the skill. */
export type PlanFixes = Pick<CompiledPlan, 'fixes' | 'fileFixes'>;

export const noFixes: PlanFixes = { fixes: [], fileFixes: [] };

export async function checkSkillPlan(
  files: Files,
  { folder, text, head, body, paths, strict }: PlanCheck,
  loadSnapshot: PlanWorldParts['loadSnapshot'],
  diagnostics: Diagnostic[],
): Promise<PlanFixes> {
  const isPlan =
    (head.form === 'composition' || head.form === 'workflow' || head.form === 'chain') &&
    (head.bar === null || runsItself(head, folder, skillsNamedIn(head)));
  const hasEntrypoint = (head.frontmatter['entrypoint'] ?? null) !== null;
  if (!isPlan && !hasEntrypoint) return noFixes;
  const report = collectInto(diagnostics, join(folder, 'SKILL.md'));
  const world = await planWorldFor(folder, head, paths, { files, loadSnapshot });
  const source = { head, text, parseFull: nodeParseFull, world, bodyInputs: body.inputKeys, strict };
  if (hasEntrypoint) checkEntrypoint(source, report);
  const found = isPlan
    ? compilePlan(source, report, (path) => collectInto(diagnostics, join(folder, path)))
    : noFixes;
  dropRepeats(diagnostics);
  return { fixes: found.fixes, fileFixes: found.fileFixes };
}

/** What was said of the fields, and is said better or withdrawn by what is said of the plan. */
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

/** A chain that runs itself is barred, but what else is wrong with it is worth saying. */
function runsItself({ form, bar }: SkillHead, folder: string, named: ReadonlySet<string>): boolean {
  return form === 'chain' && bar?.code === 'FORM_INCOMPLETE' && named.has(basename(folder));
}
