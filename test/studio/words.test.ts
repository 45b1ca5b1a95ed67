// What the studio makes of figures and hints, without a browser.
import { describe, expect, it } from 'vitest';
import { hintParts } from '../../studio/src/lib/hint.ts';
import { mostUsed } from '../../studio/src/pages/overview/used.ts';

describe('mostUsed', () => {
  const use = (skill: string, uses: number, failures: number) => ({ skill, uses, failures });

  it('gives those that failed first, then those that were used most, and leaves out what was not used', () => {
    const skills = [use('calm', 9, 0), use('unused', 0, 0), use('fails', 3, 1), use('rare', 1, 0)];
    expect(mostUsed(skills, 2).map(({ skill }) => skill)).toEqual(['fails', 'calm']);
    expect(mostUsed(skills, 9).map(({ skill }) => skill)).toEqual(['fails', 'calm', 'rare']);
  });

  it('does not add the runs to the uses, which they are among', () => {
    const ran = { skill: 'ran', uses: 3, runs: 3, failures: 0 };
    const loaded = { skill: 'loaded', uses: 4, runs: 0, failures: 0 };
    expect(mostUsed([ran, loaded], 9).map(({ skill }) => skill)).toEqual(['loaded', 'ran']);
  });
});

describe('hintParts', () => {
  it('gives the commands in a hint without their marks', () => {
    expect(hintParts('`techne runs list` shows the runs there are')).toEqual([
      { text: 'techne runs list', isCode: true },
      { text: ' shows the runs there are', isCode: false },
    ]);
    expect(hintParts('see "techne list"')).toEqual([
      { text: 'see ', isCode: false },
      { text: 'techne list', isCode: true },
    ]);
  });

  it('leaves other quotes alone', () => {
    expect(hintParts('did you mean "trip"?')).toEqual([{ text: 'did you mean "trip"?', isCode: false }]);
  });
});
