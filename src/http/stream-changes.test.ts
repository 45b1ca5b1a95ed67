// The stream of all changes, without a server: what a reader that reads nothing costs.
import { expect, it } from 'vitest';
import { EventReader } from '../api/event-stream.ts';
import { Changes } from './changes.ts';
import { LocalDispatcher } from './dispatcher.ts';
import { RunTexts } from './run-texts.ts';
import { streamChanges } from './stream-changes.ts';

const dispatcher = new LocalDispatcher({
  resume: () => Promise.reject(new Error('nothing is driven here')),
  concurrency: 1,
  maxQueued: 1,
  onEnded: () => undefined,
  onBug: () => undefined,
});

async function open() {
  const changes = new Changes({
    useStore: async () => undefined as never,
    dispatcher,
    proposals: async () => '',
    onBug: (error) => {
      throw error;
    },
  });
  const left = new AbortController();
  const response = await streamChanges({
    changes,
    texts: new RunTexts(),
    after: null,
    runs: [],
    chats: [],
    role: 'viewer',
    heartbeatMs: 60_000,
    stopping: new AbortController().signal,
    left: left.signal,
  });
  const body = response.body?.getReader();
  const reader = new EventReader();
  const read = async (last: string): Promise<readonly string[]> => {
    const events: string[] = [];
    while (events.at(-1) !== last) {
      const { value, done } = (await body?.read()) ?? { done: true };
      if (done || value === undefined) break;
      events.push(
        ...reader
          .read(new TextDecoder().decode(value))
          .map(({ event, id }) => `${event} ${id?.split('-')[1]}`),
      );
    }
    return events;
  };
  return { changes, read, leave: () => left.abort() };
}

it('gives a slow reader every change that is kept, in order', async () => {
  const { changes, read, leave } = await open();
  for (let count = 0; count < 1_000; count += 1) changes.tell({ type: 'skills.changed' });
  const [first, ...rest] = await read('skills.changed 999');
  expect(first).toContain('feed.opened');
  expect(rest).toEqual(Array.from({ length: 1_000 }, (_, at) => `skills.changed ${at}`));
  changes.tell({ type: 'hub.changed' });
  expect(await read('hub.changed 1000')).toEqual(['hub.changed 1000']);
  leave();
});

it('keeps nothing for a reader that reads nothing, who has to read its lists again', async () => {
  const { changes, read, leave } = await open();
  for (let count = 0; count < 20_000; count += 1) changes.tell({ type: 'skills.changed' });
  changes.tell({ type: 'hub.changed' });
  expect((await read('feed.reset 20000')).length).toBeLessThan(200);
  changes.tell({ type: 'chats.changed' });
  expect(await read('chats.changed 20001')).toEqual(['chats.changed 20001']);
  leave();
}, 5_000);
