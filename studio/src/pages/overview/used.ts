// The skills of the card "Health": those that failed most, then those that are used most.
import type { OperationOutput } from '../../../../src/api/operation.ts';
import type { Operations } from '../../../../src/api/operations.ts';

type Use = OperationOutput<Operations['skillUses']>['skills'][number];

/** The runs of a skill are among its uses: they are not added to them. */
export function mostUsed<T extends Pick<Use, 'uses' | 'failures'>>(
  skills: readonly T[],
  most: number,
): readonly T[] {
  return skills
    .filter(({ uses }) => uses > 0)
    .toSorted((a, b) => b.failures - a.failures || b.uses - a.uses)
    .slice(0, most);
}
