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
      {
        skill: 'travel-planner',
        mode: 'trigger',
        confidence: 0.902,
        variables: {},
        reason: 'matches the trigger "plan my trip"',
      },
    ]);
  });

  it('keeps what a trigger extracted for a skill that is called by name', () => {
    expect(reader().read('/travel-planner itinerary for Rome').matches).toEqual([
      {
        skill: 'travel-planner',
        mode: 'explicit',
        confidence: 1,
        variables: { place: 'Rome' },
        reason: 'called by name: /travel-planner',
      },
    ]);
  });

  it.each([
    ['make an itinerary for Rome and meeting notes', 'Rome'],
    ['itinerary for Rome, then please write the meeting notes', 'Rome'],
    ['itinerary for Rome, and then meeting notes', 'Rome'],
    ['itinerary for Rome and Paris', 'Rome and Paris'],
    ['itinerary for the meeting notes', 'the meeting notes'],
  ])('ends a variable where another request begins: %j', (message, place) => {
    expect(
      reader()
        .read(message)
        .matches.find(({ skill }) => skill === 'travel-planner')?.variables,
    ).toEqual({ place });
  });

  it('orders equal triggers by priority', () => {
    expect(
      reader()
        .read('meeting notes')
        .matches.map(({ skill }) => skill),
    ).toEqual(['minutes', 'notes']);
  });

  it('tells what was kept back', () => {
    const asked = reader().read('Do not plan my trip; show the weather');
    expect(asked.matches).toEqual([]);
    expect(asked.guarded).toEqual([
      {
        skill: 'travel-planner',
        reason: 'the trigger "plan my trip" does not count: "do not" refuses it',
        outcome: 'held',
      },
    ]);
  });

  it('does not take /name for a call where people may not call it so', () => {
    const asked = createAskedReader();
    asked.set({ name: 'lore', triggers: [], priority: 0, slash: false });
    expect(asked.read(judgeMessage('/lore now'))).toEqual({
      matches: [],
      misspelt: null,
      near: new Map(),
      traces: new Map(),
      guarded: [{ skill: 'lore', outcome: 'held', reason: 'it cannot be called as /lore' }],
    });
    expect(asked.read(judgeMessage('$lore now')).matches).toHaveLength(1);
  });

  it('asks after a name that is not there, where none is called', () => {
    expect(reader().read('/minuts now').misspelt).toEqual({ written: 'minuts', meant: 'minutes' });
    expect(reader().read('use the travel planer skill').misspelt).toBeNull();
    expect(reader().read('use the travel-planer skill').misspelt).toEqual({
      written: 'travel-planer',
      meant: 'travel-planner',
    });
    for (const message of [
      '/minutes now',
      '/usr/bin',
      "don't use the minuts skill",
      'use the stopListening-of skill',
      'see $HOME',
    ])
      expect(reader().read(message).misspelt).toBeNull();
  });

  it('forgets a skill that is removed', () => {
    const asked = reader();
    asked.remove('minutes');
    asked.remove('minutes');
    expect(asked.read('/minutes').matches).toEqual([]);
    expect(asked.read('meeting notes').matches.map(({ skill }) => skill)).toEqual(['notes']);
  });
});
