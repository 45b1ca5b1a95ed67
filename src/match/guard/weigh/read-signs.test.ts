import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSigns } from './read-signs.ts';

function signsOf(frame: string, trigger: string): readonly string[] {
  const start = frame.indexOf('{t}');
  return [
    ...readSigns(
      frame.replace('{t}', () => trigger),
      { start, end: start + trigger.length },
    ),
  ];
}

describe('readSigns', () => {
  it('tells runs of words by where they stand, and by what they do', () => {
    const signs = signsOf('I changed my mind. No {t} today, forget it!', 'bread');
    expect(signs).toEqual(
      expect.arrayContaining([
        'P changed my mind',
        'L no',
        'R forget it',
        'A forget it',
        'l1 no',
        'R class end it',
        'P class self turn self',
        'ends !',
      ]),
    );
  });

  it('does not look at the words themselves', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('please {t} now', '{t}? no.\nok', '“{t}”'),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        (frame, trigger) => {
          expect(signsOf(frame, trigger)).toEqual(signsOf(frame, 'bread'));
        },
      ),
    );
  });

  it('looks no further than it may', () => {
    const near = `${'x '.repeat(450)}{t}${' y'.repeat(450)}`;
    expect(signsOf(`forget it. ${near} forget it.`, 'bread')).toEqual(signsOf(near, 'bread'));
  });

  it('reads wide and unseen characters as what they look like', () => {
    expect(signsOf('ｆｏｒ\u200bｇｅｔ it: {t}', 'bread')).toEqual(signsOf('forget it: {t}', 'bread'));
    expect(signsOf('donʼt \u0001 {t}', 'bread')).toEqual(signsOf("don't  {t}", 'bread'));
  });
});
