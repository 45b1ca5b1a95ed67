// A client of the API of `techne serve`, for Node and browsers.
//
//   { url, token } -> Client { call, startRun, waitForRun, events, questions, answer, approve }
//
// `call` takes every operation of the table, with its types; the others are what most programs need. A start has a key of its own, so
// that it is repeated safely when a connection breaks.
import type { Abort } from '../base/abort.ts';
import type { Json } from '../base/json.ts';
import type { OperationInput, OperationOutput } from '../api/operation.ts';
import type { OperationName, Operations } from '../api/operations.ts';
import { operationOf } from '../api/operations.ts';
import type { FollowOptions, RunEntry } from './follow-events.ts';
import { followEvents } from './follow-events.ts';
import type { Fetch, TransportOptions } from './transport.ts';
import { pause, send } from './transport.ts';

/** A run as the server shows it. */
export type ApiRun = OperationOutput<Operations['getRun']>;
/** A question that a run waits for. */
export type ApiQuestion = ApiRun['questions'][number];

/** Where the server is, and who asks. */
export interface ClientOptions {
  /** `http://127.0.0.1:8486`. */
  readonly url: string;
  /** Of `techne serve token create`. Default: none, for a page with the cookie of the server. */
  readonly token?: string;
  /** With a cookie: `csrf` of the operation `session`. */
  readonly csrf?: string;
  /** Default: the one of the platform. */
  readonly fetch?: Fetch;
  /** How often a request that may be repeated is, when the server is busy or not there. Default: 8. */
  readonly maxRetries?: number;
}

/** What an operation takes: only the parts that it has. */
export type CallInput<Name extends OperationName> = Partial<OperationInput<Operations[Name]>> & {
  readonly signal?: Abort;
};

/** How a run is started. */
export interface StartOptions {
  /** The same key and the same request give the same run. Default: a new one. */
  readonly key?: string;
  readonly limits?: { readonly asks?: number; readonly commands?: number; readonly wallMs?: number };
  /** In how many seconds the run must have ended; after that it is cancelled. Default: never. */
  readonly deadline?: number;
  /** The files that its workspace begins with, by their name in the store. Default: none. Needs a server with workers. */
  readonly files?: string;
  readonly signal?: Abort;
}

/** The API of a server. */
export interface Client {
  /** Any operation of the table. Throws ApiError. */
  call<Name extends OperationName>(
    name: Name,
    input?: CallInput<Name>,
  ): Promise<OperationOutput<Operations[Name]>>;
  /** Starts a run, and does not wait for it. */
  startRun(
    skill: string,
    input?: { readonly [key: string]: Json } | null,
    options?: StartOptions,
  ): Promise<ApiRun>;
  /** The run when it has ended, waits for an answer, or is not driven any more. */
  waitForRun(run: string, options?: { readonly signal?: Abort }): Promise<ApiRun>;
  /** The entries of a run, until it ends. Connections that break are made again. */
  events(run: string, options?: FollowOptions): AsyncIterable<RunEntry>;
  /** Puts the files of an archive (tar, tar.gz, zip) under a name, for `files` of a start. For operators. */
  putFiles(name: string, archive: Uint8Array): Promise<OperationOutput<Operations['putFiles']>>;
  /** Every question that runs wait for. */
  questions(options?: {
    readonly audience?: ApiQuestion['audience'];
    readonly signal?: Abort;
  }): AsyncIterable<ApiQuestion>;
  /** Answers a question, which continues its run. */
  answer(question: AnsweredQuestion, value: Json): Promise<ApiRun>;
  /** Approves or denies a command, which continues its run. */
  approve(question: AnsweredQuestion, approval: string): Promise<ApiRun>;
}

/** What of a question goes back with its answer. */
export type AnsweredQuestion = Pick<ApiQuestion, 'run' | 'id' | 'nonce'>;

type Query = { readonly [name: string]: string | number | boolean | undefined };

/** Half a minute of looking at a run that no process drives. */
const mostAnswered = 120;
const driven: ReadonlySet<string> = new Set(['queued', 'running']);

/** A client of `techne serve`. */
export function createClient(options: ClientOptions): Client {
  const { token, csrf, maxRetries = 8 } = options;
  const transport: TransportOptions = {
    url: options.url.replace(/\/+$/, ''),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(csrf === undefined ? {} : { 'x-techne-csrf': csrf }),
    },
    fetch: options.fetch ?? ((url, init) => fetch(url, init as RequestInit)),
    maxRetries,
  };

  const call: Client['call'] = async (name, input = {}) => {
    const operation = operationOf(name);
    const { params = {}, query = {}, headers = {}, body, signal } = input as CallInput<OperationName>;
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent((params as { readonly [name: string]: string })[key] ?? ''),
    );
    const wanted = new URLSearchParams();
    for (const [key, value] of Object.entries(query as Query))
      if (value !== undefined) wanted.set(key, String(value));
    const text = wanted.toString();
    const response = await send(transport, {
      method: operation.method,
      path: text === '' ? path : `${path}?${text}`,
      headers: headers as { readonly [name: string]: string },
      ...(body === undefined ? {} : { body: body as Json | Uint8Array }),
      ...(signal === undefined ? {} : { signal }),
      repeatable: operation.method !== 'POST' || 'idempotency-key' in headers,
    });
    const given = await response.text();
    return (operation.answers === 'json' ? JSON.parse(given) : given) as never;
  };

  return {
    call,
    startRun: (skill, input = null, { key = newKey(), limits, deadline, files, signal } = {}) =>
      call('startRun', {
        headers: { 'idempotency-key': key },
        body: {
          skill,
          input,
          ...(limits === undefined ? {} : { limits }),
          ...(deadline === undefined ? {} : { deadline }),
          ...(files === undefined ? {} : { files }),
        },
        ...(signal === undefined ? {} : { signal }),
      }),
    async waitForRun(run, { signal } = {}) {
      for (let tries = 0; ;) {
        const shown = await call('getRun', {
          params: { run },
          query: { wait: 30 },
          ...(signal === undefined ? {} : { signal }),
        });
        // It has its answers, and the server that got them is about to continue it.
        const isAnswered = shown.status === 'paused' && shown.questions.length === 0;
        if (isAnswered) tries += 1;
        if (!driven.has(shown.status) && (!isAnswered || tries > mostAnswered)) return shown;
        await pause(isAnswered ? 250 : 50, signal);
      }
    },
    events: (run, wanted) => followEvents(transport, run, wanted),
    putFiles: (name, archive) => call('putFiles', { params: { name }, body: archive }),
    async *questions({ audience, signal } = {}) {
      let cursor: string | null = null;
      do {
        const page: OperationOutput<Operations['listQuestions']> = await call('listQuestions', {
          query: {
            ...(audience === undefined ? {} : { audience }),
            ...(cursor === null ? {} : { cursor }),
          },
          ...(signal === undefined ? {} : { signal }),
        });
        yield* page.questions;
        ({ cursor } = page);
      } while (cursor !== null);
    },
    answer: ({ run, id, nonce }, value) =>
      call('answerQuestion', { params: { run, question: id }, body: { nonce: nonce ?? '', value } }),
    approve: ({ run, id, nonce }, approval) =>
      call('approveQuestion', { params: { run, question: id }, body: { nonce: nonce ?? '', approval } }),
  };
}

function newKey(): string {
  return crypto.randomUUID();
}
