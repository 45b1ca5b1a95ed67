// Holds docs/guide/metaskill-conformance.md and the tests of S0 in step.
//
// C1. Every row of the page has tests, and every test of S0 and of the vectors has a row: same numbers, same names.
// C2. The page has as many rows of each level as S0 has sentences with the word, section by section.
// C3. None of these tests is skipped.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultLimits, maximumLimits } from '../../src/run/budget/limits.ts';
import { hostFunctionNames } from '../../src/skill/host-functions.ts';
import { fakeRunHost } from '../support/fake-run-host.ts';
import { runOf } from '../support/metaskills.ts';

const page = readFileSync(new URL('../../docs/guide/metaskill-conformance.md', import.meta.url), 'utf8');
const here = new URL('.', import.meta.url);
const sources = readdirSync(here)
  .filter((name) => /^(?:s0|metaskill-vectors).*\.test\.ts$/.test(name) && name !== 's0-conformance.test.ts')
  .map((name) => ({ name, text: readFileSync(new URL(name, here), 'utf8') }));

/** How often S0 has each word, by section. */
const words: { readonly [section: string]: { readonly [level: string]: number } } = {
  3: { MUST: 9, 'MUST NOT': 2, SHOULD: 4, 'SHOULD NOT': 4, MAY: 1 },
  4: { MUST: 1, 'MUST NOT': 1, SHOULD: 1 },
  5: { SHOULD: 2, 'SHOULD NOT': 1 },
  6: { MUST: 2, SHOULD: 2, MAY: 1 },
  7: { MUST: 10, 'MUST NOT': 3, SHOULD: 4, MAY: 2 },
  8: { MUST: 1, SHOULD: 2, MAY: 1 },
  9: { MUST: 3, SHOULD: 2 },
  10: { SHOULD: 3 },
  12: { MUST: 4, 'MUST NOT': 1, SHOULD: 4, MAY: 2 },
  13: { SHOULD: 1, MAY: 1 },
};
/** Rows of its tables, and parameters of its schema. */
const tableRows: { readonly [section: string]: number } = { 3: 4, 7: 9, 8: 7, 9: 3, 10: 5 };

interface Row {
  readonly id: string;
  readonly cells: readonly string[];
}

const rows: readonly Row[] = page
  .split('\n')
  .filter((line) => /^\| (?:§\d+\.\d+|[VD]\d+) \|/.test(line))
  .map((line) => {
    const [id = '', ...cells] = line
      .slice(2, -2)
      .split(/ ?(?<!\\)\| ?/)
      .map((cell) => cell.replaceAll('\\|', '|'));
    return { id, cells };
  });
const ofS0 = rows.filter(({ id }) => id.startsWith('§'));
const ofVectors = rows.filter(({ id }) => !id.startsWith('§'));

/** Names of tests by number, as the page writes them: `…` for what a table of cases fills in. */
function namesIn(pattern: RegExp): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { text } of sources) {
    for (const [, , id, name] of text.matchAll(pattern)) {
      found.set(
        id as string,
        (found.get(id as string) ?? new Set()).add(
          (name as string).replaceAll("\\'", "'").replaceAll(/%[sjio]/g, '…'),
        ),
      );
    }
  }
  return found;
}

const sectionOf = (id: string): string => id.slice(1, id.indexOf('.'));

function count<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

describe('the conformance page', () => {
  it('has a row with the names of its tests for every sentence of S0, and a test for every row', () => {
    const named = namesIn(/(['"`])(§\d+\.\d+) ((?:\\.|(?!\1).)+)\1/g);
    expect(ofS0.map(({ id, cells }) => [id, new Set(cells[2]?.split('<br>'))])).toEqual(
      ofS0.map(({ id }) => [id, named.get(id)]),
    );
    expect([...named.keys()].filter((id) => !ofS0.some((row) => row.id === id))).toEqual([]);
  });

  it('numbers the rows of a section without a gap, and leaves no cell empty', () => {
    for (const section of Array.from({ length: 13 }, (_, index) => String(index + 1))) {
      const own = ofS0.filter(({ id }) => sectionOf(id) === section);
      expect(own.map(({ id }) => id)).toEqual(own.map((_, index) => `§${section}.${index + 1}`));
      expect([
        section,
        own.length > 0,
        own.every(({ cells }) => cells.every((cell) => cell.trim() !== '')),
      ]).toEqual([section, true, true]);
    }
  });

  it('has as many rows of each level as S0 has such words, and one for each row of its tables', () => {
    for (const [section, levels] of Object.entries(words)) {
      const counts = count(
        ofS0.filter(({ id }) => sectionOf(id) === section).map(({ cells }) => cells[0] as string),
      );
      const table = counts.get('table') ?? 0;
      counts.delete('table');
      counts.delete('text');
      expect([section, Object.fromEntries(counts), table]).toEqual([
        section,
        levels,
        tableRows[section] ?? 0,
      ]);
    }
  });

  it('has every vector and every difference, with the names of its tests', () => {
    const named = namesIn(/(['"`])([VD]\d+) ((?:\\.|(?!\1).)+)\1/g);
    const wanted = [
      ...Array.from({ length: 21 }, (_, index) => `V${index + 1}`),
      ...Array.from({ length: 22 }, (_, index) => `D${index + 1}`),
    ];
    expect(ofVectors.map(({ id }) => id)).toEqual(wanted);
    expect(ofVectors.map(({ id, cells }) => [id, new Set(cells[0]?.split('<br>'))])).toEqual(
      wanted.map((id) => [id, named.get(id)]),
    );
    expect(ofVectors.filter(({ id, cells }) => id.startsWith('D') && cells[1] === '')).toEqual([]);
  });

  it('says of every test case whether techne has it, and those that it has are tests', () => {
    const said = new Map<number, boolean>();
    for (const [, cases = '', about = ''] of page.matchAll(
      /^\| ((?:T\d+(?:-T\d+)?(?:, )?)+) \| [^|]+ \| ([^|]+) \|$/gm,
    )) {
      for (const [, first, last = first] of cases.matchAll(/T(\d+)(?:-T(\d+))?/g)) {
        for (let at = Number(first); at <= Number(last); at += 1) {
          expect([at, said.has(at)]).toEqual([at, false]);
          said.set(at, about.startsWith('kept'));
        }
      }
    }
    const tested = new Set(
      sources.flatMap(({ text }) => [...text.matchAll(/['"`]T(\d+)\b/g)].map(([, at]) => Number(at))),
    );
    expect([...said.keys()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 176 }, (_, index) => index + 1),
    );
    expect([...said].filter(([at, kept]) => kept !== tested.has(at))).toEqual([]);
  });

  it('skips none of these tests', () => {
    for (const { name, text } of sources)
      expect([name, /\.(?:skip|only|todo|fails|skipIf|runIf)\b/.exec(text)?.[0]]).toEqual([name, undefined]);
  });

  it('has the limits as they are', () => {
    const table = [...page.matchAll(/^\| `(\w+)` \| ([\d,]+) \| ([\d,]+) \| \S.* \|$/gm)].map(
      ([, name, normal, most]) => [
        name,
        Number(normal?.replaceAll(',', '')),
        Number(most?.replaceAll(',', '')),
      ],
    );
    expect(table).toEqual(
      Object.entries(defaultLimits).map(([name, value]) => [
        name,
        value,
        maximumLimits[name as keyof typeof maximumLimits],
      ]),
    );
  });

  it('has the extensions as they are', async () => {
    const optionsOf = async (call: string): Promise<readonly string[]> => {
      const { error } = await fakeRunHost().run(runOf(call));
      return /its options are (.*) \(SKILL/.exec(error?.message ?? '')?.[1]?.split(', ') ?? [];
    };
    const listed = (name: string): readonly string[] =>
      [
        ...(new RegExp(`^\\| options of \`${name}\` \\| (.*) \\|$`, 'm').exec(page)?.[1] ?? '').matchAll(
          /`(\w+)`/g,
        ),
      ].map(([, option]) => option as string);
    const portable = ['purpose', 'max_turns', 'timeout'];
    for (const [name, call] of [
      ['ask', 'ask("a", {"qqqqqqqq": 1})'],
      ['command', 'command(["a"], {"qqqqqqqq": 1})'],
    ] as const) {
      const own = (await optionsOf(call)).filter((option) => !portable.includes(option));
      expect([name, listed(name).filter((option) => option !== 'value')]).toEqual([name, own]);
    }
    expect(
      hostFunctionNames
        .filter((name) => !['ask', 'command', 'trace'].includes(name))
        .map((name) => page.includes(`| \`${name}(`)),
    ).toEqual([true]);
  });
});
