// What was done -> the routines that are worth a skill.
//
//   DoneWork[] -> normalised calls -> repeated sequences -> routines with inputs
//
// The same history gives the same routines, in the same order. Looking around is no routine: a sequence that only reads is left out.
import type { Sha256 } from '../../ports/environment.ts';
import type { DoneWork } from './done-work.ts';
import { findSequences } from './find-sequences.ts';
import type { Routine } from './generalise.ts';
import { generalise, takeTogether } from './generalise.ts';
import { normaliseCall } from './normalise-call.ts';

export interface LearnOptions {
  /** How often something must have been done. */
  readonly least: number;
  /** How many routines are wanted at most. */
  readonly most: number;
  readonly sha256: Sha256;
}

/** How many calls a routine has at most. */
const longestRoutine = 8;

export function findRoutines(
  works: readonly DoneWork[],
  { least, most, sha256 }: LearnOptions,
): readonly Routine[] {
  const normal = works.map((work) => takeTogether(work, work.calls.map(normaliseCall)));
  const found = findSequences(
    normal.map(({ calls }) => calls.map(({ key }) => key)),
    { least, most, longest: longestRoutine, isWorth },
  );
  return found.map((sequence) => generalise(sequence, normal, sha256));
}

function isWorth(keys: readonly string[]): boolean {
  return new Set(keys).size > 1 && !keys.every((key) => looking.test(key));
}

const looking =
  /^(?:read_file|list_files|search_files|graph_\w+|ls|cat|pwd|head|tail|wc|find|rg|grep|tree)\b/;
