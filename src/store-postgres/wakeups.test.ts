import { describe, expect, it } from 'vitest';
import type { Database } from './database.ts';
import type { Queries } from './queries.ts';
import type { Watcher } from './wakeups.ts';
import { Wakeups } from './wakeups.ts';

/** A connection that hears what the test says, and what was sent. */
async function opened(): Promise<{
  readonly wakeups: Wakeups;
  readonly sent: string[];
  readonly hear: (payload: string) => void;
  readonly woken: (watcher: Pick<Watcher, 'run' | 'kind'>) => () => number;
}> {
  const sent: string[] = [];
  let onNotification: (message: { readonly payload: string }) => void = () => undefined;
  const client = {
    on: (event: string, listener: typeof onNotification) => {
      if (event === 'notification') onNotification = listener;
    },
    query: () => Promise.resolve(),
    end: () => Promise.resolve(),
  };
  const database = {
    connect: () => Promise.resolve(client),
    channel: () => Promise.resolve('c'),
    once: (_statement: unknown, [, payload]: readonly string[]) =>
      Promise.resolve(void sent.push(payload ?? '')),
  };
  const wakeups = new Wakeups(database as unknown as Database, {} as Queries, 3_600_000);
  return {
    wakeups,
    sent,
    hear: (payload) => onNotification({ payload }),
    woken(watcher) {
      let times = 0;
      wakeups.add({ ...watcher, knows: () => true, wake: () => (times += 1) });
      return () => {
        const seen = times;
        times = 0;
        return seen;
      };
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('Wakeups', () => {
  it('wakes those who read a journal when it grows, and those who wait for messages when there is one', async () => {
    const { wakeups, sent, hear, woken } = await opened();
    const [journal, inbox, other] = [
      woken({ run: 'A', kind: 'journal' }),
      woken({ run: 'A', kind: 'inbox' }),
      woken({ run: 'B', kind: 'inbox' }),
    ];
    await settled();
    const seen = (): readonly number[] => [journal(), inbox(), other()];
    seen();
    wakeups.tell('A', 'journal');
    expect(seen()).toEqual([1, 0, 0]);
    wakeups.tell('A', 'inbox');
    expect(seen()).toEqual([0, 1, 0]);
    hear('A');
    expect(seen()).toEqual([1, 0, 0]);
    hear('A,+A,+B');
    expect(seen()).toEqual([1, 1, 1]);
    hear('*');
    expect(seen()).toEqual([1, 1, 1]);
    await wakeups.close();
    // Processes from before messages had a sign look for everything at the name alone.
    expect(sent.join(',').split(',')).toEqual(['A', 'A', '+A']);
  });
});
