import { describe, expect, it } from 'vitest';
import { shapeOf } from './message-shape.ts';

const form = (message: string) => shapeOf(message).form;
const things = (message: string) => [...shapeOf(message).things];

describe('shapeOf', () => {
  it.each([
    'can you look over my changes?',
    'I need a 5k training plan',
    'make this email nicer',
    'bill Acme for 12 hours',
    'what can I cook?',
    'where to go',
    'hello, help me with my tax form',
    'sourdough please',
    'we are hiring a plumber, write the ad',
    'should I sign it?',
  ])('%j asks (message-shape#H3)', (message) => {
    expect(form(message)).toBe('asks');
  });
  it.each([
    'he failed the test',
    'we hired him in May',
    'the police found a clue',
    'that was a leading question',
  ])('%j recounts', (message) => {
    expect(form(message)).toBe('recounts');
  });
  it.each([
    'my fridge is broken',
    'the client is nice',
    'branch of a tree',
    'nice workout today!',
    'I hate emails',
    'a polite man',
    'taxes are too high',
  ])('%j tells', (message) => {
    expect(form(message)).toBe('tells');
  });
  it.each(['tide times', 'checklist for my wedding', 'is someone there?', 'plants', ''])(
    '%j has no form',
    (message) => {
      expect(form(message)).toBe(null);
    },
  );
  it('does not judge the form of a long message', () => {
    expect(shapeOf(`please ${'calibrate the cameras and '.repeat(8)}stop`)).toEqual({
      conceptual: false,
      isShort: false,
      form: null,
      things: new Set(),
    });
  });
  it('finds the thing that is asked for (message-shape#H4)', () => {
    expect(things('make me a checklist for moving house')).toEqual(['checklist']);
    expect(things('checklist for my wedding')).toEqual(['checklist']);
    expect(things('book a meeting room for Friday')).toEqual(['room']);
    expect(things('make this email nicer')).toEqual(['nicer', 'email']);
    expect([things('plants'), things('my fridge is broken'), things('lovely garden')]).toEqual([
      ['plants'],
      [],
      [],
    ]);
  });
});
