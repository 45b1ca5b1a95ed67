import { describe, expect, it } from 'vitest';
import { TechneError } from '../base/error.ts';
import type { Approvals } from '../node/commands/approvals.ts';
import type { Approval, CommandVerdict } from '../ports/command-host.ts';
import type { HostTool } from '../ports/tool-host.ts';
import { denialOf, judgeTool } from './tool-policy.ts';

const broken = new TechneError('APPROVALS_STORE', 'the file is broken');

interface Scene {
  readonly tool?: Partial<HostTool>;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly trusted?: boolean;
  readonly approval?: Approval | null;
  readonly recalled?: 'always' | 'never' | null | Error;
  readonly forgets?: boolean;
}

async function judge({
  tool = {},
  allow = [],
  deny = [],
  trusted = true,
  approval = null,
  recalled = null,
  forgets = false,
}: Scene): Promise<CommandVerdict & { readonly remembered: readonly string[] }> {
  const remembered: string[] = [];
  const approvals: Approvals = {
    file: 'F',
    recall: async () => {
      if (recalled instanceof Error) throw recalled;
      return recalled;
    },
    remember: async ({ argv, skill, digest, cwd, sandboxed }, verdict) => {
      if (forgets) throw broken;
      remembered.push(`${verdict} ${skill} ${digest} ${cwd} ${sandboxed} ${argv.join(' ')}`);
    },
  };
  const fact = {
    name: 'mail__send',
    description: '',
    parameters: {},
    readOnly: false,
    repeatable: false,
    from: 'mail',
    ...tool,
  } as HostTool;
  const verdict = await judgeTool(
    { config: { tools: { allow, deny } } as never, approvals, workspace: '/w' },
    fact,
    { tool: fact.name, args: { b: 1, a: 2 }, timeoutMs: 1 },
    { run: 'R', key: '1', skill: 'one', digest: 'd', trusted, skillFolder: null },
    approval,
    'S',
  );
  return { ...verdict, remembered };
}

const ours = { name: 'write_file', from: 'built-in' } as const;

describe('denialOf', () => {
  const denied = (pattern: string, name: string): boolean =>
    denialOf({ name }, { tools: { deny: [pattern] } } as never) !== null;

  it('matches a tool by every name it has, and by no other', () => {
    expect([
      denied('mail__send', 'mail__send'),
      denied('send', 'mail__send'),
      denied('mcp__mail__send', 'mail__send'),
      denied('mcp__mail__*', 'mail__send'),
      denied('mail', 'mail__send'),
      denied('end', 'mail__send'),
      denied('write_file', 'write_file'),
      denied('rite_file', 'write_file'),
      denied('mcp__write_file', 'write_file'),
    ]).toEqual([true, true, true, true, false, false, true, false, false]);
    expect(denialOf({ name: 'x' }, { tools: { deny: ['y', 'x'] } } as never)).toBe('tools.deny has "x"');
  });
});

describe('judgeTool', () => {
  it('denies first, whatever else is said', async () => {
    for (const more of [
      { allow: ['*'] },
      { approval: 'always' },
      { recalled: 'always' },
      { tool: { readOnly: true } },
    ] as const)
      expect(await judge({ deny: ['send'], ...more })).toEqual({
        kind: 'deny',
        reason: 'tools.deny has "send"',
        remembered: [],
      });
  });

  it('lets our own skill_propose add to the queue without asking, for trusted skills alone', async () => {
    const tool = { name: 'skill_propose', from: 'built-in' } as const;
    expect(await judge({ tool })).toMatchObject({ kind: 'allow' });
    expect(await judge({ tool, trusted: false })).toMatchObject({ kind: 'deny' });
    expect(await judge({ tool, deny: ['skill_propose'] })).toMatchObject({ kind: 'deny' });
    expect(await judge({ tool: { name: 'mail__skill_propose', from: 'mail' } })).toMatchObject({
      kind: 'approve',
    });
  });

  it('gives an untrusted skill what reads, and of a server only after an approval', async () => {
    const untrusted = { trusted: false, allow: ['*'] } as const;
    expect(await judge({ ...untrusted, approval: 'once' })).toMatchObject({
      kind: 'deny',
      reason: '"one" is not trusted, so it gets no tool that changes something',
    });
    expect(await judge({ ...untrusted, tool: { ...ours, readOnly: true } })).toMatchObject({ kind: 'allow' });
    expect(await judge({ ...untrusted, tool: { readOnly: true } })).toMatchObject({
      kind: 'approve',
      reason: '"one" is not trusted, and the tool is that of the server "mail"',
    });
    expect(await judge({ ...untrusted, tool: { readOnly: true }, approval: 'once' })).toMatchObject({
      kind: 'allow',
    });
  });

  it('remembers what the operator said never to, also for what only reads', async () => {
    const reason = 'the operator said "never" to this call of "one" (see "F")';
    expect(await judge({ recalled: 'never', allow: ['*'], tool: { readOnly: true } })).toMatchObject({
      kind: 'deny',
      reason,
    });
  });

  it('lets a trusted skill read, and do what a pattern allows', async () => {
    expect(await judge({ tool: { readOnly: true } })).toMatchObject({ kind: 'allow' });
    for (const pattern of ['mail__send', 'mcp__mail__send', 'mail__*'])
      expect(await judge({ allow: [pattern] })).toMatchObject({ kind: 'allow' });
    // Without its server it may be another one.
    for (const pattern of ['send', 'mcp__write_file'])
      expect(await judge({ allow: [pattern] })).toMatchObject({ kind: 'approve' });
    expect(await judge({ allow: ['mcp__write_file'], tool: ours })).toMatchObject({ kind: 'approve' });
    expect(await judge({ allow: ['write_file'], tool: ours })).toMatchObject({ kind: 'allow' });
  });

  it('asks, and takes the answer', async () => {
    expect(await judge({})).toMatchObject({
      kind: 'approve',
      reason: 'it can change something, by the server "mail", and no pattern of tools.allow covers it',
    });
    expect(await judge({ tool: ours })).toMatchObject({
      reason: 'it can change something in the workspace, and no pattern of tools.allow covers it',
    });
    expect(await judge({ recalled: 'always' })).toEqual({ kind: 'allow', remembered: [] });
    expect(await judge({ approval: 'once' })).toEqual({ kind: 'allow', remembered: [] });
    expect(await judge({ approval: 'always' })).toEqual({
      kind: 'allow',
      remembered: ['always one d /w false tool mail__send {"a":2,"b":1} S'],
    });
    expect(await judge({ approval: 'deny' })).toEqual({
      kind: 'deny',
      reason: 'the operator said no to this call',
      remembered: [],
    });
    expect(await judge({ approval: 'never' })).toEqual({
      kind: 'deny',
      reason: 'the operator said "never" to this call',
      remembered: ['never one d /w false tool mail__send {"a":2,"b":1} S'],
    });
  });

  it('says when nothing can be remembered, and lets nothing through for that', async () => {
    expect(await judge({ recalled: broken })).toMatchObject({
      kind: 'approve',
      reason: expect.stringContaining(
        'covers it. The approval cannot be saved: the file is broken',
      ) as string,
    });
    expect(await judge({ approval: 'never', forgets: true })).toMatchObject({
      kind: 'deny',
      reason: 'the operator said "never" to this call, which could not be remembered: the file is broken',
    });
    await expect(judge({ recalled: new Error('a bug') })).rejects.toThrow('a bug');
  });
});
