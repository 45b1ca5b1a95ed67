// Which messages reach which skill, before and after: the candidate must get its own, and no other skill may lose one.
//
//   eval prompts, triggers and descriptions of every skill -> the matcher of conversations, on both snapshots -> what went wrong
//
// A message of another skill that reached it before must reach it afterwards; so accepting a proposal cannot lower the figures
// of `eval triggers`.
import { cutText } from '../../base/cut-text.ts';
import { printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import type { EvalCase } from '../../measure/eval/eval-case.ts';
import { generateCases } from '../../measure/eval/generate-cases.ts';
import type { CaseSource } from '../../measure/eval/load-cases.ts';
import { loadSkillCases } from '../../measure/eval/load-cases.ts';
import type { CaseFailure } from '../../measure/eval/score-cases.ts';
import { scoreCases } from '../../measure/eval/score-cases.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import type { TriggerOwner } from '../../plan/trigger-collisions.ts';
import { triggerCollisions } from '../../plan/trigger-collisions.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import { openSuggestions } from '../open-suggestions.ts';
import type { SkillLibrary } from '../open-skills.ts';
import type { Checked } from './check-proposal.ts';
import type { Outcome } from './outcome.ts';
import { failed, passed, skipped } from './outcome.ts';

const limit = 10;

export async function checkTriggers(subject: Checked, owner: TriggerOwner | null): Promise<Outcome> {
  const { library, changed, current, skill, name, proposal } = subject;
  if (skill === null) return skipped('there is no skill that could be reached');
  const collisions =
    owner === null ? [] : newCollisions(changed, current, { ...owner, name }, proposal.skill);
  if (collisions.length > 0) return failed('it has a trigger that another skill has', collisions);
  const faults: string[] = [];
  const own = await loadSkillCases(sourceOf(library, faults), changed, name);
  if (faults.length > 0) return failed('its eval prompts have errors', faults);
  const { invocation } = skill.card;
  const triggers = skill.head.triggers.map(({ phrase }) => phrase);
  const cases = [...(own?.cases ?? []), ...generateCases(name, triggers, { perKind: 1, seed: 1 })].filter(
    ({ kind }) => kind !== 'rubric',
  );
  if (!invocation.model) return skipped('only people can start it, by its name');
  if (cases.length === 0) return skipped('it has neither eval prompts (evals/evals.json) nor triggers');
  const suggestions = await openSuggestions(uncached(library), changed, () => undefined);
  const { failures, right } = await scoreCases(cases, (message) => suggestions.match(message, limit));
  return failures.length === 0
    ? passed(`${counted(right, 'prompt')} reach it, or do not, as they should`)
    : failed(`${counted(failures.length, 'prompt')} of ${cases.length} go wrong`, failures.map(failureLine));
}

/** Every skill but the candidate. */
export async function checkOtherTriggers({
  library,
  current,
  changed,
  name,
  proposal,
}: Checked): Promise<Outcome> {
  const others = current.skills.filter((skill) => skill.name !== name && skill.name !== proposal.skill);
  if (others.length === 0) return passed('there is no other skill');
  // What is wrong with the prompts of others is not the fault of the candidate.
  const source = sourceOf(library, []);
  const cases: EvalCase[] = [];
  for (const skill of others) cases.push(...(await casesOf(source, current, skill)));
  const before = await openSuggestions(uncached(library), current, () => undefined);
  const after = await openSuggestions(uncached(library), changed, () => undefined);
  const was = await scoreCases(cases, (message) => before.match(message, limit));
  const wrongBefore = new Set(was.failures.map(keyOf));
  const now = await scoreCases(
    cases.filter((one) => !wrongBefore.has(keyOf(one))),
    (message) => after.match(message, limit),
  );
  return now.failures.length === 0
    ? passed(
        `${counted(now.right, 'prompt')} of ${counted(others.length, 'other skill')} reach what they reached before`,
      )
    : failed(
        `${counted(now.failures.length, 'prompt')} of other skills would no longer reach them`,
        now.failures.map(failureLine),
      );
}

async function casesOf(source: CaseSource, snapshot: Snapshot, skill: Skill): Promise<readonly EvalCase[]> {
  const own = await loadSkillCases(source, snapshot, skill.name);
  const triggers = skill.head.triggers.map(({ phrase }) => phrase);
  const made = generateCases(skill.name, triggers, { perKind: 1, seed: 1 });
  const described: EvalCase = {
    message: cutText(skill.description, 200).text,
    expected: skill.name,
    kind: 'positive',
  };
  return [...(own?.cases ?? []), ...made, described].filter(
    ({ kind, message }) => kind !== 'rubric' && message !== '',
  );
}

function newCollisions(
  changed: Snapshot,
  current: Snapshot,
  owner: TriggerOwner,
  skill: string,
): readonly string[] {
  const ownerOf = ({ name, file, head }: Skill): TriggerOwner => ({
    name,
    file,
    priority: head.priority,
    triggers: head.triggers.map(({ phrase }) => ({ phrase, span: null })),
  });
  const others = changed.skills.filter(({ name }) => name !== owner.name && name !== skill).map(ownerOf);
  const mentions =
    (own: string) =>
    ({ message, file }: { readonly message: string; readonly file: string }): boolean =>
      file === owner.file || message.includes(`skill "${own}"`);
  const found = triggerCollisions([...others, owner]).filter(mentions(owner.name));
  // What collided before is not new.
  const base = current.has(skill) ? current.get(skill) : null;
  const known =
    base === null
      ? new Set<string>()
      : new Set(
          triggerCollisions([...others, { ...ownerOf(base), name: owner.name, file: owner.file }]).map(
            ({ message }) => message,
          ),
        );
  return found.filter(({ message }) => !known.has(message)).map(({ message }) => printableLine(message));
}

function sourceOf(library: SkillLibrary, faults: string[]): CaseSource {
  return {
    files: library.files,
    parseFull: nodeParseFull,
    resolvePath: (file) => file,
    showPath: (path) => path,
    faults: {
      get any() {
        return faults.length > 0;
      },
      add: ({ code, message }) => void faults.push(`${code}: ${printableLine(message)}`),
      addMessage: (where, message) => void faults.push(`${where ?? ''}: ${printableLine(message)}`),
    },
  };
}

/** What is only looked at must not become the index of the next conversation. */
function uncached(library: SkillLibrary): Parameters<typeof openSuggestions>[0] {
  return {
    loaded: library.loaded,
    environment: library.environment,
    findTrusted: (snapshot, skills) => library.findTrusted(snapshot, skills),
    wordsFile: () => null,
  };
}

function keyOf({ message, expected, kind }: Pick<EvalCase, 'message' | 'expected' | 'kind'>): string {
  return `${kind}\n${expected}\n${message}`;
}

function failureLine({ message, expected, found, outcome }: CaseFailure): string {
  return `${outcome}: "${printableLine(cutText(message, 120).text)}" should reach ${expected ?? 'none'}, and reaches ${found ?? 'none'}`;
}
