import { describe, expect, it } from 'vitest';
import { fakeRunHost } from '../../../test/support/fake-run-host.ts';
import type { FakeRunHost, FakeSkill } from '../../../test/support/fake-run-host.ts';

const before = 'def run(input):\n  return {"ok": command(["safe"])["ok"]}\n';
const after = 'def run(input):\n  return {"ok": command(["other"])["ok"]}\n';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const trusted: NonNullable<FakeSkill['runnable']> = {
  ok: true,
  reasons: [{ code: 'TRUSTED_FOLDER', message: 'm', hint: null }],
};

async function started(): Promise<{ host: FakeRunHost; run: string }> {
  const host = fakeRunHost({ programs: { one: { program: before, runnable: trusted } } });
  const { run } = await host.runner.start({ skill: 'one', input: { go: true } });
  return { host, run: run as string };
}

describe('a fork with an edited program', () => {
  it('has neither the trust nor the digest of the skill it comes from', async () => {
    const { host, run } = await started();
    await host.runner.fork(run, { edits: { files: { 'SKILL.star': bytes(after) } } });
    const [first, second] = host.commands.callers;
    expect([first?.trusted, second?.trusted]).toEqual([true, false]);
    expect(second?.digest).not.toBe(first?.digest);
    expect(second?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('keeps both when nothing is edited', async () => {
    const { host, run } = await started();
    for (const edits of [{}, { files: { 'SKILL.star': bytes(before) } }])
      await host.runner.fork(run, { from: '1', edits });
    const [first, second, third] = host.commands.callers.map(({ digest, trusted: is }) => [digest, is]);
    expect([second, third]).toEqual([first, first]);
  });

  it('has those of what is in the folder of the skill, when it is that', async () => {
    const { host, run } = await started();
    for (const [runnable, is] of [
      [trusted, true],
      [{ ok: true, reasons: [{ code: 'SANDBOXED', message: 'm', hint: null }] }, false],
      [{ ok: false, reasons: [] }, false],
    ] as const) {
      const second = fakeRunHost({ after: host, programs: { one: { program: after, runnable } } });
      const { run: forked } = await second.runner.fork(run, {
        edits: { files: { 'SKILL.star': bytes(after) } },
      });
      const { skill, settings } = await second.runner.inspect(forked as string);
      expect([settings.trusted, skill.digest === (await second.options.skills.find('one'))?.digest]).toEqual([
        is,
        runnable.ok,
      ]);
    }
  });
});
