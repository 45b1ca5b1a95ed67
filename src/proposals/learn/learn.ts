// What was done -> the workflows that are worth a skill.
//
//   DoneWork[] -> normalised calls -> repeated sequences -> workflows with inputs
//
// The same history gives the same workflows, in the same order. Looking around is no workflow: a sequence that only reads is left out.
import type { Sha256 } from '../../ports/environment.ts';
import type { DoneWork } from './done-work.ts';
import { findSequences } from './find-sequences.ts';
import type { Workflow } from './generalise.ts';
import { generalise, takeTogether } from './generalise.ts';
import { normaliseCall } from './normalise-call.ts';

export interface LearnOptions {
  /** How often something must have been done. */
  readonly least: number;
  /** How many workflows are wanted at most. */
  readonly most: number;
  readonly sha256: Sha256;
}

/** How many calls a workflow has at most. */
export const longestWorkflow = 8;

export function findWorkflows(
  works: readonly DoneWork[],
  { least, most, sha256 }: LearnOptions,
): readonly Workflow[] {
  const normal = works.map((work) => takeTogether(work, work.calls.map(normaliseCall)));
  const found = findSequences(
    normal.map(({ calls }) => calls.map(({ key }) => key)),
    { least, most, longest: longestWorkflow, isWorth },
  );
  return found.map((sequence) => generalise(sequence, normal, sha256));
}

function isWorth(keys: readonly string[]): boolean {
  return new Set(keys).size > 1 && !keys.every((key) => looking.test(key));
}

const looking =
  /^(?:read_file|list_files|search_files|graph_\w+|ls|cat|pwd|head|tail|wc|find|rg|grep|tree)\b/;
