// The plan of a skill, and its entry point -> what is wrong with them, and what can be put right.
import { join } from 'node:path';
import type { Diagnostic } from '../base/diagnostic.ts';
import { collectInto } from '../base/diagnostic.ts';
import { nodeParseFull } from '../host/node-yaml.ts';
import type { Files } from '../host/ports/files.ts';
import { checkEntrypoint, compilePlan } from '../plan/compile-plan.ts';
import type { Fix } from '../plan/fix.ts';
import type { SkillBody, SkillHead } from '../skill/types.ts';
import type { PlanWorldParts } from './plan-world.ts';
import { planWorldFor } from './plan-world.ts';

export interface PlanCheck {
  readonly folder: string;
  readonly text: string;
  readonly head: SkillHead;
  readonly body: SkillBody;
  readonly paths: readonly string[];
  readonly strict: boolean;
}

export async function checkSkillPlan(files: Files, { folder, text, head, body, paths, strict }: PlanCheck, loadSnapshot: PlanWorldParts['loadSnapshot'], diagnostics: Diagnostic[]): Promise<readonly Fix[]> {
  const isPlan = (head.form === 'composition' || head.form === 'workflow' || head.form === 'chain') && head.bar === null;
  const hasEntrypoint = (head.frontmatter['entrypoint'] ?? null) !== null;
  if (!isPlan && !hasEntrypoint) return [];
  const report = collectInto(diagnostics, join(folder, 'SKILL.md'));
  const world = await planWorldFor(folder, head, paths, { files, loadSnapshot });
  const source = { head, text, parseFull: nodeParseFull, world, bodyInputs: body.inputKeys, strict };
  if (hasEntrypoint) checkEntrypoint(source, report);
  const fixes = isPlan ? compilePlan(source, report, (path) => collectInto(diagnostics, join(folder, path))).fixes : [];
  dropRepeats(diagnostics);
  return fixes;
}

/** A template without quotes is read as text after all, so nothing was dropped. */
function dropRepeats(diagnostics: Diagnostic[]): void {
  const unquoted = diagnostics.flatMap(({ code, span }) => (code === 'PLAN_UNQUOTED' && span !== null ? [span] : []));
  const isMoot = ({ code, span }: Diagnostic): boolean => code === 'YAML_KEY_NOT_TEXT' && span !== null && unquoted.some(({ start, end }) => start <= span.start && span.end <= end);
  const kept = diagnostics.filter((diagnostic) => !isMoot(diagnostic));
  diagnostics.splice(0, diagnostics.length, ...kept);
}
