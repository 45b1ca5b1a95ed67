import { describe, expect, it } from 'vitest';
import { fold } from './fold.ts';
import { readCompound, readWord } from './read-word.ts';
import { splitSections } from './split-sections.ts';

describe('readWord', () => {
  it.each([
    ['Deployments', 'deploy', []],
    ['cuPyNumeric', 'cupynumer', ['cu', 'py', 'numer']],
    ['DeepStream', 'deepstream', ['deep', 'stream']],
    ['TensorRT', 'tensorrt', ['tensor', 'rt']],
    ['yolo11', 'yolo11', ['yolo']],
    ['h264', 'h264', []],
    ['NVIDIA', 'nvidia', []],
    ['the', '', []],
    ['Should', '', []],
    ['Größe', 'große', []],
    ['constructor', 'constructor', []],
    ['hasOwnProperty', 'hasownproperti', ['properti']],
  ])('reads %s', (word, main, parts) => {
    expect(readWord(word)).toEqual({ main, parts });
  });
});

describe('readCompound', () => {
  it.each([
    ['fine-tuning', 'finetun'],
    ['AI-Q', 'aiq'],
    ['snake_case', 'snakecas'],
    ['plugins.toml', 'pluginstoml'],
  ])('joins %s', (compound, term) => {
    expect(readCompound(compound)).toBe(term);
  });
});

describe('fold', () => {
  it.each([
    ['Café', 'cafe'],
    ['CAFE\u0301', 'cafe'],
    ['ﬁne', 'fine'],
    ['Ｆｕｌｌ', 'full'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد'],
    ['हिन्दी', 'हिन्दी'],
    ['Ж', 'ж'],
    ['I', 'i'],
  ])('folds %s', (word, folded) => {
    expect(fold(word)).toBe(folded);
  });
});

describe('splitSections', () => {
  it('gives titles with their text, and leaves headings in code alone', () => {
    expect(
      splitSections('Intro.\n\n# One ##\ntext\n```sh\n# no title\n```\n## Two\n\n### \n#hashtag\n'),
    ).toEqual([
      { title: '', text: 'Intro.\n\n' },
      { title: 'One', text: 'text\n```sh\n# no title\n```\n' },
      { title: 'Two', text: '\n' },
      { title: '', text: '#hashtag\n' },
    ]);
  });
  it('gives none for an empty body', () => {
    expect(splitSections('')).toEqual([]);
    expect(splitSections(' \n\n')).toEqual([]);
  });
  it('takes a fence that is never closed to the end', () => {
    expect(splitSections('~~~\n# a\n')).toEqual([{ title: '', text: '~~~\n# a\n' }]);
  });

  it('reads nothing from a small number, and a name or a year as they are', () => {
    expect(['2', '24', '2024', 'h264'].map((word) => readWord(word).main)).toEqual(['', '', '2024', 'h264']);
  });
});
