// Conversations with the model of the server: the same engine, files and approvals as `techne chat`.
//
// A conversation speaks for a person: what it may do without asking is what a person at a terminal may, so a runner has none.
import type { Operation } from '../operation.ts';
import { chat, chatState, count, nullableText, runId } from '../schemas.ts';

const tag = 'chats';
const chatId = { ...runId, description: 'The id of a conversation' } as const;
const params = { chat: chatId } as const;
const path = '/v1/chats/{chat}';
const text = { type: 'string', minLength: 1, maxLength: 200_000 } as const;
const message = {
  type: 'object',
  properties: { text },
  required: ['text'],
  additionalProperties: false,
} as const;
const usage = {
  type: 'object',
  properties: { inputTokens: count, outputTokens: count, costMicros: count },
  required: ['inputTokens', 'outputTokens', 'costMicros'],
} as const;

export const chatOperations = {
  chatSetup: {
    method: 'GET',
    path: '/v1/chat-setup',
    tag,
    summary:
      'Which model holds conversations here, or what is missing; commands and skills that a message can name; limits',
    role: 'reviewer',
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        model: {
          type: ['object', 'null'],
          properties: { name: { type: 'string' }, description: { type: 'string' } },
          required: ['name', 'description'],
        },
        fault: {
          description: 'Why there is none',
          type: ['object', 'null'],
          properties: { code: { type: 'string' }, message: { type: 'string' }, hint: nullableText },
          required: ['code', 'message', 'hint'],
        },
        commands: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              what: { type: 'string' },
              argumentHint: nullableText,
              kind: { enum: ['command', 'instructions', 'executable'] },
            },
            required: ['name', 'what', 'argumentHint', 'kind'],
          },
        },
        mentions: { type: 'array', items: { type: 'string' } },
        limits: {
          type: 'object',
          properties: {
            turns: count,
            callsPerTurn: count,
            contextTokens: count,
            answerSeconds: count,
            answering: count,
            messageCharacters: count,
          },
          required: [
            'turns',
            'callsPerTurn',
            'contextTokens',
            'answerSeconds',
            'answering',
            'messageCharacters',
          ],
        },
      },
      required: ['model', 'fault', 'commands', 'mentions', 'limits'],
    },
  },
  listChats: {
    method: 'GET',
    path: '/v1/chats',
    tag,
    summary: 'Conversations of this workspace, the newest first, whichever surface began them',
    role: 'reviewer',
    query: { limit: { type: 'integer', minimum: 1, maximum: 200 }, cursor: chatId },
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        chats: { type: 'array', items: chat },
        cursor: { type: ['string', 'null'] },
      },
      required: ['chats', 'cursor'],
    },
  },
  startChat: {
    method: 'POST',
    path: '/v1/chats',
    tag,
    summary: 'Begin a conversation with its first message. It is answered after the response',
    role: 'reviewer',
    body: message,
    status: 202,
    answers: 'json',
    response: chat,
  },
  showChat: {
    method: 'GET',
    path,
    tag,
    summary:
      'A conversation: what it does now, what it used, and a page of its entries; without `from` the last ones',
    role: 'reviewer',
    params,
    query: {
      from: { type: 'integer', minimum: 0 },
      limit: { type: 'integer', minimum: 0, maximum: 500 },
    },
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        chat,
        state: chatState,
        entries: {
          type: 'array',
          items: {
            type: 'object',
            properties: { seq: count, entry: { type: 'object', additionalProperties: true } },
            required: ['seq', 'entry'],
          },
        },
        total: count,
        spent: {
          type: 'object',
          properties: {
            turns: count,
            usage,
            runs: { ...usage, description: 'By runs of the conversation, which are not part of `usage`' },
            contextTokens: { ...count, description: 'Of the history, as the model gets it' },
          },
          required: ['turns', 'usage', 'runs', 'contextTokens'],
        },
      },
      required: ['chat', 'state', 'entries', 'total', 'spent'],
    },
  },
  sendMessage: {
    method: 'POST',
    path: `${path}/messages`,
    tag,
    summary:
      'Say something: a message, `/skill arguments`, `/continue [RUN]` or `/compact`. Refused while another message is answered',
    role: 'reviewer',
    params,
    body: message,
    status: 202,
    answers: 'json',
    response: chat,
  },
  continueChat: {
    method: 'POST',
    path: `${path}/continue`,
    tag,
    summary: 'Go on with an answer that was interrupted, stopped, cut or failed',
    role: 'reviewer',
    params,
    status: 202,
    answers: 'json',
    response: chat,
  },
  stopChat: {
    method: 'POST',
    path: `${path}/stop`,
    tag,
    summary: 'Stop the answer under way. What it said is kept; its runs can be resumed',
    role: 'reviewer',
    params,
    status: 202,
    answers: 'json',
    response: chat,
  },
  approveCall: {
    method: 'POST',
    path: `${path}/approvals/{approval}`,
    tag,
    summary: 'Approve a call that the model wants to make, or deny it',
    role: 'operator',
    params: { chat: chatId, approval: { ...runId, description: 'The id of the approval in the state' } },
    body: {
      type: 'object',
      properties: { approval: { enum: ['once', 'always', 'deny', 'never'] } },
      required: ['approval'],
      additionalProperties: false,
    },
    status: 202,
    answers: 'json',
    response: chat,
  },
  renameChat: {
    method: 'POST',
    path: `${path}/rename`,
    tag,
    summary: 'Give a conversation a title',
    role: 'reviewer',
    params,
    body: {
      type: 'object',
      properties: { title: { type: 'string', minLength: 1, maxLength: 200 } },
      required: ['title'],
      additionalProperties: false,
    },
    status: 200,
    answers: 'json',
    response: chat,
  },
  deleteChat: {
    method: 'POST',
    path: `${path}/delete`,
    tag,
    summary: 'Delete a conversation. Its runs stay',
    role: 'operator',
    params,
    status: 200,
    answers: 'json',
    response: { type: 'object', properties: { deleted: { type: 'string' } }, required: ['deleted'] },
  },
  exportChat: {
    method: 'GET',
    path: `${path}/export`,
    tag,
    summary: 'A conversation as Markdown, or as its log, one JSON object in each line',
    role: 'reviewer',
    params,
    query: { format: { enum: ['markdown', 'jsonl'] } },
    status: 200,
    answers: 'text',
  },
} as const satisfies { readonly [name: string]: Operation };
