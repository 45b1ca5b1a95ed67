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

  it('knows a word in all its forms by its class, and Chinese words of several characters', () => {
    expect(signsOf('{t} was discontinued', 'bread')).toContain('R class end');
    expect(signsOf('{t}先搁置，等我通知', '面包')).toEqual(
      expect.arrayContaining(['R class pause pause', 'A class pause']),
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

const pairs =
  /^(?:beside|opens (?:to|asking|around|ends)|classes|left (?:ends|next)|right next|previous opens) /;

describe('all signs', () => {
  it('of the edges of the sentence together', () => {
    expect(
      signsOf('Ok. If we {t} now, who pays? Nobody', 'bread').filter((sign) => pairs.test(sign)),
    ).toEqual([
      'beside we now',
      'opens to if we',
      'opens asking true if',
      'opens asking true if we',
      'classes asking true self',
      'beside class self now',
      'opens to class if self',
      'opens around class if self now',
      'opens ends class if ?',
      'left ends class self ?',
      'left next class self not',
      'right next class now not',
      'previous opens class yes if self',
    ]);
  });

  const only = (signs: readonly string[], start: RegExp): readonly string[] =>
    signs.filter((sign) => start.test(sign));

  it('of what stands around the words', () => {
    const signs = signsOf('One. a b c d e f g {t} h i j k: l m? Next one', 'bread');
    expect(
      only(signs, /^(?:l\d|r\d|near|far|opens|ends|asks|quoted|lines|line) /).filter(
        (sign) => !pairs.test(sign),
      ),
    ).toEqual([
      'l1 g',
      'r1 h',
      'l2 f g',
      'r2 h i',
      'l3 e f g',
      'r3 h i j',
      'l4 d e f g',
      'r4 h i j k',
      'l2 class f g',
      'r2 class h self',
      'l3 class e f g',
      'r3 class h self j',
      'near left g',
      'near left f',
      'near left e',
      'far left d',
      'far left c',
      'far left b',
      'near right h',
      'near right i',
      'near right j',
      'far right k',
      'far right :',
      'opens a',
      'opens a b',
      'opens a b c',
      'ends ?',
      'asks false',
      'lines 1',
      'quoted false',
    ]);
    // What follows the colon is a detail of the words.
    expect(only(signs, /^D /)).toEqual(['D l', 'D l m', 'D l m ?', 'D m', 'D m ?', 'D ?']);
    expect(only(signs, /^(?:P|ND|AD) [^c]/)).toEqual([
      'P one',
      'P one .',
      'P .',
      'ND next',
      'ND next one',
      'ND one',
      'AD h',
      'AD h i',
      'AD h i j',
      'AD i',
      'AD i j',
      'AD i j k',
      'AD j',
      'AD j k',
      'AD j k :',
      'AD k',
      'AD k :',
      'AD :',
      'AD next',
      'AD next one',
      'AD one',
    ]);
    expect(only(signs, /^F /)).toEqual([]);
  });

  it('of words that open their message, and of words alone', () => {
    const signs = signsOf('{t} a: b! c', 'bread');
    expect(only(signs, /^F [^c]/)).toEqual(['F a', 'F :']);
    expect(only(signs, /^(?:l1|l2|r1|r4|P|N) [^cA]/)).toEqual(['P ^', 'l1 ^ ', 'r1 a', 'l2 ^ ', 'r4 a : $']);
    expect(signsOf('{t}', 'bread').filter((sign) => !pairs.test(sign) && !/^o[A-Z] /.test(sign))).toEqual([
      'P ^',
      'N $',
      'l1 ^ ',
      'r1  $',
      'l2 ^ ',
      'r2  $',
      'l3 ^ ',
      'r3  $',
      'l4 ^ ',
      'r4  $',
      'l2 class ',
      'r2 class ',
      'l3 class ',
      'r3 class ',
      'opens \u0001',
      'ends \u0001',
      'asks false',
      'lines 1',
      'quoted false',
    ]);
  });

  it('of the outline of the sentence and of those beside it', () => {
    const outlines = only(signsOf('Ok. Anna watered {t} on Monday, 税', 'bread'), /^o[A-Z] /);
    expect(outlines).toEqual(
      expect.arrayContaining([
        'oL ^ ~ ~ed',
        'oR on [date , 字 $',
        'oX ~ ~ed _ on [date ,',
        'oO ~ ~ed \u0001 on',
        'oP [yes .',
        'oN $',
      ]),
    );
    // Who did what to what is the same outline.
    expect(only(signsOf('Ok. Bob planted {t} on Friday, 酒', 'bread'), /^o[A-Z] /)).toEqual(outlines);
    expect(only(signsOf('Ok. Bob plants {t} on Friday, 酒', 'bread'), /^o[A-Z] /)).not.toEqual(outlines);
  });

  it('of lines, their looks and labels', () => {
    const signs = signsOf(
      '[09:12] Maria: can you?\n\nJo: {t} soon\nMe: no\nYou: yes\nUs: ok\nAll: x\n',
      'bread',
    );
    expect(only(signs, /^(?:lines|line|looks|labels|labelled|blank|quoted)/)).toEqual([
      'lines 6',
      'looks X:',
      'looks above ',
      'looks below X:',
      'looks X: T',
      'looks below X: x',
      'line 2',
      'lines below 3',
      'labels 3',
      'labelled true',
      'blank 2',
      'quoted false',
    ]);
    expect(only(signsOf('x\n"{t}"', 'bread'), /^(?:lines|line|looks|labels|labelled|blank|quoted)/)).toEqual([
      'lines 2',
      'looks "T',
      'looks above x',
      'looks below $',
      'line 1',
      'lines below 0',
      'labels 0',
      'labelled false',
      'blank 0',
      'quoted true',
    ]);
  });

  it('of the rules, when they were asked', () => {
    const of = (rules?: string): readonly string[] =>
      only([...readSigns('bread', { start: 0, end: 5 }, rules)], /^rules/);
    expect([of(), of('none'), of('negation')]).toEqual([
      [],
      ['rules none', 'rules let'],
      ['rules negation', 'rules hold'],
    ]);
  });

  it('of no more than what is near', () => {
    const far = `far ${'x '.repeat(449)}`;
    expect(signsOf(`${far}{t}`, 'bread').some((sign) => sign.includes('far x'))).toBe(false);
    expect(signsOf(`far ${'x '.repeat(448)}{t}`, 'bread')).toContain('B far');
    expect(signsOf(`{t} ${'x '.repeat(449)}far`, 'bread')).not.toContain('A far');
    expect(signsOf(`{t} ${'x '.repeat(448)}far`, 'bread')).toContain('A far');
  });
});
