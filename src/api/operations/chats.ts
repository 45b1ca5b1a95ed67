// Conversations with the model of the server: the same engine, files and approvals as `techne chat`.
//
// A conversation speaks for a person: what it may do without asking is what a person at a terminal may, so a runner has none.
import { closed, list, object } from '../object-schema.ts';
import type { Operation } from '../operation.ts';
import { chat, chatState, count, nullableText, runId } from '../schemas.ts';

const tag = 'chats';
const chatId = { ...runId, description: 'The id of a conversation' } as const;
const params = { chat: chatId } as const;
const path = '/v1/chats/{chat}';
const text = { type: 'string', minLength: 1, maxLength: 200_000 } as const;
const message = closed({ text });
const usage = object({ inputTokens: count, outputTokens: count, costMicros: count });

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
    response: object({
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
      commands: list(
        object({
          name: { type: 'string' },
          what: { type: 'string' },
          argumentHint: nullableText,
          kind: { enum: ['command', 'instructions', 'executable'] },
        }),
      ),
      mentions: list({ type: 'string' }),
      limits: object({
        turns: count,
        callsPerTurn: count,
        contextTokens: count,
        answerSeconds: count,
        answering: count,
        messageCharacters: count,
      }),
    }),
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
    response: object({
      chats: list(chat),
      cursor: { type: ['string', 'null'] },
    }),
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
    response: object({
      chat,
      state: chatState,
      entries: list(object({ seq: count, entry: { type: 'object', additionalProperties: true } })),
      total: count,
      spent: object({
        turns: count,
        usage,
        runs: { ...usage, description: 'By runs of the conversation, which are not part of `usage`' },
        contextTokens: { ...count, description: 'Of the history, as the model gets it' },
      }),
    }),
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
    summary: 'Continue an answer that was interrupted, stopped, cut or failed',
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
    body: closed({ approval: { enum: ['once', 'always', 'deny', 'never'] } }),
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
    body: closed({ title: { type: 'string', minLength: 1, maxLength: 200 } }),
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
    response: object({ deleted: { type: 'string' } }),
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
