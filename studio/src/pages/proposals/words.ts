// Words for proposals, shared by the list and the page of one.
import type { OperationOutput } from '../../../../src/api/operation.ts';
import type { Operations } from '../../../../src/api/operations.ts';

export type Proposal = OperationOutput<Operations['acceptProposal']>;

export const states = ['pending', 'stale', 'accepted', 'rejected', 'rolled-back'] as const;
export const risks = [
  { id: 'low', label: 'Low risk' },
  { id: 'medium', label: 'Medium risk' },
  { id: 'high', label: 'High risk' },
  { id: 'unknown', label: 'Not checked yet' },
] as const;
export const kinds = [
  { id: 'create', label: 'New skills' },
  { id: 'edit', label: 'Edits' },
  { id: 'rename', label: 'Renamed skills' },
  { id: 'delete', label: 'Deletions' },
] as const;

const verbs: { readonly [kind: string]: string } = {
  create: 'Create',
  edit: 'Edit',
  rename: 'Rename',
  delete: 'Delete',
};

/** `Rename tides to high-tides`. */
export function sentenceOf({ kind, skill, newName }: Pick<Proposal, 'kind' | 'skill' | 'newName'>): string {
  return `${verbs[kind] ?? kind} ${skill}${newName === null ? '' : ` to ${newName}`}`;
}

/** What happened, for the history. */
export const acts: { readonly [act: string]: string } = {
  proposed: 'Proposed',
  refused: 'Refused',
  checked: 'Checked',
  accepted: 'Accepted',
  'auto-enabled': 'Took effect without a person',
  'auto-skipped': 'Not without a person',
  rejected: 'Rejected',
  'went-stale': 'Went stale',
  'rolled-back': 'Rolled back',
  frozen: 'Frozen',
  unfrozen: 'Unfrozen',
};
