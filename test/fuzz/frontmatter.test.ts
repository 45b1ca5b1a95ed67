import { describe, expect, it } from 'vitest';
import { skipUnless } from '../support/skip-unless.ts';
import { compatRoot, readCompatTexts } from './compat-texts.ts';
import { fuzzFrontmatter, seedTexts } from './frontmatter-fuzz.ts';

const compatTexts = readCompatTexts(compatRoot);
const cpuMs = (): number => process.cpuUsage().user / 1000;

describe('fuzzFrontmatter', () => {
  it('keeps every promise on damaged seed texts, and leaves Object.prototype alone', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const result = fuzzFrontmatter({ seed: 20260101, runs: 3000, corpus: seedTexts, maxLength: 65_536, cpuMs, compareEvery: 1 });
    expect(result.failures.slice(0, 3)).toEqual([]);
    expect(result.answeredPlain).toBeGreaterThan(300);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.skipIf(skipUnless(compatTexts.length > 0, '../shared/compat is absent'))('keeps every promise on damaged real files', () => {
    const heads = compatTexts.map((text) => text.slice(0, 4096));
    const result = fuzzFrontmatter({ seed: 7, runs: 2000, corpus: heads, maxLength: 65_536, cpuMs, compareEvery: 2 });
    expect(result.failures.slice(0, 3)).toEqual([]);
  });
});
