import { describe, expect, it } from 'vitest';
import { chat, composition, skillWith } from '../../../test/support/plan-texts.ts';
import { planHost } from '../../../test/support/plan-host.ts';
import { fakeRunHost } from '../../../test/support/fake-run-host.ts';

const inner = composition(chat('a'), 'final_text_mode: raw\n');
const fan = (skill: string, items: number): string =>
  skillWith(
    `chain:\n  - {id: f, skill: ${skill}, for_each: [${Array.from({ length: items }, (_, at) => at).join(', ')}]}`,
  );

describe('the budget of runs', () => {
  it('is one for the whole tree, and reported in the usage', async () => {
    const host = planHost({ inner, middle: fan('inner', 3), outer: fan('middle', 2) });
    const result = await host.runner.start({ skill: 'outer', input: {} });
    expect([result.status, result.usage.runs, host.answerer.asked.length]).toEqual(['completed', 8, 6]);
    // From the journal, too.
    expect((await host.runner.inspect(result.run as string)).usage.runs).toBe(8);
    expect((await host.runner.replay(result.run as string)).divergences).toEqual([]);
  });

  it('ends what fans out again and again', async () => {
    const host = planHost({ inner, middle: fan('inner', 3), outer: fan('middle', 3) });
    const result = await host.runner.start({ skill: 'outer', input: {}, limits: { runs: 5 } });
    expect([
      result.status,
      result.error?.code,
      result.error?.message.includes('run budget exhausted ('),
    ]).toEqual(['failed', 'RUN_BUDGET', true]);
    expect((await host.store.list({ limit: 99 })).runs.length).toBeLessThanOrEqual(6);
  });

  it('holds for the runs of nested agents: what is over it is an error for the agent, which continues', async () => {
    const host = fakeRunHost({
      programs: {
        outer: 'def run(input):\n  return ask("go")["answer"]\n',
        plain: 'def run(input):\n  return "ran"\n',
      },
    });
    host.answerer.onAsk = async (_request, { runSkill }) => {
      const given = [];
      for (let at = 0; at < 3; at += 1) given.push(await runSkill('plain', { x: at }));
      return JSON.stringify(given);
    };
    const result = await host.runner.start({ skill: 'outer', input: { x: 1 }, limits: { runs: 2 } });
    const given = JSON.parse(result.envelope?.['answer'] as string) as readonly string[];
    expect([
      result.status,
      result.usage.runs,
      given.map((text) => text.startsWith('error:')),
      given[2],
    ]).toEqual(['completed', 2, [false, false, true], 'error: run budget exhausted (2 runs)']);
    expect((await host.runner.replay(result.run as string)).divergences).toEqual([]);
  });

  it('is clamped to what a host allows, and may be none', async () => {
    const host = planHost({ inner, outer: fan('inner', 1) });
    expect(
      (await host.runner.start({ skill: 'outer', input: {}, limits: { runs: 99_999 } })).usage,
    ).toMatchObject({ runs: 1, clamped: ['runs'] });
    expect((await host.runner.start({ skill: 'outer', input: {}, limits: { runs: 0 } })).error?.code).toBe(
      'RUN_BUDGET',
    );
  });
});
