import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { CaseSource } from './load-cases.ts';
import { loadCases } from './load-cases.ts';

describe('loadCases', () => {
  it('takes more cases than a call takes arguments', async () => {
    const count = 200_000;
    const faults: string[] = [];
    const source = {
      files: {
        read: async () => ({
          bytes: new TextEncoder().encode('{"message":"hi","expected":"tides"}\n'.repeat(count)),
        }),
      },
      parseFull: () => null,
      resolvePath: (file: string) => `/work/${file}`,
      showPath: (path: string) => path.replace('/work/', ''),
      faults: {
        any: false,
        add: ({ code }: { code: string }) => void faults.push(code),
        addMessage: () => undefined,
      },
    } as unknown as CaseSource;
    const cases = await loadCases(source, {} as Snapshot, {
      files: ['big.jsonl'],
      skills: [],
      framesFor: () => 0,
      seed: 1,
      onNoCases: () => undefined,
    });
    expect([faults, cases.length, cases.at(-1)]).toEqual([
      [],
      count,
      { message: 'hi', expected: 'tides', kind: 'positive', place: `big.jsonl:${count}` },
    ]);
  });
});
