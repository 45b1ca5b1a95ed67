// skill_propose, skill_proposals: how an agent asks for a change of a skill. It has no other way.
//
//   arguments -> a proposal in the queue, which a person has to accept
//
// Neither tool installs, accepts or rejects anything: the port that they are given cannot. Checking a proposal changes nothing
// but the report that is kept with it.
import type { Json, JsonObject } from '../base/json.ts';
import { printableLine } from '../base/printable.ts';
import type { Tool, ToolCaller, ToolResult } from '../ports/tool.ts';
import { objectSchema, ToolFault } from '../ports/tool.ts';
import type { ChangeRequest, Patch, WholeFile } from './change-tree.ts';
import { candidateLimits } from './change-tree.ts';
import type { Proposal, ProposalReport } from './proposal.ts';

/** All that an agent may do. */
export interface ProposalPort {
  propose(
    request: ChangeRequest,
    why: string,
    scope: 'user' | 'workspace' | null,
    caller: ToolCaller,
  ): Promise<{ readonly proposal: Proposal; readonly isNew: boolean }>;
  list(): Promise<readonly { readonly proposal: Proposal; readonly report: ProposalReport | null }[]>;
  check(id: string): Promise<{ readonly proposal: Proposal; readonly report: ProposalReport }>;
}

const text = (description: string, maxLength: number): JsonObject => ({
  type: 'string',
  maxLength,
  description,
});
const path = text('Path inside the skill folder, such as SKILL.md or references/rules.md.', 400);

export function createProposalTools(port: ProposalPort): readonly Tool[] {
  return [
    {
      name: 'skill_propose',
      title: 'Propose a change of a skill',
      description:
        'Proposes to create, edit, rename or delete a skill. Nothing changes: the proposal is checked, and a person reviews it. This is the only way to change a skill; skill files cannot be written directly. For an edit give exact patches (old must stand in the file once) or whole files. A new skill should bring SKILL.md, its declared risk, and tests or evals/evals.json.',
      parameters: objectSchema(
        {
          action: { enum: ['create', 'edit', 'delete', 'rename'] },
          name: text('The skill: lower-case letters, digits and hyphens.', 100),
          why: text('Why the change is wanted, for the person who reviews it.', candidateLimits.why),
          files: {
            type: 'array',
            maxItems: candidateLimits.files,
            description: 'create, edit: whole files; text null removes the file.',
            items: objectSchema({ path, text: { type: ['string', 'null'] } }, ['path', 'text']),
          },
          patches: {
            type: 'array',
            maxItems: 200,
            description: 'edit: exact replacements.',
            items: objectSchema(
              {
                path,
                old: text('Text that stands in the file exactly once.', 100_000),
                new: text('What replaces it.', 100_000),
              },
              ['path', 'old', 'new'],
            ),
          },
          new_name: text('rename: the new name.', 100),
          scope: {
            enum: ['user', 'workspace'],
            description: 'create: where the skill goes; default: the workspace, where there is one.',
          },
        },
        ['action', 'name', 'why'],
      ),
      readOnly: false,
      repeatable: true,
      async call(args, { caller = {} } = {}) {
        const { proposal, isNew } = await port.propose(
          requestOf(args),
          args['why'] as string,
          (args['scope'] as 'user' | 'workspace' | undefined) ?? null,
          caller,
        );
        return {
          ok: true,
          text: `${isNew ? 'Proposed' : `This very change is proposed already (${proposal.state})`}: ${proposal.kind} ${printableLine(proposal.skill)}, proposal ${proposal.id}. Nothing has changed yet. A person reviews it with: techne proposals show ${proposal.id}`,
          value: { ...factsOf(proposal), isNew },
          metadata: { ...factsOf(proposal), isNew },
        };
      },
    },
    {
      name: 'skill_proposals',
      title: 'List proposals',
      description:
        'Lists the proposed changes of skills, their state and which checks failed; with id, checks one anew and says how each check went. Only a person can accept or reject one.',
      parameters: objectSchema(
        {
          state: { enum: ['pending', 'accepted', 'rejected', 'stale', 'rolled-back'] },
          id: text('One proposal, by its id: it is checked now.', 100),
        },
        [],
      ),
      readOnly: true,
      async call(args) {
        const { id } = args;
        if (typeof id === 'string') return checkedResult(await port.check(id));
        const found = (await port.list()).filter(
          ({ proposal }) => args['state'] === undefined || proposal.state === args['state'],
        );
        return listed(found.slice(-50));
      },
    },
  ];
}

function checkedResult({
  proposal,
  report,
}: {
  readonly proposal: Proposal;
  readonly report: ProposalReport;
}): ToolResult {
  const checks = report.checks.map(({ name, outcome, reason }) => ({ name, outcome, reason }));
  const value = { ...factsOf(proposal), checks };
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  return {
    ok: true,
    text: [
      `${proposal.id} ${proposal.state}: ${proposal.kind} ${printableLine(proposal.skill)}; ${failed.length === 0 ? 'no check failed' : `${failed.length} failed`}`,
      ...checks.map(
        ({ name, outcome, reason }) =>
          `- ${name}: ${outcome}${reason === '' ? '' : ` (${printableLine(reason)})`}`,
      ),
    ].join('\n'),
    value,
    metadata: value,
  };
}

function listed(found: Awaited<ReturnType<ProposalPort['list']>>): ToolResult {
  const lines = found.map(({ proposal, report }) => {
    const failed = report?.checks.filter(({ outcome }) => outcome === 'failed') ?? [];
    const checks =
      report === null
        ? 'not checked yet'
        : failed.length === 0
          ? 'no check failed'
          : `failed: ${failed.map(({ name, reason }) => `${name} (${printableLine(reason)})`).join(', ')}`;
    return `${proposal.id} ${proposal.state}: ${proposal.kind} ${printableLine(proposal.skill)}; ${checks}`;
  });
  return {
    ok: true,
    text: lines.length === 0 ? 'There is no proposal.' : lines.join('\n'),
    metadata: { proposals: found.map(({ proposal }) => factsOf(proposal)) as Json },
  };
}

function requestOf(args: JsonObject): ChangeRequest {
  const skill = args['name'] as string;
  const files = (args['files'] ?? []) as unknown as readonly WholeFile[];
  const patches = (args['patches'] ?? []) as unknown as readonly Patch[];
  const newName = args['new_name'] as string | undefined;
  const action = args['action'] as ChangeRequest['kind'];
  const barred = (what: string): ToolFault =>
    new ToolFault(`${action} takes no ${what}`, { hint: 'Leave it out.' });
  if (patches.length > 0 && action !== 'edit') throw barred('patches');
  if (files.length > 0 && (action === 'delete' || action === 'rename')) throw barred('files');
  if (newName !== undefined && action !== 'rename') throw barred('new_name');
  if (args['scope'] !== undefined && action !== 'create') throw barred('scope');
  switch (action) {
    case 'create':
      return { kind: 'create', skill, files };
    case 'edit':
      if (files.length + patches.length === 0)
        throw new ToolFault('an edit needs patches or files', { hint: 'Give what should change.' });
      return { kind: 'edit', skill, patches, files };
    case 'delete':
      return { kind: 'delete', skill };
    case 'rename':
      if (newName === undefined) throw new ToolFault('rename needs new_name', { hint: 'Give the new name.' });
      return { kind: 'rename', skill, newName };
  }
}

function factsOf({ id, kind, skill, newName, state, madeAt }: Proposal): JsonObject {
  return { proposal: id, kind, skill, newName, state, madeAt };
}
