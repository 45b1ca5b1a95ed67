import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Abort } from '../base/abort.ts';
import { neverAborted } from '../base/abort.ts';
import { withTimeLimit } from './with-time-limit.ts';

const never = (): Promise<never> => new Promise(() => undefined);

describe('withTimeLimit', () => {
  it('gives what the work gives', async () => {
    expect(
      await withTimeLimit({ timeoutMs: 1000, signals: [neverAborted] }, async (signal) => !signal.aborted),
    ).toBe(true);
  });

  it('keeps its time through garbage collections, and tells the work (with-time-limit#T1)', async () => {
    setFlagsFromString('--expose_gc');
    const collect = runInNewContext('gc') as () => void;
    const collecting = setInterval(collect, 10);
    let told: unknown = null;
    try {
      const limited = withTimeLimit({ timeoutMs: 150, signals: [neverAborted] }, (signal) => {
        signal.addEventListener('abort', () => (told = signal.reason));
        return never();
      });
      await expect(Promise.race([limited, sleep(5_000, 'nothing came')])).rejects.toMatchObject({
        name: 'TimeoutError',
        message: 'no answer within 150 ms',
      });
      expect(told).toMatchObject({ name: 'TimeoutError' });
    } finally {
      clearInterval(collecting);
    }
  });

  it('stops with the reason of the first abort, even if the work ignores it (with-time-limit#T2)', async () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const limited = withTimeLimit({ timeoutMs: 5_000, signals: [one.signal, two.signal] }, never);
    two.abort(new Error('the second'));
    one.abort(new Error('the first'));
    await expect(limited).rejects.toThrow('the second');
  });

  it('begins nothing after an abort', async () => {
    let begun = false;
    await expect(
      withTimeLimit(
        { timeoutMs: 5_000, signals: [AbortSignal.abort(new Error('before'))] },
        async () => (begun = true),
      ),
    ).rejects.toThrow('before');
    expect(begun).toBe(false);
  });

  it('leaves no listener behind (with-time-limit#T3)', async () => {
    const listeners = new Set<() => void>();
    const signal: Abort = {
      aborted: false,
      reason: undefined,
      addEventListener: (_, listener) => void listeners.add(listener),
      removeEventListener: (_, listener) => void listeners.delete(listener),
    };
    await expect(
      withTimeLimit({ timeoutMs: 5_000, signals: [signal] }, () => Promise.reject(new Error('no'))),
    ).rejects.toThrow('no');
    expect(listeners.size).toBe(0);
  });
});
