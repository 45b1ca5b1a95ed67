// Judged prompts -> who came in place of whom.
import type { OperationOutput } from '../../../../src/api/operation.ts';
import type { Operations } from '../../../../src/api/operations.ts';

export type Judged = NonNullable<OperationOutput<Operations['evalTriggers']>['judged']>[number];

export interface Confusion {
  readonly cases: number;
  readonly right: number;
  /** Of those that expect a skill: it is among the first three. */
  readonly inThree: number;
  readonly expecting: number;
  /** Skills whose prompts went wrong most, first; '' stands for no skill. */
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly cells: ReadonlyMap<string, readonly Judged[]>;
  /** Rows that are not shown. */
  readonly more: number;
}

const mostRows = 24;
const mostColumns = 24;

export function confusionOf(judged: readonly Judged[]): Confusion {
  const cells = new Map<string, Judged[]>();
  const wrong = new Map<string, number>();
  const come = new Map<string, number>();
  for (const one of judged) {
    const [expected, found] = [one.expected ?? '', foundOf(one)];
    const cell = `${expected}>${found}`;
    const known = cells.get(cell);
    if (known === undefined) cells.set(cell, [one]);
    else known.push(one);
    const isWrong = one.outcome === 'right' ? 0 : 1;
    wrong.set(expected, (wrong.get(expected) ?? 0) + isWrong);
    come.set(found, (come.get(found) ?? 0) + isWrong);
  }
  const byCount = (counts: ReadonlyMap<string, number>): readonly string[] =>
    [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name);
  const rows = byCount(wrong);
  const shown = rows.slice(0, mostRows);
  const columns = [...new Set([...shown, ...byCount(come)])].filter((column) =>
    shown.some((row) => cells.has(`${row}>${column}`)),
  );
  const expecting = judged.filter(({ expected }) => expected !== null);
  return {
    cases: judged.length,
    right: judged.filter(({ outcome }) => outcome === 'right').length,
    inThree: expecting.filter(({ rank }) => rank !== null && rank <= 3).length,
    expecting: expecting.length,
    rows: shown,
    columns: columns.slice(0, mostColumns),
    cells,
    more: rows.length - shown.length,
  };
}

/** Of a prompt that expects nothing and is right, whatever came is no matter. */
function foundOf({ outcome, expected, found }: Judged): string {
  return outcome === 'right' ? (expected ?? '') : (found ?? '');
}
