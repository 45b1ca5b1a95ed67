// Changes of skills: proposals that wait for a person.
import { closed, list, object } from '../object-schema.ts';
import type { Operation } from '../operation.ts';
import { count, nullableText, proposal, proposalId, skillName } from '../schemas.ts';

const tag = 'proposals';
const params = { proposal: proposalId } as const;
const path = '/v1/proposals/{proposal}';
const reason = { type: 'string', maxLength: 1_000 } as const;
const texts = list({ type: 'string' });
const mustReason = { ...reason, minLength: 1 } as const;
const report = {
  type: ['object', 'null'],
  description: 'Of the last check; null before it was checked',
  properties: {
    checks: list(
      object({
        name: { type: 'string' },
        outcome: { enum: ['passed', 'failed', 'skipped'] },
        reason: { type: 'string' },
        details: texts,
        mayBeNamed: {
          type: 'boolean',
          description: 'Whether a person may accept although it failed, by naming it in "despite"',
        },
      }),
    ),
    risk: { type: 'string' },
    declaredRisk: nullableText,
    capabilities: texts,
    verdict: { type: 'string' },
    unknownSkills: texts,
  },
  required: ['checks', 'risk', 'declaredRisk', 'capabilities', 'verdict', 'unknownSkills'],
} as const;
const entry = {
  type: 'object',
  description: 'A line of the audit',
  properties: {
    at: { type: 'string' },
    proposal: nullableText,
    act: { type: 'string' },
    by: { type: 'string' },
    reason: { type: 'string' },
    details: { type: 'object', additionalProperties: true },
  },
  required: ['at', 'proposal', 'act', 'by', 'reason', 'details'],
} as const;
const freeze = {
  type: ['object', 'null'],
  description: 'Who set the kill switch, when and why; null: it is not set',
  properties: { at: { type: 'string' }, by: { type: 'string' }, reason: { type: 'string' } },
  required: ['at', 'by', 'reason'],
} as const;
const standing = object({
  isBase: {
    type: 'boolean',
    description: 'What it was made from is what is installed now, so that it can be accepted',
  },
  isCandidate: {
    type: 'boolean',
    description: 'What it leads to is what is installed now, so that it can be rolled back',
  },
});
const side = { enum: ['base', 'current'] } as const;

export const changeOperations = {
  listProposals: {
    method: 'GET',
    path: '/v1/proposals',
    tag,
    summary: 'Proposals that wait; with all=true every one',
    role: 'viewer',
    query: { all: { type: 'boolean' } },
    status: 200,
    answers: 'json',
    response: object({
      proposals: list(
        object({
          ...proposal.properties,
          risk: { ...nullableText, description: 'Computed by the last check' },
          failed: { type: ['integer', 'null'], description: 'Checks that failed; null: not checked yet' },
          decided: { anyOf: [entry, { type: 'null' }] },
        }),
      ),
      faults: list({ type: 'string' }),
      frozen: { type: 'boolean' },
      freeze,
      autoEnable: {
        type: 'object',
        description: 'What may take effect without a person, as configured',
        properties: {
          enabled: { type: 'boolean' },
          maxRisk: { type: 'string' },
          capabilities: texts,
          from: texts,
          kinds: texts,
          folders: texts,
          perDay: count,
          quarantineMinutes: count,
        },
        required: [
          'enabled',
          'maxRisk',
          'capabilities',
          'from',
          'kinds',
          'folders',
          'perDay',
          'quarantineMinutes',
        ],
      },
    }),
  },
  showProposal: {
    method: 'GET',
    path,
    tag,
    summary: 'A proposal, its last report and its history',
    role: 'viewer',
    params,
    status: 200,
    answers: 'json',
    response: object({
      proposal,
      report,
      history: list(entry),
      standing,
      autoEnable: {
        description: 'Whether it may take effect without a person; null before it was checked',
        type: ['object', 'null'],
        properties: {
          enabled: { type: 'boolean' },
          conditions: list(
            object({
              name: { type: 'string' },
              ok: { type: 'boolean' },
              value: { type: 'string' },
              wanted: { type: 'string' },
            }),
          ),
        },
        required: ['enabled', 'conditions'],
      },
    }),
  },
  diffProposal: {
    method: 'GET',
    path: `${path}/diff`,
    tag,
    summary: 'Every line that a proposal changes, with what the checks found beside it',
    role: 'viewer',
    params,
    query: {
      against: {
        ...side,
        description: 'The files that it was made from, or those that are installed now. Default: base',
      },
    },
    status: 200,
    answers: 'json',
    response: object({
      proposal,
      files: list(
        object({
          path: { type: 'string' },
          what: { enum: ['added', 'removed', 'changed'] },
          lines: list(
            object({
              sign: { enum: [' ', '-', '+'] },
              text: { type: 'string' },
              line: { type: ['integer', 'null'], description: 'In the new file' },
              notes: { ...texts, description: 'What the checks found in this line' },
            }),
          ),
        }),
      ),
      standing,
    }),
  },
  checkProposal: {
    method: 'POST',
    path: `${path}/check`,
    tag,
    summary: 'Check a proposal again',
    role: 'reviewer',
    params,
    status: 200,
    answers: 'json',
    response: object({ proposal, report }),
  },
  acceptProposal: {
    method: 'POST',
    path: `${path}/accept`,
    tag,
    summary: 'Install what a proposal changes. The digests say what was looked at',
    role: 'reviewer',
    params,
    body: closed(
      {
        base: nullableText,
        candidate: nullableText,
        despite: { type: 'array', items: { type: 'string' }, maxItems: 20 },
        reason,
      },
      ['despite', 'reason'],
    ),
    status: 200,
    answers: 'json',
    response: proposal,
  },
  rejectProposal: {
    method: 'POST',
    path: `${path}/reject`,
    tag,
    summary: 'Reject a proposal, with the reason',
    role: 'reviewer',
    params,
    body: closed({ reason: mustReason }),
    status: 200,
    answers: 'json',
    response: proposal,
  },
  proposeChange: {
    method: 'POST',
    path: '/v1/proposals',
    tag,
    summary: 'Propose whole files of a skill, new or edited. Nothing takes effect before it is accepted',
    role: 'reviewer',
    body: closed(
      {
        kind: { enum: ['create', 'edit'] },
        skill: skillName,
        files: {
          type: 'array',
          minItems: 1,
          maxItems: 50,
          items: closed({
            path: { type: 'string', minLength: 1, maxLength: 1_024 },
            text: {
              type: ['string', 'null'],
              maxLength: 524_288,
              description: 'null: the file is removed',
            },
          }),
        },
        why: { type: 'string', minLength: 1, maxLength: 2_000 },
        editedFrom: {
          type: 'string',
          maxLength: 128,
          description:
            'Of an edit: the digest of the skill that it was made from. If the skill has another one now, the edit is refused',
        },
      },
      ['editedFrom'],
    ),
    status: 200,
    answers: 'json',
    response: proposal,
  },
  proposalFiles: {
    method: 'GET',
    path: `${path}/files`,
    tag,
    summary: 'The files of a skill as a proposal would have them, whole',
    role: 'viewer',
    params,
    status: 200,
    answers: 'json',
    response: object({
      candidate: nullableText,
      files: list(
        object({
          path: { type: 'string' },
          bytes: count,
          text: { ...nullableText, description: 'null: not UTF-8' },
        }),
      ),
    }),
  },
  editProposal: {
    method: 'POST',
    path: `${path}/edit`,
    tag,
    summary: 'Propose other files instead: a new proposal, checked like any other. This one is rejected',
    role: 'reviewer',
    params,
    body: closed(
      {
        candidate: { ...nullableText, description: 'The digest of the files that were edited' },
        files: {
          type: 'array',
          minItems: 1,
          maxItems: 50,
          description: 'Only those that differ; text null removes one',
          items: closed({
            path: { type: 'string', minLength: 1, maxLength: 1_024 },
            text: { type: ['string', 'null'], maxLength: 524_288 },
          }),
        },
        reason,
      },
      ['reason'],
    ),
    status: 200,
    answers: 'json',
    response: proposal,
  },
  rollBackProposal: {
    method: 'POST',
    path: `${path}/rollback`,
    tag,
    summary: 'Take back what an accepted proposal changed',
    role: 'reviewer',
    params,
    body: { type: 'object', properties: { reason }, additionalProperties: false },
    bodyOptional: true,
    status: 200,
    answers: 'json',
    response: proposal,
  },
  freezeProposals: {
    method: 'POST',
    path: '/v1/proposal-switch',
    tag,
    summary: 'The kill switch: while it is set, no proposal takes effect without a person',
    role: 'operator',
    body: closed({ frozen: { type: 'boolean' }, reason }, ['reason']),
    status: 200,
    answers: 'json',
    response: object({ frozen: { type: 'boolean' }, freeze }),
  },
} as const satisfies { readonly [name: string]: Operation };
