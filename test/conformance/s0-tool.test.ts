// Seed S0 §10 and §13: the tool that a model sees, and what the host does so that an agent can follow the guidelines.
// The number at the start of each name is its row in docs/guide/metaskill-conformance.md.
import { describe, expect, it } from 'vitest';
import { createSkillSession } from '../../src/prompt/skill-session.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { maximumLimits } from '../../src/run/budget/limits.ts';
import type { ToolDescription } from '../../src/ports/tool.ts';
import type { OfferedSkill } from '../../src/run/tools/run-metaskill.ts';
import { readToolArguments, runMetaskillTool } from '../../src/run/tools/run-metaskill.ts';
import { parseBody } from '../../src/skill/body/parse-body.ts';
import { fakeRunHost } from '../support/fake-run-host.ts';
import { exampleFile, exampleFiles, exampleNames, loadedHost, runOf } from '../support/metaskills.ts';

const plain = (name: string): OfferedSkill => ({ name, description: '', inputs: null });
const toolOf = (skills: readonly OfferedSkill[]): ToolDescription =>
  runMetaskillTool(skills, maximumLimits) as ToolDescription;
const propertyOf = (tool: ToolDescription, name: string): JsonObject =>
  (tool.parameters['properties'] as { readonly [name: string]: JsonObject })[name] as JsonObject;

async function offered(): Promise<{
  readonly tool: ToolDescription;
  readonly call: (given: Json) => Promise<string>;
}> {
  const { host, snapshot } = await loadedHost(exampleFiles());
  // What every surface offers.
  const found = (await createSkillSession({ snapshot, isUntrusted: async () => false })).runnable();
  const call = async (given: Json): Promise<string> => {
    const read = readToolArguments(given, 'every');
    return read.ok ? (await host.runner.start(read.request)).text : read.message;
  };
  return { tool: toolOf(found), call };
}

describe('S0 §10 the tool', () => {
  it('§10.1 has the name, the description and the four parameters of S0, and nothing else', () => {
    const { name, description, parameters } = toolOf([plain('tides')]);
    expect([name, description]).toEqual(['run_metaskill', 'Run a dynamic skill workflow by name.']);
    expect(Object.keys(parameters)).toEqual(['type', 'properties', 'required']);
    expect([parameters['type'], Object.keys(parameters['properties'] as JsonObject)]).toEqual([
      'object',
      ['name', 'input', 'max_ask_calls', 'max_command_calls'],
    ]);
  });

  it('§10.2 name is text', async () => {
    expect(propertyOf(toolOf([plain('tides')]), 'name')).toMatchObject({
      type: 'string',
      description: 'The metaskill name to execute.',
    });
    const { call } = await offered();
    for (const name of [undefined, null, '', 5, ['diff-review']])
      expect(await call({ ...(name === undefined ? {} : { name }), input: {} })).toBe(
        'error: run_metaskill needs the name of a metaskill',
      );
  });

  it('§10.3 input is an object', async () => {
    expect(propertyOf(toolOf([plain('tides')]), 'input')).toEqual({
      type: 'object',
      description: 'Input data passed to the metaskill program.',
    });
    const { call } = await offered();
    for (const input of ['text', [1], 5])
      expect(await call({ name: 'checklist', input })).toMatch(
        /^error: the input of skill 'checklist' must be an object of keys, not /,
      );
  });

  it('§10.4 max_ask_calls is an integer of at least 1', async () => {
    expect(propertyOf(toolOf([plain('tides')]), 'max_ask_calls')).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 50,
      description: 'Maximum nested model calls.',
    });
    const { call } = await offered();
    for (const given of [0, -1, 1.5, '2'])
      expect(await call({ name: 'diff-review', input: {}, max_ask_calls: given })).toBe(
        'error: max_ask_calls must be an integer of at least 1',
      );
    expect(await call({ name: 'diff-review', input: {}, max_ask_calls: 1 })).toMatch(
      /^\[Metaskill: diff-review completed\]\n/,
    );
  });

  it('§10.5 max_command_calls is an integer of at least 0', async () => {
    expect(propertyOf(toolOf([plain('tides')]), 'max_command_calls')).toEqual({
      type: 'integer',
      minimum: 0,
      maximum: 100,
      description: 'Maximum command calls.',
    });
    const { call } = await offered();
    for (const given of [-1, 0.5, 'none'])
      expect(await call({ name: 'diff-review', input: {}, max_command_calls: given })).toBe(
        'error: max_command_calls must be an integer of at least 0',
      );
    expect(await call({ name: 'diff-review', input: {}, max_command_calls: 0 })).toMatch(
      /^error: metaskill 'diff-review': command budget exhausted \(0 calls\)/,
    );
  });

  it('§10.6 name and input are required', () => {
    expect(toolOf([plain('tides')]).parameters['required']).toEqual(['name', 'input']);
  });

  it('§10.7 the names of what can be executed are an enum, and there is no tool when there are none', async () => {
    expect(propertyOf((await offered()).tool, 'name')['enum']).toEqual([...exampleNames].sort());
    expect(runMetaskillTool([], maximumLimits)).toBe(null);
  });

  it('§10.7 with execution switched off there is nothing to offer', async () => {
    const { host } = await loadedHost(exampleFiles(), { config: { execution: { policy: 'off' } } });
    expect(host.options.skills.names()).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ['empty', { name: 'checklist', input: {} }],
    ['missing', { name: 'checklist' }],
    ['null', { name: 'checklist', input: null }],
  ])('§10.8 an input that is %s is answered with the instructions', async (_, given) => {
    const text = await (await offered()).call(given);
    expect(text).toMatch(/^error: input is required: metaskill 'checklist' needs keys/);
    expect(text).toContain(parseBody(exampleFile('checklist', 'SKILL.md')).text.trim());
    expect(text).toMatch(/\nkeys: task \(required\), required$/);
  });
});

describe('S0 §13 guidelines for agents', () => {
  it('§13.1 an agent can call run_metaskill at once: the tool names the keys of each skill', async () => {
    const { tool } = await offered();
    expect(propertyOf(tool, 'input')['description']).toBe(
      'Input data passed to the metaskill program.\nchecklist: keys: task (required), required\nrequire-heading: keys: task (required), heading (required)\ntest-fix: keys: test_command',
    );
  });

  it('§13.2 an agent that does not know the keys can read the instructions without running anything', async () => {
    const { snapshot, host } = await loadedHost(exampleFiles());
    expect((await snapshot.readBody('require-heading')).text).toContain('Input keys:');
    expect(host.events).toEqual([]);
  });

  it('§13.3 a small input reaches the program as it is, with nothing added', async () => {
    const host = fakeRunHost();
    const input = { task: 'write', limits: { words: 100 } };
    expect((await host.run(runOf('return {"i": input}'), input)).envelope?.['i']).toEqual(input);
  });

  it('§13.4 overrides can be left out: the budgets of the host hold then', async () => {
    const host = fakeRunHost({ programs: { one: runOf('for i in range(9):', '    ask("a")') } });
    const read = readToolArguments({ name: 'one', input: { a: 1 } }, 'every');
    expect(read.ok && (await host.runner.start(read.request)).usage.asks).toBe(5);
  });

  it('§13.5 answer stands before trace, and the trace shows which steps ran', async () => {
    const { text, envelope } = await fakeRunHost().run(
      runOf('command(["make"])', 'ask("a", {"purpose": "p"})', 'return "done"'),
    );
    expect(text.indexOf('"answer"')).toBeLessThan(text.indexOf('"trace"'));
    expect(envelope?.['trace']).toMatchObject([
      { kind: 'command', argv: ['make'], ok: true },
      { kind: 'ask', purpose: 'p', ok: true },
    ]);
  });

  it('§13.6 an error can be reported as it is: it names the skill, the cause, the place and where to look further', async () => {
    const result = await fakeRunHost().run(runOf('fail("no moon")'));
    expect(result.text).toBe(
      `error: metaskill 'one': runtime error: SKILL.star:2:5 in run: fail: no moon\n(run ${result.run}: techne runs show ${result.run})`,
    );
  });
});
