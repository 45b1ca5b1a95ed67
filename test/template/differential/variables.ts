// Random variables for templates.
import { type Data, Float } from '../../../src/template/template.ts';
import { chance, pick, type Random } from './random.ts';

const words = [
  '',
  'a',
  'b',
  'abc',
  'Hello World',
  'x-y_z',
  'ÄÖü ß',
  '日本語 text',
  '😀 smile 😀',
  "it's",
  '"quoted"',
  '<b>&amp;</b>',
  'line one\nline two\n',
  '  padded  ',
  'tab\tbed',
  'k: v',
  '12',
  '-7',
  '3.5',
  '1e3',
  '0x1f',
  'True',
  'none',
  '%s and %d',
  '{} {0}',
  'a,b,,c',
  'ǆ ŉ ﬁ',
  'İı',
  'ΑΣ',
  '\u00a0nbsp\u2003',
  'report.md and /tmp/x.csv',
  'aaaa',
  'ABC',
  'a.b.c',
  '\u0000\u0007',
  '\\n',
];
const ints = [0, 1, -1, 2, 3, 5, 7, 10, 42, -13, 100, 255, 1000, 9_007_199_254_740_991];
const floats = [
  0,
  1,
  0.5,
  -0.5,
  1.5,
  2.5,
  3.14159,
  -2.75,
  100,
  1e16,
  1e-5,
  123456.789,
  1e300,
  0.1,
  2 / 3,
  -0,
];

export function randomWord(random: Random): string {
  return pick(random, words);
}

export function randomScalar(random: Random): Data {
  switch (random(8)) {
    case 0:
      return null;
    case 1:
      return chance(random, 1, 2);
    case 2:
    case 3:
      return pick(random, ints);
    case 4:
      return new Float(pick(random, floats));
    case 5:
      return chance(random, 1, 4) ? 123_456_789_012_345_678_901_234_567_890n : pick(random, ints);
    default:
      return randomWord(random);
  }
}

function times<T>(random: Random, most: number, make: () => T): T[] {
  return Array.from({ length: random(most + 1) }, make);
}

function row(random: Random): Data {
  return {
    id: random(5),
    name: randomWord(random),
    tag: pick(random, ['x', 'X', 'y', 'z']),
    price: chance(random, 1, 2) ? random(50) : new Float(random(100) / 4),
    tags: times(random, 3, () => randomWord(random)),
    sub: { k: random(4), v: randomWord(random) },
  };
}

function tree(random: Random, depth: number): Data {
  return {
    label: randomWord(random),
    children: depth === 0 ? [] : times(random, 2, () => tree(random, depth - 1)),
  };
}

/** The names that `randomVariables` always gives. */
export const variableNames = [
  'n',
  'm',
  'f',
  'g',
  's',
  't',
  'flag',
  'nil',
  'xs',
  'fs',
  'ws',
  'mixed',
  'rows',
  'd',
  'conf',
  'empty',
  'edict',
  'trees',
  'inputs',
  'outputs',
] as const;

export function randomVariables(random: Random): { readonly [name: string]: Data } {
  return {
    n: pick(random, ints),
    m: random(7),
    f: new Float(pick(random, floats)),
    g: new Float(random(40) / 8),
    s: randomWord(random),
    t: randomWord(random),
    flag: chance(random, 1, 2),
    nil: null,
    xs: times(random, 6, () => random(9) - 2),
    fs: times(random, 4, () => new Float(random(30) / 4)),
    ws: times(random, 6, () => randomWord(random)),
    mixed: times(random, 5, () => randomScalar(random)),
    rows: [row(random), ...times(random, 3, () => row(random))],
    d: {
      a: randomScalar(random),
      b: randomScalar(random),
      name: randomWord(random),
      ...Object.fromEntries(
        times(random, 3, () => [pick(random, ['a', 'c', 'é', 'two words', 'Z', 'B']), randomScalar(random)]),
      ),
    },
    conf: {
      on: chance(random, 1, 2),
      level: random(4),
      label: randomWord(random),
      deep: { er: { est: randomWord(random) } },
      list: [1, 2, 3],
    },
    empty: [],
    edict: {},
    trees: [tree(random, 2), ...times(random, 1, () => tree(random, 2))],
    inputs: {
      user_message: randomWord(random),
      collected: chance(random, 1, 2) ? {} : { form: { topic: randomWord(random), yes: true } },
    },
    outputs: {
      first: randomWord(random),
      second: `KEY: ${pick(random, ['yes', 'no'])}\nother: ${randomWord(random)}`,
    },
  };
}

/** For the oracle, which must tell 1.0 from 1. */
export function encode(data: Data): unknown {
  if (typeof data === 'bigint') return { $int: String(data) };
  if (data instanceof Float) return { $float: Object.is(data.value, -0) ? '-0.0' : String(data.value) };
  if (Array.isArray(data)) return data.map((each) => encode(each as Data));
  if (typeof data === 'object' && data !== null)
    return Object.fromEntries(Object.entries(data).map(([key, each]) => [key, encode(each as Data)]));
  return data;
}
