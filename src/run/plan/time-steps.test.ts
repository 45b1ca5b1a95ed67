import { describe, expect, it } from 'vitest';
import type { StepView } from './view.ts';
import { timeSteps } from './time-steps.ts';

const step = (id: string): StepView => ({
  id,
  kind: 'chat',
  label: id,
  does: 'chat',
  status: 'ok',
  output: '',
  error: null,
  reason: null,
  substitutedBy: null,
  attempts: 1,
  dependsOn: [],
});
const effect = (
  key: string,
  startedAt: number,
  ms: number | null,
): Parameters<typeof timeSteps>[1][number] => ({
  key,
  startedAt,
  ms,
  state: ms === null ? 'under-way' : 'ok',
});

describe('timeSteps', () => {
  it('takes retries, pauses and items together, and what is not begun has no time', () => {
    const timed = timeSteps(
      [step('a'), step('b'), step('c/d'), step('e'), step('f')],
      [
        effect('$inputs', 0, 500),
        effect('a', 10, 5),
        effect('a#2~wait', 15, 100),
        effect('a#2', 115, 20),
        effect('b[0]', 20, 10),
        effect('b[1]', 25, 30),
        effect('b[1]#2', 60, 5),
        effect('c%2Fd', 30, 1),
        effect('e', 40, null),
      ],
    );
    expect(timed?.map(({ id, startedAt, ms, items }) => [id, startedAt, ms, items])).toEqual([
      ['a', 10, 125, null],
      ['b', 20, 45, 2],
      ['c/d', 30, 1, null],
      ['e', 40, null, null],
      ['f', null, null, null],
    ]);
    expect(timeSteps(null, [])).toBe(null);
  });
});
