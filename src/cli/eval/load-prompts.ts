// What is judged: the prompts of skills, and cases of kind rubric of files; what is wrong with them is printed.
import { printableLine } from '../../base/printable.ts';
import type { OutputCase, ReadPrompts } from '../../eval/output-case.ts';
import { casesUnderRubric, readEvalPrompts, rubricCases } from '../../eval/output-case.ts';
import type { SkillLibrary } from '../../host/open-skills.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { evalsFile } from '../../skill/check-evals.ts';
import type { CommandContext } from '../context.ts';
import { displayPath } from '../display-path.ts';
import { loadCaseFile, loadSkillCases, requireSource } from './load-cases.ts';
import { inputFault } from './prompt-input.ts';
import { tellUnknown } from './tell-unknown.ts';

/** `null` when something is wrong, which was printed. Throws SKILL_UNKNOWN. */
export async function loadPrompts(context: CommandContext, library: SkillLibrary, snapshot: Snapshot): Promise<readonly OutputCase[] | null> {
  const { err, io } = context;
  const { files, skills } = requireSource(context);
  const cases: OutputCase[] = [];
  let isFaulty = false;
  const take = (read: ReadPrompts, where: string): void => {
    for (const fault of read.faults) err.line(`${printableLine(where)}: error: ${printableLine(fault)}`);
    isFaulty ||= read.faults.length > 0;
    cases.push(...read.cases.map((one) => ({ place: where, ...one })));
  };
  for (const file of files) {
    const loaded = await loadCaseFile(context, library, file);
    isFaulty ||= loaded.faulty;
    const read = rubricCases(loaded.cases);
    if (!loaded.faulty && read.cases.length === 0 && read.faults.length === 0) err.line(`${printableLine(file)} has no case of kind rubric`);
    take(read, file);
  }
  for (const name of skills) {
    const { head, file } = snapshot.get(name);
    const own = await loadSkillCases(context, snapshot, name);
    isFaulty ||= own?.faulty === true;
    const before = cases.length;
    take(readEvalPrompts(name, head.frontmatter['eval_prompts'], own?.rubric ?? []), displayPath(file, io));
    take(rubricCases(own?.cases ?? []), evalsFile);
    if (cases.length === before) cases.push(...casesUnderRubric(name, own?.cases ?? [], own?.rubric ?? []));
    if (cases.length === before && !isFaulty) err.line(`"${printableLine(name)}" has nothing to judge: neither eval_prompts, nor a rubric in ${evalsFile}`);
  }
  isFaulty ||= tellUnknown(context, snapshot, cases, { severity: 'error' }).length > 0;
  for (const one of cases) {
    const fault = snapshot.has(one.skill) ? await inputFault(snapshot, one, io) : null;
    if (fault === null) continue;
    isFaulty = true;
    err.line(`${printableLine(one.place ?? one.name)}: error: "${printableLine(one.name)}" of ${printableLine(one.skill)}: ${printableLine(fault)}`);
  }
  return isFaulty ? null : cases;
}
