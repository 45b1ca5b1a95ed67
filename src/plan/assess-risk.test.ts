import { describe, expect, it } from 'vitest';
import { chat, compileSkill, composition, skillWith } from '../../test/support/plan-texts.ts';
import { capabilityAllows, capabilityOf } from './capabilities.ts';
import type { SkillFacts } from './world.ts';

const facts = (more: Partial<SkillFacts>): SkillFacts => ({
  form: 'instructions',
  entrypoint: null,
  risk: null,
  capabilities: null,
  builtin: false,
  ...more,
});
const world = {
  skill: (name: string): SkillFacts | null =>
    ({
      quiet: facts({ risk: 'low', capabilities: [] }),
      writer: facts({ risk: 'medium', capabilities: ['filesystem-write'] }),
      fetcher: facts({ risk: 'low', capabilities: ['network-write'] }),
      silent: facts({}),
      lister: facts({ capabilities: ['file-read'] }),
    })[name] ?? null,
};

const agent = (skill: string): string =>
  composition(`- {id: a, skill: ${skill}}`, 'metadata: {techne: {risk: low}}\n');
const tool = (name: string): string =>
  composition(`- {id: a, kind: tool_call, tool: ${name}}`, 'metadata: {techne: {risk: low}}\n');

describe('the risk of a plan', () => {
  it.each([
    ['thinking', composition(chat('a')), 'low'],
    ['a skill that declares low', agent('quiet'), 'low'],
    ['a skill that declares medium', agent('writer'), 'medium'],
    ['a skill that declares less than its capabilities have', agent('fetcher'), 'high'],
    ['a skill that declares nothing', agent('silent'), 'high'],
    ['a skill that declares capabilities only', agent('lister'), 'low'],
    ['a skill that is not there', agent('nowhere'), 'high'],
    [
      'a skill of a route',
      composition('- {id: a, skill: quiet, route: [{when: "true", to: silent}]}'),
      'high',
    ],
    ['a tool that only reads', tool('read_file'), 'low'],
    ['a tool that reads the network', tool('web_search'), 'medium'],
    ['a tool that writes', tool('write_file'), 'high'],
    ['an unknown tool', tool('frobnicate'), 'high'],
    ['a tool of a server, whatever it is called', tool('mcp__files__read_file'), 'high'],
    [
      'executing a skill without an entry point',
      composition('- {id: a, kind: skill_exec, skill: quiet}'),
      'high',
    ],
    ['a command', skillWith('steps:\n  - {id: a, tool: command, params: {argv: [ls]}}\n'), 'high'],
    [
      'an agent with whatever tools there are',
      skillWith('steps:\n  - {id: a, tool: ask, params: {prompt: x}}\n'),
      'high',
    ],
    [
      'an agent without tools',
      skillWith('steps:\n  - {id: a, tool: ask, params: {prompt: x}, tools: []}\n'),
      'low',
    ],
    [
      'an agent with tools that read',
      skillWith('steps:\n  - {id: a, tool: ask, params: {prompt: x}, tools: [Read, "Grep(*)"]}\n'),
      'low',
    ],
    [
      'an agent that is fenced by the skill',
      skillWith('allowed-tools: Read\nsteps:\n  - {id: a, tool: ask, params: {prompt: x}}\n'),
      'low',
    ],
  ])('of %s', (_what, text, risk) => {
    expect(compileSkill(text, world).plan?.risk.computed).toBe(risk);
  });

  it('is reported where it is understated, with the steps that have it', () => {
    const { diagnostics } = compileSkill(
      composition(
        '- {id: a, skill: silent}\n- {id: b, kind: tool_call, tool: bash}\n',
        'metadata: {opensquilla: {risk: low, capabilities: [network]}}\n',
      ),
      world,
    );
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'RISK_UNDERSTATED the skill declares low risk, but its steps have high: step "a" runs the skill "silent", which declares no risk; step "b" calls the tool "bash", which can change something',
      'CAPABILITY_UNDECLARED step "b" needs shell, which is not among the declared capabilities',
    ]);
  });

  it('is not reported where it is declared, or higher than it need be', () => {
    expect(compileSkill(agent('quiet').replace('risk: low', 'risk: high'), world).found).toEqual([]);
    expect(
      compileSkill(
        composition(
          '- {id: b, kind: tool_call, tool: bash}\n',
          'metadata: {techne: {risk: high, capabilities: [command-exec]}}\n',
        ),
        world,
      ).found,
    ).toEqual([]);
  });

  it('is only mentioned where nothing is declared', () => {
    expect(compileSkill(composition('- {id: b, kind: tool_call, tool: bash}\n')).found).toEqual([
      'RISK_UNDECLARED (whole file)',
    ]);
    expect(compileSkill(composition(chat('a'))).found).toEqual([]);
  });
});

describe('capabilities', () => {
  it.each([
    ['filesystem-write', 'filesystem-write'],
    ['Filesystem_Write', 'filesystem-write'],
    ['subprocess', 'process-control'],
    ['command-exec', 'shell'],
    ['vcs', 'shell'],
    ['tmux', 'process-control'],
    ['constructor', null],
    ['sorcery', null],
  ])('%s is %s', (word, capability) => {
    expect(capabilityOf(word)).toBe(capability);
  });

  it('has a place and a suggestion for a word it does not know', () => {
    const { found, diagnostics } = compileSkill(
      composition(chat('a'), 'metadata: {techne: {risk: low, capabilities: [netwrk-read]}}\n'),
    );
    expect(found).toEqual(['CAPABILITY_UNKNOWN "[netwrk-read]"']);
    expect(diagnostics[0]?.hint).toBe('did you mean "network-read"?');
  });

  it('lets a wide one stand for the narrow ones', () => {
    expect(capabilityAllows(['network'], 'network-read')).toBe(true);
    expect(capabilityAllows(['network-read'], 'network-write')).toBe(false);
    expect(capabilityAllows([], 'shell')).toBe(false);
  });
});

describe('a name that nothing has', () => {
  const found = (text: string): readonly string[] =>
    compileSkill(text, world)
      .diagnostics.filter(({ code }) => code.startsWith('RISK_') || code.endsWith('_MISSING'))
      .map(({ code, hint }) => `${code}: ${hint ?? ''}`);

  it('is reported by itself, without a diagnostic about its risk', () => {
    expect(found(agent('quite'))).toEqual(['PLAN_SKILL_MISSING: install it, or correct the name']);
    expect(
      found(
        composition('- {id: a, skill: quite}\n- {id: b, skill: silent}', 'metadata: {techne: {risk: low}}\n'),
      ),
    ).toEqual(['RISK_UNDERSTATED: write risk: high', 'PLAN_SKILL_MISSING: install it, or correct the name']);
  });

  it('of a tool is reported with the one that may be meant', () => {
    expect(found(tool('web_fetchh'))).toEqual([
      'RISK_UNDERSTATED: did you mean "web_fetch"? If not, write risk: high',
    ]);
    expect(found(tool('frobnicate'))).toEqual(['RISK_UNDERSTATED: write risk: high']);
  });
});

describe('a template that reads a step that is not there', () => {
  it('gets only that diagnostic', () => {
    const of = (name: string): readonly string[] =>
      compileSkill(
        composition(
          `${chat('sum')}- {id: b, kind: llm_chat, depends_on: [sum], with: {task: "{{ outputs.${name} }}"}}\n`,
          'metadata: {techne: {risk: low}}\n',
        ),
      )
        .diagnostics.map(({ code }) => code)
        .filter((code) => /TAINT|REFERENCE/.test(code));
    expect([of('sum'), of('sun')]).toEqual([['TAINT_PROMPT'], ['PLAN_REFERENCE']]);
  });
});
