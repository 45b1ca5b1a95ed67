import { describe, expect, it } from 'vitest';
import { judgeMessage } from './guard/judge-message.ts';
import type { Asked } from './read-asked.ts';
import { createAskedReader } from './read-asked.ts';

interface Reading {
  read(message: string): Asked;
  remove(name: string): void;
}

function reader(): Reading {
  const asked = createAskedReader();
  asked.set({ name: 'travel-planner', triggers: ['plan my trip', 'itinerary for {place}'], priority: 50 });
  asked.set({ name: 'notes', triggers: ['meeting notes'], priority: 10 });
  asked.set({ name: 'minutes', triggers: ['meeting notes'], priority: 20 });
  return { read: (message) => asked.read(judgeMessage(message)), remove: (name) => asked.remove(name) };
}

describe('createAskedReader', () => {
  it('puts names before triggers, and tells why', () => {
    expect(reader().read('plan my trip with $notes').matches).toEqual([
      { skill: 'notes', mode: 'explicit', confidence: 1, variables: {}, reason: 'called by name: $notes' },
      { skill: 'travel-planner', mode: 'trigger', confidence: 0.902, variables: {}, reason: 'matches the trigger "plan my trip"' },
    ]);
  });

  it('keeps what a trigger extracted for a skill that is called by name', () => {
    expect(reader().read('/travel-planner itinerary for Rome').matches).toEqual([{ skill: 'travel-planner', mode: 'explicit', confidence: 1, variables: { place: 'Rome' }, reason: 'called by name: /travel-planner' }]);
  });

  it('orders equal triggers by priority', () => {
    expect(reader().read('meeting notes').matches.map(({ skill }) => skill)).toEqual(['minutes', 'notes']);
  });

  it('tells what was kept back', () => {
    const asked = reader().read('Do not plan my trip; show the weather');
    expect(asked.matches).toEqual([]);
    expect(asked.guarded).toEqual([{ skill: 'travel-planner', reason: 'the trigger "plan my trip" does not count: "do not" refuses it', verdict: { guard: 'negation', reason: '"do not" refuses it' } }]);
  });

  it('forgets a skill that is removed', () => {
    const asked = reader();
    asked.remove('minutes');
    asked.remove('minutes');
    expect(asked.read('/minutes').matches).toEqual([]);
    expect(asked.read('meeting notes').matches.map(({ skill }) => skill)).toEqual(['notes']);
  });
});
