import { describe, expect, it } from 'vitest';
import { RunPlaces } from './run-places.ts';

const never = new AbortController().signal;

describe('RunPlaces', () => {
  it('gives places in the order of asking, each back once', async () => {
    const places = new RunPlaces({ places: 2, waitMs: 60_000 });
    const order: string[] = [];
    const [first, second] = [await places.take(never), await places.take(never)];
    const later = ['third', 'fourth'].map(async (name) => {
      const free = await places.take(never);
      order.push(name);
      return free;
    });
    first();
    first();
    const third = await later[0];
    expect(order).toEqual(['third']);
    second();
    await later[1];
    third?.();
    (await later[1])?.();
    expect(order).toEqual(['third', 'fourth']);
    // All are free again.
    await Promise.all([places.take(never), places.take(never)]);
  });

  it('turns away who waited too long, who is one too many, and who left', async () => {
    const places = new RunPlaces({ places: 1, waitMs: 20, maxWaiting: 1 });
    const free = await places.take(never);
    const late = places.take(never);
    await expect(places.take(never)).rejects.toMatchObject({
      code: 'LOCKED',
      message: '1 runs are running here, and 1 more wait, so nothing was started',
    });
    await expect(late).rejects.toMatchObject({ code: 'LOCKED' });
    const leaving = new AbortController();
    const left = new RunPlaces({ places: 0, waitMs: 60_000 }).take(leaving.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'RUN_UNFINISHED' });
    // Nobody who left holds the place.
    free();
    (await places.take(never))();
  });
});
