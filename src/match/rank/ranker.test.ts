import { describe, expect, it } from 'vitest';
import { judgeMessage } from '../guard/judge-message.ts';
import type { MatchDocument } from '../match.ts';
import { confidenceOf } from './confidence.ts';
import type { Evidence } from './evidence.ts';
import { findMentions } from './find-mentions.ts';
import { shapeOf } from './message-shape.ts';
import { createRanker } from './ranker.ts';
import { renderShared, type SharedWord } from './reason.ts';

const document = (name: string, description: string, body = ''): MatchDocument => ({
  name,
  description,
  triggers: [],
  sections: [{ title: '', text: body }],
  priority: 0,
});

const ranker = createRanker();
for (const [name, description, body] of [
  [
    'release-notes',
    'Writes release notes from the git history. Use when a version ships.',
    'Read the git log since the last tag. Group the commits. Write one line for each change.',
  ],
  [
    'pdf-forms',
    'Fills in PDF forms. Use when a form has to be completed.',
    'Open the PDF. List its fields. Fill every field and save.',
  ],
  [
    'camera-calibration',
    'Calibrates cameras from recorded videos.',
    'Detect the board in every frame. Solve for the lens.',
  ],
  ['meeting-minutes', 'Writes minutes of meetings.', 'Collect decisions, actions and open questions.'],
] as const)
  ranker.set(document(name, description, body));
const rank = (message: string) => ranker.rank(judgeMessage(message), 10);

describe('createRanker', () => {
  it('keeps a skill that is asked about, below every line that suggests', () => {
    const ranked = rank('Do I need pdf-forms if the version ships without a form?');
    expect(ranked.find(({ skill }) => skill === 'pdf-forms')).toMatchObject({
      confidence: 0.2,
      reason: 'is named in the message',
      kept: 'it is asked about',
    });
    expect(rank("don't use pdf-forms").some(({ skill }) => skill === 'pdf-forms')).toBe(false);
  });

  it('ranks with confidence and a reason', () => {
    const [first] = rank('please write the release notes from the git log since the last tag');
    expect(first?.skill).toBe('release-notes');
    expect(first?.confidence).toBeGreaterThan(0.6);
    expect(first?.reason).toMatch(
      /^shares "\w+", "\w+", "\w+" and "\w+" with its name(?:, description and body| and description)$/,
    );
  });
  it('is less sure of the second than of the first', () => {
    const [first, second] = rank('write the minutes of the meeting about release notes');
    expect((first?.confidence ?? 0) > (second?.confidence ?? 1)).toBe(true);
  });
  it.each([
    'Do not write release notes from the git history.',
    'Translate to German: write the release notes from the git history since the last tag',
  ])('suggests nothing for words that ask for nothing: %s', (message) => {
    const [first] = rank(message);
    expect(first?.confidence ?? 0).toBeLessThan(0.1);
  });
  it('leaves out a skill that is refused by name, and is unsure of the others', () => {
    const message =
      'I need to fill in PDF forms. Which skill should handle this, and why is it not pdf-forms?';
    expect(rank(message).map(({ skill }) => skill)).not.toContain('pdf-forms');
    expect(Math.max(0, ...rank(message).map(({ confidence }) => confidence))).toBeLessThan(0.1);
  });
  it('finds nothing in a message without words', () => {
    expect(rank('???')).toEqual([]);
    expect(rank('')).toEqual([]);
  });
});

describe('findMentions', () => {
  it('finds names that are no ordinary words', () => {
    const known = new Set(['pdf-forms', 'pdf', '__proto__']);
    expect(findMentions('use PDF-forms, the pdf skill, not a pdf', (name) => known.has(name))).toEqual([
      { name: 'pdf-forms', start: 4, end: 13 },
      { name: 'pdf', start: 19, end: 22 },
    ]);
  });
});

describe('shapeOf', () => {
  it.each([
    'What is NGC?',
    'hi, what are vitamins',
    'Explain the difference between TCP and UDP.',
    'Write a short poem about spring',
    'Why is the sky blue?',
    'who won?',
  ])('takes %j for a question of knowledge', (message) => {
    expect(shapeOf(message).conceptual).toBe(true);
  });
  it.each([
    'What is the best way to calibrate my cameras?',
    'Explain this stack trace and fix it',
    'Write a commit message',
    'How do I install it?',
    'Describe my changes',
    '什么是部署？',
  ])('takes %j for one of work', (message) => {
    expect(shapeOf(message).conceptual).toBe(false);
  });
});

describe('confidenceOf', () => {
  const usual: Evidence = {
    support: 0.6,
    margin: 0.3,
    unknown: 0.1,
    words: 1.6,
    conceptual: false,
    refusesSkill: false,
  };
  it('lies between 0 and 1', () => {
    expect(confidenceOf({ ...usual, support: 9, words: 9 })).toBe(0.97);
    expect(confidenceOf({ ...usual, support: 0, words: 0, unknown: 1, margin: -1 })).toBeLessThan(0.01);
  });
  it.each<readonly [string, Partial<Evidence>]>([
    ['less support', { support: 0.3 }],
    ['a close rival', { margin: 0 }],
    ['unknown words', { unknown: 0.5 }],
    ['fewer words', { words: 0.8 }],
    ['a question of knowledge', { conceptual: true }],
    ['a refused skill', { refusesSkill: true }],
  ])('falls with %s', (_, less) => {
    expect(confidenceOf({ ...usual, ...less })).toBeLessThan(confidenceOf(usual));
  });
});

describe('renderShared', () => {
  it('names words and where they stand', () => {
    const at = (word: string, place: SharedWord['place']): SharedWord => ({
      word,
      synonym: null,
      place,
      endsName: false,
    });
    expect(renderShared([at('git', 'body')])).toBe('shares "git" with its body');
    expect(renderShared([at('git', 'description')])).toBe('shares "git" with its description');
    expect(renderShared([at('git', 'name'), at('log', 'description')])).toBe(
      'shares "git" and "log" with its name and description',
    );
    expect(renderShared([at('a', 'body'), at('b', 'triggers'), at('c', 'name')])).toBe(
      'shares "a", "b" and "c" with its name, triggers and body',
    );
    expect(renderShared([{ ...at('film', 'name'), synonym: 'movie' }])).toBe(
      'shares "film" (as "movie") with its name',
    );
  });
});
