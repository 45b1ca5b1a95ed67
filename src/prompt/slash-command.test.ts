import { describe, expect, it } from 'vitest';
import type { SlashCommand } from './slash-command.ts';
import { parseSlash } from './slash-command.ts';

const names = ['deploy', 'tides'];
const parse = (text: string): SlashCommand =>
  parseSlash(
    text,
    (name) => (names.includes(name) ? { name, argumentNames: name === 'tides' ? ['place'] : [] } : null),
    () => names,
  );

describe('parseSlash', () => {
  it('finds the skill and its arguments', () => {
    expect(parse('/deploy')).toMatchObject({
      kind: 'skill',
      skill: 'deploy',
      arguments: { text: '', words: [] },
    });
    expect(parse('  /tides Brest\ntomorrow')).toMatchObject({
      kind: 'skill',
      skill: 'tides',
      arguments: {
        text: 'Brest\ntomorrow',
        words: ['Brest', 'tomorrow'],
        named: new Map([['place', 'Brest']]),
      },
    });
  });
  it('says what was meant', () => {
    expect(parse('/tide Brest')).toEqual({
      kind: 'unknown',
      name: 'tide',
      meant: 'tides',
      message: 'there is no command /tide; did you mean /tides?',
    });
    expect(parse('/whales')).toEqual({
      kind: 'unknown',
      name: 'whales',
      meant: null,
      message: 'there is no command /whales',
    });
  });
  it.each(['deploy', 'say /deploy', '/usr/bin/env', '/', '/ deploy', '//deploy'])(
    'takes %j for a message',
    (text) => {
      expect(parse(text)).toEqual({ kind: 'none' });
    },
  );
});
