// techne mcp: serve skills over MCP, and configure MCP hosts.
import type { CommandSpec } from './command-spec.ts';
import { storeOption } from './run-options.ts';

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
];

const serve: CommandSpec = {
  name: 'mcp serve',
  summary: 'Serve skills and runs over MCP',
  details: [
    'Serves over standard input and output, as MCP hosts expect it; with --http over streamable HTTP. The tools are skill_search, skill_load, skill_read, run_metaskill, run_answer, run_status and run_cancel. Skills that people can call are prompts; skills that a model can load are resources. Clients are notified when skills change on disk.',
    'A model that the configuration names answers the asks of a run. Without one, the calling agent does, even if a key such as ANTHROPIC_API_KEY is set, because that is the key of the host: run_metaskill returns the question, and run_answer continues the run. A person approves commands with techne answer RUN.',
    'Over HTTP, every request needs "Authorization: Bearer TOKEN". The token comes from TECHNE_MCP_TOKEN; without it, techne creates one and prints it once. Requests with a foreign Host or Origin are refused.',
  ],
  positionals: [],
  options: [
    {
      name: 'http',
      value: 'PORT',
      optional: true,
      description: 'Serve over HTTP on this port (default 8484; 0: any free port)',
    },
    {
      name: 'host',
      value: 'ADDRESS',
      description: 'With --http: the address to listen on (default 127.0.0.1)',
    },
    {
      name: 'allow-host',
      value: 'NAME',
      repeatable: true,
      description: 'With --http: another host name of this server (repeatable)',
    },
    {
      name: 'allow-origin',
      value: 'ORIGIN',
      repeatable: true,
      description: 'With --http: another allowed origin, such as https://tools.example (repeatable)',
    },
    {
      name: 'answer',
      value: 'SPEC',
      suggest: ['model', 'caller', 'person', 'agent-cli', 'script:', 'replay:'],
      description:
        'The answerer, as for techne run (default: a model if the configuration names one, else the caller)',
    },
    storeOption,
    {
      name: 'wait',
      value: 'SECONDS',
      description: 'How long a tool call waits for its run before it returns "running" (default 50)',
    },
    {
      name: 'page',
      value: 'CHARACTERS',
      description:
        'How many characters of the questions of a run one result shows; run_status reads the rest (default 46000)',
    },
    {
      name: 'events',
      value: 'FILE',
      complete: 'path',
      description: 'Write the events of runs and loaded skills to FILE, one JSON object per line',
    },
    {
      name: 'no-relay',
      description: 'Only people answer forms: the calling agent cannot relay the answers of its user',
    },
  ],
  examples: [
    { line: 'techne mcp', what: 'Over standard input and output, for a host' },
    { line: 'techne mcp --http', what: 'Over HTTP on 127.0.0.1:8484' },
    {
      line: 'TECHNE_MCP_TOKEN=$(openssl rand -hex 16) techne mcp --http 9000',
      what: 'With a token of your own',
    },
  ],
  load: async () => (await import('../commands/mcp-serve.ts')).runMcpServe,
};

const install: CommandSpec = {
  name: 'mcp install',
  summary: 'Add techne to the configuration of an MCP host',
  details: [
    'Shows the change to the configuration file of the host, and writes it after you confirm, or with --write. Other entries do not change. If a link leads out of the project, techne asks even with --write. If the file cannot be read, techne does not change it and prints the entry for you to paste.',
    'With --plugin the package of techne mcp package is made in ~/.techne/host-plugins, without the skills of the workspace, and the program of the host installs it; its commands are shown first. --json then prints {host, folder, change, commands, done, message}; with --link {host, name, link, web}.',
    '--workspace and --root become part of the entry, for hosts that do not start servers in the project folder. --json prints {host, file, realFile, change, message, snippet, written}; realFile is the target of links; change is added, replaced, same or fault.',
  ],
  positionals: [
    {
      name: 'HOST',
      description: hostNames.join(', '),
      required: true,
      repeatable: false,
      choices: hostNames,
      complete: 'none',
    },
  ],
  options: [
    {
      name: 'scope',
      value: 'SCOPE',
      choices: ['project', 'user'],
      description: 'project: the file of this project; user: your own file (default: depends on the host)',
    },
    { name: 'name', value: 'NAME', description: 'The name of the server in the file (default techne)' },
    {
      name: 'plugin',
      description: 'For claude-code, codex and gemini: a plugin, through the program of the host',
    },
    {
      name: 'link',
      description:
        'For vscode and cursor: print links that add the server, one for the program and one for web pages',
    },
    { name: 'write', description: 'Write the change without asking' },
    { name: 'dry-run', description: 'Show the change, and neither ask nor write' },
  ],
  examples: [
    { line: 'techne mcp install claude-code', what: 'Show the change to .mcp.json and ask' },
    { line: 'techne mcp install codex --plugin', what: 'Show the commands that install the plugin and ask' },
    { line: 'techne mcp install vscode --link', what: 'Print a link that adds the server to VS Code' },
    { line: 'techne mcp install codex --write', what: 'Show the change and write it' },
    { line: 'techne mcp install cursor --scope user', what: 'For all your projects' },
    { line: 'techne mcp install claude-desktop --workspace .', what: 'With the skills of this folder' },
  ],
  load: async () => (await import('../commands/mcp-install.ts')).runMcpInstall,
};

const uninstall: CommandSpec = {
  name: 'mcp uninstall',
  summary: 'Take techne out of the configuration of an MCP host',
  details: [
    'Shows the change to the configuration file of the host, and writes it after you confirm, or with --write. Other entries and comments stay. A server of this name that does not start techne is not removed. --json prints the same as for techne mcp install.',
  ],
  positionals: install.positionals,
  options: install.options.filter(({ name }) => name !== 'link'),
  examples: [
    { line: 'techne mcp uninstall claude-code', what: 'Show the change to .mcp.json and ask' },
    { line: 'techne mcp uninstall codex --plugin', what: 'Show the commands that remove the plugin and ask' },
    { line: 'techne mcp uninstall codex --dry-run', what: 'Show the change and write nothing' },
  ],
  load: async () => (await import('../commands/mcp-install.ts')).runMcpUninstall,
};

const packaging: CommandSpec = {
  name: 'mcp package',
  summary: 'Make plugins of techne for Claude Code, Codex, Gemini CLI and other hosts',
  details: [
    'Writes a folder that is a marketplace for Claude Code and for Codex, with a plugin for each, an extension of Gemini CLI, and a package of the Agent Plugins format 1.0.0. Each starts techne mcp --answer caller and explains its tools to the model. Claude Code and Gemini CLI get a slash command for each trusted skill that people may call and a model may start.',
    'The folder is replaced only as a whole, and only if it holds nothing but a package. --workspace and --root become arguments of the server, as full paths. --json prints {folder, change, files, commands, left, install}; change is added, replaced or same; left says which skills have no slash command, and why.',
  ],
  positionals: [
    {
      name: 'FOLDER',
      description: 'The folder to write',
      required: true,
      repeatable: false,
      complete: 'folder',
    },
  ],
  options: [],
  examples: [
    { line: 'techne mcp package ./techne-plugins', what: 'Make the folder, or bring it up to date' },
    {
      line: 'claude plugin install techne --marketplace ./techne-plugins',
      what: 'Then add the plugin to Claude Code',
    },
  ],
  load: async () => (await import('../commands/mcp-package.ts')).runMcpPackage,
};

export const mcpCommand: CommandSpec = {
  name: 'mcp',
  summary: 'Use skills from your agent: configure hosts, serve MCP',
  details: ['techne mcp without a command is techne mcp serve.'],
  positionals: [],
  options: [],
  examples: [...install.examples.slice(0, 1), ...serve.examples],
  subcommands: [serve, install, uninstall, packaging],
  load: serve.load,
};
