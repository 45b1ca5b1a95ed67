import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeWatching } from '../../../test/support/fake-watching.ts';
import type { FakeWatching } from '../../../test/support/fake-watching.ts';
import type { Looking } from './watch.ts';
import { lookAtChanges } from './watch.ts';

const pollMs = 1_000;

describe('lookAtChanges', () => {
  let watching: FakeWatching;
  let looks = 0;
  let faults: Error[] = [];
  let look: () => Promise<void> = async () => undefined;
  let looking: Looking | null = null;

  beforeEach(() => {
    vi.useFakeTimers();
    watching = createFakeWatching();
    looks = 0;
    faults = [];
    look = async () => undefined;
  });
  afterEach(() => {
    looking?.close();
    looking = null;
    vi.useRealTimers();
  });

  function open(): Looking {
    looking = lookAtChanges({
      watching,
      folder: '/inbox',
      pollMs,
      look: () => {
        looks += 1;
        return look();
      },
      onFault: (error) => faults.push(error),
    });
    return looking;
  }

  it('looks at once, and after each change', async () => {
    open();
    await vi.advanceTimersByTimeAsync(0);
    expect(looks).toBe(1);
    watching.notify('/inbox');
    await vi.advanceTimersByTimeAsync(10);
    expect(looks).toBe(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(looks).toBe(2);
  });

  it('looks again after a change that comes during a look, without waiting for a poll', async () => {
    let finish = (): void => undefined;
    look = () => new Promise((resolve) => (finish = resolve));
    open();
    await vi.advanceTimersByTimeAsync(0);
    // What this look has read may have been before the message.
    watching.notify('/inbox');
    watching.notify('/inbox');
    await vi.advanceTimersByTimeAsync(0);
    expect(looks).toBe(1);
    look = async () => undefined;
    finish();
    await vi.advanceTimersByTimeAsync(10);
    expect(looks).toBe(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(looks).toBe(2);
  });

  it('takes changes together that come within the spacing', async () => {
    open();
    await vi.advanceTimersByTimeAsync(0);
    for (let at = 0; at < 5; at += 1) watching.notify('/inbox');
    await vi.advanceTimersByTimeAsync(1);
    expect(looks).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(looks).toBe(2);
  });

  it('looks at intervals, ten times as often where nothing can be watched', async () => {
    open();
    await vi.advanceTimersByTimeAsync(pollMs - 1);
    expect(looks).toBe(1);
    await vi.advanceTimersByTimeAsync(2);
    expect(looks).toBe(2);
    watching.lose('/inbox');
    await vi.advanceTimersByTimeAsync(pollMs);
    expect(looks).toBe(12);
    looking?.close();
    watching.limit = 0;
    looks = 0;
    open();
    await vi.advanceTimersByTimeAsync(pollMs + 1);
    expect(looks).toBe(11);
  });

  it('ends with a look that failed, and says so once', async () => {
    look = () => Promise.reject(new Error('the disk is gone'));
    open();
    await vi.advanceTimersByTimeAsync(0);
    expect([looks, faults.map(({ message }) => message), watching.watched]).toEqual([
      1,
      ['the disk is gone'],
      [],
    ]);
    await vi.advanceTimersByTimeAsync(pollMs * 3);
    expect(looks).toBe(1);
  });

  it('looks no more once it is closed, and reports nothing', async () => {
    open().close();
    await vi.advanceTimersByTimeAsync(pollMs * 3);
    expect([looks, watching.watched]).toEqual([0, []]);
    let fail = (_error: Error): void => undefined;
    look = () => new Promise((_resolve, reject) => (fail = reject));
    const second = open();
    await vi.advanceTimersByTimeAsync(0);
    second.wake();
    second.close();
    fail(new Error('too late'));
    await vi.advanceTimersByTimeAsync(pollMs * 3);
    expect([looks, faults]).toEqual([1, []]);
    // Closed while the next look waits for its turn.
    look = async () => undefined;
    const third = open();
    await vi.advanceTimersByTimeAsync(0);
    third.wake();
    third.close();
    await vi.advanceTimersByTimeAsync(pollMs * 3);
    expect(looks).toBe(2);
  });

  it('closes its watch once, and not one that was lost', () => {
    let closes = 0;
    let lose = (): void => undefined;
    watching.watchFolder = (_folder, _onChange, onLost) => {
      lose = () => onLost('gone');
      return { close: () => (closes += 1) };
    };
    const first = open();
    first.close();
    first.close();
    expect(closes).toBe(1);
    const second = open();
    lose();
    second.close();
    expect(closes).toBe(1);
  });

  it('throws what is no fault of the watch', () => {
    watching.watchFolder = () => {
      throw new Error('a bug');
    };
    expect(open).toThrow('a bug');
  });
});
