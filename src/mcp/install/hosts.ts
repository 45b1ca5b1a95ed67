// The configuration file of each MCP host, and the form of an entry.
import { join } from 'node:path';

const hostNames = [
  'claude-code',
  'claude-desktop',
  'codex',
  'cursor',
  'vscode',
  'gemini',
  'windsurf',
  'zed',
  'opencode',
  'copilot',
  'cline',
  'qwen',
] as const;
export type HostName = (typeof hostNames)[number];

const scopes = ['project', 'user'] as const;
export type InstallScope = (typeof scopes)[number];

export interface InstallPlaces {
  readonly workspace: string;
  readonly homeFolder: string;
  readonly platform: string;
  readonly variables: { readonly [name: string]: string | undefined };
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

interface HostTable {
  readonly title: string;
  /** The first one is the default. */
  readonly files: { readonly [scope in InstallScope]?: (places: InstallPlaces) => string };
  readonly scope: InstallScope;
  readonly format: 'json' | 'toml';
  /** The path of the servers in the file. */
  readonly path: readonly string[];
  /** The variable of the host for the project folder; null if it starts servers there. */
  readonly workspaceVariable: string | null;
  /** Scopes in which the host starts servers outside projects, so that a folder must be given. */
  readonly startsElsewhere?: readonly InstallScope[];
  /** A program with windows, which does not see the PATH of a shell. Default: false. */
  readonly hasWindows?: boolean;
  /** The characters of a result that the host shows a model, where they are few; longer questions come in pages. */
  readonly pageUnits?: number;
  readonly entry: (command: Command) => { readonly [key: string]: string | boolean | readonly string[] };
  /** The next step for the user. */
  readonly afterwards: string;
}

const plain = ({ command, args }: Command): { readonly [key: string]: string | readonly string[] } => ({
  command,
  args,
});
const typed = (command: Command): { readonly [key: string]: string | readonly string[] } => ({
  type: 'stdio',
  ...plain(command),
});

export const hosts: { readonly [name in HostName]: HostTable } = {
  'claude-code': {
    title: 'Claude Code',
    files: {
      project: ({ workspace }) => join(workspace, '.mcp.json'),
      user: ({ homeFolder }) => join(homeFolder, '.claude.json'),
    },
    scope: 'project',
    format: 'json',
    path: ['mcpServers'],
    workspaceVariable: null,
    // All tools are in the first request, instead of behind a search that a model has to begin.
    entry: (command) => ({ ...typed(command), alwaysLoad: true }),
    afterwards: 'Start claude in this folder and approve the server; /mcp shows it.',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    files: {
      user: ({ homeFolder, platform, variables }) =>
        join(configFolder(homeFolder, platform, variables), 'Claude', 'claude_desktop_config.json'),
    },
    scope: 'user',
    format: 'json',
    path: ['mcpServers'],
    workspaceVariable: null,
    startsElsewhere: ['user'],
    hasWindows: true,
    entry: plain,
    afterwards: 'Quit Claude Desktop and start it again.',
  },
  codex: {
    title: 'Codex',
    files: {
      user: ({ homeFolder, variables }) =>
        join(variables['CODEX_HOME'] ?? join(homeFolder, '.codex'), 'config.toml'),
      project: ({ workspace }) => join(workspace, '.codex', 'config.toml'),
    },
    scope: 'user',
    format: 'toml',
    path: ['mcp_servers'],
    workspaceVariable: null,
    pageUnits: 9_000,
    // Otherwise codex continues without a message if the server does not start.
    entry: (command) => ({ ...plain(command), required: true }),
    afterwards: 'Start codex; /mcp shows the server.',
  },
  cursor: {
    title: 'Cursor',
    files: {
      project: ({ workspace }) => join(workspace, '.cursor', 'mcp.json'),
      user: ({ homeFolder }) => join(homeFolder, '.cursor', 'mcp.json'),
    },
    scope: 'project',
    format: 'json',
    path: ['mcpServers'],
    workspaceVariable: '${workspaceFolder}',
    startsElsewhere: ['user'],
    hasWindows: true,
    entry: plain,
    afterwards: 'Turn the server on in the settings of Cursor, under MCP.',
  },
  vscode: {
    title: 'VS Code',
    files: {
      project: ({ workspace }) => join(workspace, '.vscode', 'mcp.json'),
      user: ({ homeFolder, platform, variables }) =>
        join(configFolder(homeFolder, platform, variables), 'Code', 'User', 'mcp.json'),
    },
    scope: 'project',
    format: 'json',
    path: ['servers'],
    workspaceVariable: '${workspaceFolder}',
    startsElsewhere: ['user'],
    hasWindows: true,
    entry: typed,
    afterwards: 'Run "MCP: List Servers" in VS Code and start it.',
  },
  gemini: {
    title: 'Gemini CLI',
    files: {
      project: ({ workspace }) => join(workspace, '.gemini', 'settings.json'),
      user: ({ homeFolder }) => join(homeFolder, '.gemini', 'settings.json'),
    },
    scope: 'project',
    format: 'json',
    path: ['mcpServers'],
    workspaceVariable: null,
    entry: plain,
    afterwards: 'Start gemini in this folder; /mcp shows the server.',
  },
  windsurf: {
    title: 'Windsurf',
    files: { user: ({ homeFolder }) => join(homeFolder, '.codeium', 'windsurf', 'mcp_config.json') },
    scope: 'user',
    format: 'json',
    path: ['mcpServers'],
    workspaceVariable: null,
    startsElsewhere: ['user'],
    hasWindows: true,
    entry: plain,
    afterwards: 'Refresh the servers in the MCP settings of Windsurf.',
  },
  zed: {
    title: 'Zed',
    files: {
      project: ({ workspace }) => join(workspace, '.zed', 'settings.json'),
      user: ({ homeFolder, platform, variables }) =>
        join(
          platform === 'win32' ? configFolder(homeFolder, platform, variables) : join(homeFolder, '.config'),
          platform === 'win32' ? 'Zed' : 'zed',
          'settings.json',
        ),
    },
    scope: 'project',
    format: 'json',
    path: ['context_servers'],
    workspaceVariable: null,
    hasWindows: true,
    entry: (command) => ({ source: 'custom', ...plain(command) }),
    afterwards: 'The agent panel of Zed shows the server.',
  },
  opencode: {
    title: 'opencode',
    files: {
      project: ({ workspace }) => join(workspace, 'opencode.json'),
      user: ({ homeFolder }) => join(homeFolder, '.config', 'opencode', 'opencode.json'),
    },
    scope: 'project',
    format: 'json',
    path: ['mcp'],
    workspaceVariable: null,
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    afterwards: 'Start opencode in this folder.',
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    files: {
      user: ({ homeFolder, variables }) =>
        join(variables['COPILOT_HOME'] ?? join(homeFolder, '.copilot'), 'mcp-config.json'),
    },
    scope: 'user',
    format: 'json',
    path: ['mcpServers'],
    workspaceVariable: null,
    pageUnits: 9_000,
    entry: (command) => ({ type: 'local', ...plain(command), tools: ['*'] }),
    afterwards: 'Start copilot in a project; /mcp shows the server.',
  },
  cline: {
    title: 'Cline',
    files: {
      user: ({ homeFolder }) => join(homeFolder, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
    },
    scope: 'user',
    format: 'json',
    path: ['mcpServers'],
    workspaceVariable: null,
    pageUnits: 6_000,
    entry: plain,
    afterwards: 'Start cline in a project.',
  },
  qwen: {
    title: 'Qwen Code',
    files: {
      project: ({ workspace }) => join(workspace, '.qwen', 'settings.json'),
      user: ({ homeFolder }) => join(homeFolder, '.qwen', 'settings.json'),
    },
    scope: 'project',
    format: 'json',
    path: ['mcpServers'],
    workspaceVariable: null,
    pageUnits: 18_000,
    entry: plain,
    afterwards: 'Start qwen in this folder; /mcp shows the server.',
  },
};

function configFolder(homeFolder: string, platform: string, variables: InstallPlaces['variables']): string {
  if (platform === 'darwin') return join(homeFolder, 'Library', 'Application Support');
  if (platform === 'win32') return variables['APPDATA'] ?? join(homeFolder, 'AppData', 'Roaming');
  return variables['XDG_CONFIG_HOME'] ?? join(homeFolder, '.config');
}
