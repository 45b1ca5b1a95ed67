// The prompts of skills, and cases of kind rubric in files -> the prompts that are judged.
//
// The input of an executable skill is its case's `input`, or else the prompt, as behind `/name` in a conversation. It is
// checked before anything runs: an input that the declared inputs of the skill do not accept is a fault of the case, and
// costs nothing. Keys that a skill describes only in prose are for its program to check.
import { append } from '../../base/json.ts';
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { checkInput } from '../../run/start/check-input.ts';
import { evalsFile } from '../../skill/check/check-evals.ts';
import type { CaseSource } from './load-cases.ts';
import { describeUnknown, loadCaseFile, loadSkillCases } from './load-cases.ts';
import type { OutputCase, ReadPrompts } from './output-case.ts';
import { casesUnderRubric, readEvalPrompts, rubricCases, withoutCall } from './output-case.ts';

/** Parses the text behind `/skill` into its input. Throws USAGE. */
export type ParseSkillInput = (skill: string, text: string) => Promise<JsonObject | null>;

interface WantedPrompts {
  readonly files: readonly string[];
  readonly skills: readonly string[];
  readonly parseInput: ParseSkillInput;
  /** Called with why a file or a skill gives nothing to judge. */
  readonly onNothing: (text: string) => void;
}

/** Throws SKILL_UNKNOWN. */
export async function loadPrompts(
  source: CaseSource,
  snapshot: Snapshot,
  { files, skills, parseInput, onNothing }: WantedPrompts,
): Promise<readonly OutputCase[]> {
  const { faults } = source;
  const cases: OutputCase[] = [];
  const take = (read: ReadPrompts, where: string): void => {
    for (const fault of read.faults) faults.addMessage(where, fault);
    append(
      cases,
      read.cases.map((one) => ({ place: where, ...one })),
    );
  };
  for (const file of files) {
    const loaded = await loadCaseFile(source, file);
    const read = rubricCases(loaded.cases);
    if (!loaded.faulty && read.cases.length === 0 && read.faults.length === 0)
      onNothing(`${file} has no case of kind rubric`);
    take(read, file);
  }
  for (const name of skills) {
    const { head, file } = snapshot.get(name);
    const own = await loadSkillCases(source, snapshot, name);
    const before = cases.length;
    take(readEvalPrompts(name, head.frontmatter['eval_prompts'], own?.rubric ?? []), source.showPath(file));
    take(rubricCases(own?.cases ?? []), evalsFile);
    if (cases.length === before) append(cases, casesUnderRubric(name, own?.cases ?? [], own?.rubric ?? []));
    if (cases.length === before && !faults.any)
      onNothing(`"${name}" has nothing to judge: neither eval_prompts, nor a rubric in ${evalsFile}`);
  }
  for (const { place = null, ...of } of describeUnknown(snapshot, cases))
    faults.addMessage(place, of.message, of.hint);
  for (const one of cases) {
    const fault = snapshot.has(one.skill) ? await findInputFault(snapshot, one, parseInput) : null;
    if (fault !== null) faults.addMessage(one.place ?? null, `"${one.name}" of ${one.skill}: ${fault}`);
  }
  return cases;
}

/** Throws USAGE when the prompt cannot be read as an input. */
export async function promptInput(
  { skill, prompt, input }: OutputCase,
  parseInput: ParseSkillInput,
): Promise<JsonObject | null> {
  return input ?? parseInput(skill, withoutCall(prompt, skill));
}

/** Whether the skill is run; every other one is read by a model. */
export function isExecutable(snapshot: Snapshot, name: string): boolean {
  const { form, bar } = snapshot.get(name).card;
  return form !== 'instructions' && bar === null;
}

/** What is wrong with the input of a case, in a sentence; null: nothing that can be known before the run. */
async function findInputFault(
  snapshot: Snapshot,
  one: OutputCase,
  parseInput: ParseSkillInput,
): Promise<string | null> {
  if (!isExecutable(snapshot, one.skill)) return null;
  const inputs = snapshot.get(one.skill).head.inputs ?? [];
  let input: JsonObject | null;
  try {
    input = await promptInput(one, parseInput);
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return `${error.message}; give the case an "input"`;
  }
  if (inputs.length === 0) return null;
  const needed = inputs.filter(({ required, schema }) => required && schema?.['default'] === undefined);
  const isEmpty = input === null || Object.keys(input).length === 0;
  const checked = checkInput({ name: one.skill, instructions: '', inputs, inputsAreTyped: true }, input, [
    'user_message',
  ]);
  if (checked.ok) return null;
  if (one.input !== undefined && !isEmpty) return checked.message;
  const keys =
    needed.length > 0
      ? `this skill needs ${needed.length === 1 ? 'the input' : 'inputs'} ${needed.map(({ key }) => key).join(', ')}`
      : `the inputs of this skill (${inputs.map(({ key }) => key).join(', ')}) do not take a message`;
  return `${keys}; give the case an "input"`;
}
