// Webhooks, for operators; and callback tokens, with which somebody without any other right answers one form.
import { closed, list, object } from '../object-schema.ts';
import type { Operation } from '../operation.ts';
import { audiences, count, nullableText, questionId, runId, skillName } from '../schemas.ts';

const tag = 'webhooks';
const path = '/v1/webhooks/{webhook}';
const params = { webhook: { type: 'string', minLength: 1, maxLength: 64 } } as const;
const events = ['run.ended', 'run.held', 'question.opened'] as const;
const ends = ['completed', 'failed', 'cancelled', 'partial'] as const;
const include = ['body', 'callback'] as const;
const states = ['pending', 'delivered', 'dead'] as const;
const someOf = (values: readonly string[]) =>
  ({ type: 'array', items: { enum: values }, maxItems: values.length, uniqueItems: true }) as const;

const webhook = object({
  id: { type: 'string' },
  name: { type: 'string' },
  url: { type: 'string' },
  events: list({ enum: events }),
  statuses: list({ type: 'string' }),
  audiences: list({ type: 'string' }),
  skills: list({ type: 'string' }),
  include: list({ enum: include }),
  server: nullableText,
  by: { type: 'string' },
  madeAt: count,
  state: { enum: ['active', 'paused', 'disabled'] },
  rotatesUntil: { type: ['integer', 'null'] },
  pending: count,
  dead: count,
});

const delivery = object({
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
});

const withSecret = object({
  webhook,
  secret: { type: 'string', description: 'whsec_…; it is not shown again' },
});

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
    response: object({ webhooks: list(webhook) }),
  },
  addWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    tag,
    summary: 'Add a webhook; the answer has its secret, once',
    role: 'operator',
    body: closed(
      {
        name: { type: 'string', minLength: 1, maxLength: 64 },
        url: { type: 'string', minLength: 1, maxLength: 2_048 },
        events: { ...someOf(events), minItems: 1 },
        statuses: { ...someOf(ends), description: 'Of run.ended. Default: all' },
        audiences: { ...someOf(audiences), description: 'Of question.opened. Default: all' },
        skills: { type: 'array', items: skillName, maxItems: 50, description: 'Default: all' },
        include: {
          ...someOf(include),
          description:
            'body: the text of a result or the question itself; callback: a token to answer a form with',
        },
        server: {
          type: ['string', 'null'],
          maxLength: 2_048,
          description: 'The address of this server, for links. Default: links are paths',
        },
      },
      ['statuses', 'audiences', 'skills', 'include', 'server'],
    ),
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
    response: object({ deliveries: list(delivery) }),
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
    response: object({ resent: count }),
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
    response: object({
      id: { type: 'string' },
      token: { type: 'string', description: 'It is not shown again' },
      path: { type: 'string' },
      expiresAt: count,
    }),
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
    response: object({
      skill: { type: 'string' },
      intro: { type: 'string' },
      schema: { type: 'object', additionalProperties: true, description: 'JSON Schema of "value"' },
      expiresAt: count,
    }),
  },
  answerCallback: {
    method: 'POST',
    path: '/v1/callbacks/{token}',
    tag,
    summary: 'Answer the form of a callback token',
    role: null,
    params: { token },
    body: closed({
      value: { type: 'object', additionalProperties: true, description: 'The fields of the form' },
    }),
    status: 200,
    answers: 'json',
    response: object({ accepted: { type: 'boolean' } }),
  },
} as const satisfies { readonly [name: string]: Operation };
