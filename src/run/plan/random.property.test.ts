// Random plans with random failures, interrupted anywhere: they end, and always in the same state.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dyingStore } from '../../../test/support/dying-store.ts';
import { composition } from '../../../test/support/plan-texts.ts';
import type { PlanHost, PlanHostOptions } from '../../../test/support/plan-host.ts';
import { planHost, resultOf, statusesOf } from '../../../test/support/plan-host.ts';
import { turns } from '../../../test/support/fake-run-host.ts';
import type { RunResult } from '../result/result.ts';

interface RandomStep {
  readonly dependsOn: readonly number[];
  readonly fails: boolean;
  readonly skips: boolean;
  readonly continues: boolean;
  readonly attempts: number;
  readonly items: number;
  readonly substitute: 'none' | 'good' | 'bad';
  readonly slow: number;
}

const randomStep: fc.Arbitrary<RandomStep> = fc.record({
  dependsOn: fc.array(fc.nat({ max: 30 }), { maxLength: 3 }),
  fails: fc.boolean(),
  skips: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
  continues: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
  attempts: fc.integer({ min: 1, max: 2 }),
  items: fc.integer({ min: 0, max: 3 }),
  substitute: fc.constantFrom('none', 'none', 'good', 'bad'),
  slow: fc.nat({ max: 3 }),
});

function planOf(steps: readonly RandomStep[]): string {
  const lines = steps.flatMap(({ dependsOn, skips, continues, attempts, items, substitute }, index) => {
    const before = [...new Set(dependsOn.map((one) => one % Math.max(1, index)))].filter(
      (one) => one < index,
    );
    const names = before
      .flatMap((one) => [`s${one}`, ...(steps[one]?.substitute === 'none' ? [] : [`s${one}_sub`])])
      .slice(0, 3);
    const task = names.map((name) => `{{ outputs.${name} | tojson | truncate(40) }}`).join(' ');
    const own = `- {id: s${index}, kind: llm_chat, depends_on: [${names.join(', ')}], with: {task: "go ${task}"}${skips ? ', when: "1 > 2"' : ''}${continues ? ', continue_on_error: true' : ''}${attempts > 1 ? ', retry: {max_attempts: 2}' : ''}${items > 0 ? `, for_each: "['a', 'b', 'c'][:${items}]", concurrency: 2` : ''}${substitute === 'none' ? '' : `, on_failure: s${index}_sub`}}`;
    return substitute === 'none'
      ? [own]
      : [own, `- {id: s${index}_sub, kind: llm_chat, with: {task: "instead {{ error | truncate(30) }}"}}`];
  });
  return composition(`${lines.join('\n')}\n`, 'final_text_mode: raw\n');
}

function open(steps: readonly RandomStep[], options: PlanHostOptions = {}): PlanHost {
  const host = planHost({ sample: planOf(steps) }, options);
  host.answerer.onAsk = async ({ purpose, prompt }, { key }) => {
    const [, number = '0', isSubstitute] = /^s(\d+)(_sub)?$/.exec(purpose ?? '') ?? [];
    const step = steps[Number(number)] as RandomStep;
    await turns(step.slow);
    const fails = isSubstitute === undefined ? step.fails && !key.includes('#') : step.substitute === 'bad';
    if (fails) throw new Error(`${key} fails`);
    return `${key}:${prompt.length}`;
  };
  return host;
}

/** What is known of a result whatever came first: not the order of its trace. */
function stateOf(result: RunResult): unknown {
  return [result.status, result.error, resultOf(result)];
}

/** Steps whose state cannot be. */
function inconsistent(steps: readonly RandomStep[], result: RunResult): readonly string[] {
  const { steps: shown = {} } = resultOf(result) as {
    steps?: { [id: string]: { status: string; reason?: string } };
  };
  return Object.entries(shown).flatMap(([id, { status, reason = '' }]) => {
    const { substitute, fails, attempts } = steps[Number(/\d+/.exec(id)?.[0])] as RandomStep;
    const isSubstitute = id.endsWith('_sub');
    const can =
      status === 'blocked'
        ? /failed|blocked/.test(reason)
        : status === 'substituted'
          ? !isSubstitute && substitute === 'good' && shown[`${id}_sub`]?.status === 'ok'
          : status === 'ok'
            ? isSubstitute || !fails || attempts === 2
            : status === 'failed' || status === 'skipped';
    return can ? [] : [`${id} ${status}`];
  });
}

describe('random plans', () => {
  it('end in the same state, wherever they are interrupted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(randomStep, { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 1, max: 30 }),
        async (steps, at) => {
          const clean = await open(steps).start('sample');
          expect(['completed', 'partial', 'failed']).toContain(clean.status);
          expect(clean.run).not.toBeNull();
          expect(inconsistent(steps, clean)).toEqual([]);
          let died = (): void => {};
          const death = new Promise<null>((resolve) => (died = () => resolve(null)));
          const first = open(steps, { wrapStore: dyingStore(at, 'after', () => died()) });
          const early = await Promise.race([first.start('sample'), death]);
          if (early !== null) return;
          await turns(2);
          first.store.die();
          const run = [...first.runs.byName.keys()][0] as string;
          const second = open(steps, { after: first });
          const shown = await second.runner.inspect(run);
          expect(shown.steps).not.toBeNull();
          const result = await second.runner.resume(run);
          expect(stateOf(result)).toEqual(stateOf(clean));
          expect((await second.runner.replay(run)).divergences).toEqual([]);
          const ids = (await second.runner.inspect(run)).steps?.map(({ id }) => id);
          expect(result.status === 'failed' ? ids : Object.keys(statusesOf(result))).toEqual(ids);
        },
      ),
      { numRuns: 120 },
    );
  }, 120_000);
});
