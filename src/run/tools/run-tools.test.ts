import { describe, expect, it } from 'vitest';
import { answerTool, cancelTool, readAnswerArguments, statusTool } from './run-tools.ts';

describe('run tools', () => {
  it('say to every caller what they do, in these words', async () => {
    await expect(`${JSON.stringify([answerTool, statusTool, cancelTool], null, 2)}\n`).toMatchFileSnapshot(
      '../../../test/golden/prompt/run-tools.json',
    );
  });
});

describe('readAnswerArguments', () => {
  it.each([
    [{ run: 'r' }, { run: 'r', answers: [] }],
    [
      { run: 'r', question: 'q', nonce: 'n', answer: null },
      { run: 'r', answers: [{ question: 'q', nonce: 'n', answer: null }] },
    ],
    [
      { run: 'r', answer: 'a' },
      { run: 'r', answers: [{ question: null, nonce: null, answer: 'a' }] },
    ],
    [
      { run: 'r', answers: [{ question: 'q', answer: { a: 1 } }] },
      { run: 'r', answers: [{ question: 'q', nonce: null, answer: { a: 1 } }] },
    ],
  ])('reads %j', (given, read) => {
    expect(readAnswerArguments(given)).toEqual(read);
  });
  it.each([
    [['r']],
    [{}],
    [{ run: '' }],
    [{ run: 'r', nonce: 'n' }],
    [{ run: 'r', question: 'q', nonce: 'n' }],
    [{ run: 'r', other: 1 }],
  ])('refuses %j', (given) => {
    expect(() => readAnswerArguments(given as never)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});
