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
  readonly skills: readonly {
    readonly skill: string;
    readonly tests: readonly {
      readonly name: string;
      readonly ok: boolean;
      readonly faults: readonly unknown[];
    }[];
  }[];
}

describe('the shipped skills', () => {
  it('have nothing that techne check would say', async () => {
    expect(await world.run(['check', '--strict', skills])).toEqual({
      code: 0,
      out: `${readdirSync(skills).length} skills checked: 0 errors, 0 warnings, 0 notes\n`,
      err: '',
    });
  });

  it('pass their tests; everything that can be executed has some, with a success, a failure and a limit', async () => {
    const { code, out } = await world.run(['test', skills, '--json']);
    const tested = JSON.parse(out) as Tested;
    const broken = tested.skills.flatMap(({ skill, tests }) =>
      tests.filter(({ ok }) => !ok).map(({ name, faults }) => ({ skill, name, faults })),
    );
    expect([code, broken, tested.diagnostics]).toEqual([0, [], []]);
    expect(tested.without).toEqual([]);
    expect(tested.skills.map(({ skill }) => skill)).toEqual([
      'changelog',
      'checklist',
      'commit-message',
      'concept-note',
      'daily-note',
      'decision-log',
      'diff-review',
      'flaky-tests',
      'how-to',
      'incident-brief',
      'meeting-note',
      'person-note',
      'plan-next-week',
      'pr-review',
      'prepare-release',
      'project-brief',
      'project-note',
      'reading-note',
      'require-heading',
      'retrieve-tasks',
      'skill-creator',
      'summarize-completed',
      'task-tracker',
      'test-fix',
      'triage-request',
      'weekly-review',
      'work-log',
    ]);
    for (const { skill, tests } of tested.skills) expect([skill, tests.length >= 5]).toEqual([skill, true]);
  });

  it('are looked for where they are, when one of them is tested by its folder', async () => {
    const { code, out } = await world.run(['test', join(skills, 'prepare-release')]);
    expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, '6 passed, 0 failed in 1 skill']);
  });

  it('have test prompts', () => {
    for (const name of readdirSync(skills))
      expect(readdirSync(join(skills, name, 'evals'))).toEqual(['evals.json']);
  });
});

describe('techne new', () => {
  // With the shipped skills, of which the chain makes use.
  const own = createWorld({ 'home/.techne/config.json': '{"cache": {"enabled": false}}\n' });
  afterAll(() => own.remove());

  it.each(['program', 'composition', 'workflow', 'chain'])(
    'makes a %s that is right and passes its tests',
    async (form) => {
      expect((await own.run(['new', `a-${form}`, '--form', form])).code).toBe(0);
      const folder = join(own.workspace, '.techne', 'skills', `a-${form}`);
      expect((await own.run(['check', '--strict', folder])).out).toBe(
        '1 skill checked: 0 errors, 0 warnings, 0 notes\n',
      );
      const { code, out } = await own.run(['test', folder]);
      expect([code, /^[2-9] passed, 0 failed in 1 skill$/m.test(out)]).toEqual([0, true]);
    },
  );
});
