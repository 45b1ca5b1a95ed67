// The server itself: health, metrics, its own description, who is asking.
import { closed, list, object } from '../object-schema.ts';
import type { Operation } from '../operation.ts';
import { roles } from '../role.ts';
import { audiences, given, limit, nullableText, skillName } from '../schemas.ts';

const tag = 'server';
const state = object({ status: { type: 'string' } });
const session = object({
  name: { type: 'string' },
  role: { enum: roles },
  answers: {
    type: 'array',
    items: { enum: audiences },
    description: 'Whose questions they may answer',
  },
  csrf: { ...nullableText, description: 'With a cookie: the value of X-Techne-Csrf for every POST' },
  workspace: { type: 'string' },
});
const origin = {
  type: 'string',
  maxLength: 512,
  description: 'As browsers send it: a cookie for https is Secure',
} as const;
const feedPlace = { type: 'string', maxLength: 40, pattern: '^[0-9a-f]{12}-(?:-1|[0-9]{1,15})$' } as const;

export const systemOperations = {
  health: {
    method: 'GET',
    path: '/healthz',
    tag,
    summary: 'Whether the process answers',
    role: null,
    status: 200,
    answers: 'json',
    response: state,
  },
  ready: {
    method: 'GET',
    path: '/readyz',
    tag,
    summary: 'Whether it takes work; 503 while it starts or drains',
    role: null,
    status: 200,
    answers: 'json',
    response: state,
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    tag,
    summary: 'Metrics as Prometheus text',
    role: 'viewer',
    status: 200,
    answers: 'text',
  },
  limits: {
    method: 'GET',
    path: '/v1/limits',
    tag,
    summary:
      'How many runs workers drive at a time, and how much of it is used; "techne store limit" sets it',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: object({ limits: list(limit) }),
  },
  listTrust: {
    method: 'GET',
    path: '/v1/trust',
    tag,
    summary: 'What workers may execute and who said so, newest first, with what was revoked',
    role: 'reviewer',
    status: 200,
    answers: 'json',
    response: object({ given: list(given) }),
  },
  grantTrust: {
    method: 'POST',
    path: '/v1/trust',
    tag,
    summary: 'Let workers execute one version of a skill, also one that was revoked',
    role: 'operator',
    body: closed({
      skill: skillName,
      digest: {
        type: 'string',
        pattern: '^sha256:[0-9a-f]{64}$',
        description: 'Of all files of the skill, as runs and GET /v1/skills/{skill}/trust show it',
      },
    }),
    status: 200,
    answers: 'json',
    response: given,
  },
  revokeTrust: {
    method: 'POST',
    path: '/v1/trust/revoke',
    tag,
    summary: 'Let workers execute no version of a skill, or not this one',
    role: 'operator',
    body: closed({
      what: {
        type: 'string',
        minLength: 1,
        maxLength: 128,
        description: 'The name of a skill, or the digest of one version',
      },
    }),
    status: 200,
    answers: 'json',
    response: object({ revoked: list(given) }),
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    tag,
    summary: 'This description',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: { type: 'object', additionalProperties: true },
  },
  login: {
    method: 'GET',
    path: '/login',
    tag,
    summary: 'The one-time link of a server on this machine: gives a cookie for its code',
    role: null,
    query: { code: { type: 'string', minLength: 1, maxLength: 128 } },
    needsQuery: ['code'],
    status: 200,
    answers: 'html',
  },
  openSession: {
    method: 'POST',
    path: '/v1/login',
    tag,
    summary: 'Log a browser in: a session for the code of the link, or for a token',
    role: null,
    headers: { origin },
    body: {
      type: 'object',
      properties: {
        code: {
          type: 'string',
          minLength: 1,
          maxLength: 128,
          description: 'Of the link, from the fragment of its address',
        },
        token: {
          type: 'string',
          minLength: 1,
          maxLength: 128,
          description: 'The session has its name and role, and ends with it',
        },
      },
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: false,
    },
    status: 200,
    answers: 'json',
    response: session,
  },
  closeSession: {
    method: 'POST',
    path: '/v1/logout',
    tag,
    summary: 'End the session of the cookie',
    role: 'viewer',
    headers: { origin },
    status: 200,
    answers: 'json',
    response: object({
      ended: { type: 'boolean', description: 'false: the request came with a token, not with a session' },
    }),
  },
  changes: {
    method: 'GET',
    path: '/v1/changes',
    tag,
    summary:
      'What changes in the whole store, and the entries of some runs and conversations, as one stream of server-sent events',
    role: 'viewer',
    query: {
      after: { ...feedPlace, description: 'The id of the last event; also by Last-Event-ID' },
      runs: {
        type: 'string',
        maxLength: 2_048,
        pattern: '^[0-9A-Za-z_-]{1,64}:[0-9]{1,9}(?:,[0-9A-Za-z_-]{1,64}:[0-9]{1,9}){0,19}$',
        description: 'Also the entries of these runs, each from a number on: RUN:0,RUN:17',
      },
      chats: {
        type: 'string',
        maxLength: 1_024,
        pattern: '^[0-9A-Za-z_-]{1,64}:[0-9]{1,9}(?:,[0-9A-Za-z_-]{1,64}:[0-9]{1,9}){0,9}$',
        description:
          'Also these conversations, each from an entry on: their entries, states and the text of turns as it comes. For reviewers',
      },
    },
    headers: { 'last-event-id': feedPlace },
    status: 200,
    answers: 'events',
  },
  session: {
    method: 'GET',
    path: '/v1/session',
    tag,
    summary: 'Who is asking, and what they may do',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: session,
  },
} as const satisfies { readonly [name: string]: Operation };
