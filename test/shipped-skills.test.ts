// The skills that techne comes with: right, tested, and with every test passing.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createWorld } from './support/run-cli.ts';

const skills = fileURLToPath(new URL('../skills', import.meta.url));
const world = createWorld();
afterAll(() => world.remove());

interface Tested {
  readonly ok: boolean;
  readonly failed: number;
  readonly without: readonly string[];
  readonly diagnostics: readonly unknown[];
  readonly skills: readonly { readonly skill: string; readonly tests: readonly { readonly name: string; readonly ok: boolean; readonly faults: readonly unknown[] }[] }[];
}

describe('the shipped skills', () => {
  it('have nothing that techne check would say', async () => {
    expect(await world.run(['check', '--strict', skills])).toEqual({ code: 0, out: `${readdirSync(skills).length} skills checked: 0 errors, 0 warnings, 0 notes\n`, err: '' });
  });

  it('pass their tests; every program has some, with a success, a failure and a limit', async () => {
    const { code, out } = await world.run(['test', skills, '--json']);
    const tested = JSON.parse(out) as Tested;
    const broken = tested.skills.flatMap(({ skill, tests }) => tests.filter(({ ok }) => !ok).map(({ name, faults }) => ({ skill, name, faults })));
    expect([code, broken, tested.diagnostics]).toEqual([0, [], []]);
    // Compositions cannot be run yet.
    expect(tested.without).toEqual(['triage-request']);
    expect(tested.skills.map(({ skill }) => skill)).toEqual(['changelog', 'checklist', 'commit-message', 'diff-review', 'flaky-tests', 'require-heading', 'test-fix']);
    for (const { skill, tests } of tested.skills) expect([skill, tests.length >= 5]).toEqual([skill, true]);
  });

  it('have test prompts', () => {
    for (const name of readdirSync(skills)) expect(readdirSync(join(skills, name, 'evals'))).toEqual(['evals.json']);
  });
});
