// Proposals over HTTP.
//
// Accepting names the digests of what the reviewer looked at, as the command line does: other bytes are refused.
import { TechneError } from '../../base/error.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import type { AuditEntry, CheckName, Proposal, ProposalReport } from '../../proposals/proposal.ts';
import { displayPath } from '../../techne/paths.ts';
import { auditProposal, policyOf } from '../../techne/proposals/auto-enable.ts';
import { checkNamesInOrder } from '../../techne/proposals/check-proposal.ts';
import { fileChanges } from '../../techne/proposals/file-changes.ts';
import { lineNotes } from '../../techne/proposals/line-notes.ts';
import { Proposals, unforgivable } from '../../techne/proposals/proposals.ts';
import { summariseQueue } from '../../techne/proposals/summarise.ts';
import type { Identity } from '../guard.ts';
import type { ApiService, Handlers } from '../service.ts';

type Names =
  | 'listProposals'
  | 'showProposal'
  | 'diffProposal'
  | 'checkProposal'
  | 'acceptProposal'
  | 'rejectProposal'
  | 'proposeChange'
  | 'proposalFiles'
  | 'editProposal'
  | 'rollBackProposal'
  | 'freezeProposals';

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
      const { proposals: found, faults } = await summariseQueue(queue, all);
      const freeze = await queue.freeze();
      const policy = policyOf(proposals);
      return {
        proposals: found.map(({ proposal, report, decided }) => ({
          ...shown(proposal),
          risk: report?.risk ?? null,
          failed: report === null ? null : report.checks.filter(({ outcome }) => outcome === 'failed').length,
          decided: decided === null ? null : entryOf(decided),
        })),
        faults: faults.map(({ message }) => message),
        frozen: freeze !== null,
        freeze,
        autoEnable: {
          ...policy,
          folders: policy.folders.map((one) => displayPath(one, { cwd: workspace, homeFolder })),
        },
      };
    },
    async showProposal({ params }) {
      const proposal = await queue.get(params.proposal);
      const { entries } = await proposals.history(proposal.id);
      const report = await queue.report(proposal.id);
      const audit = report === null ? null : await auditProposal(proposals, proposal, report);
      return {
        proposal: shown(proposal),
        report: report === null ? null : reportOf(report),
        history: entries.map(entryOf),
        standing: await proposals.standing(proposal),
        autoEnable:
          audit === null
            ? null
            : { enabled: audit.enabled, conditions: audit.conditions.map((one) => ({ ...one })) },
      };
    },
    async diffProposal({ params, query: { against = 'base' } }) {
      const proposal = await queue.get(params.proposal);
      const from =
        against === 'base'
          ? await queue.tree(proposal, 'base')
          : ((await queue.installed(proposal.folder))?.tree ?? null);
      const notes = lineNotes(await queue.report(proposal.id));
      return {
        proposal: shown(proposal),
        files: fileChanges(from, await queue.tree(proposal, 'candidate')).map(({ path, what, lines }) => ({
          path,
          what,
          lines: lines.map((one) => ({
            ...one,
            notes: one.line === null ? [] : (notes.get(`${path}:${one.line}`) ?? []),
          })),
        })),
        standing: await proposals.standing(proposal),
      };
    },
    async proposalFiles({ params }) {
      const proposal = await queue.get(params.proposal);
      const tree = await queue.tree(proposal, 'candidate');
      return {
        candidate: proposal.candidate,
        files: [...(tree ?? [])].map(([path, { bytes }]) => {
          const { text, valid } = decodeUtf8(bytes);
          return { path, bytes: bytes.length, text: valid ? text : null };
        }),
      };
    },
    async editProposal({ params, body: { candidate, files, reason = 'edited over HTTP' }, identity }) {
      const { id } = await queue.get(params.proposal);
      return shown(await proposals.edit(id, { shown: candidate, files, reason, by: nameOf(identity) }));
    },
    async checkProposal({ params }) {
      const { proposal, report } = await proposals.check((await queue.get(params.proposal)).id);
      return { proposal: shown(proposal), report: reportOf(report) };
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
      const { id } = await queue.get(params.proposal);
      if (body.reason.trim() === '')
        throw new TechneError('REQUEST_INVALID', 'a rejection needs a reason', {
          hint: 'whoever proposed it reads it',
        });
      return shown(await proposals.reject(id, body.reason.trim(), nameOf(identity)));
    },
    async proposeChange({ body: { kind, skill, files, why, editedFrom = null } }) {
      const request = kind === 'create' ? { kind, skill, files } : { kind, skill, files, patches: [] };
      const { proposal } = await proposals.propose(request, {
        why,
        editedFrom,
        origin: { by: 'person', surface: 'http', run: null, conversation: null, model: null },
      });
      return shown(proposal);
    },
    async rollBackProposal({ params, body, identity }) {
      const { reason = 'rolled back over HTTP' } = (body as typeof body | null) ?? {};
      const { id } = await queue.get(params.proposal);
      const done = await proposals.rollback(id, nameOf(identity), reason);
      await techne.refresh();
      return shown(done);
    },
    async freezeProposals({ body: { frozen, reason = 'over HTTP' }, identity }) {
      await queue.setFrozen(frozen, reason, nameOf(identity));
      const freeze = await queue.freeze();
      return { frozen: freeze !== null, freeze };
    },
  };
}

function reportOf(
  report: ProposalReport,
): NonNullable<OperationOutput<Operations['checkProposal']>['report']> {
  const { checks, risk, declaredRisk, capabilities, verdict, unknownSkills } = report;
  return {
    checks: checks.map((one) => ({ ...one, mayBeNamed: !unforgivable.has(one.name) })),
    risk,
    declaredRisk,
    capabilities,
    verdict,
    unknownSkills,
  };
}

function entryOf({ at, proposal, act, by, reason, details }: AuditEntry): EntryJson {
  return { at, proposal, act, by, reason, details };
}

type EntryJson = OperationOutput<Operations['showProposal']>['history'][number];

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
