// Webhooks, for operators; and callback tokens, with which somebody without any other right answers one form.
import type { Operation } from '../operation.ts';
import { audiences, count, nullableText, questionId, runId, skillName } from '../schemas.ts';

const tag = 'webhooks';
const path = '/v1/webhooks/{webhook}';
const params = { webhook: { type: 'string', minLength: 1, maxLength: 64 } } as const;
const events = ['run.ended', 'run.held', 'question.opened'] as const;
const ends = ['completed', 'failed', 'cancelled', 'partial'] as const;
const include = ['body', 'callback'] as const;
const states = ['pending', 'delivered', 'dead'] as const;
const list = (values: readonly string[]) =>
  ({ type: 'array', items: { enum: values }, maxItems: values.length, uniqueItems: true }) as const;

const webhook = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    url: { type: 'string' },
    events: { type: 'array', items: { enum: events } },
    statuses: { type: 'array', items: { type: 'string' } },
    audiences: { type: 'array', items: { type: 'string' } },
    skills: { type: 'array', items: { type: 'string' } },
    include: { type: 'array', items: { enum: include } },
    server: nullableText,
    by: { type: 'string' },
    madeAt: count,
    state: { enum: ['active', 'paused', 'disabled'] },
    rotatesUntil: { type: ['integer', 'null'] },
    pending: count,
    dead: count,
  },
  required: [
    'id',
    'name',
    'url',
    'events',
    'statuses',
    'audiences',
    'skills',
    'include',
    'server',
    'by',
    'madeAt',
    'state',
    'rotatesUntil',
    'pending',
    'dead',
  ],
} as const;

const delivery = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'The header webhook-id' },
    webhook: { type: 'string' },
    type: { type: 'string' },
    run: nullableText,
    state: { enum: states },
    madeAt: count,
    attempts: count,
    at: { ...count, description: 'When it is tried next; of one that is over: when that was' },
    status: { type: ['integer', 'null'] },
    fault: nullableText,
  },
  required: ['id', 'webhook', 'type', 'run', 'state', 'madeAt', 'attempts', 'at', 'status', 'fault'],
} as const;

const withSecret = {
  type: 'object',
  properties: { webhook, secret: { type: 'string', description: 'whsec_…; it is not shown again' } },
  required: ['webhook', 'secret'],
} as const;

const ofWebhook = { tag, role: 'operator', params, status: 200, answers: 'json' } as const;
const token = { type: 'string', minLength: 1, maxLength: 128 } as const;

export const webhookOperations = {
  listWebhooks: {
    method: 'GET',
    path: '/v1/webhooks',
    tag,
    summary: 'Webhooks, without their secrets',
    role: 'operator',
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: { webhooks: { type: 'array', items: webhook } },
      required: ['webhooks'],
    },
  },
  addWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    tag,
    summary: 'Add a webhook; the answer has its secret, once',
    role: 'operator',
    body: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 64 },
        url: { type: 'string', minLength: 1, maxLength: 2_048 },
        events: { ...list(events), minItems: 1 },
        statuses: { ...list(ends), description: 'Of run.ended. Default: all' },
        audiences: { ...list(audiences), description: 'Of question.opened. Default: all' },
        skills: { type: 'array', items: skillName, maxItems: 50, description: 'Default: all' },
        include: {
          ...list(include),
          description:
            'body: the text of a result or the question itself; callback: a token to answer a form with',
        },
        server: {
          type: ['string', 'null'],
          maxLength: 2_048,
          description: 'The address of this server, for links. Default: links are paths',
        },
      },
      required: ['name', 'url', 'events'],
      additionalProperties: false,
    },
    status: 200,
    answers: 'json',
    response: withSecret,
  },
  showWebhook: { ...ofWebhook, method: 'GET', path, summary: 'A webhook', response: webhook },
  pauseWebhook: {
    ...ofWebhook,
    method: 'POST',
    path: `${path}/pause`,
    summary: 'Keep deliveries until it is resumed',
    response: webhook,
  },
  resumeWebhook: {
    ...ofWebhook,
    method: 'POST',
    path: `${path}/resume`,
    summary: 'Deliver again, also after a receiver said 410',
    response: webhook,
  },
  removeWebhook: {
    ...ofWebhook,
    method: 'POST',
    path: `${path}/remove`,
    summary: 'Remove a webhook and its deliveries',
    response: webhook,
  },
  rotateWebhook: {
    ...ofWebhook,
    method: 'POST',
    path: `${path}/rotate`,
    summary: 'Give it another secret; payloads have the signatures of both for a while',
    body: {
      type: 'object',
      properties: {
        overlap: { type: 'integer', minimum: 0, maximum: 2_592_000, description: 'Seconds. Default: a day' },
      },
      additionalProperties: false,
    },
    bodyOptional: true,
    response: withSecret,
  },
  testWebhook: {
    ...ofWebhook,
    method: 'POST',
    path: `${path}/test`,
    summary: 'Queue a delivery of the type webhook.test',
    response: delivery,
  },
  listDeliveries: {
    ...ofWebhook,
    method: 'GET',
    path: `${path}/deliveries`,
    summary: 'Deliveries of a webhook, newest first',
    query: { state: { enum: states }, limit: { type: 'integer', minimum: 1, maximum: 200 } },
    response: {
      type: 'object',
      properties: { deliveries: { type: 'array', items: delivery } },
      required: ['deliveries'],
    },
  },
  resendDeliveries: {
    ...ofWebhook,
    method: 'POST',
    path: `${path}/resend`,
    summary: 'Try again what is dead, or one delivery of any state',
    body: {
      type: 'object',
      properties: { delivery: { type: 'string', minLength: 1, maxLength: 64 } },
      additionalProperties: false,
    },
    bodyOptional: true,
    response: { type: 'object', properties: { resent: count }, required: ['resent'] },
  },
  makeCallback: {
    method: 'POST',
    path: '/v1/runs/{run}/questions/{question}/callback',
    tag,
    summary:
      'Make a token that answers this form, once, without another token. For those who may answer it themselves',
    role: 'runner',
    params: { run: runId, question: questionId },
    body: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
        expires: { type: 'integer', minimum: 1, maximum: 2_592_000, description: 'Seconds. Default: 7 days' },
      },
      additionalProperties: false,
    },
    bodyOptional: true,
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        token: { type: 'string', description: 'It is not shown again' },
        path: { type: 'string' },
        expiresAt: count,
      },
      required: ['id', 'token', 'path', 'expiresAt'],
    },
  },
  showCallback: {
    method: 'GET',
    path: '/v1/callbacks/{token}',
    tag,
    summary: 'The form that a callback token answers',
    role: null,
    params: { token },
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        skill: { type: 'string' },
        intro: { type: 'string' },
        schema: { type: 'object', additionalProperties: true, description: 'JSON Schema of "value"' },
        expiresAt: count,
      },
      required: ['skill', 'intro', 'schema', 'expiresAt'],
    },
  },
  answerCallback: {
    method: 'POST',
    path: '/v1/callbacks/{token}',
    tag,
    summary: 'Answer the form of a callback token',
    role: null,
    params: { token },
    body: {
      type: 'object',
      properties: {
        value: { type: 'object', additionalProperties: true, description: 'The fields of the form' },
      },
      required: ['value'],
      additionalProperties: false,
    },
    status: 200,
    answers: 'json',
    response: { type: 'object', properties: { accepted: { type: 'boolean' } }, required: ['accepted'] },
  },
} as const satisfies { readonly [name: string]: Operation };
