import { describe, expect, it } from 'vitest';
import { isCommonWord } from '../text/common-words.ts';
import type { AskedFor } from './confidence.ts';
import type { MessageForm } from './message-shape.ts';
import { substanceOf } from './substance.ts';

const of = (
  shared: readonly string[],
  others: readonly string[] = [],
  more: {
    readonly inHead?: boolean;
    readonly neighbours?: boolean;
    readonly named?: boolean;
    readonly form?: MessageForm;
    readonly askedFor?: AskedFor;
  } = {},
): number => {
  const {
    inHead = true,
    neighbours = false,
    named = false,
    form = null,
    askedFor = { name: null, phrase: 0 },
  } = more;
  return substanceOf({
    words: shared,
    unknown: others,
    shared: shared.map((word) => ({
      word,
      synonym: null,
      place: inHead ? 'description' : 'body',
      endsName: false,
    })),
    neighbours,
    named,
    form,
    askedFor,
  });
};

describe('substanceOf', () => {
  it('takes one telling word where it is what the message is about (substance#W2)', () => {
    expect(of(['bread'])).toBe(1);
    expect(of(['sailing'], ['hobby'])).toBeLessThan(0.4);
  });
  it('takes no word of everyday talk alone', () => {
    expect([of(['time']), of(['someone']), of(['meeting'], ['noon']), of(['run'])]).toEqual([0, 0, 0, 0]);
  });
  it('takes what the body alone has for half', () => {
    expect(of(['bread'], [], { inHead: false })).toBe(0);
  });
  it('takes neighbours, and the whole name, for more (substance#W3, substance#W5)', () => {
    expect(of(['meeting', 'notes'], [], { neighbours: true })).toBe(1);
    expect(of(['checklist'], ['database', 'moving'], { named: true })).toBeGreaterThan(
      of(['checklist'], ['database', 'moving']),
    );
  });
  it('does not count names and numbers against it (substance#W4)', () => {
    expect(of(['tide'], ['Brest', '2026'])).toBeGreaterThan(of(['tide'], ['brest', 'harbours']));
  });
  it('takes several common words where the message asks, and one or two of no kind where it only tells (substance#W6)', () => {
    expect(
      [of(['training', 'plan'], ['5k']), of(['training', 'plan'], ['5k'], { form: 'asks' })].map(
        (value) => value > 0.5,
      ),
    ).toEqual([false, true]);
    expect([
      of(['fridge'], ['broken'], { form: 'tells' }),
      of(['failed', 'test'], [], { form: 'recounts' }),
    ]).toEqual([0, 0]);
    expect([
      of(['chain', 'slips'], [], { form: 'tells' }),
      of(['write', 'report'], ['whales'], { form: 'asks' }),
    ]).toEqual([1, 0]);
  });
  it('takes a word of the name that is asked for, and what is said as the skill has it (substance#W7)', () => {
    expect([
      of(['plants'], [], { askedFor: { name: 'word', phrase: 0 } }),
      of(['cook'], ['eggs'], { askedFor: { name: null, phrase: 2 } }),
    ]).toEqual([1, 1]);
    expect(of(['failed', 'test'], [], { form: 'recounts', askedFor: { name: 'word', phrase: 2 } })).toBe(0);
  });
  it('is never in the way of a message with several telling words', () => {
    expect(
      of(['calibrate', 'cameras', 'videos'], ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta']),
    ).toBe(1);
  });
});

describe('isCommonWord', () => {
  it('knows words of everyday talk by their stem, and no others', () => {
    expect(['time', 'breaks', 'running', 'meetings'].every(isCommonWord)).toBe(true);
    expect(['bread', 'changelog', 'branch', 'sourdough', 'tide', 'commit'].some(isCommonWord)).toBe(false);
  });
});
