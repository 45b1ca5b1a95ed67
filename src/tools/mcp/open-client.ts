// A client of one MCP server, connected within a time limit.
//
//   server of the configuration, variables -> transport (stdio or http) -> connected client
//
// The schemas of an untrusted server are checked by our own validator, answers over http are bounded, and messages of errors
// are one bounded line without keys.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, jsonSchemaValidator } from '@modelcontextprotocol/client';
import type { Json } from '../../base/json.ts';
import { checkSchema } from '../../base/schema/check-value.ts';
import type { McpServer } from '../../config/types.ts';
import { commandEnvironment } from '../../node/commands/environment.ts';
import { packageVersion } from '../../node/package-info.ts';
import { safeMessage, secretsAmong } from '../../node/safe-message.ts';
import { expandVariables } from './expand-variables.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface ServerOptions {
  readonly name: string;
  readonly server: McpServer;
  readonly cwd: string;
  readonly variables: { readonly [name: string]: string | undefined };
  readonly connectTimeoutMs: number;
  /** For a server with a url. Default: that of the system. */
  readonly fetch?: Fetch;
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Connects and does `first`; everything is closed again when either fails. The error has no keys. */
export async function openClient<T>(
  options: ServerOptions,
  first: (client: Client, transport: StdioTransport | null) => Promise<T>,
): Promise<T> {
  const { connectTimeoutMs } = options;
  const { Client: McpClient, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { stdio, http } = settingsOf(options);
  const transport = stdio === null ? null : new StdioTransport(stdio);
  const client = new McpClient(
    { name: 'techne', version: packageVersion() },
    { jsonSchemaValidator: ownValidator },
  );
  try {
    const work = (async (): Promise<T> => {
      await client.connect(
        transport ??
          new StreamableHTTPClientTransport(new URL(http?.url ?? ''), {
            requestInit: { headers: { ...http?.headers } },
            fetch: within(options.fetch ?? fetch),
          }),
        { timeout: connectTimeoutMs, maxTotalTimeout: connectTimeoutMs },
      );
      return first(client, transport);
    })();
    return await inTime(work, connectTimeoutMs);
  } catch (error) {
    await client.close().catch(() => undefined);
    await transport?.close();
    const last = transport?.lastWords ?? '';
    const what = isTimeout(error) ? `it did not answer within ${connectTimeoutMs / 1_000} s` : wordsOf(error);
    throw new Error(withoutKeys(last === '' || what.includes(last) ? what : `${what}; ${last}`, options), {
      cause: error,
    });
  }
}

/** One bounded line without the keys that the server is given. */
export function withoutKeys(text: string, { server, variables }: ServerOptions): string {
  const expanded = (texts: { readonly [name: string]: string }): { [name: string]: string } =>
    Object.fromEntries(
      Object.entries(texts).flatMap(([name, value]) => {
        const found = expandVariables(value, variables);
        return found.ok ? [[name, found.text]] : [];
      }),
    );
  const headers = Object.values(expanded(server.headers ?? {}))
    .flatMap((value) => [value, ...value.split(' ')])
    .filter((value) => value.length >= 6);
  return safeMessage(
    text,
    [...headers, ...secretsAmong(expanded(server.env)), ...secretsAmong(variables)],
    1_000,
  );
}

function settingsOf({ server, cwd, variables }: ServerOptions): {
  readonly stdio: ConstructorParameters<typeof StdioTransport>[0] | null;
  readonly http: { readonly url: string; readonly headers: { readonly [name: string]: string } } | null;
} {
  const expand = (text: string): string => {
    const expanded = expandVariables(text, variables);
    if (!expanded.ok) throw new Error(`it needs the variable ${expanded.variable}, which is not set`);
    return expanded.text;
  };
  const all = (texts: { readonly [name: string]: string }): { [name: string]: string } =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, expand(text)]));
  if (server.url !== null)
    return { stdio: null, http: { url: expand(server.url), headers: all(server.headers ?? {}) } };
  const environment = { ...commandEnvironment(variables, []), ...all(server.env) };
  return {
    stdio: { command: expand(server.command ?? ''), args: server.args.map(expand), environment, cwd },
    http: null,
  };
}

/** Our own validator: the library would compile the schema of an untrusted server into code. */
const ownValidator: jsonSchemaValidator = {
  getValidator: (schema) => (input) => {
    const faults = checkSchema(schema as unknown as Json, input as Json, 'the result');
    return faults.length === 0
      ? { valid: true, data: input as never, errorMessage: undefined }
      : { valid: false, data: undefined, errorMessage: faults.join('; ') };
  },
};

class TooLate extends Error {}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const stop = new AbortController();
  work.catch(() => undefined);
  try {
    return await Promise.race([
      work,
      sleep(ms, undefined, { signal: stop.signal }).then(() => Promise.reject(new TooLate())),
    ]);
  } finally {
    stop.abort();
  }
}

export function isTimeout(error: unknown): boolean {
  return (
    error instanceof TooLate ||
    (error instanceof Error && (error as { code?: unknown }).code === 'REQUEST_TIMEOUT')
  );
}

export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${message}${message.includes(cause.slice(2)) ? '' : cause}`.slice(0, 1_000);
}

const maxAnswerBytes = 64 * 1024 * 1024;

/** fetch with a bound on what is read of an answer: a server that never stops sending must not fill the memory. */
function within(ask: Fetch): Fetch {
  return async (url, init) => bounded(await ask(url, init));
}

function bounded(response: Response): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes)
        controller.error(new Error(`the server sent more than ${maxAnswerBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}
