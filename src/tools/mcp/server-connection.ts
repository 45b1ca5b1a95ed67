// One MCP server: connected when it is first needed, and again after it has ended.
//
// Calls that arrive while it starts wait for the same start; a failed start is reported, and the next call tries
// again. Starting, listing and calling have time limits, and a stopped call is cancelled at the server. Descriptions
// of tools are bounded and count as hints: tool-policy.ts decides what `readOnlyHint` is worth. Error messages are
// one bounded line without keys (safe-message.ts). A call failed if the server says so or if it was never sent;
// otherwise its outcome is unknown.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, jsonSchemaValidator } from '@modelcontextprotocol/client';
import type { Abort } from '../../base/abort.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import { checkSchema } from '../../base/schema/check-value.ts';
import type { McpServer } from '../../config/types.ts';
import { commandEnvironment } from '../../node/commands/environment.ts';
import { packageVersion } from '../../node/package-info.ts';
import type { ToolCall, HostTool, ToolOutcome } from '../../ports/tool-host.ts';
import { safeMessage, secretsAmong } from '../../node/safe-message.ts';
import { expandVariables } from './expand-variables.ts';
import { readResult } from './read-result.ts';
import { StdioTransport } from './stdio-transport.ts';

interface ServerConnectionOptions {
  readonly name: string;
  readonly server: McpServer;
  readonly cwd: string;
  readonly variables: { readonly [name: string]: string | undefined };
  readonly connectTimeoutMs: number;
}

export interface ServerConnection {
  /** Throws why the server cannot be used. */
  tools(): Promise<readonly HostTool[]>;
  /** `tool` by the name that the server gives it. */
  call(tool: string, call: ToolCall, signal: Abort): Promise<ToolOutcome>;
  close(): Promise<void>;
}

const limits = { tools: 1_000, descriptionUnits: 2_000, schemaUnits: 100_000 } as const;

interface Live {
  readonly client: Client;
  readonly transport: StdioTransport | null;
  readonly tools: readonly HostTool[];
  isOpen: boolean;
}

export function createServerConnection(options: ServerConnectionOptions): ServerConnection {
  return new LazyConnection(options);
}

class LazyConnection implements ServerConnection {
  readonly #options: ServerConnectionOptions;
  #live: Promise<Live> | null = null;
  #closed = false;

  constructor(options: ServerConnectionOptions) {
    this.#options = options;
  }

  async tools(): Promise<readonly HostTool[]> {
    return (await this.#connected()).tools;
  }

  async call(tool: string, { args, timeoutMs }: ToolCall, signal: Abort): Promise<ToolOutcome> {
    const fail = (message: string, timedOut = false, isUncertain = false): ToolOutcome => ({
      ok: false,
      message: this.#safe(message),
      timedOut,
      ...(isUncertain ? { isUncertain } : {}),
    });
    let live: Live;
    try {
      live = await this.#connected();
    } catch (error) {
      return fail(wordsOf(error));
    }
    const controller = new AbortController();
    const stop = (): void => controller.abort(new Error('stopped'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    try {
      const outcome = readResult(
        await live.client.callTool(
          { name: tool, arguments: { ...args } },
          { signal: controller.signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs },
        ),
      );
      return outcome.ok ? outcome : fail(outcome.message, outcome.timedOut);
    } catch (error) {
      if (signal.aborted) return fail('it was stopped', false, true);
      if (isTimeout(error)) return fail(`it took longer than ${timeoutMs / 1_000} s`, true, true);
      const gone = !live.isOpen || live.transport?.hasEnded === true;
      const last = live.transport?.lastWords ?? '';
      return gone
        ? fail(
            `the server "${this.#options.name}" went away during the call${last === '' ? '' : `: ${last}`}`,
            false,
            true,
          )
        : fail(wordsOf(error), false, !isRefused(error));
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const live = await this.#live?.catch(() => null);
    await live?.client.close();
    await live?.transport?.close();
  }

  async #connected(): Promise<Live> {
    if (this.#closed) throw new Error(`the server "${this.#options.name}" is closed`);
    const live = await this.#live;
    if (live !== null && live !== undefined && live.isOpen) return live;
    if (live !== null && live !== undefined) this.#live = null;
    this.#live ??= this.#connect();
    try {
      return await this.#live;
    } catch (error) {
      this.#live = null;
      throw error;
    }
  }

  async #connect(): Promise<Live> {
    const { name, connectTimeoutMs } = this.#options;
    const { Client: McpClient, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const { stdio, http } = this.#settings();
    const transport = stdio === null ? null : new StdioTransport(stdio);
    const client = new McpClient(
      { name: 'techne', version: packageVersion() },
      { jsonSchemaValidator: ownValidator },
    );
    const options = { timeout: connectTimeoutMs, maxTotalTimeout: connectTimeoutMs };
    try {
      const work = (async (): Promise<Live> => {
        await client.connect(
          transport ??
            new StreamableHTTPClientTransport(new URL(http?.url ?? ''), {
              requestInit: { headers: { ...http?.headers } },
              fetch: fetchWithin,
            }),
          options,
        );
        const live: Live = {
          client,
          transport,
          isOpen: true,
          tools: factsOf(
            name,
            client.getServerCapabilities()?.tools === undefined
              ? []
              : (await client.listTools(undefined, options)).tools,
          ),
        };
        Object.assign(client, { onclose: () => void (live.isOpen = false) });
        return live;
      })();
      return await inTime(work, connectTimeoutMs);
    } catch (error) {
      await client.close().catch(() => undefined);
      await transport?.close();
      const last = transport?.lastWords ?? '';
      const what = isTimeout(error)
        ? `it did not answer within ${connectTimeoutMs / 1_000} s`
        : wordsOf(error);
      throw new Error(this.#safe(last === '' || what.includes(last) ? what : `${what}; ${last}`), {
        cause: error,
      });
    }
  }

  /** Without the keys that the server is given. */
  #safe(text: string): string {
    const { server, variables } = this.#options;
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

  #settings(): {
    readonly stdio: ConstructorParameters<typeof StdioTransport>[0] | null;
    readonly http: { readonly url: string; readonly headers: { readonly [name: string]: string } } | null;
  } {
    const { server, cwd, variables } = this.#options;
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
}

function factsOf(server: string, tools: readonly unknown[]): readonly HostTool[] {
  return tools.slice(0, limits.tools).flatMap((tool): readonly HostTool[] => {
    const json = parseJson(JSON.stringify(tool ?? null));
    if (!isJsonObject(json) || typeof json['name'] !== 'string' || !/^[\w.-]{1,128}$/.test(json['name']))
      return [];
    const { name, description, inputSchema, annotations } = json;
    const hints: JsonObject = isJsonObject(annotations) ? annotations : {};
    const readOnly = hints['readOnlyHint'] === true;
    return [
      {
        name: `${server}__${name as string}`,
        description: typeof description === 'string' ? description.slice(0, limits.descriptionUnits) : '',
        parameters:
          isJsonObject(inputSchema) && JSON.stringify(inputSchema).length <= limits.schemaUnits
            ? inputSchema
            : { type: 'object' },
        readOnly,
        repeatable: readOnly || hints['idempotentHint'] === true,
        from: server,
      },
    ];
  });
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

const notSent: ReadonlySet<unknown> = new Set([
  'NOT_CONNECTED',
  'NOT_INITIALIZED',
  'CAPABILITY_NOT_SUPPORTED',
  'CLIENT_HTTP_AUTHENTICATION',
  'CLIENT_HTTP_FORBIDDEN',
]);

/** Whether the call failed for certain. Numbers are codes that the server answered with. */
function isRefused(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'number' || notSent.has(code);
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof TooLate ||
    (error instanceof Error && (error as { code?: unknown }).code === 'REQUEST_TIMEOUT')
  );
}

function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${message}${message.includes(cause.slice(2)) ? '' : cause}`.slice(0, 1_000);
}

const maxAnswerBytes = 64 * 1024 * 1024;

/** fetch with a bound on what is read of an answer: a server that never stops sending must not fill the memory. */
async function fetchWithin(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
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
