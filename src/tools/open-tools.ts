// The tools for runs in a workspace, from its configuration.
//
// `.mcp.json` counts only in a trusted workspace, and the configuration takes precedence over it. No server is
// started here.
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
import type { ToolHost } from '../ports/tool-host.ts';
import { isPlaceholder } from '../node/sandbox/placeholder.ts';
import { createToolHost } from './create-tool-host.ts';
import type { McpFile } from './mcp/read-mcp-file.ts';

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
}

export async function openTools({
  library,
  snapshot,
  workspace,
  fileRoots,
  commands,
  approvals,
  variables,
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
