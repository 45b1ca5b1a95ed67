// When the time of an effect runs, and what is left of each thing that was cut.
import { describe, expect, it } from 'vitest';
import { effectScene, startedEffect, valueOf } from '../../../test/support/effect-scene.ts';
import { printed, succeeded, turns } from '../../../test/support/fake-run-host.ts';
import type { ToolOutcome } from '../../ports/tool-host.ts';
import type { EffectContext } from './effect-context.ts';
import { Stopping } from './effect-context.ts';
import { decidedTool } from './perform-tool.ts';

/** `known`: it was started before. */
function scene(known: boolean = false, more: Partial<EffectContext> = {}) {
  const made = effectScene(more);
  if (known) made.known.set('1', startedEffect('1'));
  return made;
}

async function toolValue(given: ToolOutcome): Promise<unknown> {
  const made = scene();
  made.toolOutcome = given;
  return valueOf(await made.perform('tool', { tool: 't', args: {} }));
}

describe('the time of an effect', () => {
  it('runs from its start in the journal, not while it is judged', async () => {
    const { log, clock, perform } = scene();
    await perform('tool', { tool: 't', args: {} }, 500);
    expect([log, clock.waiting]).toEqual([['judged', 'begun', 'timer of 500 ms', 'called'], 0]);
  });

  it('is none without a limit', async () => {
    const { log, perform } = scene();
    await perform('tool', { tool: 't', args: {} });
    expect(log).toEqual(['judged', 'begun', 'called']);
  });

  it('of a tool that is tried again runs from its new start', async () => {
    const { log, perform } = scene(true);
    await perform('tool', { tool: 't', args: {} }, 500);
    expect(log).toEqual(['judged', 'begun 1 as 2', 'timer of 500 ms', 'called']);
  });

  it('of a nested run that is entered again runs at once, because it has its start', async () => {
    const { log, perform } = scene(true);
    await perform('skill', { name: 'x', input: {}, run: 'S' }, 500).catch(() => null);
    expect(log[0]).toBe('timer of 500 ms');
  });

  it('ends a command, which then fails with STEP_TIMEOUT', async () => {
    const { clock, commands, perform } = scene();
    commands.onCommand = (_call, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ aborted: true }));
        clock.pass(500);
      });
    expect(await perform('command', { argv: ['a'], timeout_ms: 1000 }, 500)).toMatchObject({
      outcome: { code: 'STEP_TIMEOUT', message: 'it took longer than 0.5 s' },
      ms: 500,
    });
  });
});

describe('a sleep', () => {
  const sleeping = (startedAt: number | null) => {
    const made = effectScene();
    if (startedAt !== null) made.known.set('1', startedEffect('1', { kind: 'sleep', at: startedAt }));
    return made;
  };

  it('lasts as long as it says, from its start', async () => {
    const { clock, log, perform } = sleeping(null);
    const slept = perform('sleep', { ms: 500 });
    await turns();
    expect(log).toEqual(['begun', 'timer of 500 ms']);
    clock.pass(500);
    expect(await slept).toMatchObject({ outcome: { ok: true, value: null }, ms: 500 });
  });

  it.each([
    ['the rest', 1_000_000 - 200, ['timer of 300 ms']],
    ['nothing more', 1_000_000 - 500, []],
    ['all of it, when the clock was set back', 1_000_000 + 200, ['timer of 500 ms']],
  ])('that was begun before lasts %s', async (_what, startedAt, timers) => {
    const { clock, log, perform } = sleeping(startedAt);
    const slept = perform('sleep', { ms: 500 });
    await turns();
    clock.pass(500);
    expect(await slept).toMatchObject({ outcome: { ok: true }, ms: 500 });
    expect(log).toEqual(timers);
  });

  it('has not ended when the run stops, and leaves no timer', async () => {
    const { clock, abort, perform } = sleeping(null);
    const slept = perform('sleep', { ms: 500 });
    await turns();
    abort.abort(new Stopping());
    await expect(slept).rejects.toBeInstanceOf(Stopping);
    expect(clock.waiting).toBe(0);
    const late = sleeping(1_000_000);
    late.abort.abort(new Stopping());
    await expect(late.perform('sleep', { ms: 500 })).rejects.toBeInstanceOf(Stopping);
    expect(late.clock.waiting).toBe(0);
  });
});

describe('a command', () => {
  const long = 'x'.repeat(101);
  it.each([
    ['nothing', {}, false],
    ['what the host cut', { truncated: true }, true],
    ['both streams together', { combined: long }, true],
    ['its output', { stdout: long }, true],
    ['its errors', { stderr: long }, true],
    ['nothing at the limit', { ...printed('x'.repeat(100)), stderr: 'x'.repeat(100) }, false],
  ])('says that it was cut: %s', async (_what, outcome, truncated) => {
    const { commands, perform } = scene();
    commands.onCommand = () => ({ ...succeeded, ...outcome });
    expect(valueOf(await perform('command', { argv: ['a'], timeout_ms: 1000 }))).toMatchObject({ truncated });
  });
});

describe('a tool', () => {
  it.each([
    ['nothing', { text: 'x'.repeat(100), value: 'y'.repeat(98) }, false],
    ['its text', { text: 'x'.repeat(101), value: null }, true],
    ['its value', { text: '', value: 'y'.repeat(99) }, true],
  ])('says that it was cut: %s', async (_what, outcome, truncated) => {
    expect(await toolValue({ ok: true, ...outcome })).toMatchObject({ truncated });
  });

  it('gives no part of a value that is too large', async () => {
    expect(await toolValue({ ok: true, text: 'short', value: ['y'.repeat(200)] })).toEqual({
      text: 'short',
      value: null,
      truncated: true,
    });
  });
});

describe('a decision about a tool', () => {
  it.each([
    ['words', 'sent', { text: 'sent', value: null, truncated: false }],
    ['nothing', null, { text: '', value: null, truncated: false }],
    ['a value', [1], { text: '[1]', value: [1], truncated: false }],
    ['a whole result', { text: 'x', truncated: true }, { text: 'x', value: null, truncated: true }],
    ['an object', { text: 5 }, { text: '{"text":5}', value: { text: 5 }, truncated: false }],
  ])('may be %s', (_what, value, result) => {
    expect(decidedTool(value)).toEqual(result);
  });
});

describe('an effect that fails before it starts', () => {
  it('is one that the host cannot perform', async () => {
    const { log, perform } = scene();
    expect([
      valueOf(await perform('artifact', { path: 'x' })),
      valueOf(await perform('dance', {})),
      log,
    ]).toEqual(['EFFECT_UNSUPPORTED', 'EFFECT_UNSUPPORTED', ['begun', 'begun']]);
    const looked = { exists: true, bytes: 3, reason: null };
    const host = scene(false, { artifacts: { look: async () => looked } });
    expect(valueOf(await host.perform('artifact', { path: 'x' }))).toEqual(looked);
  });

  it('is a tool or command beyond what the run may do', async () => {
    const host = scene(false, { ceilings: [['filesystem-read']] });
    expect(valueOf(await host.perform('tool', { tool: 'mail__send', args: {} }))).toBe('CAPABILITY_DENIED');
    expect(valueOf(await host.perform('command', { argv: ['ls'], timeout_ms: 1 }))).toBe('CAPABILITY_DENIED');
    expect([host.commands.done, host.log]).toEqual([[], ['begun', 'begun']]);
    const reads = { name: 't', parameters: { type: 'object' }, readOnly: true, repeatable: true };
    const { tools } = scene().context;
    const other = scene(false, {
      ceilings: [['filesystem-read']],
      tools: { ...tools, find: async () => reads } as unknown as EffectContext['tools'],
    });
    expect(valueOf(await other.perform('tool', { tool: 'mail__view', args: {} }))).toMatchObject({
      text: '',
    });
  });

  it('throws what is no outcome, also within a time', async () => {
    const lost = new Error('the journal is gone');
    const { clock, perform } = scene(false, { begin: () => Promise.reject(lost) });
    await expect(perform('command', { argv: ['a'], timeout_ms: 1 }, 500)).rejects.toBe(lost);
    expect(clock.waiting).toBe(0);
  });
});
