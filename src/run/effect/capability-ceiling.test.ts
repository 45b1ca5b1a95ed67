import { describe, expect, it } from 'vitest';
import { chat, composition, skillWith } from '../../../test/support/plan-texts.ts';
import { planHost } from '../../../test/support/plan-host.ts';
import { FakeAnswerer } from '../../../test/support/fake-run-host.ts';
import { ceilingFault } from './capability-ceiling.ts';

const entry = (capabilities?: readonly string[]) => ({
  argv: ['run'],
  base: { skill: 'x', ...(capabilities === undefined ? {} : { capabilities }) },
});

describe('ceilingFault', () => {
  it.each([
    ['a command', 'command', { argv: ['ls'] }, ['shell'], ['filesystem-write']],
    [
      'an entry point of a skill that declares nothing',
      'command',
      entry(),
      ['filesystem-write'],
      ['filesystem-read', 'network'],
    ],
    [
      'an entry point of a skill that declares something',
      'command',
      entry(['network-read']),
      ['network'],
      ['process-control'],
    ],
    ['a tool that writes', 'tool', { tool: 'write_file' }, ['filesystem-write'], ['network']],
    [
      'a tool of a server that calls it harmless',
      'tool',
      { tool: 'mail__view' },
      ['external-side-effect'],
      ['filesystem-read'],
    ],
    ['a tool of a server that can run commands', 'tool', { tool: 'box__bash' }, ['shell'], ['network']],
    ['an agent that is not fenced', 'ask', { prompt: 'go' }, ['shell', 'external-side-effect'], ['shell']],
  ])('holds %s to what is declared', (_what, kind, request, enough, tooLittle) => {
    expect(ceilingFault([enough], kind, request, false)).toBeNull();
    expect(ceilingFault([tooLittle], kind, request, false)).toContain('needs the capability');
    expect(ceilingFault([enough, tooLittle], kind, request, false)).toContain('needs the capability');
    expect(ceilingFault([], kind, request, false)).toBeNull();
  });

  it('lets tools through that only read, as their host says', () => {
    expect(ceilingFault([[]], 'tool', { tool: 'mail__view' }, true)).toBeNull();
  });
});

describe('a ceiling and an answerer that cannot be fenced', () => {
  const agent = 'steps:\n  - {id: a, tool: ask, params: {prompt: go}}\n';
  const declared = (words: string): string => `metadata: {techne: {risk: high, capabilities: [${words}]}}\n`;
  const start = async (text: string) => {
    const answerer = new FakeAnswerer();
    const host = planHost({ sample: text }, { answerers: [Object.assign(answerer, { fenced: false })] });
    const result = await host.runner.start({ skill: 'sample', input: {} });
    return { result, asked: answerer.asked.length };
  };

  it('does not let an agent loose', async () => {
    const { result, asked } = await start(skillWith(`${declared('filesystem-read')}${agent}`));
    expect([result.status, asked, result.error?.message]).toEqual([
      'failed',
      0,
      expect.stringContaining('cannot be held to the declared capabilities'),
    ]);
  });

  it('asks an agent that may do anything, and anybody for a text', async () => {
    expect((await start(skillWith(`${declared('shell, external-side-effect')}${agent}`))).asked).toBe(1);
    expect((await start(skillWith(agent))).asked).toBe(1);
    expect((await start(composition(chat('a'), `${declared('')}final_text_mode: raw\n`))).asked).toBe(1);
  });
});

describe('the tools that an agent is offered', () => {
  const offered = async (fields: string): Promise<unknown> => {
    const answerer = new FakeAnswerer();
    const seen: (string | null)[] = [];
    answerer.onAsk = (_, { refusal }) => {
      for (const tool of ['read_file', 'write_file', 'command', 'notes__add', 'run_metaskill'])
        if (refusal({ tool, readOnly: false }) === null) seen.push(tool);
      return 'x';
    };
    const agent = 'steps:\n  - {id: a, tool: ask, params: {prompt: go}}\n';
    const host = planHost({ sample: skillWith(`${fields}${agent}`) }, { answerers: [answerer] });
    await host.runner.start({ skill: 'sample', input: {} });
    return seen;
  };

  it('are within the capabilities of the skill, and within its tools', async () => {
    const declared = (words: string): string =>
      `metadata: {techne: {risk: high, capabilities: [${words}]}}\n`;
    const all = ['read_file', 'write_file', 'command', 'notes__add', 'run_metaskill'];
    expect(await offered('')).toEqual(all);
    expect(await offered(declared('filesystem-read'))).toEqual(['read_file', 'run_metaskill']);
    expect(await offered(declared('shell'))).toEqual(['read_file', 'write_file', 'command', 'run_metaskill']);
    expect(await offered('disallowed-tools: [Bash, run_metaskill]\n')).toEqual([
      'read_file',
      'write_file',
      'notes__add',
    ]);
    expect(await offered('disallowed-tools: ["Bash(rm:*)"]\n')).toEqual(all);
    expect(await offered('allowed-tools: [Read, Write]\ntools: [Read, mcp__notes]\n')).toEqual(['read_file']);
  });
});

describe('a plan with tools and an answerer that cannot be fenced', () => {
  const start = async (steps: string): Promise<string> => {
    const answerer = Object.assign(new FakeAnswerer(), { fenced: false });
    const host = planHost(
      { sample: skillWith(`allowed-tools: [Read]\n${steps}`) },
      { answerers: [answerer] },
    );
    return (await host.runner.start({ skill: 'sample', input: {} })).status;
  };

  it('is refused only where an agent is started', async () => {
    expect(await start('steps:\n  - {id: a, tool: ask, params: {prompt: go}}\n')).toBe('refused');
    expect(await start('steps:\n  - {id: a, tool: chat, params: {prompt: go}}\n')).toBe('completed');
  });
});
