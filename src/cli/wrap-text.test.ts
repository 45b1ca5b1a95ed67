import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../base/cut-text.ts';
import { wrapLine, wrapWords } from './wrap-text.ts';

describe('wrapLine', () => {
  it('breaks at spaces, and indents what follows', () => {
    expect(wrapLine('techne: the run needs more room than there is', 24)).toBe(
      'techne: the run needs\n  more room than there\n  is',
    );
  });
  it('keeps the indent of a hint', () => {
    expect(wrapLine('  hint: make room, then resume the run', 24)).toBe(
      '  hint: make room,\n    then resume the run',
    );
  });
  it('gives a command a line of its own, whole', () => {
    expect(
      wrapLine('techne: stopped. The run can be resumed: techne runs resume 01ABCDEFGHIJKLMNOP', 30),
    ).toBe('techne: stopped. The run can\n  be resumed:\n  techne runs resume 01ABCDEFGHIJKLMNOP');
  });
  it('changes nothing that fits, nor several lines', () => {
    const lines = 'techne: one line of some length\n  and another';
    expect([wrapLine('techne: short', 80), wrapLine(lines, 20)]).toEqual(['techne: short', lines]);
  });
});

describe('wrapWords', () => {
  it('loses no word, and makes no line too wide that could be shorter', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z漢]{1,12}$/), { minLength: 1 }),
        fc.integer({ min: 4, max: 40 }),
        (words, columns) => {
          const lines = wrapWords(words.join(' '), columns);
          expect(lines.join(' ')).toBe(words.join(' '));
          const tooWide = lines.filter((line) => line.includes(' ') && displayWidth(line) > columns);
          expect(tooWide).toEqual([]);
        },
      ),
      { seed: 27 },
    );
  });
});
