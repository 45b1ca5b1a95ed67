import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMatcher } from '../matcher.ts';
import { simplified, simplifiedUnit } from './simplified.ts';

const han = fc.string({
  unit: fc.integer({ min: 0x4e00, max: 0x9fff }).map((at) => String.fromCharCode(at)),
});

describe('simplified', () => {
  it.each([
    ['幫我查一下台北的天氣', '帮我查一下台北的天气'],
    ['潤色簡歷，謝謝', '润色简历，谢谢'],
    ['整理照片', '整理照片'],
    ['rotate the keys', 'rotate the keys'],
    ['', ''],
  ])('%j is %j', (text, plain) => {
    expect(simplified(text)).toBe(plain);
  });

  it('leaves Japanese alone', () => {
    expect(simplified('会議の議事録を書いて')).toBe('会議の議事録を書いて');
  });

  it('keeps every place, and changes nothing a second time', () => {
    fc.assert(
      fc.property(fc.oneof(han, fc.string({ unit: 'binary' })), (text) => {
        const plain = simplified(text);
        expect(plain.length).toBe(text.length);
        expect(simplified(plain)).toBe(plain);
      }),
    );
    const units = Array.from({ length: 0x10000 }, (_, unit) => simplifiedUnit(unit));
    expect(units.filter((unit) => simplifiedUnit(unit) !== unit)).toEqual([]);
  });
});

describe('matching', () => {
  const matcher = createMatcher();
  matcher.set({
    name: 'weather',
    description: '查询城市的天气预报',
    triggers: ['查{城市}的天气'],
    sections: [],
    priority: 0,
  });
  matcher.set({
    name: 'resume',
    description: '修改與潤色求職用的簡歷',
    triggers: ['潤色簡歷'],
    sections: [],
    priority: 0,
  });

  it('finds a trigger in either characters, with its variables as they were written', () => {
    expect(matcher.match('幫我查臺灣的天氣').matches[0]).toMatchObject({
      skill: 'weather',
      mode: 'trigger',
      variables: { 城市: '臺灣' },
    });
    expect(matcher.match('帮我润色简历').matches[0]).toMatchObject({ skill: 'resume', mode: 'trigger' });
    expect(matcher.match('先不要潤色簡歷').matches).toEqual([]);
  });

  it('finds words in either characters', () => {
    expect(matcher.match('明天城市的天氣預報是什麼樣').matches[0]?.skill).toBe('weather');
    expect(matcher.match('我的求职简历要修改').matches[0]?.skill).toBe('resume');
  });
});
