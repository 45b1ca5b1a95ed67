// The queue as a list: each proposal with what its last report says and who decided.
import type { AuditEntry, Proposal, ProposalReport } from '../../proposals/proposal.ts';
import type { ProposalQueue, QueueFault } from './queue.ts';

export interface ListedProposal {
  readonly proposal: Proposal;
  /** `null`: it was not checked yet. */
  readonly report: ProposalReport | null;
  /** The decision that it is in now; `null` while it waits. */
  readonly decided: AuditEntry | null;
}

const decisions: ReadonlySet<AuditEntry['act']> = new Set([
  'accepted',
  'auto-enabled',
  'rejected',
  'rolled-back',
]);

/** The oldest first. */
export async function summariseQueue(
  queue: ProposalQueue,
  all: boolean,
): Promise<{ readonly proposals: readonly ListedProposal[]; readonly faults: readonly QueueFault[] }> {
  const { proposals, faults } = await queue.list();
  const { entries } = await queue.audit();
  const decided = new Map(
    entries.flatMap((entry) =>
      entry.proposal !== null && decisions.has(entry.act) ? [[entry.proposal, entry] as const] : [],
    ),
  );
  const wanted = proposals.filter(({ state }) => all || state === 'pending' || state === 'stale');
  return {
    proposals: await Promise.all(
      wanted.map(async (proposal) => ({
        proposal,
        report: await queue.report(proposal.id),
        decided:
          proposal.state === 'pending' || proposal.state === 'stale'
            ? null
            : (decided.get(proposal.id) ?? null),
      })),
    ),
    faults,
  };
}
