import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MatchDocument } from '../match.ts';
import { createLexicalIndex, type LexicalIndex } from './lexical-index.ts';

const document = (
  name: string,
  description: string,
  body = '',
  more: Partial<MatchDocument> = {},
): MatchDocument => ({
  name,
  description,
  triggers: [],
  sections: body === '' ? [] : [{ title: '', text: body }],
  priority: 0,
  ...more,
});

const names = (index: LexicalIndex, message: string): readonly string[] =>
  index.search(message).hits.map(({ name }) => name);

/** All that an index answers to some messages, as far as anyone can see. */
const answers = (index: LexicalIndex, messages: readonly string[]): unknown =>
  messages.map((message) => {
    const { hits, query } = index.search(message);
    return {
      hits,
      mass: query.mass,
      unknown: query.unknownMass,
      words: hits.map(({ name }) => index.sharedWords(query, name, 9)),
    };
  });

describe('createLexicalIndex', () => {
  const index = createLexicalIndex();
  index.set(
    document(
      'pdf-forms',
      'Fills in PDF forms. Do not use for scanning paper.',
      'Open the form. Fill every field.',
    ),
  );
  index.set(document('scan-paper', 'Scans paper to PDF files.', 'Feed the paper.'));
  index.set(
    document('calibrate-cameras', 'Calibrates cameras from videos.', '', {
      triggers: ['calibrate my {thing}'],
    }),
  );

  it('finds forms of a word', () => {
    expect(names(index, 'the camera needs calibration')).toEqual(['calibrate-cameras']);
  });
  it('ranks what a skill is for above what it is not for', () => {
    expect(names(index, 'scanning paper')).toEqual(['scan-paper', 'pdf-forms']);
  });
  it('finds nothing for function words and for words that no skill has', () => {
    expect(index.search('what is it that you would do?').hits).toEqual([]);
    expect(index.search('zebra').hits).toEqual([]);
    expect(index.search('zebra').query.unknownMass).toBeGreaterThan(0);
    expect(index.search('').hits).toEqual([]);
  });
  it('joins and splits what is written together or apart', () => {
    const joined = createLexicalIndex();
    joined.set(document('finetune', 'Finetuning of models with TensorRT.'));
    joined.set(document('other', 'Something else entirely.'));
    expect(names(joined, 'fine-tune it')).toEqual(['finetune']);
    expect(names(joined, 'tensor')).toEqual(['finetune']);
    expect(names(joined, 'tensorrt')).toEqual(['finetune']);
  });
  it('finds words of scripts without spaces, of any direction and with accents', () => {
    const many = createLexicalIndex();
    many.set(document('a', '自动部署应用到服务器'));
    many.set(document('b', 'פריסה אוטומטית של יישומים'));
    many.set(document('c', 'Déploie les systèmes'));
    expect(names(many, '请帮我部署')).toEqual(['a']);
    expect(names(many, 'פריסה')).toEqual(['b']);
    expect(names(many, 'deploie SYSTEMES')).toEqual(['c']);
  });
  it('orders equal scores by priority, then by name', () => {
    const equal = createLexicalIndex();
    for (const [name, priority] of [
      ['b', 0],
      ['c', 5],
      ['a', 0],
    ] as const)
      equal.set(document(name, 'tides', '', { priority }));
    expect(names(equal, 'tides')).toEqual(['c', 'a', 'b']);
  });
  it('knows words that are names of JavaScript', () => {
    const words = createLexicalIndex();
    words.set(document('__proto__', 'constructor toString'));
    words.set(document('plain', 'hasOwnProperty'));
    expect(names(words, 'constructor')).toEqual(['__proto__']);
    expect(names(words, 'proto')).toEqual(['__proto__']);
    expect(words.remove('__proto__')).toBe(true);
    expect(names(words, 'constructor')).toEqual([]);
    expect(words.has('constructor')).toBe(false);
  });
  it('says which words a skill shares, the most telling first', () => {
    const { query } = index.search('please scan this PDF paper');
    expect(index.sharedWords(query, 'scan-paper', 2)).toEqual([
      { word: 'paper', synonym: null, place: 'name', endsName: true },
      { word: 'scan', synonym: null, place: 'name', endsName: false },
    ]);
    expect(index.sharedWords(query, 'unknown', 2)).toEqual([]);
  });
  it('finds a skill by a synonym, behind one that has the word', () => {
    const films = createLexicalIndex();
    films.set(document('movie-night', 'Picks a movie for tonight.'));
    films.set(document('bread', 'Bakes bread.'));
    expect(names(films, 'a film, please')).toEqual(['movie-night']);
    const { query } = films.search('a film, please');
    expect(films.sharedWords(query, 'movie-night', 2)).toEqual([
      { word: 'film', synonym: 'movie', place: 'name', endsName: false },
    ]);
    films.set(document('film-night', 'Picks a film for tonight.'));
    expect(names(films, 'a film, please')).toEqual(['film-night', 'movie-night']);
  });
  it('takes the parts of a name in one word for words of it', () => {
    const tools = createLexicalIndex();
    tools.set(document('SearchHotel', 'Finds rooms.'));
    const [hit] = tools.search('search a hotel').hits;
    expect(hit?.features.name).toBe(1);
  });
  it('reads a body only so far', () => {
    const short = createLexicalIndex({ bodyCharacters: 10 });
    short.set(document('a', '', 'early 45678 late'));
    expect(names(short, 'early')).toEqual(['a']);
    expect(names(short, 'late')).toEqual([]);
  });
  it('answers about some documents as about all', () => {
    const { hits } = index.search('scan paper forms');
    const among = index.searchAmong(
      'scan paper forms',
      hits.map(({ name }) => name),
    );
    expect(among.hits.map(({ name }) => name)).toEqual(hits.map(({ name }) => name));
    for (const [at, { features }] of among.hits.entries())
      for (const [key, value] of Object.entries(features))
        expect(value).toBeCloseTo(hits[at]?.features[key as keyof typeof features] ?? Number.NaN, 4);
    expect(index.searchAmong('zebra', ['pdf-forms']).hits).toEqual([]);
  });
});

describe('an index that changes', () => {
  const word = fc.constantFrom(
    'deploy',
    'deploys',
    'PDF',
    'fine-tune',
    'cuPy',
    '部署应用',
    'the',
    'not for',
    'run',
    'x1',
    '__proto__',
    'constructor',
    'Use when',
    'camera.',
    '\n\n# ',
    'é',
    '😀',
  );
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
  const anyDocument = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'deploy-app', 'constructor', '__proto__'),
    description: text,
    triggers: fc.array(text, { maxLength: 2 }),
    sections: fc.array(fc.record({ title: text, text }), { maxLength: 3 }),
    priority: fc.integer({ min: -2, max: 2 }),
  });
  const change = fc.oneof(
    { weight: 3, arbitrary: anyDocument },
    { weight: 1, arbitrary: fc.constantFrom('a', 'b', 'c', 'deploy-app', 'constructor', '__proto__') },
  );

  it('answers as one built anew, whatever was set and removed before', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 25 }),
        fc.array(text, { minLength: 1, maxLength: 4 }),
        (changes, messages) => {
          const changed = createLexicalIndex();
          const left = new Map<string, MatchDocument>();
          for (const one of changes) {
            if (typeof one !== 'string') {
              changed.set(one);
              left.set(one.name, one);
            } else if (changed.remove(one) !== left.delete(one))
              throw new Error(`remove("${one}") does not say whether it was there`);
          }
          const anew = createLexicalIndex();
          for (const one of [...left.values()].reverse()) anew.set(one);
          expect(changed.size).toBe(anew.size);
          expect(answers(changed, messages)).toEqual(answers(anew, messages));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives the same answer twice', () => {
    fc.assert(
      fc.property(fc.array(anyDocument, { maxLength: 8 }), text, (documents, message) => {
        const index = createLexicalIndex();
        for (const one of documents) index.set(one);
        expect(answers(index, [message])).toEqual(answers(index, [message]));
      }),
      { numRuns: 100 },
    );
  });

  it('grows and shrinks through many sizes of lists', () => {
    const index = createLexicalIndex();
    for (let at = 0; at < 3000; at += 1) index.set(document(`s${at}`, `common word${at % 7} only${at}`));
    for (let at = 0; at < 3000; at += 2) index.remove(`s${at}`);
    for (let at = 0; at < 3000; at += 4) index.set(document(`s${at}`, `common again${at % 5} only${at}`));
    expect(index.size).toBe(2250);
    expect(names(index, 'only1284')).toEqual(['s1284']);
    expect(names(index, 'only1286')).toEqual([]);
    expect(index.search('common').hits.length).toBe(24);
  });
});

describe('an index of hostile text', () => {
  const hostile: readonly (readonly [string, string])[] = [
    ['a megabyte without a space', 'x'.repeat(1_000_000)],
    ['a megabyte of one character and space', 'a '.repeat(500_000)],
    ['a megabyte of Han', '部'.repeat(1_000_000)],
    ['very many different words', Array.from({ length: 150_000 }, (_, at) => at.toString(36)).join(' ')],
    ['joiners', 'a-'.repeat(300_000)],
    ['apostrophes', "a'".repeat(300_000)],
    ['combining marks', `a${'\u0301'.repeat(500_000)} b`],
    ['control characters', '\0\x1b[2J\u202e\ufeff'.repeat(100_000)],
    ['lone surrogates', '\ud800'.repeat(300_000)],
    ['headings', '# \n'.repeat(200_000)],
    ['fences', '```\n'.repeat(200_000)],
    ['sentences that say what it is not for', 'Do not use for this. '.repeat(40_000)],
    ['capitals', 'aB'.repeat(30) + ' '.concat('cD'.repeat(30)).repeat(10_000)],
  ];
  it.each(hostile)('takes %s in its stride', (_, text) => {
    const index = createLexicalIndex({ bodyCharacters: 10_000_000 });
    const started = performance.now();
    index.set(
      document('hostile', text.slice(0, 100_000), text, {
        triggers: [text.slice(0, 10_000)],
        sections: [{ title: text.slice(0, 10_000), text }],
      }),
    );
    index.set(document('plain', 'Finds the needle.'));
    expect(names(index, `needle ${text}`)[0]).toBeDefined();
    expect(names(index, 'needle')).toEqual(['plain']);
    expect(index.remove('hostile')).toBe(true);
    // About 0.3 s on a quiet machine; quadratic work would take minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('survives very many words that are alike', () => {
    const index = createLexicalIndex({ bodyCharacters: 10_000_000 });
    const words = Array.from({ length: 60_000 }, (_, at) => `w${(at * 2_654_435_761) % 4_294_967_296}`);
    index.set(document('a', '', words.join(' ')));
    expect(names(index, words[777] as string)).toEqual(['a']);
  });
});
