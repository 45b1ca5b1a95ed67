import { describe, expect, it } from 'vitest';
import { skipUnless } from '../support/skip-unless.ts';
import { compatRoot, readCompatTexts } from './compat-texts.ts';
import { fuzzFrontmatter, seedTexts } from './frontmatter-fuzz.ts';
import { fuzzSkills, readWhole } from './skill-fuzz.ts';

const compatTexts = readCompatTexts(compatRoot);
const cpuMs = (): number => process.cpuUsage().user / 1000;

describe('fuzzFrontmatter', () => {
  it('keeps every promise on damaged seed texts, and leaves Object.prototype alone', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const result = fuzzFrontmatter({
      seed: 20260101,
      runs: 3000,
      corpus: seedTexts,
      maxLength: 65_536,
      cpuMs,
      compareEvery: 1,
    });
    expect(result.failures.slice(0, 3)).toEqual([]);
    expect(result.answeredPlain).toBeGreaterThan(300);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.skipIf(skipUnless(compatTexts.length > 0, '../shared/compat is absent'))(
    'keeps every promise on damaged real files',
    () => {
      const heads = compatTexts.map((text) => text.slice(0, 4096));
      const result = fuzzFrontmatter({
        seed: 7,
        runs: 2000,
        corpus: heads,
        maxLength: 65_536,
        cpuMs,
        compareEvery: 2,
      });
      expect(result.failures.slice(0, 3)).toEqual([]);
    },
  );
});

describe('fuzzSkills', () => {
  it('keeps every promise on pumped texts, none of which takes quadratic time, and leaves Object.prototype alone', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const result = fuzzSkills({ seed: 20260102, runs: 600, maxLength: 65_536, cpuMs });
    expect(result.failures.slice(0, 3)).toEqual([]);
    // What is quadratic takes seconds; 50 ms is measured by scripts/fuzz-frontmatter.mjs, on a machine at rest.
    expect([result.worstStage, result.worstInput.slice(0, 300), result.worstMs < 1000]).toEqual([
      result.worstStage,
      result.worstInput.slice(0, 300),
      true,
    ]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });

  const fill = (piece: string, length = 65_536): string => piece.repeat(Math.floor(length / piece.length));
  const head = '---\nname: tides\ndescription: Tells tides. Use when asked.\n---\n';
  it.each([
    ['blanks behind a title of input keys', `${head}Input keys${fill(' ')}x`],
    ['blanks behind an input key', `${head}Input keys:\n- a${fill(' ')}x`],
    ['underscores around an input key', `${head}Input keys:\n- ${fill('_')}!`],
    ['many lines under an input key', `${head}Input keys:\n- a: b\n${fill('  c\n')}`],
    ['a separator after blanks', `${head}Input keys:\n- a: ${fill(' ')}x\u2028y`],
    ['blanks in a heading', `${head}## a${fill(' ')}x`],
    ['hashes in a heading', `${head}## a${fill(' #')}x`],
    ['colons in a heading', `${head}## ${fill(':')}x`],
    ['backticks', `${head}${fill('`')}x`],
    [
      'backticks in growing runs',
      `${head}${Array.from({ length: 350 }, (_, length) => '`'.repeat(length + 1)).join('a')}`,
    ],
    ['a fence with a line separator', `${head}${fill('`')}\u2028x`],
    ['slashes in a path', `${head}\`scripts/${fill('/')}a\``],
    ['open links', `${head}${fill('](')}`],
    ['hashes in the heading that stands for a description', `---\nname: tides\n---\n# a${fill(' #')}x`],
    ['many headings without a paragraph', `---\nname: tides\n---\n${fill('# #\n')}`],
    ['an output path', `---\nname: tides\noutput: ${fill('/')}!\n---\n`],
    ['lines that are no entries', `---\nallowed-tools: ${fill('>  more\n')}---\nBody`],
    ['lists that are never closed', `---\nname: tides\ntriggers: [${fill('- `a`: b\n')}---\nBody`],
    ['aliases', `---\na: &x b\n${fill('b: *y\n', 8000)}---\n${fill('x', 2_000_000)}`],
    [
      'references that are all missing',
      `${head}${Array.from({ length: 3000 }, (_, index) => `[a](b${index}.md)\n`).join('')}`,
    ],
    ['blanks before the colon of a broken entry', `---\nx: a: b\na${fill(' ')}x\n---\n`],
  ])('takes no longer than a text of its length should: %s', (_what, text) => {
    let slowest = Infinity;
    for (let attempt = 0; attempt < 4 && slowest > 50; attempt += 1) {
      let worst = 0;
      expect(
        readWhole(text, cpuMs, (_stage, ms) => {
          worst = Math.max(worst, ms);
        }),
      ).toBeNull();
      slowest = Math.min(slowest, worst);
    }
    expect(slowest).toBeLessThan(50);
  });
});
