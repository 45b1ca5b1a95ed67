// The parts of an ask by themselves; what whole asks make of them is in perform-ask.test.ts and nested-command.test.ts.
import { describe, expect, it } from 'vitest';
import { effectScene, startedEffect } from '../../../test/support/effect-scene.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { ToolFault } from '../../ports/tool.ts';
import { noUsage } from '../budget/budgets.ts';
import { AskParts, asFailure, PartFailed } from './ask-parts.ts';
import type { EffectContext } from './effect-context.ts';
import { attempt, DetachSignal, Stopping } from './effect-context.ts';

interface SceneOptions extends Partial<EffectContext> {
  readonly allowed?: readonly string[] | null;
  readonly turns?: number;
  readonly request?: JsonObject;
}

function scene({ allowed = null, turns = 5, request = {}, ...more }: SceneOptions = {}) {
  const made = effectScene(more);
  const parts = new AskParts(
    made.context,
    made.attempted('agent', { prompt: 'x', ...request }, { ordinal: 3 } as object),
    allowed,
    turns,
  );
  const ask = parts.context(2);
  const child = (kind: 'tool' | 'turn', value: Json = 'so', repeatable = true, usage = noUsage) =>
    ask.child(kind, { a: 1 }, repeatable, async () => {
      made.clock.pass(20);
      made.log.push(`did ${kind}`);
      return { value, usage };
    });
  const hashOf = (key: string, kind: string, of: JsonObject, repeatable: boolean): string =>
    attempt(made.context.sha256, { key, kind, request: of, repeatable }, 0).hash;
  return { ...made, parts, ask, child, hashOf };
}
const refusing = (code: string) =>
  ({
    refuse: () => ({ code, message: 'no more' }),
    refuseTurn: () => null,
    has: () => false,
    count: () => undefined,
  }) as unknown as EffectContext['budgets'];
const ended = (ok: boolean, value: Json, usage: JsonObject = {}) =>
  ({ ok, result: { value }, usage }) as unknown as NonNullable<ReturnType<typeof startedEffect>['ended']>;

describe('a part of an ask', () => {
  it('has entries of its own, and a key by the order of the calls', async () => {
    const { ask, child, log, parts } = scene();
    expect([await child('turn'), await child('tool', { b: 2 })]).toEqual(['so', { b: 2 }]);
    expect(log).toEqual(['begun 1/1', 'did turn', 'ended 1/1', 'begun 1/2', 'did tool', 'ended 1/2']);
    expect([parts.turns, parts.stopped]).toEqual([1, null]);
    expect([ask.run, ask.key, ask.retry, ask.runsCompositions]).toEqual(['R', '1', 2, true]);
    expect(scene({ inComposition: true }).ask.runsCompositions).toBe(false);
  });

  it('tells its time and its usage, of which the ask has the sum', async () => {
    const performed: unknown[] = [];
    const { child, parts } = scene({
      end: async (_key, _kind, one) => (performed.push(one), one.outcome),
    });
    const usage = { inputTokens: 1, outputTokens: 2, costMicros: 3 };
    await child('turn', 'a', true, usage);
    await child('turn', 'b', true, usage);
    expect(performed).toMatchObject([
      { ms: 20, usage },
      { ms: 20, usage },
    ]);
    expect(parts.usage).toEqual({ inputTokens: 2, outputTokens: 4, costMicros: 6 });
  });

  it('that fails throws its failure, and the ask goes on', async () => {
    const { ask, child, log, parts } = scene();
    const failing = ask.child('tool', {}, true, () => Promise.reject(new ToolFault('no')));
    await expect(failing).rejects.toMatchObject({ code: 'TOOL_FAILED', message: 'no' });
    expect([parts.stopped, log]).toEqual([null, ['begun 1/1', 'ended 1/1']]);
    expect(await child('turn')).toBe('so');
  });

  it('is answered from the journal, with its usage, and must be the same', async () => {
    const { child, known, log, parts, hashOf } = scene();
    const hash = hashOf('1/1', 'turn', { a: 1 }, true);
    known.set(
      '1/1',
      startedEffect('1/1', { kind: 'turn', hash }, { ended: ended(true, 'old', { inputTokens: 4 }) }),
    );
    const failed = { code: 'C', message: 'm' };
    known.set('1/2', startedEffect('1/2', { kind: 'turn', hash }, { ended: ended(false, failed) }));
    known.set('1/3', startedEffect('1/3', { kind: 'turn', hash: 'other' }, { ended: ended(true, 'x') }));
    expect(await child('turn')).toBe('old');
    await expect(child('turn')).rejects.toMatchObject(failed);
    expect([parts.usage.inputTokens, parts.turns, log]).toEqual([4, 2, []]);
    await expect(child('turn')).rejects.toBeInstanceOf(Error);
    expect(parts.stopped).toBeInstanceOf(Error);
  });

  it('with an unknown outcome makes the ask wait, and others may finish', async () => {
    const { ask, child, known, log, parts, hashOf } = scene();
    known.set('1/1', startedEffect('1/1', { kind: 'tool', hash: hashOf('1/1', 'tool', { a: 1 }, false) }));
    await expect(child('tool', 'so', false)).rejects.toBeInstanceOf(Stopping);
    expect([parts.stopped, log, ask.signal.aborted]).toEqual(['waiting', ['undecided 1/1'], false]);
    await expect(child('turn')).rejects.toBeInstanceOf(Stopping);
    expect(log).toEqual(['undecided 1/1']);
  });

  it('that can be repeated, or was decided, is begun again', async () => {
    const { child, known, log, hashOf } = scene();
    known.set('1/1', startedEffect('1/1', { kind: 'turn', hash: hashOf('1/1', 'turn', { a: 1 }, true) }));
    known.set(
      '1/2',
      startedEffect(
        '1/2',
        { kind: 'tool', hash: hashOf('1/2', 'tool', { a: 1 }, false) },
        { decided: { as: 'retry' } as never },
      ),
    );
    await child('turn');
    await child('tool', 'so', false);
    expect(log.filter((line) => line.startsWith('begun'))).toEqual(['begun 1/1 as 2', 'begun 1/2 as 2']);
  });

  it.each([
    ['more turns than there may be', {}, 'TURN_LIMIT', 'ask failed: the answerer took more than 1 turns'],
    [
      'a turn over the budget',
      { budgets: { refuseTurn: () => ({ code: 'TOKENS', message: 'none left' }) } },
      'TOKENS',
      'none left',
    ],
  ])('ends the ask when it is %s', async (_what, more, code, message) => {
    const { ask, child, parts } = scene({ turns: 1, ...(more as unknown as Partial<EffectContext>) });
    await child('turn').catch(() => null);
    await expect(child('turn')).rejects.toBeInstanceOf(Stopping);
    expect([parts.stopped, ask.signal.aborted]).toEqual([{ code, message }, true]);
  });

  it('is not begun when the ask has been stopped', async () => {
    const { abort, child, log } = scene();
    abort.abort(new Stopping());
    await expect(child('turn')).rejects.toBeInstanceOf(Stopping);
    expect(log).toEqual([]);
  });
});

describe('what an ask may do', () => {
  it('is what its tools allow', async () => {
    const { ask, log } = scene({ allowed: ['read_file'] });
    const no = 'is not among the tools of this ask (read_file)';
    expect(await ask.command({ argv: ['ls'] })).toMatchObject({
      denied: true,
      result: `error: command ${no}`,
    });
    expect(await ask.tool({ tool: 'mail__send', args: {} })).toEqual({
      ok: false,
      text: `error: mail__send ${no}`,
      value: null,
      truncated: false,
    });
    expect(await ask.runSkill('two', {})).toBe(`error: run_metaskill ${no}`);
    expect(await scene({ allowed: [] }).ask.runSkill('two', {})).toContain('(it has none)');
    expect(log).toEqual([]);
  });

  it('is not what its skill disallows, or what is above the ceilings', async () => {
    const { ask } = scene({ request: { disallowed_tools: ['command', 'mail__send', 'run_metaskill'] } });
    expect(await ask.command({ argv: ['ls'] })).toMatchObject({ denied: true });
    expect(await ask.tool({ tool: 'mail__send', args: {} })).toMatchObject({ ok: false });
    expect(await ask.runSkill('two', {})).toMatch(/^error: /);
    await expect(ask.child('tool', { tool: 'mail__send' }, true, never)).rejects.toMatchObject({
      code: 'TOOL_DENIED',
    });
    const held = scene({ ceilings: [['filesystem-read']] }).ask;
    expect(await held.command({ argv: ['ls'] })).toMatchObject({ denied: true });
    expect(await held.tool({ tool: 'mail__send', args: {} })).toMatchObject({ ok: false });
    await expect(held.child('tool', { tool: 'mail__send' }, true, never)).rejects.toMatchObject({
      code: 'CAPABILITY_DENIED',
    });
    expect(held.refusal({ tool: 'mail__send', readOnly: false })).toContain('external-side-effect');
    expect(held.refusal({ tool: 'command', argv: ['ls'], readOnly: false })).toContain('shell');
    expect(held.refusal({ tool: 'mail__view', readOnly: true })).toBeNull();
    expect(held.refusal({ tool: 'run_metaskill', readOnly: false })).toBeNull();
  });
  const never = (): Promise<never> => Promise.reject(new Error('it was performed'));

  it('is told as a result when it is over the budget, and the agent continues', async () => {
    const commands = scene({ budgets: refusing('COMMAND_BUDGET') });
    expect(await commands.ask.command({ argv: ['ls'] })).toMatchObject({
      denied: true,
      result: 'error: no more',
    });
    expect(commands.log).toEqual(['refused 1/1']);
    const tools = scene({
      budgets: refusing('COMMAND_BUDGET'),
      tools: { find: async () => ({ name: 't', readOnly: false, repeatable: false }) } as never,
    });
    expect(await tools.ask.tool({ tool: 't', args: {} })).toMatchObject({
      ok: false,
      text: 'error: no more',
    });
    const runs = scene({ budgets: refusing('RUN_BUDGET') });
    expect(await runs.ask.runSkill('two', {})).toBe('error: no more');
    expect([commands.parts.stopped, tools.parts.stopped, runs.parts.stopped]).toEqual([null, null, null]);
  });
});

describe('a nested run of an ask', () => {
  const nested = (result: object) =>
    scene({ runNested: async () => ({ status: 'completed', text: 'so', usage: {}, ...result }) as never });

  it('gives its text, and its usage is not that of the ask', async () => {
    const { ask, log, parts } = nested({ usage: { inputTokens: 9 } });
    expect(await ask.runSkill('two', {})).toBe('so');
    expect([log, parts.usage]).toEqual([['begun 1/1', 'ended 1/1'], noUsage]);
  });

  it.each(['paused', 'needs_decision'])('that is %s makes the ask wait', async (status) => {
    const { ask, log, parts } = nested({ status });
    await expect(ask.runSkill('two', {})).rejects.toBeInstanceOf(Stopping);
    expect([parts.stopped, log]).toEqual(['waiting', ['begun 1/1', 'nested waits 1/1']]);
  });

  it('that cannot be driven detaches the run', async () => {
    const lost = new Error('the store is gone');
    const { ask, parts } = scene({ runNested: () => Promise.reject(lost) });
    await expect(ask.runSkill('two', {})).rejects.toBe(lost);
    expect([parts.stopped, ask.signal.aborted]).toEqual([lost, true]);
    expect(ask.signal.reason).toBeInstanceOf(DetachSignal);
  });
});

describe('the end of an ask', () => {
  it('stops what is under way, and waits for it', async () => {
    const { ask, parts } = scene();
    let isOver = false;
    const slow = ask.child(
      'tool',
      { tool: 't' },
      true,
      () =>
        new Promise((resolve) =>
          ask.signal.addEventListener('abort', () => setImmediate(() => resolve({ value: (isOver = true) }))),
        ),
    );
    await new Promise((resolve) => setImmediate(resolve));
    await parts.settle();
    expect([isOver, await slow, ask.signal.aborted]).toEqual([true, true, true]);
  });

  it('stops nothing when nothing is under way', async () => {
    const { ask, child, parts } = scene();
    await child('turn');
    await parts.settle();
    expect(ask.signal.aborted).toBe(false);
  });
});

describe('asFailure', () => {
  const long = 'x'.repeat(100_000);
  it.each<[string, unknown, boolean, string, string]>([
    ['a part that failed', new PartFailed('C', 'm'), true, 'C', 'm'],
    ['a fault of a tool', new ToolFault('m'), true, 'TOOL_FAILED', 'm'],
    ['what was stopped', new Error('m'), true, 'CANCELLED', 'stopped'],
    ['an error', new Error('m'), false, 'ASK_FAILED', 'm'],
    ['words', 'm', false, 'ASK_FAILED', 'm'],
  ])('knows %s', (_what, error, isAborted, code, message) => {
    expect(asFailure(error, isAborted)).toMatchObject({ name: 'PartFailed', code, message });
  });

  it('cuts what is long', () => {
    for (const error of [new ToolFault(long), new Error(long)])
      expect(asFailure(error, false).message.length).toBeLessThan(long.length);
  });
});
