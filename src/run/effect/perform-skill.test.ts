// A `skill` step by itself: what it gives for each end of the nested run.
import { describe, expect, it } from 'vitest';
import { effectScene, startedEffect } from '../../../test/support/effect-scene.ts';
import type { RunResult } from '../result/result.ts';
import { performSkill } from './perform-skill.ts';

const request = { run: 'N', skill: 'two', input: { a: 1 } };
const completed = {
  run: 'N',
  skill: 'two',
  status: 'completed',
  error: null,
  envelope: { status: 'ok', answer: 'so', more: 1, trace: [1], steps: [2] },
  usage: { inputTokens: 1, outputTokens: 2, costMicros: 3, asks: 4, commands: 5, runs: 6 },
};

function scene(result: object) {
  const asked: unknown[] = [];
  const nested = effectScene({
    runNested: async (nestedRun) => {
      asked.push(nestedRun);
      nested.clock.pass(20);
      return { ...completed, ...result } as unknown as RunResult;
    },
  });
  const perform = () => performSkill(nested.context, nested.attempted('skill', request));
  return { ...nested, asked, perform };
}
const outcomeOf = async (result: object) => {
  const performed = await scene(result).perform();
  return performed === 'waiting' ? performed : performed.outcome;
};

describe('performSkill', () => {
  it('gives the result of a run that completed, with its time and usage', async () => {
    const { perform, log, asked, context } = scene({});
    expect(await perform()).toEqual({
      outcome: {
        ok: true,
        value: { status: 'completed', answer: 'so', result: { status: 'ok', answer: 'so', more: 1 } },
      },
      ms: 20,
      usage: completed.usage,
    });
    expect(log).toEqual(['begun']);
    expect(asked).toEqual([{ ...request, key: '1', signal: context.signal }]);
  });

  it('may have no answer, and no envelope', async () => {
    expect(await outcomeOf({ envelope: { more: 1 } })).toMatchObject({ value: { answer: '' } });
    expect(await outcomeOf({ envelope: null })).toEqual({
      ok: true,
      value: { status: 'completed', answer: '', result: {} },
    });
  });

  it('is entered again without a second start', async () => {
    const { perform, log, known } = scene({});
    known.set('1', startedEffect('1', { kind: 'skill' }));
    await perform();
    expect(log).toEqual([]);
  });

  it.each(['paused', 'needs_decision'])('waits while the run is %s', async (status) => {
    const { perform, log } = scene({ status });
    expect(await perform()).toBe('waiting');
    expect(log).toEqual(['begun', 'nested waits 1']);
  });

  it.each([
    [
      { status: 'failed', error: { code: 'X', message: 'no' } },
      { code: 'X', message: 'the skill "two" failed: no (run N)' },
    ],
    [
      { status: 'partial', error: null },
      { code: 'SKILL_FAILED', message: 'the skill "two" gave only a part: it says nothing more (run N)' },
    ],
    [
      { status: 'failed', error: null, run: null },
      { code: 'SKILL_FAILED', message: 'the skill "two" failed: it says nothing more' },
    ],
  ])('fails with the run: %j', async (result, failure) => {
    expect(await outcomeOf(result)).toEqual({ ok: false, ...failure });
  });
});
