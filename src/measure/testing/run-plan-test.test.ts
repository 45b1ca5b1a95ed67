import { describe, expect, it } from 'vitest';
import { composition } from '../../../test/support/plan-texts.ts';
import { planSkills } from '../../../test/support/plan-host.ts';
import { parseTests } from './parse-tests.ts';
import { runSkillTest } from './run-test.ts';

const sample = composition(
  `- id: collect
  kind: user_input
  clarify:
    nl_extract: true
    fields:
      - {name: topic, type: string, required: true}
- id: save
  kind: tool_call
  tool: memory_save
  depends_on: [collect]
  tool_args: {path: memory/a.md, content: "{{ inputs.collected.collect.topic | xml_escape | truncate(99) }}"}
- id: say
  kind: tool_call
  tool: emit_text
  depends_on: [save]
  tool_args: {text: "done: {{ outputs.save | truncate(99) }}"}
`,
  'final_text_mode: raw\n',
);

async function faultsOf(test: string, skill = sample): Promise<readonly string[]> {
  const {
    tests: [parsed],
    diagnostics,
  } = parseTests(test, 'tests/x.yaml');
  expect(diagnostics).toEqual([]);
  if (parsed === undefined) throw new Error('no test');
  const { faults } = await runSkillTest('sample', planSkills({ sample: skill }), parsed);
  return faults.map(
    ({ what, message, expected, got }) =>
      `${what}: ${message}${expected === null && got === null ? '' : ` [${JSON.stringify(expected)} / ${JSON.stringify(got)}]`}`,
  );
}

const input = 'input: {user_message: go}\n';

describe('runSkillTest of a plan', () => {
  it('answers forms and tools from the test', async () => {
    expect(
      await faultsOf(
        `${input}inputs: {collect: {topic: tides}}\ntools: [{tool: memory_save, args: {content: tides}, result: saved it}]\nexpect: {answer: "done: saved it"}`,
      ),
    ).toEqual([]);
    expect(
      await faultsOf(
        `${input}inputs: ["topic: tides"]\ntools: [{tool: memory_save, result: saved it}]\nexpect: {answer: "done: saved it"}`,
      ),
    ).toEqual([]);
  });

  it('begins at the moment of the test, in its local time', async () => {
    const dated = composition(
      `- {id: say, kind: tool_call, tool: emit_text, tool_args: {text: "{{ 'now' | date('YYYY-MM-DD HH:mm:ss Z') }}"}}\n`,
      'final_text_mode: raw\n',
    );
    for (const [now, shown] of [
      ['2026-03-01', '2026-03-01 00:00:00 +00:00'],
      ['"2026-03-01T23:30:00-05:30"', '2026-03-01 23:30:00 -05:30'],
    ])
      expect(await faultsOf(`${input}now: ${now}\nexpect: {answer: "${shown}"}`, dated)).toEqual([]);
  });

  it('reads free replies with an answer of its own', async () => {
    expect(
      await faultsOf(
        `${input}inputs: [something on tides please]\nanswers: [{purpose: read the reply to collect, answer: {topic: tides}}]\ntools: [{tool: memory_save, args: {content: tides}, result: ok}]\nexpect: {answer: "done: ok", asks: 0}`,
      ),
    ).toEqual([]);
  });

  it('names the form that a reply may be for', async () => {
    expect(await faultsOf(`${input}inputs: {colect: {topic: tides}}\n`)).toEqual([
      'inputs: no reply is scripted for the form "collect", with the fields topic (needed), additional_notes',
      'inputs 1: no form used this reply; did you mean "collect"? [{"topic":"tides"} / null]',
    ]);
  });

  it('fails for a form or a tool without a script, a refused reply, and unused replies and results', async () => {
    expect(await faultsOf(`${input}expect: {status: ok}`)).toEqual([
      'inputs: no reply is scripted for the form "collect", with the fields topic (needed), additional_notes',
    ]);
    expect(await faultsOf(`${input}inputs: {collect: {topic: tides}}\n`)).toEqual([
      'tools: a call of the tool memory_save without a scripted result: {"path":"memory/a.md","content":"tides"} [null / {"path":"memory/a.md","content":"tides"}]',
    ]);
    expect(await faultsOf(`${input}inputs: {collect: {topics: tides}}\n`)).toEqual([
      'inputs 1: the form refused this reply: there is no field "topics"; did you mean topic? [null / {"topics":"tides"}]',
    ]);
    expect(await faultsOf(`${input}inputs: {collect: {topic: tides, colour: red}}\n`)).toEqual([
      'inputs 1: the form refused this reply: there is no field "colour"; the fields are topic, additional_notes [null / {"topic":"tides","colour":"red"}]',
    ]);
    expect(
      await faultsOf(
        `${input}inputs: {collect: {topic: tides}, other: x}\ntools: [{tool: memory_save, result: a}, {tool: memory_save, result: b}]\n`,
      ),
    ).toEqual([
      'tools 2: no call used this result: memory_save {}',
      'inputs 2: no form used this reply ["x" / null]',
    ]);
  });

  it('says which form waits, and nothing that follows from it; a test may expect the pause', async () => {
    const waits =
      'inputs: no reply is scripted for the form "collect", with the fields topic (needed), additional_notes';
    expect(
      await faultsOf(
        `${input}answers: [never asked]\ntools: [{tool: memory_save, result: ok}]\nexpect: {status: ok, answer: "done: ok", asks: 1}`,
      ),
    ).toEqual([waits]);
    expect(await faultsOf(input)).toEqual([waits]);
    expect(await faultsOf(`${input}expect: {status: paused}`)).toEqual([]);
    expect(
      await faultsOf(
        `${input}inputs: [hm]\nanswers: [{purpose: read the reply to collect, answer: {}}]\nexpect: {status: ok}`,
      ),
    ).toEqual([
      `${waits}; the reply before was refused: nothing in the reply answers a field; answer with "field: value" lines; topic is missing`,
    ]);
  });

  it('takes a plain yes for a confirmation that has fields', async () => {
    const confirmed = sample.replace(
      'final_text_mode: raw\n',
      'final_text_mode: raw\nrequest_template: {mode: confirm, fields: [{name: week, default: this one}]}\n',
    );
    const rest = 'tools: [{tool: memory_save, result: ok}]\nexpect: {answer: "done: ok"}';
    expect(
      await faultsOf(`${input}inputs: {confirm: yes, collect: {topic: tides}}\n${rest}`, confirmed),
    ).toEqual([]);
    expect(await faultsOf(`${input}inputs: {collect: {topic: tides}}\n${rest}`, confirmed)).toEqual([
      'inputs: no reply is scripted for the form "confirm", with the fields confirm (needed), week',
      'inputs 1: no form used this reply [{"topic":"tides"} / null]',
    ]);
  });

  it('fails the step where the script says so', async () => {
    expect(
      await faultsOf(
        `${input}inputs: {collect: {topic: tides}}\ntools: [{tool: memory_save, error: disk is full}]\nexpect: {error: {contains: disk is full}}`,
      ),
    ).toEqual([]);
    expect(
      await faultsOf(
        `${input}inputs: {collect: {topic: tides}}\ntools: [{tool: memory_save, denied: not here}]\nexpect: {error: {contains: not here}}`,
      ),
    ).toEqual([]);
  });
});
