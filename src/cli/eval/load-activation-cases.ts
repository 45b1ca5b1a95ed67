// Cases for a model that chooses: of files, of skills, and a few made from triggers.
import type { EvalCase } from '../../eval/eval-case.ts';
import { generateCases } from '../../eval/generate-cases.ts';
import type { SkillLibrary } from '../../host/open-skills.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { CommandContext } from '../context.ts';
import { numberOption } from '../parse-arguments.ts';
import { loadCaseFiles, loadSkillCases, nothingOf, requireSource } from './load-cases.ts';

/** `null` when something is wrong with them, which was printed. Throws SKILL_UNKNOWN. */
export async function loadActivationCases(context: CommandContext, library: SkillLibrary, snapshot: Snapshot, seed: number): Promise<readonly EvalCase[] | null> {
  const { args, err, quiet } = context;
  const { files, skills } = requireSource(context);
  const perKind = numberOption(args, 'frames', 0, 1000);
  const written = await loadCaseFiles(context, library, files);
  const cases = [...written.cases];
  let isFaulty = written.faulty;
  for (const name of skills) {
    const own = await loadSkillCases(context, snapshot, name);
    isFaulty ||= own?.faulty === true;
    // Every attempt costs something: sentences are made where there is nothing else, or where they are asked for.
    const frames = perKind ?? (own === null ? 1 : 0);
    const made = frames === 0 ? [] : generateCases(name, snapshot.get(name).head.triggers.map(({ phrase }) => phrase), { perKind: frames, seed });
    if (own === null && made.length === 0 && !quiet) err.line(nothingOf(name, frames));
    cases.push(...(own?.cases ?? []), ...made);
  }
  return isFaulty ? null : cases;
}
