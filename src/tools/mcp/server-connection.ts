// One MCP server: connected when it is first needed, and again after it has ended.
//
// Calls that arrive while it starts wait for the same start; a failed start is reported, and the next call tries
// again. Starting, listing and calling have time limits, and a stopped call is cancelled at the server. Descriptions
// of tools are bounded and count as hints: tool-policy.ts decides what `readOnlyHint` is worth. Error messages are
// one bounded line without keys (safe-message.ts). A call failed if the server says so or if it was never sent;
// otherwise its outcome is unknown.
import type { Client } from '@modelcontextprotocol/client';
import type { Abort } from '../../base/abort.ts';
import type { JsonObject } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { ToolCall, HostTool, ToolOutcome } from '../../ports/tool-host.ts';
import { readResult } from './read-result.ts';
import type { ServerOptions } from './open-client.ts';
import { isTimeout, openClient, withoutKeys, wordsOf } from './open-client.ts';
import type { StdioTransport } from './stdio-transport.ts';

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

export function createServerConnection(options: ServerOptions): ServerConnection {
  return new LazyConnection(options);
}

class LazyConnection implements ServerConnection {
  readonly #options: ServerOptions;
  #live: Promise<Live> | null = null;
  #closed = false;

  constructor(options: ServerOptions) {
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
    const options = { timeout: connectTimeoutMs, maxTotalTimeout: connectTimeoutMs };
    return openClient(this.#options, async (client, transport): Promise<Live> => {
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
    });
  }

  /** Without the keys that the server is given. */
  #safe(text: string): string {
    return withoutKeys(text, this.#options);
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
