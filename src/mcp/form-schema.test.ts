import { describe, expect, it } from 'vitest';
import { realValues, shownForm } from './form-schema.ts';

const form = (properties: { readonly [name: string]: object }, required: readonly string[] = []) =>
  ({ type: 'form', schema: { type: 'object', properties, required, additionalProperties: false } }) as never;

describe('shownForm', () => {
  it('shows nothing that is hidden, and takes what is shown for what it stands for', () => {
    const question = form(
      {
        'col\u202Eour': {
          type: 'string',
          title: 'col\u202Eour',
          description: 'see \u001B[2J\u{E0041}',
          enum: ['red\u202E', 'blue'],
          default: 'red\u202E',
        },
        note: { type: 'string', title: 'note', maxLength: 9, default: 'a\u200Bb' },
      },
      ['col\u202Eour'],
    );
    const shown = shownForm(question);
    expect(shown).toEqual({
      type: 'object',
      properties: {
        'col\\u{202E}our': {
          type: 'string',
          title: 'col\\u{202E}our',
          description: 'see \\u{1B}[2J\\u{E0041}',
          enum: ['red\\u{202E}', 'blue'],
          default: 'red\\u{202E}',
        },
        note: { type: 'string', title: 'note', maxLength: 9 },
      },
      required: ['col\\u{202E}our'],
    });
    expect(realValues(question, { 'col\\u{202E}our': 'red\\u{202E}', note: 'x' })).toEqual({
      'col\u202Eour': 'red\u202E',
      note: 'x',
    });
  });

  it('leaves out what would look like something else, with a word', () => {
    const question = form({
      c: { type: 'string', description: 'Which?', enum: ['a\u200B', 'a\\u{200B}', 'b'] },
    });
    expect(shownForm(question)).toMatchObject({
      properties: {
        c: {
          description: 'Which? (One choice is omitted, to avoid choices that look the same.)',
          enum: ['a\\u{200B}', 'b'],
        },
      },
    });
    // The one that looks as it is.
    expect(realValues(question, { c: 'a\\u{200B}' })).toEqual({ c: 'a\\u{200B}' });
  });

  it('changes nothing about a plain form', () => {
    const question = form(
      {
        a: { type: 'integer', title: 'a', minimum: 1, default: 3 },
        b: { type: 'string', enum: ['x', 'y'], default: 'y' },
      },
      ['a'],
    );
    expect(shownForm(question)).toEqual({
      type: 'object',
      properties: {
        a: { type: 'integer', title: 'a', minimum: 1, default: 3 },
        b: { type: 'string', enum: ['x', 'y'], default: 'y' },
      },
      required: ['a'],
    });
    expect(realValues(question, { a: 2, b: 'x', other: true })).toEqual({ a: 2, b: 'x', other: true });
  });
});
