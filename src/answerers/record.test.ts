import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askRequest, fakeAskContext } from '../../test/support/fake-ask-context.ts';
import { createNodeFiles } from '../node/files/files.ts';
import type { Answerer } from '../ports/answerer.ts';
import { recordAnswers } from './record.ts';
import { createReplayAnswerer } from './replay.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'techne-record-'));
  path = join(folder, 'deep/answers.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inner: Answerer = {
  name: 'model:x',
  description: 'a test',
  fenced: true,
  answer: async ({ prompt }, { retry }) => {
    if (prompt === 'fail') throw new Error('no');
    return {
      answer: `${prompt} ${retry}`,
      exhausted: false,
      turns: 2,
      usage: { inputTokens: 1, outputTokens: 2, costMicros: 3 },
    };
  },
};

const record = () => recordAnswers(inner, { path, files: createNodeFiles() });
const replay = () => createReplayAnswerer(`replay:${path}`, path, readFileSync(path, 'utf8'));

describe('recordAnswers', () => {
  it('keeps answers that replay gives again, by their place in the run', async () => {
    const answerer = record();
    expect([answerer.name, answerer.fenced]).toEqual(['model:x', true]);
    // At once and in any order.
    await Promise.all([
      answerer.answer(askRequest({ prompt: 'b' }), fakeAskContext({ ordinal: 2 })),
      answerer.answer(askRequest({ prompt: 'a' }), fakeAskContext({ ordinal: 1 })),
    ]);
    await answerer.answer(askRequest({ prompt: 'a' }), fakeAskContext({ ordinal: 1, retry: 1 }));
    const again = replay();
    expect(again.description).toBe('3 recorded answers');
    expect(await again.answer(askRequest({ prompt: 'b' }), fakeAskContext({ ordinal: 2 }))).toEqual({
      answer: 'b 0',
      exhausted: false,
      turns: 2,
      usage: { inputTokens: 1, outputTokens: 2, costMicros: 3 },
    });
    expect(
      (await again.answer(askRequest({ prompt: 'a' }), fakeAskContext({ ordinal: 1, retry: 1 }))).answer,
    ).toBe('a 1');
    await expect(again.answer(askRequest(), fakeAskContext({ ordinal: 3 }))).rejects.toThrow(
      'nothing is recorded for ask 3; there are 3 recorded answers',
    );
  });

  it('continues the file of the same run, and starts anew for another', async () => {
    await record().answer(askRequest({ prompt: 'a' }), fakeAskContext({ ordinal: 1 }));
    await record().answer(askRequest({ prompt: 'b' }), fakeAskContext({ ordinal: 2 }));
    expect((await replay().answer(askRequest({ prompt: 'a' }), fakeAskContext({ ordinal: 1 }))).answer).toBe(
      'a 0',
    );
    await record().answer(askRequest({ prompt: 'c' }), fakeAskContext({ ordinal: 1, run: '02RUN' }));
    expect(replay().description).toBe('1 recorded answer');
  });

  it('keeps neither failures nor what a run inside asks', async () => {
    const answerer = record();
    await answerer.answer(askRequest({ prompt: 'outer' }), fakeAskContext({ ordinal: 1 }));
    await answerer.answer(askRequest({ prompt: 'inner' }), fakeAskContext({ ordinal: 1, run: '02RUN' }));
    await expect(
      answerer.answer(askRequest({ prompt: 'fail' }), fakeAskContext({ ordinal: 2 })),
    ).rejects.toThrow('no');
    expect(
      (await replay().answer(askRequest({ prompt: 'outer' }), fakeAskContext({ ordinal: 1 }))).answer,
    ).toBe('outer 0');
    expect(replay().description).toBe('1 recorded answer');
  });

  it('does not write over a file that is none of its own', async () => {
    path = join(folder, 'notes.txt');
    writeFileSync(path, 'my notes');
    await expect(record().answer(askRequest(), fakeAskContext())).rejects.toThrow(
      `${path} is not written over: line 1: not JSON`,
    );
    expect(readFileSync(path, 'utf8')).toBe('my notes');
  });
});

describe('createReplayAnswerer', () => {
  it('refuses another request, saying what differs', async () => {
    await record().answer(
      askRequest({ prompt: `Draft ${'x'.repeat(200)} one`, purpose: 'draft' }),
      fakeAskContext(),
    );
    await expect(
      replay().answer(askRequest({ prompt: `Draft ${'x'.repeat(200)} two`, tools: [] }), fakeAskContext()),
    ).rejects.toThrow(
      `ask 1 is not the one that was recorded: prompt was …"${'x'.repeat(19)} one" and is …"${'x'.repeat(19)} two"; purpose was "draft" and is "null"; tools was "null" and is "[]"`,
    );
  });

  it.each([
    ['', 'line 1: not JSON'],
    ['[]', 'line 1: not an object'],
    ['{"type":"other"}', 'line 1: this is not a file of recorded answers'],
    [
      '{"type":"techne.answers","version":1,"run":"r"}\n{"ordinal":1}',
      'line 2: this is not a recorded answer',
    ],
    ['{"type":"techne.answers","version":1,"run":"r"}\n\n{"ordinal":1', 'line 3: not JSON'],
  ])('refuses %j', (text, message) => {
    expect(() => createReplayAnswerer('replay:/f', '/f', text)).toThrow(`/f: ${message}`);
  });
});
