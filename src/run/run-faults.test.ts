import { describe, expect, it } from 'vitest';
import { fakeRunHost } from '../../test/support/fake-run-host.ts';
import type { FakeRunHost } from '../../test/support/fake-run-host.ts';
import { TechneError } from '../base/error.ts';
import { nodeSha256 } from '../node/environment.ts';
import { AnswerLater } from '../ports/answerer.ts';
import type { Blobs } from '../ports/blobs.ts';
import { createMemoryBlobs } from '../ports/memory-blobs.ts';
import { cutJson } from './result/cut-json.ts';
import { maxMessageUnits } from '../base/cut-text.ts';

const asks = 'def run(input):\n  return ask("q")["answer"]\n';

describe('what an answerer or a program fails with', () => {
  it('is bounded in the journal and in the result', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = () => Promise.reject(new Error('e'.repeat(40_000_000)));
    const result = await host.run(asks);
    expect(result.error).toMatchObject({ code: 'ASK_FAILED' });
    expect(result.error?.message.length).toBeLessThanOrEqual(maxMessageUnits + 20);
    expect(JSON.stringify(await host.store.read(result.run as string)).length).toBeLessThan(60_000);
    expect(JSON.stringify((await host.runner.inspect(result.run as string)).effects).length).toBeLessThan(
      2 * maxMessageUnits,
    );
    const failed = await host.run('def run(input):\n  fail("x" * 100000)\n');
    expect([failed.status, (failed.error?.message.length ?? 0) <= maxMessageUnits]).toEqual(['failed', true]);
    for (const { run } of [result, failed])
      expect((await host.runner.replay(run as string)).divergences).toEqual([]);
  });
});

describe('a run whose values are lost', () => {
  /** Paused with a large question; everything large is gone, or is something else. */
  async function lost(
    how: 'missing' | 'corrupt',
  ): Promise<{ host: FakeRunHost; run: string; question: { question: string; nonce: string } }> {
    const blobs = createMemoryBlobs(nodeSha256);
    const host = { ...fakeRunHost({ blobs }), blobs };
    host.commands.onCommand = () => ({ stdout: 'o'.repeat(15_000), combined: 'o'.repeat(15_000) });
    host.answerer.onAsk = () => Promise.reject(new AnswerLater('person'));
    const paused = await host.run(
      'def run(input):\n  command(["big"])\n  return ask("p" * 20000)["answer"]\n',
    );
    for (const { digest } of await blobs.list()) {
      if (how === 'missing') await blobs.remove([digest], 1);
      else blobs.corrupt(digest, new Uint8Array(3));
    }
    const [asked] = paused.questions;
    return {
      host,
      run: paused.run as string,
      question: { question: asked?.id as string, nonce: asked?.nonce as string },
    };
  }

  it.each(['missing', 'corrupt'] as const)(
    'is shown and cancelled when they are %s, and reports why it cannot continue',
    async (how) => {
      const { host: first, run, question } = await lost(how);
      // Nothing is remembered of it in this process.
      const host = fakeRunHost({ after: first });
      const view = await host.runner.inspect(run);
      expect([view.status, view.effects[0]?.state, view.effects[0]?.result]).toMatchObject([
        'paused',
        'ok',
        { lost: expect.stringContaining('blob') as unknown },
      ]);
      expect(view.questions[0]?.question).toMatchObject({ lost: expect.any(String) as unknown });
      const code = how === 'missing' ? 'BLOB_MISSING' : 'BLOB_CORRUPT';
      await expect(host.runner.resume(run)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(run) as unknown,
        hint: expect.stringContaining(`techne runs cancel ${run}`) as unknown,
      });
      await expect(
        host.runner.answer(run, { ...question, value: 'x', from: 'person' }),
      ).rejects.toMatchObject({ code });
      expect(await host.runner.cancel(run, 'it is lost')).toBe('recorded');
      const ended = await host.runner.inspect(run);
      expect([ended.status, ended.text]).toMatchObject([
        'cancelled',
        expect.stringContaining('cancelled') as unknown,
      ]);
    },
  );

  it('takes a decision about an effect', async () => {
    const blobs = createMemoryBlobs(nodeSha256);
    const host = fakeRunHost({ blobs });
    host.commands.onCommand = () => new Promise(() => {});
    void host.run(`def run(input):\n  return command(["big", "x" * 20000])["ok"]\n`);
    while (host.commands.done.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const run = host.runner.active[0] as string;
    host.store.die();
    const second = fakeRunHost({ after: host, blobs });
    expect((await second.runner.resume(run)).status).toBe('needs_decision');
    for (const { digest } of await blobs.list()) await blobs.remove([digest], 1);
    expect(await second.runner.decide(run, { key: '1', as: 'fail', value: 'gone', by: 'ada' })).toBe(
      'recorded',
    );
    expect(await second.runner.cancel(run, 'enough')).toBe('recorded');
  });
});

describe('a disk that is full', () => {
  const full = (): TechneError =>
    new TechneError('JOURNAL_FULL', 'there is no room for "/blobs/ab"', {
      hint: 'make room, then resume the run',
    });

  /** Full from the moment a command has run. */
  function filling(): { blobs: Blobs; disk: { full: boolean } } {
    const disk = { full: false };
    const memory = createMemoryBlobs(nodeSha256);
    return {
      disk,
      blobs: { ...memory, put: (bytes) => (disk.full ? Promise.reject(full()) : memory.put(bytes)) },
    };
  }

  it('does not lose what a command gave: its end is kept, with as much of it as there is room for', async () => {
    const { blobs, disk } = filling();
    const host = fakeRunHost({ blobs });
    host.commands.onCommand = () => (
      (disk.full = true),
      { exitCode: 3, stdout: 'o'.repeat(15_000), combined: 'o'.repeat(15_000) }
    );
    const result = await host.run(
      'def run(input):\n  c = command(["once"])\n  return {"code": c["exit_code"], "cut": c["truncated"], "size": len(c["stdout"])}\n',
    );
    expect(result.envelope).toMatchObject({ code: 3, cut: true });
    expect(result.envelope?.['size']).toBeLessThan(3_000);
    const [command] = (await host.runner.inspect(result.run as string)).effects;
    expect(command).toMatchObject({ state: 'ok', result: { exit_code: 3, truncated: true } });
    expect((await host.runner.replay(result.run as string)).divergences).toEqual([]);
  });

  it('detaches a run whose ask can be entered again, and reports which and how to resume it', async () => {
    const { blobs, disk } = filling();
    const host = fakeRunHost({ blobs, programs: { one: asks } });
    host.answerer.onAsk = () => ((disk.full = true), 'a'.repeat(15_000));
    const error = (await host.runner
      .start({ skill: 'one', input: { go: true } })
      .catch((thrown: unknown) => thrown)) as TechneError;
    const [run] = [...host.runs.byName.keys()];
    expect([error.code, error.message, error.hint]).toEqual([
      'JOURNAL_FULL',
      `run ${run} was stopped, and can be resumed: there is no room for "/blobs/ab"`,
      `make room, then resume the run; techne runs resume ${run}`,
    ]);
    disk.full = false;
    host.answerer.onAsk = () => 'a'.repeat(15_000);
    expect((await host.runner.resume(run as string)).status).toBe('completed');
  });
});

describe('cutJson', () => {
  it('makes any value fit', () => {
    const size = (value: Parameters<typeof cutJson>[0]): number =>
      JSON.stringify(cutJson(value, 8_192)).length;
    expect(cutJson({ a: [1, 'x'] }, 8_192)).toEqual({ a: [1, 'x'] });
    expect(size({ truncated: false, stdout: 'x'.repeat(100_000), stderr: '"'.repeat(100_000) })).toBeLessThan(
      8_192,
    );
    expect(cutJson({ truncated: false, stdout: 'x'.repeat(100_000) }, 8_192)).toMatchObject({
      truncated: true,
    });
    expect(size(Array.from({ length: 10_000 }, (_, n) => n))).toBeLessThan(8_192);
    expect(
      cutJson({ truncated: false, many: Array.from({ length: 10_000 }, (_, n) => n), code: 3 }, 8_192),
    ).toEqual({ truncated: true, many: null, code: 3 });
  });
});
