import { describe, expect, it } from 'vitest';
import type { AskContext, AskRequest } from '../ports/answerer.ts';
import { parseScript } from './script-file.ts';
import { createScriptAnswerer } from './world.ts';

const request: AskRequest = {
  kind: 'ask',
  prompt: 'Write the heading.',
  purpose: 'draft',
  maxTurns: 5,
  choices: null,
  schema: null,
  model: null,
  tools: null,
};

function answererOf(text: string) {
  const parsed = parseScript(text, 'a.yaml');
  if (!parsed.ok) throw new Error(parsed.diagnostics.map(({ message }) => message).join('\n'));
  return createScriptAnswerer('script:/a.yaml', parsed.script.answers);
}

function at(ordinal: number, retry = 0): AskContext {
  return { ordinal, retry } as AskContext;
}

describe('createScriptAnswerer', () => {
  it('gives the n-th ask the n-th answer, in whatever order they are asked', async () => {
    const answerer = answererOf(
      'answers: [first, {answer: second, turns: 3, exhausted: true, tokens: {input: 1, output: 2}}]',
    );
    expect(await answerer.answer(request, at(2))).toEqual({
      answer: 'second',
      exhausted: true,
      turns: 3,
      usage: { inputTokens: 1, outputTokens: 2, costMicros: 0 },
    });
    expect(answerer.unused().map(({ gives }) => gives)).toEqual([{ kind: 'answer', text: 'first' }]);
    expect((await answerer.answer(request, at(1))).answer).toBe('first');
    expect(answerer.unused()).toEqual([]);
    expect(answerer.description).toBe('2 scripted answers');
  });

  it('says how many answers there were', async () => {
    await expect(answererOf('answers: [one]').answer(request, at(2))).rejects.toThrow(
      'the script has 1 answer, but this is ask 2 (purpose "draft", prompt "Write the heading.")',
    );
    await expect(answererOf('answers: []').answer({ ...request, purpose: null }, at(1))).rejects.toThrow(
      'the script has 0 answers, but this is ask 1 (prompt "Write the heading.")',
    );
  });

  it('does not give an answer that is meant for another ask', async () => {
    const answerer = answererOf(
      'answers: [{purpose: review, answer: a}, {contains: [heading, footer], answer: b}]',
    );
    await expect(answerer.answer(request, at(1))).rejects.toThrow(
      'answer 1 of the script is for another ask: expected the purpose "review", got "draft"',
    );
    await expect(answerer.answer({ ...request, purpose: null }, at(1))).rejects.toThrow(
      'expected the purpose "review", got none',
    );
    await expect(answerer.answer(request, at(2))).rejects.toThrow(
      'expected a prompt with "footer", got "Write the heading."',
    );
    expect(answerer.unused()).toHaveLength(2);
  });

  it('fails with the error of the script', async () => {
    await expect(answererOf('answers: [{error: out of paper}]').answer(request, at(1))).rejects.toThrow(
      'out of paper',
    );
  });

  it('gives the retries of an answer in turn, and the last one again', async () => {
    const answerer = answererOf('answers: [{contains: heading, answer: bad, retries: [worse, good]}, same]');
    const said = [at(1), at(1, 1), at(1, 2), at(1, 3), at(2, 2)].map(
      async (context) =>
        (
          await answerer.answer(
            { ...request, prompt: context.retry === 0 ? request.prompt : 'again' },
            context,
          )
        ).answer,
    );
    expect(await Promise.all(said)).toEqual(['bad', 'worse', 'good', 'good', 'same']);
  });

  it('finds answers by what they match', async () => {
    const answerer = answererOf(
      'answers: [{match: true, purpose: review, answer: a}, {match: true, contains: heading, answer: b}]',
    );
    expect((await answerer.answer(request, at(7))).answer).toBe('b');
    expect((await answerer.answer(request, at(8))).answer).toBe('b');
    expect((await answerer.answer({ ...request, purpose: 'review' }, at(1))).answer).toBe('a');
    await expect(answerer.answer({ ...request, prompt: 'x' }, at(9))).rejects.toThrow(
      'none of the 2 answers in the script matches this ask (purpose "draft", prompt "x")',
    );
  });

  it('gives answers for the same asks one after the other, per run, and a retry the same one', async () => {
    const answerer = answererOf(
      'answers: [{purpose: draft, answer: a, retries: [a2], match: true}, {purpose: draft, answer: b, match: true}, {purpose: other, answer: c, match: true}]',
    );
    const ask = async (run: string, key: string, retry = 0, outermost = run): Promise<string> =>
      (await answerer.answer(request, { ...at(1, retry), run, outermost, key })).answer;
    expect([await ask('r', '1'), await ask('r', '1', 1), await ask('inner', '1', 0, 'r')]).toEqual([
      'a',
      'a2',
      'b',
    ]);
    expect([await ask('r', '3'), await ask('s', '1')]).toEqual(['b', 'a']);
    answerer.take('t', { purpose: 'draft', prompt: 'x' });
    expect(await ask('t', '2')).toBe('b');
  });
});
