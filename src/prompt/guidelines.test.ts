import { describe, expect, it } from 'vitest';
import { skillGuidelines } from './guidelines.ts';

describe('skillGuidelines', () => {
  it('says how to find, load and run skills (golden)', async () => {
    await expect(skillGuidelines({ runs: true, listed: false })).toMatchFileSnapshot(
      '../../test/golden/prompt/guidelines.txt',
    );
  });
  it('says nothing of running where nothing runs, nor of searching first where skills are listed', () => {
    expect(skillGuidelines({ runs: false, listed: true })).not.toMatch(
      /run_metaskill|at the start of a task/,
    );
  });
});
