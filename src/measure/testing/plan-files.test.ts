// The scripted world around a plan in a test: its files, and the replies to its forms.
import { describe, expect, it } from 'vitest';
import { composition } from '../../../test/support/plan-texts.ts';
import { planSkills } from '../../../test/support/plan-host.ts';
import { parseTests } from './parse-tests.ts';
import { runSkillTest } from './run-test.ts';

async function faultsOf(sample: string, test: string): Promise<readonly string[]> {
  const {
    tests: [parsed],
    diagnostics,
  } = parseTests(test, 'tests/x.yaml');
  expect(diagnostics).toEqual([]);
  if (parsed === undefined) throw new Error('no test');
  return (await runSkillTest('sample', planSkills({ sample }), parsed)).faults.map(
    ({ what, message }) => `${what}: ${message}`,
  );
}

describe('artifacts of a test', () => {
  const sample = composition(
    '- {id: a, kind: tool_call, tool: emit_text, tool_args: {text: done}}\n',
    'final_text_mode: raw\noutput_contract: {artifacts: [out/report.md, notes.md]}\n',
  );

  it('are all there when it says nothing, and otherwise those it names', async () => {
    expect(await faultsOf(sample, 'expect: {status: ok}')).toEqual([]);
    expect(await faultsOf(sample, 'artifacts: [out/report.md, notes.md]\nexpect: {status: ok}')).toEqual([]);
    expect(
      await faultsOf(
        sample,
        'artifacts: [out/report.md]\nexpect: {status: partial, error: {code: OUTPUT_CONTRACT, contains: notes.md}}',
      ),
    ).toEqual([]);
    expect(await faultsOf(sample, 'artifacts: []\nexpect: {status: ok}')).toHaveLength(1);
  });
});

describe('the request of a test', () => {
  const sample = composition(
    '- id: collect\n  kind: user_input\n  clarify: {nl_extract: true, fields: [{name: topic, type: string, required: true}]}\n',
    'final_text_mode: raw\n',
  );

  it('is read for a form where an answer has that purpose', async () => {
    const input = 'input: {user_message: something on tides}\n';
    expect(
      await faultsOf(
        sample,
        `${input}answers: [{purpose: read the request for collect, contains: something on tides, answer: {topic: {value: tides, words: on tides}}}]\ninputs: {collect: /accept}\nexpect: {answer: "- topic: tides (from user, suggested by message)", asks: 0}`,
      ),
    ).toEqual([]);
    expect(
      await faultsOf(
        sample,
        `${input}inputs: {collect: {topic: moons}}\nexpect: {answer: "- topic: moons (from user)"}`,
      ),
    ).toEqual([]);
  });
});
