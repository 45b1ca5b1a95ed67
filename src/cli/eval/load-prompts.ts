// What is judged: the prompts of skills, and cases of kind rubric of files; what is wrong with them is told (case-faults.ts).
import { append } from '../../base/append.ts';
import { printableLine } from '../../base/printable.ts';
import type { OutputCase, ReadPrompts } from '../../measure/eval/output-case.ts';
import { casesUnderRubric, readEvalPrompts, rubricCases } from '../../measure/eval/output-case.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { evalsFile } from '../../skill/check/check-evals.ts';
import type { CommandContext } from '../context.ts';
import { displayPath } from '../../node/display-path.ts';
import type { CaseFaults } from './case-faults.ts';
import { loadCaseFile, loadSkillCases, requireSource } from './load-cases.ts';
import { inputFault } from './prompt-input.ts';
import { unknownIn } from './tell-unknown.ts';

/** Throws SKILL_UNKNOWN. */
export async function loadPrompts(
  context: CommandContext,
  library: SkillLibrary,
  snapshot: Snapshot,
  faults: CaseFaults,
): Promise<readonly OutputCase[]> {
  const { err, io } = context;
  const { files, skills } = requireSource(context);
  const cases: OutputCase[] = [];
  const take = (read: ReadPrompts, where: string): void => {
    for (const fault of read.faults) faults.say(where, fault);
    append(
      cases,
      read.cases.map((one) => ({ place: where, ...one })),
    );
  };
  for (const file of files) {
    const loaded = await loadCaseFile(context, library, file, faults);
    const read = rubricCases(loaded.cases);
    if (!loaded.faulty && read.cases.length === 0 && read.faults.length === 0)
      err.line(`${printableLine(file)} has no case of kind rubric`);
    take(read, file);
  }
  for (const name of skills) {
    const { head, file } = snapshot.get(name);
    const own = await loadSkillCases(context, snapshot, name, faults);
    const before = cases.length;
    take(readEvalPrompts(name, head.frontmatter['eval_prompts'], own?.rubric ?? []), displayPath(file, io));
    take(rubricCases(own?.cases ?? []), evalsFile);
    if (cases.length === before) append(cases, casesUnderRubric(name, own?.cases ?? [], own?.rubric ?? []));
    if (cases.length === before && !faults.any)
      err.line(
        `"${printableLine(name)}" has nothing to judge: neither eval_prompts, nor a rubric in ${evalsFile}`,
      );
  }
  for (const { place = null, ...of } of unknownIn(snapshot, cases)) faults.say(place, of.message, of.hint);
  for (const one of cases) {
    const fault = snapshot.has(one.skill) ? await inputFault(snapshot, one, io) : null;
    if (fault !== null) faults.say(one.place ?? null, `"${one.name}" of ${one.skill}: ${fault}`);
  }
  return cases;
}
