// Proposals and installed skills over HTTP.
//
// Accepting names the digests of what the reviewer looked at, as the command line does: other bytes are refused.
import { TechneError } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import type { CheckName, Proposal } from '../../proposals/proposal.ts';
import { describeInstalled, listInstalled } from '../../techne/hub/list-installed.ts';
import { openHub } from '../../techne/hub/open-hub.ts';
import { displayPath } from '../../techne/paths.ts';
import { checkNamesInOrder } from '../../techne/proposals/check-proposal.ts';
import { fileChanges } from '../../techne/proposals/file-changes.ts';
import { Proposals } from '../../techne/proposals/proposals.ts';
import type { Identity } from '../guard.ts';
import type { ApiService, Handlers } from '../service.ts';

type Names =
  | 'listProposals'
  | 'showProposal'
  | 'diffProposal'
  | 'checkProposal'
  | 'acceptProposal'
  | 'rejectProposal'
  | 'listInstalled';

export function changeHandlers(service: ApiService): Handlers<Names> {
  const { techne, workspace, homeFolder } = service;
  const { library } = techne;
  const proposals = new Proposals({ library, homeFolder });
  const { queue } = proposals;
  const shown = (one: Proposal): OperationOutput<Operations['acceptProposal']> => ({
    ...one,
    origin: { ...one.origin },
    folder: displayPath(one.folder, { cwd: workspace, homeFolder }),
  });

  return {
    async listProposals({ query: { all = false } }) {
      const { proposals: found, faults } = await queue.list();
      return {
        proposals: found.filter(({ state }) => all || state === 'pending' || state === 'stale').map(shown),
        faults: faults.map(({ message }) => message),
        frozen: await queue.isFrozen(),
      };
    },
    async showProposal({ params }) {
      const proposal = await queue.get(params.proposal);
      const { entries } = await proposals.history(proposal.id);
      return {
        proposal: shown(proposal),
        report: (await queue.report(proposal.id)) as unknown as JsonObject | null,
        history: entries as unknown as readonly Json[],
      };
    },
    async diffProposal({ params }) {
      const proposal = await queue.get(params.proposal);
      const files = fileChanges(await queue.tree(proposal, 'base'), await queue.tree(proposal, 'candidate'));
      return {
        proposal: shown(proposal),
        files: files.map(({ path, what, lines }) => ({ path, what, lines: lines as readonly Json[] })),
      };
    },
    async checkProposal({ params }) {
      const { proposal, report } = await proposals.check((await queue.get(params.proposal)).id);
      return { proposal: shown(proposal), report: report as unknown as JsonObject };
    },
    async acceptProposal({ params, body, identity }) {
      const { base, candidate, despite = [], reason = 'accepted over HTTP' } = body;
      const { id } = await queue.get(params.proposal);
      const done = await proposals.accept(id, {
        shown: { base, candidate },
        despite: despite.map(checkName),
        reason,
        by: nameOf(identity),
      });
      await techne.refresh();
      return shown(done);
    },
    async rejectProposal({ params, body, identity }) {
      const { reason = 'rejected over HTTP' } = (body as typeof body | null) ?? {};
      const { id } = await queue.get(params.proposal);
      return shown(await proposals.reject(id, reason, nameOf(identity)));
    },
    async listInstalled() {
      const hub = await openHub({ library });
      return describeInstalled(await listInstalled(hub, null)) as unknown as OperationOutput<
        Operations['listInstalled']
      >;
    },
  };
}

function nameOf({ role, name }: Identity): string {
  return `${role} ${name}`;
}

function checkName(given: string): CheckName {
  const found = checkNamesInOrder.find((name) => name === given);
  if (found === undefined)
    throw new TechneError('REQUEST_INVALID', `there is no check "${given}"`, {
      hint: `the checks are ${checkNamesInOrder.join(', ')}`,
    });
  return found;
}
