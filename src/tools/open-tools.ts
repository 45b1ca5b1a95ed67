// The tools for runs in a workspace, from its configuration: the built-in ones, and those of MCP servers.
//
//   configuration, .mcp.json -> servers -> ToolHost
//
// `.mcp.json` counts only in a trusted workspace, and the configuration takes precedence over it. Opening starts no server
// and loads no built-in tool: both wait until a run looks for a tool.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TechneError } from '../base/error.ts';
import { isInside } from '../base/is-inside.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { FileRoots } from '../node/confined/confined-files.ts';
import type { Approvals } from '../node/commands/approvals.ts';
import type { LoadedConfig } from '../node/load-config.ts';
import type { Files } from '../ports/files.ts';
import type { TrustStore } from '../registry/trust/trust-store.ts';
import type { CommandHost } from '../ports/command-host.ts';
import type { ToolHost, HostTool, ToolCall, ToolContext, ToolOutcome } from '../ports/tool-host.ts';
import { isPlaceholder } from '../node/sandbox/placeholder.ts';
import type { McpFile } from './mcp/read-mcp-file.ts';
import type { Config, McpServer } from '../config/types.ts';
import { nodeSha256 } from '../node/environment.ts';
import { canonicalJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { ConfinedFiles } from '../node/confined/confined-files.ts';
import type { Tool } from '../ports/tool.ts';
import { prepareAndCall, ToolFault } from '../ports/tool.ts';
import { commandCallOf, execCommand, execCommandTool } from './built-in/exec-command-tool.ts';
import type { ServerConnection } from './mcp/server-connection.ts';
import { denialOf, judgeTool } from './tool-policy.ts';

interface OpenToolsOptions {
  /** The library that provides configuration and trust. */
  readonly library: {
    readonly files: Files;
    readonly loaded: LoadedConfig;
    readonly openTrust: () => Promise<TrustStore>;
  };
  readonly snapshot: Pick<Snapshot, 'skills'>;
  readonly workspace: string;
  /** Relative to the workspace. */
  readonly fileRoots: FileRoots;
  readonly commands: CommandHost;
  readonly approvals: Approvals;
  readonly variables: { readonly [name: string]: string | undefined };
  /** Further built-in tools, loaded with the others. Default: none. */
  readonly more?: () => Promise<readonly Tool[]>;
}

export async function openTools({
  library,
  snapshot,
  workspace,
  fileRoots,
  commands,
  approvals,
  variables,
  more,
}: OpenToolsOptions): Promise<ToolHost> {
  const { config } = library.loaded;
  const roots = {
    ...fileRoots,
    read: fileRoots.read.map((root) => resolve(workspace, root)),
    write: fileRoots.write.map((root) => resolve(workspace, root)),
  };
  // A skill that holds a whole root would make all of it unwritable.
  const guarded = snapshot.skills
    .map(({ realFolder }) => realFolder)
    .filter((folder) => !roots.write.some((root) => isInside(root, folder)));
  const { servers, faults } = await findServers(library, workspace);
  return createToolHost({
    workspace,
    fileRoots: roots,
    guarded,
    config,
    servers,
    serverFaults: faults,
    commands,
    approvals,
    variables,
    ...(more === undefined ? {} : { more }),
  });
}

export interface FoundServers extends McpFile {
  /** There is a `.mcp.json`, and it does not count, because the workspace is not trusted. */
  readonly isUnused: boolean;
}

/** The servers whose tools are used. */
export async function findServers(
  { files, loaded, openTrust }: OpenToolsOptions['library'],
  workspace: string,
): Promise<FoundServers> {
  const { mcpServers, trust } = loaded.config;
  const file = join(workspace, '.mcp.json');
  // A command that runs in a sandbox now may hold the name.
  if (!existsSync(file) || isPlaceholder(file)) return { servers: mcpServers, faults: [], isUnused: false };
  if (!(await isTrusted(openTrust, workspace, trust.folders))) {
    return {
      servers: mcpServers,
      isUnused: true,
      faults: [
        {
          server: '.mcp.json',
          message:
            'the workspace is not trusted, so its servers are not started; name them in ~/.techne/config.json, or trust the folder',
        },
      ],
    };
  }
  const { readMcpFile } = await import('./mcp/read-mcp-file.ts');
  const { servers, faults } = await readMcpFile(files, workspace);
  return { servers: { ...servers, ...mcpServers }, faults, isUnused: false };
}

/** A trust file that cannot be used grants nothing. */
async function isTrusted(
  openTrust: OpenToolsOptions['library']['openTrust'],
  folder: string,
  folders: readonly string[],
): Promise<boolean> {
  try {
    return await (await openTrust()).isTrustedWorkspace(folder, folders);
  } catch (error) {
    if (error instanceof TechneError) return false;
    throw error;
  }
}

// Which tool a name means.
//
//   name -> built in | `server__tool` | a tool that only one server has
//
// A server never shadows a built-in tool, and a plain name that several servers have names none of them. A built-in tool
// starts no server, and `server__tool` only its own. The MCP library is loaded when the first server is needed.

export interface ToolHostOptions {
  readonly workspace: string;
  readonly fileRoots: FileRoots;
  /** Real folders that file tools do not write to: those of skills. */
  readonly guarded: readonly string[];
  readonly config: Pick<Config, 'tools'>;
  /** By name; also those of a trusted workspace. */
  readonly servers: { readonly [name: string]: McpServer };
  /** Servers that cannot be used, and why. */
  readonly serverFaults?: readonly { readonly server: string; readonly message: string }[];
  readonly commands: CommandHost;
  readonly approvals: Approvals;
  readonly variables: { readonly [name: string]: string | undefined };
  /** Further built-in tools. Default: none. */
  readonly more?: () => Promise<readonly Tool[]>;
  /** How long a server may take to start and to list its tools. Default: 20 s. */
  readonly connectTimeoutMs?: number;
}

export function createToolHost(options: ToolHostOptions): ToolHost {
  const {
    workspace,
    config,
    servers,
    commands,
    approvals,
    variables,
    serverFaults = [],
    connectTimeoutMs = 20_000,
  } = options;
  let built: Promise<BuiltIn> | null = null;
  const builtIn = (): Promise<BuiltIn> => (built ??= openBuiltIn(options));
  const policy = { config, approvals, workspace };
  const connections = new Map<string, Promise<ServerConnection>>();
  let closed = false;

  const connectionTo = (server: string): Promise<ServerConnection> => {
    let connection = connections.get(server);
    if (connection === undefined) {
      connection = import('./mcp/server-connection.ts').then(({ createServerConnection }) =>
        createServerConnection({
          name: server,
          server: servers[server] as McpServer,
          cwd: workspace,
          variables,
          connectTimeoutMs,
        }),
      );
      connections.set(server, connection);
    }
    return connection;
  };
  const toolsOf = async (server: string): Promise<readonly HostTool[]> =>
    (await connectionTo(server)).tools();

  const find = async (name: string): Promise<HostTool | null> => {
    if (closed) return null;
    const bare = name.startsWith('mcp__') ? name.slice(5) : name;
    if (bare === execCommandTool.name) return execCommandTool;
    const own = (await builtIn()).facts.get(bare);
    if (own !== undefined) return own;
    const server = Object.keys(servers).find((each) => bare.startsWith(`${each}__`));
    if (server !== undefined) {
      const found = (await toolsOf(server)).find((tool) => tool.name === bare);
      if (found !== undefined) return found;
    }
    const { tools } = await list();
    const fitting = tools.filter(
      (tool) =>
        tool.from !== 'built-in' && tool.name.endsWith(`__${bare}`) && tool.name === `${tool.from}__${bare}`,
    );
    return fitting.length === 1 ? (fitting[0] as HostTool) : null;
  };

  const list: ToolHost['list'] = async () => {
    const found = await Promise.all(
      Object.keys(servers).map(async (server) => {
        try {
          return { tools: await toolsOf(server), faults: [] };
        } catch (error) {
          return {
            tools: [],
            faults: [{ server, message: error instanceof Error ? error.message : String(error) }],
          };
        }
      }),
    );
    return {
      tools: [...(await builtIn()).facts.values(), execCommandTool, ...found.flatMap(({ tools }) => tools)],
      faults: [...serverFaults, ...found.flatMap(({ faults }) => faults)],
    };
  };

  return {
    list,
    find,
    async judge(call, caller, approval) {
      const fact = await find(call.tool);
      if (fact === null) return { kind: 'deny', reason: `there is no tool "${call.tool}"` };
      if (fact.name === execCommandTool.name) {
        const denial = denialOf(fact, config);
        const line = commandCallOf(call);
        if (denial !== null || !line.ok)
          return { kind: 'deny', reason: denial ?? (line as { fault: string }).fault };
        return commands.judge(line.call, caller, approval);
      }
      const server =
        fact.from === 'built-in' ? '' : nodeSha256(canonicalJson(servers[fact.from] as unknown as Json));
      return judgeTool(policy, fact, call, caller, approval, server);
    },
    async call(call, caller, context) {
      const fact = await find(call.tool);
      if (fact === null) return { ok: false, message: `there is no tool "${call.tool}"`, timedOut: false };
      if (fact.name === execCommandTool.name) return execCommand(commands, call, caller, context);
      const own = (await builtIn()).tools.get(fact.name);
      if (own !== undefined) return callBuiltIn(own, call, context);
      return (await connectionTo(fact.from)).call(
        fact.name.slice(fact.from.length + 2),
        call,
        context.signal,
      );
    },
    async close() {
      closed = true;
      await Promise.all([...connections.values()].map(async (connection) => (await connection).close()));
    },
  };
}

/** The built-in tools by name, loaded when a run first looks for a tool. */
interface BuiltIn {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly facts: ReadonlyMap<string, HostTool>;
}

async function openBuiltIn({ fileRoots: roots, guarded, more }: ToolHostOptions): Promise<BuiltIn> {
  const { builtInTools, describeBuiltIn } = await import('./built-in/built-in-tools.ts');
  const tools = [...builtInTools(new ConfinedFiles({ roots, guarded })), ...((await more?.()) ?? [])];
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    facts: new Map(tools.map((tool) => [tool.name, describeBuiltIn(tool)])),
  };
}

async function callBuiltIn(
  tool: Tool,
  { args }: ToolCall,
  { signal, mayTouch }: ToolContext,
): Promise<ToolOutcome> {
  try {
    const { text, value = null } = await prepareAndCall(
      tool,
      args,
      mayTouch === undefined ? { signal } : { signal, mayTouch },
    );
    return { ok: true, text, value };
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    return { ok: false, message: error.text, timedOut: false };
  }
}
