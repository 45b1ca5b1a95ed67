// The server itself: health, metrics, its own description, who is asking.
import type { Operation } from '../operation.ts';
import { roles } from '../role.ts';
import { audiences, nullableText } from '../schemas.ts';

const tag = 'server';
const state = { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] } as const;

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
  session: {
    method: 'GET',
    path: '/v1/session',
    tag,
    summary: 'Who is asking, and what they may do',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        role: { enum: roles },
        answers: {
          type: 'array',
          items: { enum: audiences },
          description: 'Whose questions they may answer',
        },
        csrf: { ...nullableText, description: 'With a cookie: the value of X-Techne-Csrf for every POST' },
        workspace: { type: 'string' },
      },
      required: ['name', 'role', 'answers', 'csrf', 'workspace'],
    },
  },
} as const satisfies { readonly [name: string]: Operation };
