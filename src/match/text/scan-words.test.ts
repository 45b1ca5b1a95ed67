import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanWords, wordText } from './scan-words.ts';

/** Words as they are, compounds in [], pairs in (), pauses as "|". */
function read(text: string, most?: number): string {
  const found: string[] = [];
  scanWords(
    text,
    {
      word: (units, start, end) => found.push(wordText(units, start, end)),
      compound: (units, start, end) => found.push(`[${wordText(units, start, end)}]`),
      pair: (units, start, end) => found.push(`(${wordText(units, start, end)})`),
      pause: () => found.push('|'),
    },
    most,
  );
  return found.join(' ');
}

describe('scanWords', () => {
  it.each([
    ['Run it now.', 'Run it now |'],
    ['One. Two! three? 1.5 a.b', 'One | Two | three | 1 5 [1.5] a b [a.b]'],
    ['fine-tune the_model', 'fine tune [fine-tune] the model [the_model]'],
    ['gpunetio_ib_write_bw', 'gpunetio ib write bw'],
    ["don't NVIDIA's you’re", 'don NVIDIA you'],
    ["'quoted' o'clock", 'quoted o clock'],
    ['a- -b c--d', 'a b c d'],
    ['a | b\n\nc', 'a | b | c'],
    ['一键部署应用', '(一键) (键部) (部署) (署应) (应用)'],
    ['用 Docker 部署', '(用) Docker (部署)'],
    ['שלום עולם مرحبا', 'שלום עולם مرحبا'],
    ['café cafe\u0301', 'café cafe\u0301'],
    ['𝒜𝓃 😀 𠀀𠀁𠀂', '𝒜𝓃 (𠀀𠀁) (𠀁𠀂)'],
    ['\ud800 a \udc00', 'a'],
    ['\0\x01\u202e\u200b', ''],
    ['__proto__ constructor', 'proto constructor'],
    ['', ''],
  ])('reads %j', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it('skips what is too long to be a word, and reads on', () => {
    expect(read(`a ${'x'.repeat(65)} ${'y'.repeat(64)} b`)).toBe(`a ${'y'.repeat(64)} b`);
  });

  it('reads only so many code units', () => {
    expect(read('alpha beta', 7)).toBe('alpha b');
  });

  it('gives equal words equal hashes, wherever they stand', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-z]{1,20}$/), (noise, word) => {
        const hashes = new Map<string, number>();
        scanWords(`${word} ${noise} ${word}`, {
          word: (units, start, end, hash) => {
            const text = wordText(units, start, end);
            expect(hashes.get(text) ?? hash).toBe(hash);
            hashes.set(text, hash);
          },
          compound: () => undefined,
          pair: () => undefined,
          pause: () => undefined,
        });
        expect(hashes.has(word)).toBe(true);
      }),
    );
  });
});
