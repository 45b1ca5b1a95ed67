// Cases for a model that chooses: of files, of skills, and a few made from triggers.
import { append } from '../../base/append.ts';
import type { EvalCase } from '../../measure/eval/eval-case.ts';
import { generateCases } from '../../measure/eval/generate-cases.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { CommandContext } from '../context.ts';
import { numberOption } from '../parse-arguments.ts';
import type { CaseFaults } from './case-faults.ts';
import { loadCaseFiles, loadSkillCases, nothingOf, requireSource } from './load-cases.ts';

/** Throws SKILL_UNKNOWN. */
export async function loadActivationCases(
  context: CommandContext,
  library: SkillLibrary,
  snapshot: Snapshot,
  seed: number,
  faults: CaseFaults,
): Promise<readonly EvalCase[]> {
  const { args, err, quiet } = context;
  const { files, skills } = requireSource(context);
  const perKind = numberOption(args, 'frames', 0, 1000);
  const cases = [...(await loadCaseFiles(context, library, files, faults))];
  for (const name of skills) {
    const own = await loadSkillCases(context, snapshot, name, faults);
    // Every attempt costs something: sentences are made where there is nothing else, or where they are asked for.
    const frames = perKind ?? (own === null ? 1 : 0);
    const made =
      frames === 0
        ? []
        : generateCases(
            name,
            snapshot.get(name).head.triggers.map(({ phrase }) => phrase),
            { perKind: frames, seed },
          );
    if (own === null && made.length === 0 && !quiet) err.line(nothingOf(name, frames));
    append(cases, own?.cases ?? []);
    append(cases, made);
  }
  return cases;
}
