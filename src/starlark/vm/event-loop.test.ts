import { afterEach, describe, expect, it, vi } from 'vitest';
import { yieldToEventLoop } from './execute.ts';

describe('yieldToEventLoop', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** Whether what was due has run when it comes back. */
  async function letsOthersRun(): Promise<boolean> {
    const due = { ran: false };
    setTimeout(() => (due.ran = true), 0);
    for (let turn = 0; turn < 1000; turn += 1) await yieldToEventLoop();
    return due.ran;
  }

  it('lets timers run', async () => {
    expect(await letsOthersRun()).toBe(true);
  });

  it('does so where there is only a MessageChannel', async () => {
    vi.stubGlobal('setImmediate', undefined);
    expect(await letsOthersRun()).toBe(true);
  });

  it('is a promise where there is nothing', async () => {
    vi.stubGlobal('setImmediate', undefined);
    vi.stubGlobal('MessageChannel', undefined);
    await expect(yieldToEventLoop()).resolves.toBeUndefined();
  });
});
