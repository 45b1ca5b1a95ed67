import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../run/events.ts';
import type { TextPiece } from './run-texts.ts';
import { RunTexts } from './run-texts.ts';

const says = (text: string, key = '1'): RunEvent => ({ type: 'effect.text', run: 'R', key, text });
const ends: RunEvent = {
  type: 'effect.ended',
  run: 'R',
  at: 0,
  key: '1',
  kind: 'ask',
  ok: true,
  ms: 1,
  code: null,
  usage: { inputTokens: 0, outputTokens: 0, costMicros: 0 },
};
const joined = (pieces: readonly TextPiece[]): string =>
  pieces.reduce((text, piece) => text.slice(0, piece.at) + piece.text, '');

describe('RunTexts', () => {
  it('gives a reader what was said so far, then what follows, once', () => {
    const texts = new RunTexts();
    texts.take(says('Once '));
    const pieces: TextPiece[] = [];
    const early: TextPiece[] = [];
    texts.follow('R', (some) => early.push(...some));
    texts.take(says('upon '));
    texts.follow('R', (some) => pieces.push(...some));
    texts.take(says('a time'));
    texts.take(ends);
    expect(joined(pieces)).toBe('Once upon a time');
    expect(joined(early)).toBe('Once upon a time');
    expect(pieces).toEqual([
      { run: 'R', key: '1', at: 0, text: 'Once upon ' },
      { run: 'R', key: '1', at: 10, text: 'a time' },
    ]);
    texts.close();
  });

  it('forgets what an ended call said, and tells nobody of other runs or after they have left', () => {
    const texts = new RunTexts();
    texts.take(says('said'));
    texts.take(ends);
    const pieces: TextPiece[] = [];
    const leave = texts.follow('R', (some) => pieces.push(...some));
    texts.follow('S', (some) => pieces.push(...some));
    leave();
    texts.take(says('more'));
    texts.take(ends);
    expect(pieces).toEqual([]);
    texts.close();
  });

  it('keeps only the last part of a long text, with its place', () => {
    const texts = new RunTexts();
    for (let n = 0; n < 20; n += 1) texts.take(says('x'.repeat(10_000)));
    const pieces: TextPiece[] = [];
    texts.follow('R', (some) => pieces.push(...some));
    expect(pieces[0]?.at).toBe(200_000 - 65_536);
    expect(pieces[0]?.text.length).toBe(65_536);
    texts.close();
  });
});
