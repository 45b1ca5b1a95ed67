// techne serve: the HTTP API, and the tokens that use it.
import type { Role } from '../../api/role.ts';
import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { storeOption } from './run-options.ts';

/** The table of commands loads nothing else. */
const roles = ['viewer', 'runner', 'reviewer', 'operator'] as const satisfies readonly Role[];

const tokenFile: OptionSpec = {
  name: 'token-file',
  value: 'FILE',
  complete: 'path',
  description: 'Where tokens are kept (default ~/.techne/tokens.json)',
};

const answerOption: OptionSpec = {
  name: 'answer',
  value: 'SPEC',
  suggest: ['model', 'caller', 'person', 'agent-cli', 'script:', 'replay:'],
  description: 'The answerer, as for techne run (default: a model if there is one, else the caller)',
};

const start: CommandSpec = {
  name: 'serve start',
  summary: 'Serve skills and runs over HTTP',
  details: [
    'Serves the API under /v1, its description at /openapi.json, MCP at /mcp, /healthz, /readyz and /metrics, until Ctrl-C or SIGTERM. Runs are driven by this process, --concurrency at once; the others wait in order. SIGTERM and Ctrl-C drain: commands and asks under way get --grace seconds to end, then runs are detached; POST /v1/runs/RUN/resume continues them. A second signal ends the grace. With --workers, runs are queued for techne worker instead, and this process drives none.',
    'Every request needs "Authorization: Bearer TOKEN" (techne serve token create). On this machine, techne also prints a link that logs the browser of the same user in, once. Requests with a foreign Host or Origin are refused; --allow-host and --allow-origin name others.',
    '--json prints {url, link} once it listens.',
  ],
  positionals: [],
  options: [
    { name: 'port', value: 'PORT', description: 'The port to listen on (default 8486; 0: any free port)' },
    { name: 'host', value: 'ADDRESS', description: 'The address to listen on (default 127.0.0.1)' },
    storeOption,
    tokenFile,
    {
      name: 'allow-host',
      value: 'NAME',
      repeatable: true,
      description: 'Another host name of this server (repeatable)',
    },
    {
      name: 'allow-origin',
      value: 'ORIGIN',
      repeatable: true,
      description: 'Let web pages of this origin use the API, such as https://tools.example (repeatable)',
    },
    {
      name: 'public-url',
      value: 'URL',
      description: 'What browsers open where a proxy is in front, such as https://runs.example.org',
    },
    { name: 'concurrency', value: 'N', description: 'Runs at once, 1 to 256 (default 8)' },
    {
      name: 'grace',
      value: 'SECONDS',
      description: 'How long commands and asks under way may take to end when the server stops (default 30)',
    },
    {
      name: 'otel',
      description:
        'Report spans of runs, and metrics, to OpenTelemetry (@opentelemetry/api must be installed)',
    },
    {
      name: 'workers',
      description: 'Leave runs to the workers of the store (techne worker) instead of driving them here',
    },
    { name: 'rate', value: 'N', description: 'Requests of one token in a second (default 100)' },
    { name: 'studio', description: 'Also serve the pages of techne studio; people log in with a token' },
    answerOption,
  ],
  examples: [
    { line: 'techne serve', what: 'On 127.0.0.1:8486, with a link for your browser' },
    { line: 'techne serve --port 0 --json', what: 'On any free port; prints {url, link} for a program' },
    {
      line: 'techne serve --studio --host 0.0.0.0 --public-url https://runs.example.org',
      what: 'For other machines, behind a proxy with TLS',
    },
    {
      line: 'techne serve --workers --store postgres://techne@db/techne',
      what: 'For a team: workers drive the runs',
    },
  ],
  load: async () => (await import('../commands/serve.ts')).runServe,
};

const token: CommandSpec = {
  name: 'serve token',
  summary: 'Create, list and revoke the tokens of the API',
  details: [
    'create NAME makes a token and prints it, once: only its SHA-256 is kept. list shows the tokens, revoke NAME ends one at once, also for a server that runs. The journal of a run has the name of the token that answered, decided or cancelled.',
    'A viewer reads. A runner also starts, continues and cancels runs, and answers for the caller. A reviewer also answers forms for a person, and accepts proposals. An operator also approves commands and decides about calls with an unknown outcome.',
  ],
  positionals: [
    {
      name: 'ACTION',
      description: 'list (default), create or revoke',
      required: false,
      repeatable: false,
      choices: ['list', 'create', 'revoke'],
      complete: 'none',
    },
    {
      name: 'NAME',
      description: 'The name of the token',
      required: false,
      repeatable: false,
      complete: 'none',
    },
  ],
  options: [
    { name: 'role', value: 'ROLE', choices: roles, description: 'What the token may do' },
    { name: 'expires', value: 'AGE', description: 'When it ends, such as 12h, 30d (default: never)' },
    tokenFile,
  ],
  examples: [
    {
      line: 'techne serve token create ci --role runner --expires 30d',
      what: 'For a program that starts runs',
    },
    { line: 'techne serve token create ada --role operator', what: 'For a person who approves commands' },
    { line: 'techne serve token revoke ci', what: 'It is refused from now on' },
  ],
  load: async () => (await import('../commands/serve-token.ts')).runServeToken,
};

export const serveCommand: CommandSpec = {
  name: 'serve',
  summary: 'Serve skills and runs over HTTP; make tokens for it',
  details: ['techne serve without a command is techne serve start.'],
  positionals: [],
  options: [],
  examples: [...start.examples.slice(0, 1), ...token.examples.slice(0, 1)],
  subcommands: [start, token],
  load: start.load,
};

export const studioCommand: CommandSpec = {
  name: 'studio',
  summary: 'Use skills and runs in a browser',
  details: [
    'Serves the pages and the API that they use on this machine, until Ctrl-C, and prints a link that logs your browser in, once and within ten minutes. After a restart on the same port the browser stays logged in. Nothing is fetched from elsewhere. Runs that you start there are driven by this process; with --workers by the workers of the store.',
    '--json prints {url, link} once it listens.',
  ],
  positionals: [],
  options: [
    { name: 'open', description: 'Open the link in the browser of this desktop' },
    { name: 'port', value: 'PORT', description: 'The port to listen on (default 8487; 0: any free port)' },
    storeOption,
    { name: 'workers', description: 'Leave runs to the workers of the store instead of driving them here' },
    { name: 'concurrency', value: 'N', description: 'Runs at once, 1 to 256 (default 8)' },
    {
      name: 'grace',
      value: 'SECONDS',
      description: 'How long commands and asks under way may take to end when it stops (default 30)',
    },
    answerOption,
  ],
  examples: [
    { line: 'techne studio', what: 'On 127.0.0.1:8487; open the link that it prints' },
    { line: 'techne studio --open', what: 'The same, in your browser at once' },
    {
      line: 'techne studio --store postgres://techne@db/techne --workers',
      what: "Over a team's runs: workers drive what you start",
    },
  ],
  load: async () => (await import('../commands/studio.ts')).runStudio,
};
