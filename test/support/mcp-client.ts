// The official MCP client, with a server of ours in a process of its own.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult, ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { World } from './run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));

/** The generations of the protocol, by how the client asks for them. */
export const generations = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', 'auto'],
] as const;
export type Generation = (typeof generations)[number][1];

/** What came of a call, as programs read it. */
export interface Called extends JsonObject {
  readonly status: string;
  readonly run: string;
  readonly questions: readonly {
    readonly run: string;
    readonly id: string;
    readonly nonce: string;
    readonly audience: string;
    readonly question: JsonObject;
  }[];
}

export interface McpClient {
  readonly client: Client;
  /** Of the server; null over HTTP. */
  readonly pid: number | null;
  readonly notes: string[];
  /** What was told of progress, in order. */
  readonly progress: { readonly progress: number; readonly message?: string | undefined }[];
  readonly call: (name: string, args?: { readonly [key: string]: Json }) => Promise<CallToolResult>;
  /** What a call that went well gives to programs: the structured content, or the metadata of a skill tool. */
  readonly facts: (name: string, args?: { readonly [key: string]: Json }) => Promise<Called>;
  close(): Promise<void>;
}

export interface ClientWishes {
  readonly generation: Generation;
  /** How the user of this client fills in forms; leaving it out is a client that cannot ask. */
  readonly fillIn?: (form: { readonly message: string; readonly requestedSchema: JsonObject }) => {
    readonly action: 'accept' | 'decline' | 'cancel';
    readonly content?: { readonly [name: string]: string | number | boolean };
  };
}

export const childEnvironment = (
  world: World,
  more: { readonly [name: string]: string } = {},
): { [name: string]: string } => ({ PATH: process.env['PATH'] ?? '', HOME: world.home, ...more });

export async function connectStdio(
  world: World,
  wishes: ClientWishes,
  ...argv: readonly string[]
): Promise<McpClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', ...argv],
    cwd: world.workspace,
    env: childEnvironment(world),
    stderr: 'pipe',
  });
  return connect(wishes, transport, () => transport.pid);
}

export async function connectHttp(url: string, token: string, wishes: ClientWishes): Promise<McpClient> {
  return connect(
    wishes,
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
    () => null,
  );
}

async function connect(
  { generation, fillIn }: ClientWishes,
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  pid: () => number | null,
): Promise<McpClient> {
  const notes: string[] = [];
  const told = (what: string) => ({
    autoRefresh: false,
    debounceMs: 0,
    onChanged: () => void notes.push(what),
  });
  const options: ClientOptions = {
    versionNegotiation: { mode: generation },
    capabilities: fillIn === undefined ? {} : { elicitation: { form: {} } },
    listChanged: { tools: told('tools'), prompts: told('prompts'), resources: told('resources') },
  };
  const client = new Client({ name: 'techne-tests', version: '1.0.0' }, options);
  if (fillIn !== undefined)
    client.setRequestHandler(
      'elicitation/create',
      ({ params }) => fillIn(params as unknown as Parameters<typeof fillIn>[0]) as never,
    );
  await client.connect(transport);
  const progress: McpClient['progress'] = [];
  const call: McpClient['call'] = (name, args = {}) =>
    client.callTool(
      { name, arguments: { ...args } },
      { onprogress: (note) => void progress.push(note), timeout: 60_000 },
    ) as Promise<CallToolResult>;
  return {
    client,
    get pid() {
      return pid();
    },
    notes,
    progress,
    call,
    async facts(name, args) {
      const result = await call(name, args);
      if (result.isError === true) throw new Error(JSON.stringify(result));
      return (result.structuredContent ?? result._meta?.['techne/metadata']) as unknown as Called;
    },
    close: () => client.close(),
  };
}

export interface HttpServer {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it printed for people. */
  readonly err: () => string;
  stop(): Promise<void>;
}

export async function startHttp(
  world: World,
  env: { readonly [name: string]: string },
  ...argv: readonly string[]
): Promise<HttpServer> {
  const child = spawn(process.execPath, [bin, 'mcp', '--http', '0', ...argv], {
    cwd: world.workspace,
    env: childEnvironment(world, env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
      const found = /listening on (\S+)\n/.exec(err)?.[1];
      if (found !== undefined) setTimeout(() => resolve(found), 20);
    });
    void ended.then(() => reject(new Error(err)));
  });
  return {
    url,
    child,
    err: () => err,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
