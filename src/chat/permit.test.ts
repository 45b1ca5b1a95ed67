import { describe, expect, it } from 'vitest';
import type { Approval, CommandVerdict } from '../ports/command-host.ts';
import type { ToolDeclaration } from '../skill/tools/tool-scope.ts';
import type { Permit } from './permit.ts';
import { permit } from './permit.ts';

const quiet = {
  aborted: false,
  reason: null,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
};
const grant = (allowed: string, trusted = true): ToolDeclaration => ({
  allowedTools: [allowed],
  disallowedTools: null,
  trusted,
});

interface Case {
  readonly host: 'allow' | 'approve' | 'deny';
  readonly active?: readonly ToolDeclaration[];
  /** Absent: nobody is there. */
  readonly says?: Approval | null;
  readonly readOnly?: boolean;
  readonly grantable?: boolean;
  readonly doubted?: readonly string[];
}

async function judged({
  host,
  active = [],
  says,
  readOnly = false,
  grantable = true,
  doubted = [],
}: Case): Promise<{
  readonly ok: boolean;
  readonly asked: boolean;
  readonly given: Approval | null;
  readonly permit: Permit;
}> {
  const seen: { asked: boolean; given: Approval | null } = { asked: false, given: null };
  const verdict = (approval: Approval | null): CommandVerdict => {
    if (approval !== null) seen.given = approval;
    if (host === 'deny') return { kind: 'deny', reason: 'denied' };
    if (host === 'allow' || approval === 'once' || approval === 'always') return { kind: 'allow' };
    return approval === null
      ? { kind: 'approve', reason: 'why', terms: 'here' }
      : { kind: 'deny', reason: 'said no' };
  };
  const result = await permit(
    {
      declarations: async () => active,
      doubted: () => doubted,
      ask:
        says === undefined
          ? null
          : async () => {
              seen.asked = true;
              return says === null ? null : { approval: says };
            },
    },
    {
      scoped: { tool: 'command', argv: ['uname'] },
      grantable,
      readOnly,
      question: { kind: 'command', argv: ['uname'] },
      judge: async (approval) => verdict(approval),
      signal: quiet,
    },
  );
  return { ok: result.ok, ...seen, permit: result };
}

describe('permit', () => {
  it('does what the host allows, and refuses what it denies, whoever grants it', async () => {
    expect(await judged({ host: 'allow' })).toMatchObject({ ok: true, asked: false });
    expect(await judged({ host: 'deny', active: [grant('Bash')], says: 'once' })).toMatchObject({
      ok: false,
      asked: false,
    });
  });

  it('asks the person, passes on their word, and keeps the terms that were shown', async () => {
    expect(await judged({ host: 'approve', says: 'always' })).toMatchObject({
      asked: true,
      given: 'always',
      permit: { ok: true, terms: 'here' },
    });
    expect(await judged({ host: 'approve', says: 'never' })).toMatchObject({ ok: false, given: 'never' });
    expect(await judged({ host: 'approve', says: null })).toMatchObject({ ok: false, given: null });
    expect(await judged({ host: 'approve' })).toMatchObject({
      ok: false,
      permit: { reason: 'no person can approve it (why)' },
    });
  });

  it('asks nobody where a trusted skill grants it, for exactly what it names', async () => {
    expect(await judged({ host: 'approve', active: [grant('Bash(uname:*)')] })).toMatchObject({
      ok: true,
      asked: false,
      given: 'once',
    });
    expect(await judged({ host: 'approve', active: [grant('Bash(git:*)')] })).toMatchObject({ ok: false });
  });

  it('takes no grant of an untrusted skill, and does nothing unasked while one is loaded', async () => {
    expect(await judged({ host: 'approve', active: [grant('Bash', false)] })).toMatchObject({ ok: false });
    expect(
      await judged({ host: 'approve', active: [grant('Bash'), grant('Read', false)], says: 'once' }),
    ).toMatchObject({ ok: true, asked: true });
    expect(await judged({ host: 'allow', active: [grant('Read', false)], says: 'deny' })).toMatchObject({
      ok: false,
      asked: true,
      given: null,
    });
    expect(await judged({ host: 'allow', active: [grant('Read', false)], readOnly: true })).toMatchObject({
      ok: true,
      asked: false,
    });
  });

  it('does nothing unasked once text of such a skill was there, wherever it is now', async () => {
    expect(await judged({ host: 'allow', doubted: ['evil'] })).toMatchObject({
      ok: false,
      permit: {
        reason:
          'no person can approve it (text of an untrusted skill may be part of this conversation: evil)',
      },
    });
    expect(
      await judged({ host: 'approve', active: [grant('Bash')], doubted: ['evil'], says: 'once' }),
    ).toMatchObject({ ok: true, asked: true });
    expect(await judged({ host: 'allow', doubted: ['evil'], readOnly: true })).toMatchObject({
      ok: true,
      asked: false,
    });
  });

  it('takes no grant for what differs from the words of a command', async () => {
    expect(
      await judged({ host: 'approve', active: [grant('Bash(uname:*)')], grantable: false }),
    ).toMatchObject({ ok: false });
    expect(
      await judged({
        host: 'allow',
        active: [{ allowedTools: null, disallowedTools: ['Bash'], trusted: true }],
        grantable: false,
      }),
    ).toMatchObject({ ok: false });
  });

  it('refuses what an active skill disallows', async () => {
    expect(
      await judged({
        host: 'allow',
        active: [{ allowedTools: null, disallowedTools: ['Bash'], trusted: false }],
        says: 'once',
      }),
    ).toMatchObject({ ok: false, asked: false });
  });
});
