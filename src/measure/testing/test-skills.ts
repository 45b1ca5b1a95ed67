// Skills of a snapshot -> their tests, run.
//
// A skill that steps name is looked for beside the tested one, then elsewhere. The form of a skill must be executable;
// trust, the switch for execution and the requirements of the skill are not checked, since nothing real is performed.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { nodeSha256 } from '../../node/environment.ts';
import type { Files } from '../../ports/files.ts';
import type { SkillSource } from '../../ports/skill-source.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Fact, Skill } from '../../registry/types.ts';
import { createSnapshotSkills } from '../../run/start/snapshot-skills.ts';
import { findTests } from './find-tests.ts';
import { runSkillTest } from './run-test.ts';
import type { SkillTest, TestOutcome } from './skill-test.ts';

/** The outcomes of the tests of one skill. */
export interface SkillTests {
  readonly skill: string;
  readonly folder: string;
  readonly outcomes: readonly TestOutcome[];
  /** What is wrong with its test files. */
  readonly diagnostics: readonly Diagnostic[];
  /** The test files by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Whose tests are run. */
export interface TestSkillsOptions {
  readonly snapshot: Snapshot;
  readonly files: Files;
  /** The tests are looked for in `folder`. */
  readonly skills: readonly Pick<Skill, 'name' | 'folder'>[];
  /** The snapshot that has a skill which `snapshot` has not. Default: there is none. */
  readonly elsewhere?: (name: string) => Promise<Snapshot | null>;
  /** Default: all. */
  readonly filter?: (test: SkillTest) => boolean;
  /** Called after each skill. Default: none. */
  readonly onSkill?: (tests: SkillTests) => void;
}

/** Runs the tests of skills offline, on the engine that runs them. */
export async function testSkills({
  snapshot,
  files,
  skills,
  elsewhere = async () => null,
  filter = () => true,
  onSkill = () => {},
}: TestSkillsOptions): Promise<readonly SkillTests[]> {
  const source = withOthers(skillsOf(snapshot), elsewhere);
  const all: SkillTests[] = [];
  for (const { name, folder } of skills) {
    const { tests, diagnostics, texts } = await findTests(files, folder);
    const outcomes: TestOutcome[] = [];
    for (const test of tests.filter(filter)) outcomes.push(await runSkillTest(name, source, test));
    const one = { skill: name, folder, outcomes, diagnostics, texts };
    all.push(one);
    onSkill(one);
  }
  return all;
}

/** Every skill of a snapshot as a run finds it: what can be executed may be. */
export function skillsOf(snapshot: Snapshot): SkillSource {
  return createSnapshotSkills({
    snapshot,
    policy: 'trusted',
    isRunnable: (name) => isExecutable(snapshot, name),
    isStillTrusted: async () => ({ ok: true, reasons: [] }),
    sha256: nodeSha256,
  });
}

function withOthers(own: SkillSource, elsewhere: (name: string) => Promise<Snapshot | null>): SkillSource {
  const other = async (name: string): Promise<SkillSource | null> => {
    const snapshot = await elsewhere(name);
    return snapshot === null ? null : skillsOf(snapshot);
  };
  return {
    names: () => own.names(),
    find: async (name) => (await own.find(name)) ?? (await (await other(name))?.find(name)) ?? null,
    findForStep: async (name) =>
      (await own.findForStep?.(name)) ?? (await (await other(name))?.findForStep?.(name)) ?? null,
    mayContinue: (skill) => own.mayContinue(skill),
  };
}

async function isExecutable(snapshot: Snapshot, name: string): Promise<Fact> {
  const skill = snapshot.get(name);
  const { sound } = snapshot.facts(skill);
  if (!sound.ok) return sound;
  const why =
    skill.card.form === 'instructions' && skill.head.frontmatter['entrypoint'] === undefined
      ? 'it is instructions to read; there is nothing to execute'
      : ((await snapshot.executionBar(name))?.message ?? null);
  return why === null
    ? { ok: true, reasons: [] }
    : { ok: false, reasons: [{ code: 'NOT_EXECUTABLE', message: why, hint: null }] };
}
