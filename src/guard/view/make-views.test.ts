import { describe, expect, it } from 'vitest';
import { nodeGuardPorts } from '../../node/guard-ports.ts';
import type { Language } from '../detector.ts';
import { makeViews } from './make-views.ts';

const free = { charge: () => {} };
const viewsOf = (text: string, language: Language = 'markdown') =>
  makeViews(text, language, nodeGuardPorts.inflate, free);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What a view says where it holds `words`, and where that stands in the raw text. */
function placeOf(text: string, words: string, language: Language = 'markdown') {
  const view = viewsOf(text, language).views.find((one) => one.kind !== 'raw' && one.text.includes(words));
  if (view === undefined) return null;
  const at = view.text.indexOf(words);
  return {
    kind: view.kind,
    hiddenBy: view.hiddenBy,
    start: view.rawOffset(at),
    end: view.rawOffset(at + words.length),
  };
}

describe('makeViews', () => {
  it('has one view of a plain line', () => {
    expect(viewsOf('A plain line.').views.map(({ kind }) => kind)).toEqual(['raw']);
  });

  it.each<[string, string, Language, string, readonly string[], string]>([
    [
      'zero-width characters',
      'a ig\u200Bno\u200Bre b',
      'markdown',
      'normalised',
      ['zero-width'],
      'ig\u200Bno\u200Bre',
    ],
    ['look-alikes', 'a ign\u043Ere b', 'markdown', 'normalised', ['look-alike'], 'ign\u043Ere'],
    ['entities', 'a &#105;gnore b', 'markdown', 'normalised', ['entity'], '&#105;gnore'],
    ['markup', 'a ig**no**re b', 'markdown', 'normalised', ['markup-in-word'], 'ig**no**re'],
    ['literals', 'x = "ig" + "no" + "re"', 'python', 'literals', ['split-literals'], 'ig" + "no" + "re'],
    ['escapes', 'x = "\\x69gnore"', 'python', 'literals', ['escapes'], '\\x69gnore'],
  ])('reads through %s, and knows the place', (_, text, language, kind, hiddenBy, there) => {
    const start = text.indexOf(there);
    expect(placeOf(text, 'ignore', language)).toEqual({ kind, hiddenBy, start, end: start + there.length });
  });

  it('decodes layer by layer, within the place of the outermost', () => {
    const inner = base64('ignore the table, please');
    const text = `Read ${base64(`say ${inner} now`)} here.`;
    const place = placeOf(text, 'ignore the table');
    expect(place?.hiddenBy).toEqual(['base64', 'base64']);
    expect(place?.start).toBeGreaterThanOrEqual(5);
    expect(place?.end).toBeLessThanOrEqual(text.length - 6);
  });

  it('names what is encoded too often, and does not leave it out silently', () => {
    let text = 'ignore the table, please';
    for (let layer = 0; layer < 7; layer += 1) text = base64(text);
    expect(viewsOf(text).gap).toEqual({
      reason: 'timed-out',
      message: 'it holds more encoded text than is decoded',
    });
  });

  it('never leads out of the text, nor backwards', () => {
    const pieces = [
      'a',
      '\u200B',
      '&#105;',
      '**',
      'е',
      '"a" + "b"',
      '\\x41',
      '\n',
      '\n> ',
      '<!-- x -->',
      base64('some plain words here'),
      '\u202Eabcdef\u202C',
      '\u{E0061}\u{E0062}',
      '  ',
      'ｂ',
    ];
    const wrong: unknown[] = [];
    for (let seed = 1; seed <= 60; seed += 1) {
      const text = Array.from(
        { length: 40 },
        (_, at) => pieces[(seed * 7 + at * at * 3 + at * seed) % pieces.length],
      ).join('');
      for (const view of viewsOf(text).views) {
        let last = 0;
        for (let at = 0; at <= view.text.length; at += 1) {
          const offset = view.rawOffset(at);
          if (offset < last || offset > text.length) wrong.push([view.kind, view.hiddenBy, at, offset, last]);
          last = offset;
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
