// Retries and pauses in tests take no time.
import { describe, expect, it } from 'vitest';
import { composition } from '../../../test/support/plan-texts.ts';
import { planSkills } from '../../../test/support/plan-host.ts';
import { parseTests } from './parse-tests.ts';
import { runSkillTest } from './run-test.ts';

async function faultsOf(steps: string, test: string): Promise<readonly string[]> {
  const {
    tests: [parsed],
    diagnostics,
  } = parseTests(`input: {user_message: go}\n${test}`, 'tests/x.yaml');
  expect(diagnostics).toEqual([]);
  if (parsed === undefined) throw new Error('no test');
  const { faults } = await runSkillTest(
    'sample',
    planSkills({ sample: composition(steps, 'final_text_mode: raw\n') }),
    parsed,
  );
  return faults.map(({ message }) => message);
}

const hours =
  '- {id: a, kind: tool_call, tool: look, tool_args: {at: a}, retry: {max_attempts: 3, backoff_ms: 600000}}\n';

describe('a retry with a pause in a test', () => {
  it('is made at once', async () => {
    const startedMs = performance.now();
    expect(
      await faultsOf(
        hours,
        'tools: [{tool: look, error: slow}, {tool: look, error: slow}, {tool: look, result: here}]\nlimits: {timeout: 3600}\nexpect: {answer: here, result: {steps: {a: {attempts: 3}}}}',
      ),
    ).toEqual([]);
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });

  it('counts as time of the run', async () => {
    expect(
      await faultsOf(
        hours,
        'tools: [{tool: look, error: slow}, {tool: look, error: slow}]\nlimits: {timeout: 900}\nexpect: {error: TIMEOUT}',
      ),
    ).toEqual([]);
  });

  it('comes when it would, whatever else the run does', async () => {
    const two = (first: number, second: number): string =>
      [
        ['a', first],
        ['b', second],
      ]
        .map(
          ([id, ms]) =>
            `- {id: ${id}, kind: llm_chat, with: {task: ${id}}, retry: {max_attempts: 2, backoff_ms: ${ms}}}\n`,
        )
        .join('');
    const script = (order: readonly string[]): string =>
      `answers: [{purpose: a, error: busy}, {purpose: b, error: busy}, ${order.map((id) => `{purpose: ${id}, answer: fine}`).join(', ')}]\n`;
    expect(await faultsOf(two(2_000, 1_000), script(['b', 'a']))).toEqual([]);
    expect(await faultsOf(two(1_000, 2_000), script(['a', 'b']))).toEqual([]);
  });
});
