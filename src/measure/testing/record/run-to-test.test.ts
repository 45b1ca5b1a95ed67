// Every test of every shipped skill, taken for a recorded run: programs, compositions, workflows and chains, with asks,
// commands, tools, forms, nested runs and notes. What is made of it passes at once, and fails when something else comes.
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { bareEnvironment, rootAt } from '../../../../test/support/library.ts';
import { defaultConfig } from '../../../config/merge-config.ts';
import { nodeClock, nodeSha256 } from '../../../node/environment.ts';
import { createNodeFiles } from '../../../node/files/files.ts';
import { nodeParseFull } from '../../../node/yaml.ts';
import { countListed } from '../../../prompt/index-layout.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import { loadSnapshot } from '../../../registry/snapshot.ts';
import { findTests } from '../find-tests.ts';
import { parseTests } from '../parse-tests.ts';
import { performTest, runSkillTest } from '../run-test.ts';
import { skillsOf } from '../test-skills.ts';
import { runToTest } from './run-to-test.ts';
import { recordedRun } from './script-of-run.ts';

const skills = fileURLToPath(new URL('../../../../skills', import.meta.url));
const files = createNodeFiles();
let snapshot: Snapshot;
beforeAll(async () => {
  snapshot = await loadSnapshot({
    roots: [rootAt(skills)],
    files,
    environment: bareEnvironment,
    clock: nodeClock,
    sha256: nodeSha256,
    parseFull: nodeParseFull,
    countListed,
    config: defaultConfig(),
  });
});

describe('runToTest', () => {
  it('makes a test that passes of every run that a shipped test describes', async () => {
    const source = skillsOf(snapshot);
    const refused: string[] = [];
    const failing: unknown[] = [];
    const made = new Map<string, number>();
    let notCompared = 0;
    for (const { name, folder, card } of snapshot.skills) {
      const { tests } = await findTests(files, folder);
      for (const test of tests) {
        const { view, inspect, observed } = await performTest(name, source, test);
        if (view === null || view.endedAt === null) continue;
        const recorded = await recordedRun(inspect, view.run);
        const one = await runToTest({ recorded, result: observed.result, name: 'recorded', skills: source });
        if (!one.ok) {
          refused.push(`${name}: ${test.name}: ${one.why.join('; ')}`);
          continue;
        }
        notCompared += one.notCompared.length;
        made.set(card.form, (made.get(card.form) ?? 0) + 1);
        const [again] = parseTests(one.text, 'again.yaml').tests;
        const { ok, faults } = await runSkillTest(name, source, again as NonNullable<typeof again>);
        if (!ok) failing.push([name, test.name, faults]);
      }
    }
    expect(failing).toEqual([]);
    // What is not in the journal cannot be repeated: the note that was there, and who cancelled.
    expect(
      refused.filter((why) => !/failed with NOTE_(?:HEADING|TYPE)|the run is cancelled/.test(why)),
    ).toEqual([]);
    expect([...made.keys()].sort()).toEqual(['chain', 'composition', 'program', 'workflow']);
    expect([...made.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(120);
    expect(notCompared).toBeLessThan(5);
  });
});
