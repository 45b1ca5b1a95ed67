// Random damage to frontmatter, from a seed.
//
//   seed, corpus -> inputs -> the worst CPU time and every broken promise
//
// Z1. The same seed gives the same inputs.
// Z2. Promises checked: nothing throws; the answer is a map within the limits; the plain parser,
//     where it answers, agrees with the library; what it calls broken, the library refuses.
// CPU time is measured by the caller's clock, so that the pure part has none.
import { isDeepStrictEqual } from 'node:util';
import type { DiagnosticCode } from '../../src/base/codes.ts';
import { readFrontmatter, splitFrontmatter } from '../../src/skill/frontmatter/read-frontmatter.ts';
import type { YamlNode } from '../../src/skill/yaml/node.ts';
import { yamlLimits } from '../../src/skill/yaml/node.ts';
import { parseFull } from '../../src/skill/yaml/bundled-parser.ts';
import { tryPlain } from '../../src/skill/yaml/plain/parse-plain.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly runs: number;
  readonly corpus: readonly string[];
  readonly maxLength: number;
  /** CPU milliseconds used so far. */
  readonly cpuMs: () => number;
  /** Every n-th input is also compared with the library. */
  readonly compareEvery: number;
}

export interface FuzzResult {
  readonly runs: number;
  readonly answeredPlain: number;
  readonly worstMs: number;
  readonly worstInput: string;
  readonly failures: readonly { readonly why: string; readonly input: string }[];
}

export const seedTexts: readonly string[] = [
  '---\nname: tides\ndescription: Reads tide tables. Use when someone asks for tides.\nlicense: MIT\n---\nBody\n',
  '---\nname: "a"\ndescription: >-\n  folded\n  text\n\n    deeper\n  end\nmetadata:\n  openclaw: {"emoji": "x", "requires": {"bins": ["a", "b"]}}\n  list:\n  - one\n  - two: 2\n    three: [1, 2.5, ~, true]\n---\n',
  "---\r\nname: 'it''s'\r\ndescription: |\r\n  literal\r\n   text\r\n\r\ntags: [a, 'b', \"c\\n\"]\r\n---\r\nx",
  '---\nsteps:\n  - id: a\n    run: "x: y"\n    with:\n      - 1\n      -\n        k: v\n  - id: b # comment\n    text: several\n      lines\n\n      of text\n---\n',
  '---\ndescription: Use when: asked\nargument-hint: [a] [b]\nx: *alias\ny: &anchor v\nz: !tag t\n__proto__: 1\n? complex\n: value\n---\n',
];

/** The library takes tens of milliseconds beyond this. */
const maxCompared = 6000;

const pieces = [
  '\n',
  '\r\n',
  '\r',
  '\t',
  ' ',
  '  ',
  ': ',
  ':',
  '- ',
  '-',
  '? ',
  '#',
  ' #',
  '"',
  "'",
  '\\',
  '\\ud800',
  '\\u0041',
  '\\\n',
  '[',
  ']',
  '{',
  '}',
  ',',
  '|',
  '>',
  '|-\n',
  '>+\n',
  '&a ',
  '*a',
  '!t ',
  '!!str ',
  '%',
  '@',
  '`',
  '---',
  '\n---\n',
  '...',
  '\n...\n',
  '~',
  'null',
  'true',
  '.nan',
  '0x1f',
  '1e999',
  '9007199254740993',
  '__proto__: ',
  'constructor: ',
  'a: b\n',
  '\0',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\n\ufeff',
  '\n--- x\n',
  '\n... x\n',
  '\n...',
  '\n--- {a: b}\n',
  '|+\n  a\n  ',
  '\u200b',
  '\u00a0',
  '\ud83d\ude00',
  '<<: ',
  '\n  ',
  '\n- ',
  '\n    - ',
  'key: |2\n',
  ' : ',
  '::',
  '""',
  "''",
  '[]',
  '{}',
  '\u001b',
] as const;

/** mulberry32: small, and good enough to choose mutations. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function mutate(
  text: string,
  random: (below: number) => number,
  corpus: readonly string[],
  maxLength: number,
): string {
  let result = text;
  const times = 1 + random(4);
  for (let time = 0; time < times; time += 1) {
    const at = random(result.length + 1);
    const to = Math.min(result.length, at + random(random(4) === 0 ? 400 : 12));
    const piece = pieces[random(pieces.length)] as string;
    switch (random(9)) {
      case 0:
        result = result.slice(0, at) + result.slice(to);
        break;
      case 1:
      case 2:
      case 3:
        result = result.slice(0, at) + piece + result.slice(at);
        break;
      case 4:
        result = result.slice(0, at) + piece + result.slice(to);
        break;
      case 5: {
        const other = corpus[random(corpus.length)] as string;
        const from = random(other.length + 1);
        result = result.slice(0, at) + other.slice(from, from + random(200)) + result.slice(at);
        break;
      }
      case 6: {
        const room = random(8) === 0 ? maxLength : 300;
        result =
          result.slice(0, at) + piece.repeat(1 + random(Math.ceil(room / piece.length))) + result.slice(at);
        break;
      }
      case 7:
        result = result.slice(0, at) + result.slice(at, to) + result.slice(at);
        break;
      default:
        result =
          result.slice(0, at) +
          String.fromCharCode(random(random(3) === 0 ? 0xd800 : 128)) +
          result.slice(Math.min(result.length, at + 1));
    }
  }
  return result.slice(0, maxLength);
}

export function fuzzFrontmatter(options: FuzzOptions): FuzzResult {
  const random = createRandom(options.seed);
  const failures: { why: string; input: string }[] = [];
  let answeredPlain = 0;
  let worstMs = 0;
  let worstInput = '';
  for (let run = 0; run < options.runs; run += 1) {
    const source = options.corpus[random(options.corpus.length)] as string;
    const input = mutate(source, random, options.corpus, options.maxLength);
    const before = options.cpuMs();
    const why = checkOne(input);
    const spent = options.cpuMs() - before;
    if (spent > worstMs) {
      worstMs = spent;
      worstInput = input;
    }
    if (why !== null) failures.push({ why, input });
    if (run % options.compareEvery === 0) {
      const outcome = compareOne(input);
      if (outcome === 'equal') answeredPlain += 1;
      else if (outcome !== null) failures.push({ why: outcome, input });
    }
  }
  return { runs: options.runs, answeredPlain, worstMs, worstInput, failures };
}

/** What is wrong with the answer to `input`, or `null`. */
export function checkOne(input: string): string | null {
  const codes: DiagnosticCode[] = [];
  try {
    const parts = splitFrontmatter(input, (code) => codes.push(code), { complete: true });
    if (parts === 'more') return 'asked for more of a complete file';
    if (parts === null) return codes.length === 1 ? null : `no parts and ${codes.length} reports`;
    if (parts.yamlStart > parts.yamlEnd || parts.yamlEnd > parts.bodyStart || parts.bodyStart > input.length)
      return `parts out of order: ${JSON.stringify(parts)}`;
    const spans: string[] = [];
    const map = readFrontmatter(input, parts, parseFull, (code, at) => {
      if (at === null || at.start < 0 || at.end < at.start || at.end > input.length) spans.push(code);
    });
    if (spans.length > 0) return `bad span in ${spans.join()}`;
    return faultOf(map, 1, { nodes: 0 }, input.length);
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

function compareOne(input: string): string | null {
  const parts = splitFrontmatter(input, () => undefined, { complete: true });
  if (parts === null || parts === 'more' || parts.yamlEnd - parts.yamlStart > maxCompared) return null;
  const plain = tryPlain(input, parts.yamlStart, parts.yamlEnd);
  if (plain === null) return null;
  const codes: DiagnosticCode[] = [];
  const full = parseFull(input, parts.yamlStart, parts.yamlEnd, (code) => codes.push(code));
  if (plain === 'broken') return full === null ? null : 'called broken what the library reads';
  if (codes.length > 0) return `answered where the library reports ${codes.join()}`;
  return isDeepStrictEqual(plain, full) ? 'equal' : 'the two parsers differ';
}

function faultOf(node: YamlNode, depth: number, count: { nodes: number }, length: number): string | null {
  count.nodes += 1;
  if (depth > yamlLimits.depth + 1) return `depth ${depth}`;
  if (count.nodes > yamlLimits.nodes) return `more than ${yamlLimits.nodes} nodes`;
  if (node.span.start > node.span.end || node.span.end > length) return `bad span of a ${node.kind}`;
  if (node.kind === 'scalar') return null;
  const children = node.kind === 'seq' ? node.items : node.entries.map((entry) => entry.value);
  for (const child of children) {
    const fault = faultOf(child, depth + 1, count, length);
    if (fault !== null) return fault;
  }
  if (node.kind === 'map') {
    const keys = new Set(node.entries.map((entry) => entry.key));
    if (keys.size !== node.entries.length) return 'a key twice';
    if (keys.has('__proto__') || keys.has('constructor') || keys.has('prototype')) return 'a forbidden key';
  }
  return null;
}
