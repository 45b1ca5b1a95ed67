import { describe, expect, it } from 'vitest';
import { phraseShared, readSaid } from './said-phrase.ts';

const shared = (message: string, phrase: string, asks = false) =>
  phraseShared(readSaid(message, asks), phrase);

describe('phraseShared', () => {
  it('counts the words of a question that both ask, for any person in the phrase (said-phrase#F1)', () => {
    expect(shared('what to cook', 'what to cook')).toBe(2);
    expect(shared('tell me what I can cook with eggs', 'what to cook')).toBe(2);
    expect(shared('what did I work on this week', 'what they worked on')).toBe(3);
    expect(shared('what changed since v1.2', 'what changed since a tag')).toBe(3);
  });
  it('finds no question of others, nor the middle of one (said-phrase#F1, said-phrase#F2)', () => {
    expect(shared('what did he cook', 'what to cook')).toBe(0);
    expect(shared('the last days were hard', 'what somebody did in the last days')).toBe(0);
    expect(shared('what kind of music is this', 'what kind of report is this')).toBe(0);
    expect(shared('how do I get to Rome', 'how to get started')).toBe(0);
  });
  it('takes a row with two words that say something, of any other phrase (said-phrase#F2)', () => {
    expect(
      shared('can you look over my changes before I push', 'look over what i changed before i commit'),
    ).toBe(4);
    expect(shared('he failed the test', 'fix the failing tests')).toBe(0);
    expect(shared('in the fridge', 'see what is in the fridge')).toBe(0);
  });
  it('takes all words of a trigger in their order where the message asks (said-phrase#F3)', () => {
    const message = 'I need to write up what we discussed in the meeting';
    expect([
      shared(message, 'write up the meeting {title}', true),
      shared(message, 'write up the meeting {title}'),
    ]).toEqual([3, 0]);
    expect(shared(message, 'write up the minutes', true)).toBe(0);
  });
});
