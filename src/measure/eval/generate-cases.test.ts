import { describe, expect, it } from 'vitest';
import { frameKinds, frames } from './frames.ts';
import { generateCases } from './generate-cases.ts';

const none = { en: [], zh: [] };

describe('generateCases', () => {
  it('makes uses that expect the skill, and traps that expect none', () => {
    const cases = generateCases('travel', ['plan my trip']);
    expect(cases).toContainEqual({
      message: 'Please plan my trip.',
      expected: 'travel',
      kind: 'positive',
      about: 'travel',
    });
    expect(cases).toContainEqual({
      message: 'Do not plan my trip; just tell me what time it is.',
      expected: null,
      kind: 'negation',
      about: 'travel',
    });
    expect(cases).toHaveLength(frameKinds.reduce((sum, kind) => sum + frames[kind].en.length, 0));
    expect(new Set(cases.map(({ kind }) => kind))).toEqual(
      new Set([
        'positive',
        'negation',
        'quotation',
        'translation',
        'question',
        'pasted-history',
        'narration',
      ]),
    );
  });

  it('gives Chinese triggers Chinese frames too, and fills variables', () => {
    expect(generateCases('drama', ['生成短剧']).some(({ message }) => message === '请帮我生成短剧。')).toBe(
      true,
    );
    expect(
      generateCases('travel', ['a trip to {place}']).every(({ message }) => !message.includes('{place}')),
    ).toBe(true);
  });

  it('mentions a trigger that ends with a variable only where its end can be seen', () => {
    const made = {
      natural: none,
      negation: none,
      quotation: {
        en: ['Write {t} in capital letters.', 'Write "{t}" in capital letters.', 'The title is {t}.'],
        zh: [],
      },
      translation: none,
      question: none,
      pasted: none,
      narration: none,
    };
    const messages = (trigger: string): readonly string[] =>
      generateCases('travel', [trigger], { frames: made }).map(({ message }) => message);
    expect(messages('plan {place} now')).toHaveLength(3);
    expect(messages('a trip to {place}')).toEqual([
      expect.stringMatching(/^Write "a trip to .*" in/),
      expect.stringMatching(/^The title is a trip to/),
    ]);
  });

  it('is the same for the same seed, and another for another', () => {
    const made = (seed: number): readonly string[] =>
      generateCases('travel', ['plan my trip', 'to {place}'], { perKind: 3, seed }).map(
        ({ message }) => message,
      );
    expect(made(1)).toEqual(made(1));
    expect(made(1)).not.toEqual(made(2));
    expect(made(1)).toHaveLength(2 * 7 * 3);
  });

  it('has a trigger in every frame', () => {
    const lacking = frameKinds
      .flatMap((kind) => [...frames[kind].en, ...frames[kind].zh])
      .filter((frame) => !/\{(?:t|T|TT)\}/.test(frame));
    expect(lacking).toEqual([]);
  });
});
