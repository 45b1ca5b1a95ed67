import { describe, expect, it } from 'vitest';
import type { Approval, CommandVerdict } from '../../ports/command-host.ts';
import type { ToolOutcome } from '../../ports/tool-host.ts';
import { composition } from '../../../test/support/plan-texts.ts';
import type { PlanHost } from '../../../test/support/plan-host.ts';
import { planHost, resultOf } from '../../../test/support/plan-host.ts';
import { fakeRunHost, turns } from '../../../test/support/fake-run-host.ts';
import type { RunResult } from '../result/result.ts';

const raw = 'final_text_mode: raw\n';
const save = `- id: save\n  kind: tool_call\n  tool: save\n  tool_args: {note: "a note"}\n`;

function hostOf(judge: (approval: Approval | null) => CommandVerdict, after?: PlanHost): PlanHost {
  const host = planHost(
    { sample: composition(save, raw) },
    after === undefined ? { tools: ['save'] } : { after },
  );
  host.tools.judge = async (...given: readonly unknown[]) => judge((given[2] ?? null) as Approval | null);
  return host;
}
const allow = (): CommandVerdict => ({ kind: 'allow' });
const ask = (approval: Approval | null): CommandVerdict =>
  approval === null
    ? { kind: 'approve', reason: 'it changes something' }
    : approval === 'once'
      ? { kind: 'allow' }
      : { kind: 'deny', reason: 'no' };
const reply = (
  host: PlanHost,
  result: RunResult,
  value: string,
  from: 'caller' | 'person' | 'operator' = 'operator',
): Promise<unknown> => {
  const question = result.questions[0];
  return host.runner.answer(result.run as string, {
    question: question?.id ?? '',
    nonce: question?.nonce ?? '',
    value,
    from,
  });
};

describe('a tool', () => {
  it('learns which key a call lacks', async () => {
    const host = hostOf(allow);
    host.tools.find = async (name) => ({
      name,
      description: '',
      parameters: { type: 'object', properties: { text: {} }, required: ['text'] },
      readOnly: true,
      repeatable: true,
      from: 'built-in',
    });
    expect((await host.start('sample')).error?.message).toContain('save: the call lacks the key "text"');
  });

  it('gives text and value, bounded, and is counted as a command', async () => {
    const host = hostOf(allow);
    host.tools.onTool = () => 'x'.repeat(50_000);
    const result = await host.start('sample');
    const [effect] = (await host.runner.inspect(result.run as string)).effects;
    const { text = '', truncated = false } = (effect?.result ?? {}) as {
      readonly text?: string;
      readonly truncated?: boolean;
    };
    expect([result.status, text.length <= 20_000, truncated, result.usage.commands]).toEqual([
      'completed',
      true,
      true,
      1,
    ]);
    expect((await host.runner.replay(result.run as string)).divergences).toEqual([]);
    host.tools.onTool = () => ({ n: 1 });
    const again = await host.start('sample');
    expect((await host.runner.inspect(again.run as string)).effects[0]?.result).toEqual({
      text: '{"n":1}',
      value: { n: 1 },
      truncated: false,
    });
  });

  it('waits for the operator, who alone can approve exactly this call', async () => {
    const host = hostOf(ask);
    const paused = await host.start('sample');
    expect(paused).toMatchObject({
      status: 'paused',
      questions: [
        {
          audience: 'operator',
          question: {
            type: 'approval',
            kind: 'tool',
            tool: 'save',
            args: { note: 'a note' },
            reason: 'it changes something',
          },
        },
      ],
    });
    expect([host.tools.done, (await host.runner.inspect(paused.run as string)).effects]).toEqual([[], []]);
    await expect(reply(host, paused, 'once', 'person')).rejects.toMatchObject({ code: 'ANSWER_REFUSED' });
    await reply(host, paused, 'once');
    expect([(await host.runner.resume(paused.run as string)).status, host.tools.done]).toEqual([
      'completed',
      ['save {"note":"a note"}'],
    ]);
    const denied = await host.start('sample');
    await reply(host, denied, 'deny');
    const failed = await host.runner.resume(denied.run as string);
    expect([failed.status, JSON.stringify(failed).includes('TOOL_DENIED'), host.tools.done.length]).toEqual([
      'failed',
      true,
      1,
    ]);
  });

  it('fails when it is not there, when its arguments do not fit, when it fails, and when its outcome is unknown', async () => {
    const host = hostOf(allow);
    const start = async (): Promise<string> =>
      JSON.stringify(resultOf(await host.start('sample'))['steps'] ?? (await host.start('sample')).error);
    host.tools.onTool = () => Promise.reject(new Error('disk is full'));
    expect(await start()).toContain('TOOL_FAILED');
    host.tools.find = async (name) => ({
      name,
      description: '',
      parameters: { type: 'object', properties: { note: { type: 'integer' } } },
      readOnly: false,
      repeatable: false,
      from: 'built-in',
    });
    expect(await start()).toContain('must be an integer');
    host.tools.find = async (name) => ({
      name,
      description: '',
      parameters: { type: 'object' },
      readOnly: false,
      repeatable: false,
      from: 'built-in',
    });
    host.tools.judge = () => Promise.reject(new Error('broken'));
    expect(await start()).toContain('broken');
  });

  /** The process dies during the call, and another one resumes the run. */
  async function died(repeatable: boolean): Promise<{ readonly other: PlanHost; readonly run: string }> {
    const host = hostOf(allow);
    if (repeatable) host.tools.repeatable.add('save');
    host.tools.onTool = () => new Promise(() => undefined);
    void host.start('sample');
    while (host.tools.done.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const run = (await host.store.list({ limit: 10 })).runs[0]?.run as string;
    await host.store.close();
    const other = hostOf(allow, host);
    other.tools.onTool = () => 'second';
    return { other, run };
  }

  it('that a cancel stops has not failed, but was stopped', async () => {
    const host = hostOf(allow);
    let begun: (run: string) => void = () => undefined;
    const isUnderWay = new Promise<string>((resolve) => {
      begun = resolve;
    });
    host.tools.call = async (...given: readonly unknown[]) => {
      const { signal } = given[2] as { readonly signal: AbortSignal };
      begun((given[1] as { readonly run: string }).run);
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      return { ok: false, message: 'aborted', timedOut: false } satisfies ToolOutcome;
    };
    const going = host.start('sample');
    await host.runner.cancel(await isUnderWay, 'enough', 'person');
    const result = await going;
    const [effect] = (await host.runner.inspect(result.run as string)).effects;
    expect([result.status, effect?.result]).toEqual([
      'cancelled',
      {
        code: 'CANCELLED',
        message: 'save: stopped before it ended (it may have been performed anyway)',
      },
    ]);
  });

  it('whose outcome is unknown is called again when the tool says that it can be repeated', async () => {
    const { other, run } = await died(true);
    expect([(await other.runner.resume(run)).status, other.tools.done.length]).toEqual(['completed', 2]);
  });

  it('whose outcome is unknown waits for a decision otherwise', async () => {
    const { other, run } = await died(false);
    expect(await other.runner.resume(run)).toMatchObject({
      status: 'needs_decision',
      undecided: [{ key: 'save', kind: 'tool' }],
    });
    await other.runner.decide(run, { key: 'save', as: 'done', value: 'it was saved', by: 'me' });
    expect([resultOf(await other.runner.resume(run))['answer'], other.tools.done.length]).toEqual([
      'it was saved',
      1,
    ]);
  });
});

describe('a tool call that may have been done although it failed', () => {
  const step = (more: string): string =>
    composition(
      `- id: pay\n  kind: tool_call\n  tool: save\n  tool_args: {note: "a"}\n  retry: {max_attempts: 3}\n${more}`,
      raw,
    );
  const failing = (outcome: Partial<ToolOutcome>, more = '', repeatable = false): PlanHost => {
    const host = planHost({ sample: step(more) }, { tools: ['save'] });
    if (repeatable) host.tools.repeatable.add('save');
    const call = host.tools.call.bind(host.tools);
    host.tools.call = async (given) => {
      await call(given);
      return { ok: false, message: 'the server went away', timedOut: false, ...outcome } as ToolOutcome;
    };
    return host;
  };

  it('is not made again, and says why', async () => {
    for (const outcome of [{ isUncertain: true }, { timedOut: true }]) {
      const host = failing(outcome);
      expect((await host.start('sample')).error).toMatchObject({
        code: 'TOOL_UNCERTAIN',
        message: 'step "pay" failed: save: the server went away (it may have been performed anyway)',
      });
      expect(host.tools.done.length).toBe(1);
    }
  });

  it('is made again when the author or the tool says that it can be repeated, and when it was surely not done', async () => {
    for (const host of [
      failing({ isUncertain: true }, '  idempotent: true\n'),
      failing({ timedOut: true }, '', true),
      failing({}),
    ]) {
      expect((await host.start('sample')).error?.code).toMatch(/^TOOL_(?:FAILED|TIMEOUT)$/);
      expect(host.tools.done.length).toBe(3);
    }
  });

  it.each([
    [false, ['TOOL_UNCERTAIN', 1]],
    [true, ['STEP_TIMEOUT', 3]],
  ])('counts as such when its step takes too long (repeatable: %s)', async (repeatable, expected) => {
    const host = planHost({ sample: step('  timeout: 5s\n') }, { tools: ['save'] });
    if (repeatable) host.tools.repeatable.add('save');
    host.tools.onTool = () => new Promise((resolve) => host.clock.after(9_000, () => resolve('done')));
    const running = host.start('sample');
    for (let round = 0; round < 6; round += 1) {
      await turns(20);
      host.clock.pass(5_000);
    }
    expect([(await running).error?.code, host.tools.done.length]).toEqual(expected);
  });
});

describe('a tool of a nested agent', () => {
  const program = 'def run(input):\n  return ask("go", {"tools": ["notes__add", "mcp__files"]})["answer"]\n';

  it('is judged, journaled and kept within the fence of the ask', async () => {
    const { FakeTools } = await import('../../../test/support/plan-host.ts');
    const tools = new FakeTools();
    for (const name of ['notes__add', 'notes__drop', 'files__read']) tools.names.add(name);
    const host = fakeRunHost({ tools });
    host.answerer.onAsk = async (_request, context) => {
      const given = [];
      for (const tool of ['notes__add', 'notes__drop', 'files__read', 'read_file'])
        given.push((await context.tool({ tool, args: { a: 1 } }))['text']);
      return JSON.stringify(given);
    };
    const result = await host.run(program);
    expect(JSON.parse(result.envelope?.['answer'] as string)).toEqual([
      'notes__add done',
      'error: notes__drop is not among the tools of this ask (notes__add, mcp__files)',
      'files__read done',
      'error: read_file is not among the tools of this ask (notes__add, mcp__files)',
    ]);
    expect(tools.done).toEqual(['notes__add {"a":1}', 'files__read {"a":1}']);
    expect(
      (await host.runner.inspect(result.run as string)).effects[0]?.children.map(({ key, kind }) => [
        key,
        kind,
      ]),
    ).toEqual([
      ['1/1', 'tool'],
      ['1/2', 'tool'],
    ]);
  });
});
