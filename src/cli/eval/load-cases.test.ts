import { describe, expect, it } from 'vitest';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { CommandContext } from '../context.ts';
import { CaseFaults } from './case-faults.ts';
import { loadCaseFiles } from './load-cases.ts';

describe('loadCaseFiles', () => {
  it('takes more cases than a call takes arguments', async () => {
    const count = 200_000;
    const context = { io: { cwd: '/work', homeFolder: '/home' }, json: true } as unknown as CommandContext;
    const library = {
      files: {
        read: async () => ({
          bytes: new TextEncoder().encode('{"message":"hi","expected":"tides"}\n'.repeat(count)),
        }),
      },
    } as unknown as SkillLibrary;
    const faults = new CaseFaults(context);
    const cases = await loadCaseFiles(context, library, ['big.jsonl'], faults);
    expect([faults.any, cases.length, cases.at(-1)]).toEqual([
      false,
      count,
      { message: 'hi', expected: 'tides', kind: 'positive', place: `big.jsonl:${count}` },
    ]);
  });
});
