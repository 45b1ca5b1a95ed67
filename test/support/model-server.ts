// A model on the loopback interface: speaks the wire formats of OpenAI (chat completions) and Anthropic (messages),
// streamed, with tools, as a test scripts it turn by turn, faults included.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json, JsonObject } from '../../src/base/json.ts';

export interface ServerTurn {
  /** Sent in these pieces. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string;
  /** `input` as text is sent as it is, also where it is no JSON. */
  readonly calls?: readonly {
    readonly tool: string;
    readonly input: JsonObject | string;
    readonly id?: string;
  }[];
  readonly finish?: 'stop' | 'length' | 'refusal';
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  readonly fault?: ServerFault;
  /** What the answer is called. Default: a stream of events. */
  readonly type?: string;
}

export type ServerFault =
  /** Instead of an answer. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: { readonly [name: string]: string };
      readonly body?: Json;
      readonly text?: string;
    }
  /** The connection is cut after so many events. */
  | { readonly kind: 'cut'; readonly after: number }
  /** The stream ends in order after so many events, without saying why. */
  | { readonly kind: 'short'; readonly after: number }
  /** An event that is no JSON, after so many. */
  | { readonly kind: 'garbled'; readonly after: number }
  /** This as it is, after so many events. */
  | { readonly kind: 'raw'; readonly after: number; readonly text: string }
  /** This again and again, after so many events, until the other side leaves. */
  | { readonly kind: 'flood'; readonly after: number; readonly text: string }
  /** Nothing more comes after so many events, until the other side leaves. */
  | { readonly kind: 'silent'; readonly after: number };

export interface ModelServer {
  /** As a base address of both formats. */
  readonly url: string;
  readonly requests: readonly ServerRequest[];
  /** Connections that the other side closed before the answer was whole. */
  readonly abandoned: number;
  /** When so many requests have come. */
  arrived(count: number): Promise<void>;
  /** When so many were abandoned. */
  left(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface ServerRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: JsonObject;
}

export interface ModelServerOptions {
  /** In the order of the requests; the last one stays. Or made from the request. */
  readonly turns: readonly ServerTurn[] | ((request: ServerRequest, index: number) => ServerTurn);
  /** The only key that is accepted. Default: every one. */
  readonly key?: string;
}

export async function createModelServer({ turns, key }: ModelServerOptions): Promise<ModelServer> {
  const requests: ServerRequest[] = [];
  let abandoned = 0;
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.once('close', () => {
      if (response.writableFinished) return;
      abandoned += 1;
      tell();
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked: ServerRequest = {
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject,
    };
    const index = requests.push(asked) - 1;
    const turn =
      typeof turns === 'function' ? turns(asked, index) : (turns[Math.min(index, turns.length - 1)] ?? {});
    tell();
    const given = request.headers['x-api-key'] ?? request.headers.authorization?.replace(/^Bearer /, '');
    if (key !== undefined && given !== key)
      return refuse(response, {
        kind: 'status',
        status: 401,
        body: { error: { type: 'authentication_error', message: `invalid key: ${String(given)}` } },
      });
    if (turn.fault?.kind === 'status') return refuse(response, turn.fault);
    const model = asked.body['model'] as string;
    if (asked.path.endsWith('/chat/completions'))
      await stream(response, openAiEvents(turn, model, index), turn.fault, turn.type);
    else if (asked.path.endsWith('/messages'))
      await stream(response, anthropicEvents(turn, model, index), turn.fault, turn.type);
    else
      refuse(response, {
        kind: 'status',
        status: 404,
        body: { error: { message: `no such path: ${asked.path}` } },
      });
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get abandoned() {
      return abandoned;
    },
    arrived: (count) => until(() => requests.length >= count),
    left: (count) => until(() => abandoned >= count),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

function refuse(
  response: ServerResponse,
  {
    status,
    headers = {},
    body = { error: { message: 'no' } },
    text = JSON.stringify(body),
  }: Extract<ServerFault, { kind: 'status' }>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}

async function stream(
  response: ServerResponse,
  events: readonly string[],
  fault: ServerFault | undefined,
  type = 'text/event-stream',
): Promise<void> {
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' });
  for (const [at, event] of events.entries()) {
    if (fault !== undefined && fault.kind !== 'status' && at === fault.after) {
      switch (fault.kind) {
        case 'cut':
          // What was written is on its way before the cut.
          await new Promise((resolve) => setImmediate(resolve));
          response.destroy();
          return;
        case 'short':
          response.end();
          return;
        case 'silent':
          return;
        case 'flood':
          while (!response.destroyed)
            await new Promise<void>((resolve) => response.write(fault.text, () => resolve()));
          return;
        case 'raw':
          response.write(fault.text);
          break;
        case 'garbled':
          response.write('data: {"choices": [{"delta": {"content": \n\n');
      }
    }
    await new Promise<void>((resolve) => response.write(event, () => resolve()));
  }
  response.end();
}

function piecesOf(text: ServerTurn['text']): readonly string[] {
  return text === undefined ? [] : typeof text === 'string' ? [text] : text;
}

function inputOf(input: JsonObject | string): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

function callId(id: string | undefined, request: number, at: number): string {
  return id ?? `call_${request}_${at}`;
}

function openAiEvents(
  { text, reasoning, calls = [], finish = 'stop', usage = { input: 10, output: 5 } }: ServerTurn,
  model: string,
  request: number,
): readonly string[] {
  const chunk = (rest: JsonObject): string =>
    `data: ${JSON.stringify({ id: `chat_${request}`, object: 'chat.completion.chunk', created: 1, model, ...rest })}\n\n`;
  const delta = (value: JsonObject, reason: string | null = null): string =>
    chunk({ choices: [{ index: 0, delta: value, finish_reason: reason }] });
  const isRefusal = finish === 'refusal';
  return [
    delta({ role: 'assistant', content: '' }),
    ...(reasoning === undefined ? [] : [delta({ reasoning_content: reasoning })]),
    ...piecesOf(text).map((piece) => delta(isRefusal ? { refusal: piece } : { content: piece })),
    ...calls.flatMap(({ tool, input, id }, index) => {
      const json = inputOf(input);
      const half = Math.ceil(json.length / 2);
      return [
        delta({
          tool_calls: [
            {
              index,
              id: callId(id, request, index),
              type: 'function',
              function: { name: tool, arguments: '' },
            },
          ],
        }),
        ...[json.slice(0, half), json.slice(half)].map((piece) =>
          delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ];
    }),
    delta(
      {},
      calls.length > 0
        ? 'tool_calls'
        : finish === 'length'
          ? 'length'
          : isRefusal
            ? 'content_filter'
            : 'stop',
    ),
    chunk({
      choices: [],
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
        prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
      },
    }),
    'data: [DONE]\n\n',
  ];
}

function anthropicEvents(
  { text, reasoning, calls = [], finish = 'stop', usage = { input: 10, output: 5 } }: ServerTurn,
  model: string,
  request: number,
): readonly string[] {
  const event = (type: string, rest: JsonObject): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
  const cached = usage.cached ?? 0;
  let index = 0;
  const block = (start: JsonObject, deltas: readonly JsonObject[]): readonly string[] => {
    const at = index;
    index += 1;
    return [
      event('content_block_start', { index: at, content_block: start }),
      ...deltas.map((delta) => event('content_block_delta', { index: at, delta })),
      event('content_block_stop', { index: at }),
    ];
  };
  return [
    event('message_start', {
      message: {
        id: `msg_${request}`,
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: usage.input - cached,
          cache_read_input_tokens: cached,
          cache_creation_input_tokens: 0,
          output_tokens: 1,
        },
      },
    }),
    event('ping', {}),
    ...(reasoning === undefined
      ? []
      : block({ type: 'thinking', thinking: '' }, [
          { type: 'thinking_delta', thinking: reasoning },
          { type: 'signature_delta', signature: 'signed' },
        ])),
    ...(text === undefined
      ? []
      : block(
          { type: 'text', text: '' },
          piecesOf(text).map((piece) => ({ type: 'text_delta', text: piece })),
        )),
    ...calls.flatMap(({ tool, input, id }, at) => {
      const json = inputOf(input);
      const half = Math.ceil(json.length / 2);
      return block(
        { type: 'tool_use', id: callId(id, request, at), name: tool, input: {} },
        [json.slice(0, half), json.slice(half)].map((piece) => ({
          type: 'input_json_delta',
          partial_json: piece,
        })),
      );
    }),
    event('message_delta', {
      delta: {
        stop_reason:
          calls.length > 0
            ? 'tool_use'
            : finish === 'length'
              ? 'max_tokens'
              : finish === 'refusal'
                ? 'refusal'
                : 'end_turn',
        stop_sequence: null,
      },
      usage: { output_tokens: usage.output },
    }),
    event('message_stop', {}),
  ];
}
