// The commands about techne as an MCP server.
import type { CommandSpec } from './command-spec.ts';

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
];

const serve: CommandSpec = {
  name: 'mcp serve',
  summary: 'Serve skills and runs to an MCP host',
  details: [
    'Speaks MCP over standard input and output, as hosts start it; with --http over streamable HTTP on this machine. Tools: skill_search, skill_load, skill_read, run_metaskill, run_answer, run_status, run_cancel. Skills that people may call are prompts, and skills that a model may load are resources of the Skills extension. When skills change on disk, clients are told.',
    'Asks of a run go to a model if one is configured, else to the calling agent: run_metaskill then gives the question, and run_answer goes on. Commands that need an approval are approved by a person: techne answer RUN.',
    'Over HTTP every request needs "Authorization: Bearer TOKEN". The token is taken from TECHNE_MCP_TOKEN, or made and printed once. Requests whose Host or Origin is not the server\'s own are refused.',
  ],
  positionals: [],
  options: [
    {
      name: 'http',
      value: 'PORT',
      optional: true,
      description: 'Serve over HTTP on this port (default 8484; 0 is any that is free)',
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
      description: 'With --http: a further name that clients call the server by; may be repeated',
    },
    {
      name: 'allow-origin',
      value: 'ORIGIN',
      repeatable: true,
      description:
        'With --http: a further origin of web pages, such as https://tools.example; may be repeated',
    },
    {
      name: 'answer',
      value: 'SPEC',
      suggest: ['model', 'caller', 'person', 'agent-cli', 'script:', 'replay:'],
      description:
        'Who answers the asks of runs, as for techne run (default: a model if there is one, else the caller)',
    },
    {
      name: 'wait',
      value: 'SECONDS',
      description: 'How long a call waits for its run before it says "running" (default 50)',
    },
    {
      name: 'events',
      value: 'FILE',
      complete: 'path',
      description:
        'Write every event of runs, and every skill that is loaded, to FILE as it happens, one JSON object a line',
    },
    {
      name: 'no-relay',
      description: 'Forms are answered by people alone: the calling agent may not pass on what its user says',
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
  load: async () => (await import('./commands/mcp-serve.ts')).runMcpServe,
};

const install: CommandSpec = {
  name: 'mcp install',
  summary: 'Put techne into the configuration of an MCP host',
  details: [
    'Shows what would change in the configuration file of the host, and writes it after you agree, or with --write. Other entries stay as they are. Where a link leads out of the project you are asked also with --write. --workspace and --root go into the entry, for a host that starts servers elsewhere than in the project. A file that cannot be read is left alone; then the entry is printed, to be pasted.',
    '--json prints {host, file, realFile, change, message, snippet, written}; realFile is where links lead to, change is added, replaced, same or fault.',
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
      description: 'project: the file of this project; user: yours (default: as is usual for the host)',
    },
    { name: 'name', value: 'NAME', description: 'What the server is called there (default techne)' },
    { name: 'write', description: 'Write it without asking, after it was shown' },
  ],
  examples: [
    { line: 'techne mcp install claude-code', what: 'Show the change to .mcp.json, and ask' },
    { line: 'techne mcp install codex --write', what: 'Show it, and write it' },
    { line: 'techne mcp install cursor --scope user', what: 'For all your projects' },
    { line: 'techne mcp install claude-desktop --workspace .', what: 'With the skills of this folder' },
  ],
  load: async () => (await import('./commands/mcp-install.ts')).runMcpInstall,
};

export const mcpCommands: readonly CommandSpec[] = [
  {
    name: 'mcp',
    summary: 'Serve skills and runs to an MCP host, and set hosts up',
    details: ['Without a command it serves: techne mcp is techne mcp serve.'],
    positionals: [],
    options: [],
    examples: [...serve.examples, ...install.examples.slice(0, 1)],
    subcommands: [serve, install],
    load: serve.load,
  },
];
