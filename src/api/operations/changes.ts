// Changes of skills: proposals that wait for a person, and what is installed.
import type { Operation } from '../operation.ts';
import { nullableText, proposal, proposalId } from '../schemas.ts';

const tag = 'proposals';
const params = { proposal: proposalId } as const;
const path = '/v1/proposals/{proposal}';
const reason = { type: 'string', maxLength: 1_000 } as const;
const report = { type: ['object', 'null'], additionalProperties: true } as const;

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
    response: {
      type: 'object',
      properties: {
        proposals: { type: 'array', items: proposal },
        faults: { type: 'array', items: { type: 'string' } },
        frozen: { type: 'boolean' },
      },
      required: ['proposals', 'faults', 'frozen'],
    },
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
    response: {
      type: 'object',
      properties: { proposal, report, history: { type: 'array', items: {} } },
      required: ['proposal', 'report', 'history'],
    },
  },
  diffProposal: {
    method: 'GET',
    path: `${path}/diff`,
    tag,
    summary: 'Every line that a proposal changes',
    role: 'viewer',
    params,
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        proposal,
        files: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              path: { type: 'string' },
              what: { enum: ['added', 'removed', 'changed'] },
              lines: { type: 'array', items: {} },
            },
            required: ['path', 'what', 'lines'],
          },
        },
      },
      required: ['proposal', 'files'],
    },
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
    response: { type: 'object', properties: { proposal, report }, required: ['proposal', 'report'] },
  },
  acceptProposal: {
    method: 'POST',
    path: `${path}/accept`,
    tag,
    summary: 'Install what a proposal changes. The digests say what was looked at',
    role: 'reviewer',
    params,
    body: {
      type: 'object',
      properties: {
        base: nullableText,
        candidate: nullableText,
        despite: { type: 'array', items: { type: 'string' }, maxItems: 20 },
        reason,
      },
      required: ['base', 'candidate'],
      additionalProperties: false,
    },
    status: 200,
    answers: 'json',
    response: proposal,
  },
  rejectProposal: {
    method: 'POST',
    path: `${path}/reject`,
    tag,
    summary: 'Reject a proposal',
    role: 'reviewer',
    params,
    body: { type: 'object', properties: { reason }, additionalProperties: false },
    bodyOptional: true,
    status: 200,
    answers: 'json',
    response: proposal,
  },
  listInstalled: {
    method: 'GET',
    path: '/v1/hub/installed',
    tag: 'hub',
    summary: 'Installed skills, and whether they are as their lock says',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        skills: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              scope: { type: 'string' },
              drift: { type: 'array', items: { type: 'string' } },
            },
            required: ['name', 'scope', 'drift'],
          },
        },
        notInLock: { type: 'array', items: {} },
      },
      required: ['skills', 'notInLock'],
    },
  },
} as const satisfies { readonly [name: string]: Operation };
