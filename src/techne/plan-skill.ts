// The plan of a skill, checked, with everything that is wrong with it.
import { join, relative, sep } from 'node:path';
import type { Diagnostic } from '../base/diagnostic.ts';
import { collectInto, compareDiagnostics } from '../base/diagnostic.ts';
import { TechneError } from '../base/error.ts';
import { nodeFrontmatter } from '../node/yaml.ts';
import { compilePlan } from '../plan/compile-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';
import { planWorldFor } from './check/plan-world.ts';
import type { SkillLibrary } from './open-skills.ts';

export interface PlannedSkill {
  /** `null`: an error keeps it from running. */
  readonly plan: Plan | null;
  readonly diagnostics: readonly Diagnostic[];
  /** The text of a file that a diagnostic is about. */
  readonly textAt: (path: string) => string | null;
}

/** Throws USAGE for a skill that has no plan. */
export async function planSkill(
  library: Pick<SkillLibrary, 'files' | 'load'>,
  snapshot: Snapshot,
  skill: Skill,
): Promise<PlannedSkill> {
  const { head } = skill;
  if (head.form === 'instructions' || head.form === 'program') {
    throw new TechneError(
      'USAGE',
      `"${skill.name}" has no plan: it is ${head.form === 'program' ? 'a program' : 'a skill of instructions'}`,
      {
        hint:
          head.form === 'program'
            ? 'its steps are known only when it runs: techne run'
            : 'compositions, workflows and chains have one',
      },
    );
  }
  const { text } = await snapshot.readText(skill.name);
  const body = await snapshot.readBody(skill.name);
  const paths = (await snapshot.listFiles(skill.name)).map(({ path }) => path);
  const diagnostics: Diagnostic[] = [];
  const world = await planWorldFor(skill.folder, head, paths, {
    files: library.files,
    loadSnapshot: () => library.load(),
  });
  const report = collectInto(diagnostics, skill.file);
  // The reason why its form cannot be executed comes from the head.
  if (head.bar !== null) report(head.bar.code, null, `${head.bar.message}; the skill cannot be executed`);
  const source = { head, frontmatter: nodeFrontmatter(text), world, bodyInputs: body.inputKeys };
  const plan =
    head.bar === null
      ? compilePlan(source, report, (path) => collectInto(diagnostics, join(skill.folder, path))).plan
      : null;
  diagnostics.sort(compareDiagnostics);
  const textAt = (path: string): string | null =>
    path === skill.file ? text : (world.file(relative(skill.folder, path).split(sep).join('/')) ?? null);
  return { plan, diagnostics, textAt };
}
