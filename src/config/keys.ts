// The table of configuration keys.
//
//   this table -> validation (validate/value.ts), defaults and layers (merge-config.ts),
//                 the JSON Schema (config-schema.ts), `techne config`
//
// A key with `security: true` has a `narrow`; `keys.test.ts` fails for one without a case of its own. `userOnly`: a
// workspace can only narrow the key, even a trusted one.
import type { Json } from '../base/json.ts';
import type { Shape } from './key-shape.ts';
import type { Narrow } from './precedence.ts';
import {
  both,
  intersection,
  larger,
  onlyRemoved,
  smaller,
  stricter,
  unchanged,
  union,
  withinOrAll,
  workspaceLower,
} from './precedence.ts';

/** How a layer's value meets the one below when no narrowing is called for. */
type Combine = 'replace' | 'union' | 'byName';

export interface ConfigKey {
  readonly path: string;
  readonly shape: Shape;
  readonly default: Json;
  readonly description: string;
  readonly combine: Combine;
  readonly security: boolean;
  readonly narrow: Narrow | null;
  readonly userOnly: boolean;
}

type Row = Pick<ConfigKey, 'path' | 'shape' | 'default' | 'description'>;

function open(row: Row): ConfigKey {
  return { ...row, combine: 'replace', security: false, narrow: null, userOnly: false };
}

function secure(row: Row & { narrow: Narrow; combine?: Combine; userOnly?: boolean }): ConfigKey {
  return { combine: 'replace', userOnly: false, ...row, security: true };
}

const mebibyte = 1024 * 1024;
const guardLevels = ['off', 'warn', 'refuse', 'refuse-incomplete', 'refuse-caution'];

export const configKeys: readonly ConfigKey[] = [
  secure({
    path: 'roots.user',
    shape: { kind: 'texts', item: 'home-path' },
    default: [],
    narrow: intersection,
    description: 'Further folders of skills, with the source "user". Absolute, or starting with "~/".',
  }),
  secure({
    path: 'roots.workspace',
    shape: { kind: 'texts', item: 'workspace-path' },
    default: [],
    narrow: intersection,
    description:
      'Further folders of skills, with the source "workspace". Relative to the workspace, or absolute.',
  }),
  secure({
    path: 'roots.plugin',
    shape: { kind: 'texts', item: 'home-path' },
    default: [],
    narrow: intersection,
    description: 'Folders with the skills of plugins. Absolute, or starting with "~/".',
  }),
  secure({
    path: 'roots.builtin',
    shape: { kind: 'boolean' },
    default: true,
    narrow: both,
    description: 'Whether the skills shipped with techne are found.',
  }),
  secure({
    path: 'roots.hosts',
    shape: { kind: 'boolean' },
    default: true,
    narrow: both,
    description: "Whether other hosts' folders are read: .claude/skills, .codex/skills and so on.",
  }),
  secure({
    path: 'precedence',
    shape: { kind: 'precedence' },
    default: 'default',
    narrow: workspaceLower,
    description:
      'Which source wins between skills of the same name: "default", "claude", or the sources from lowest to highest.',
  }),
  secure({
    path: 'loading',
    shape: { kind: 'choice', values: ['lenient', 'strict'] },
    default: 'lenient',
    narrow: stricter(['lenient', 'strict']),
    description:
      'Whether a skill that the open standard rejects (its name, description, metadata, file name and so on) is loaded with what is wrong with it, or skipped with a warning.',
  }),
  secure({
    path: 'skills.disabled',
    shape: { kind: 'texts', item: 'skill-name' },
    default: [],
    narrow: union,
    combine: 'union',
    description: 'Names of skills that are neither listed nor run. The lists of all layers apply.',
  }),
  secure({
    path: 'skills.tools',
    shape: { kind: 'texts', item: 'word', orNull: true },
    default: null,
    narrow: withinOrAll,
    description:
      'The tools this host offers, for skills that require some. null: those that the surface knows it offers (techne chat, hostTools of the library); elsewhere tools are not checked.',
  }),
  secure({
    path: 'skills.config',
    shape: { kind: 'texts', item: 'word' },
    default: [],
    narrow: intersection,
    description: 'Names that count as configured, for skills that require a configuration value.',
  }),
  secure({
    path: 'index.budgetTokens',
    shape: { kind: 'integer', min: 0, max: 1_000_000 },
    default: 4000,
    narrow: smaller,
    description: 'Tokens that the index of skills may cost in a prompt.',
  }),
  secure({
    path: 'prompt.turnTokens',
    shape: { kind: 'integer', min: 0, max: 1_000_000 },
    default: 1000,
    narrow: smaller,
    description:
      'Tokens that the block with the skills for one message may cost. Where the index had to be shortened it is taken from the budget of the index, at most two fifths of it.',
  }),
  secure({
    path: 'prompt.preload',
    shape: { kind: 'texts', item: 'skill-name' },
    default: ['always'],
    narrow: intersection,
    description:
      'Skills whose body is in the prompt from the start. The word "always" means those with always: true.',
  }),
  secure({
    path: 'prompt.preloadTokens',
    shape: { kind: 'integer', min: 0, max: 1_000_000 },
    default: 10_000,
    narrow: smaller,
    description:
      'Tokens that preloaded bodies may cost together. A body that does not fit whole is not preloaded.',
  }),
  secure({
    path: 'prompt.disclosure',
    shape: { kind: 'choice', values: ['on-demand', 'eager'] },
    default: 'on-demand',
    narrow: stricter(['eager', 'on-demand']),
    description:
      'Whether the model loads the bodies it wants, or gets those of the best matches with each message.',
  }),
  secure({
    path: 'prompt.eagerSkills',
    shape: { kind: 'integer', min: 1, max: 20 },
    default: 3,
    narrow: smaller,
    description: 'With eager disclosure: the most bodies that come with one message.',
  }),
  secure({
    path: 'prompt.eagerTokens',
    shape: { kind: 'integer', min: 0, max: 1_000_000 },
    default: 6000,
    narrow: smaller,
    description: 'With eager disclosure: the most tokens that all bodies of one message may take.',
  }),
  secure({
    path: 'prompt.activations',
    shape: { kind: 'integer', min: 0, max: 1000 },
    default: 3,
    narrow: smaller,
    description: 'How many skills a model may load in one session.',
  }),
  secure({
    path: 'prompt.warnTokens',
    shape: { kind: 'integer', min: 0, max: 10_000_000 },
    default: 10_000,
    narrow: smaller,
    description: 'Tokens of loaded bodies from which on a session is warned.',
  }),
  secure({
    path: 'prompt.capTokens',
    shape: { kind: 'integer', min: 0, max: 10_000_000 },
    default: 30_000,
    narrow: smaller,
    description: 'The most tokens that the loaded bodies of a session may take.',
  }),
  secure({
    path: 'chat.contextTokens',
    shape: { kind: 'integer', min: 2000, max: 10_000_000 },
    default: 120_000,
    narrow: smaller,
    description:
      'Tokens that a conversation of techne chat may use before its beginning is summarised; --context sets it for one conversation.',
  }),
  secure({
    path: 'mcp.activationLimits',
    shape: { kind: 'choice', values: ['never', 'stdio', 'always'] },
    default: 'stdio',
    narrow: stricter(['never', 'stdio', 'always']),
    description:
      'Where prompt.activations and prompt.capTokens limit a client of techne mcp: over standard input and output, where a host starts a server for itself (over HTTP then only if they are configured); always; or never.',
  }),
  secure({
    path: 'mcp.questionDays',
    shape: { kind: 'integer', min: 1, max: 3650 },
    default: 30,
    narrow: smaller,
    description: 'After how many days a question of a run that a client of techne mcp started expires.',
  }),
  secure({
    path: 'limits.depth',
    shape: { kind: 'integer', min: 1, max: 32 },
    default: 6,
    narrow: smaller,
    description: 'How many folders deep below a root skills are looked for.',
  }),
  secure({
    path: 'limits.files',
    shape: { kind: 'integer', min: 1, max: 1_000_000 },
    default: 10_000,
    narrow: smaller,
    description: 'The most files a skill folder may have to be digested, and so to be trusted.',
  }),
  secure({
    path: 'limits.bytes',
    shape: { kind: 'integer', min: 1, max: 16_384 * mebibyte },
    default: 256 * mebibyte,
    narrow: smaller,
    description: 'The most bytes a skill folder may have to be digested, and so to be trusted.',
  }),
  secure({
    path: 'runs.expireDays',
    shape: { kind: 'integer', min: 0, max: 36_500 },
    default: 0,
    narrow: unchanged,
    userOnly: true,
    description:
      'After how many days runs that have ended are removed; 0 keeps them. At most once a day, when a command opens the runs.',
  }),
  secure({
    path: 'runs.store',
    shape: { kind: 'text', item: 'run-store' },
    default: null,
    narrow: unchanged,
    userOnly: true,
    description:
      'Where runs are kept: "files" (also null), or the address of a Postgres, such as "postgres://USER@HOST:5432/DATABASE". Its password is in PGPASSWORD or ~/.pgpass.',
  }),
  open({
    path: 'cache.enabled',
    shape: { kind: 'boolean' },
    default: true,
    description:
      'Whether what was read of each skill is kept for the next start. It is verified against every file.',
  }),
  secure({
    path: 'watch.debounceMs',
    shape: { kind: 'integer', min: 0, max: 60_000 },
    default: 100,
    narrow: larger,
    description: 'How long a watcher waits for more changes before it looks again.',
  }),
  secure({
    path: 'watch.pollMs',
    shape: { kind: 'integer', min: 100, max: 3_600_000 },
    default: 2000,
    narrow: larger,
    description: 'How often a watcher looks where the system cannot notify it.',
  }),
  secure({
    path: 'execution.policy',
    shape: { kind: 'choice', values: ['trusted', 'off'] },
    default: 'trusted',
    narrow: stricter(['trusted', 'off']),
    description: 'Which skills may be executed: those that are trusted, or none at all.',
  }),
  secure({
    path: 'metaskills.enabled',
    shape: { kind: 'boolean' },
    default: true,
    narrow: both,
    description:
      'Whether skills are executed for agents and people at all. When false they stay listed, with their runs, but none is offered and every call is refused; compositions are in no prompt, search or match, and cannot be loaded.',
  }),
  secure({
    path: 'guard.onRead',
    shape: { kind: 'choice', values: guardLevels },
    default: 'refuse',
    narrow: stricter(guardLevels),
    userOnly: true,
    description:
      'What a scan does when a skill is read: nothing (off), a note (warn), or it refuses what is dangerous and notes the rest (refuse); "refuse-incomplete" also refuses what could not be wholly scanned, "refuse-caution" everything that is not clean.',
  }),
  secure({
    path: 'guard.onRun',
    shape: { kind: 'choice', values: guardLevels },
    default: 'refuse',
    narrow: stricter(guardLevels),
    userOnly: true,
    description: 'The same when a skill is about to be executed.',
  }),
  secure({
    path: 'trust.folders',
    shape: { kind: 'texts', item: 'home-path' },
    default: [],
    narrow: intersection,
    userOnly: true,
    description:
      "Folders whose content is your own work and may be executed. Only the user's file can add to it.",
  }),
  secure({
    path: 'commands.allow',
    shape: { kind: 'texts', item: 'pattern' },
    default: [],
    narrow: intersection,
    description: 'Patterns of commands that may run without asking: "git diff ...", "npm test", "ls *".',
  }),
  secure({
    path: 'commands.deny',
    shape: { kind: 'texts', item: 'pattern' },
    default: [],
    narrow: union,
    combine: 'union',
    description: 'Patterns of commands that never run. The lists of all layers apply.',
  }),
  secure({
    path: 'commands.environment',
    shape: { kind: 'texts', item: 'variable' },
    default: [],
    narrow: intersection,
    description:
      'Names of environment variables that commands get besides PATH, HOME, USER, the language, the time zone and a few more.',
  }),
  secure({
    path: 'tools.allow',
    shape: { kind: 'texts', item: 'word' },
    default: [],
    narrow: intersection,
    description:
      'Tools that may be called without asking, besides those that only read: "memory_save", "github__*". A "*" matches any part of a name.',
  }),
  secure({
    path: 'tools.deny',
    shape: { kind: 'texts', item: 'word' },
    default: [],
    narrow: union,
    combine: 'union',
    description: 'Tools that are never called, also those that only read. The lists of all layers apply.',
  }),
  secure({
    path: 'sandbox.mode',
    shape: { kind: 'choice', values: ['off', 'auto', 'required'] },
    default: 'auto',
    narrow: stricter(['off', 'auto', 'required']),
    description: 'Whether commands run in a sandbox: never, where there is one, or not at all without one.',
  }),
  secure({
    path: 'sandbox.readRoots',
    shape: { kind: 'texts', item: 'home-path' },
    default: [],
    narrow: intersection,
    description:
      'Folders that a sandboxed command can see besides the workspace, the skill and the system. Absolute, or starting with "~/".',
  }),
  secure({
    path: 'sandbox.writeRoots',
    shape: { kind: 'texts', item: 'workspace-path' },
    default: ['.'],
    narrow: intersection,
    description:
      'Folders that a sandboxed command may write to. Relative to the workspace ("." is all of it), absolute, or starting with "~/".',
  }),
  secure({
    path: 'sandbox.network',
    shape: { kind: 'texts', item: 'domain' },
    default: [],
    narrow: intersection,
    description:
      'What a sandboxed command may reach: nothing, or ["*"] for the whole network. Domains can be named, but bubblewrap cannot enforce them, so commands are refused.',
  }),
  secure({
    path: 'sandbox.processes',
    shape: { kind: 'integer', min: 1, max: 1_000_000 },
    default: 4096,
    narrow: smaller,
    description: 'Processes and threads that a sandboxed command may have at a time.',
  }),
  secure({
    path: 'sandbox.memoryMiB',
    shape: { kind: 'integer', min: 16, max: 1_048_576 },
    default: 8192,
    narrow: smaller,
    description:
      'Private memory in mebibytes that each process of a sandboxed command may have; at most three quarters of the memory of the machine.',
  }),
  secure({
    path: 'models',
    shape: { kind: 'models', providers: ['anthropic', 'openai-compatible'] },
    default: {},
    narrow: onlyRemoved,
    combine: 'byName',
    description:
      'Model endpoints by name. Keys stay in the environment: apiKeyEnv names the variable. With a price, cost is counted. null removes one.',
  }),
  secure({
    path: 'match.leastConfidence',
    shape: { kind: 'integer', min: 0, max: 100 },
    default: 40,
    narrow: larger,
    description:
      'The least confidence, in percent, with which a skill is suggested because the words of a message fit it. Calls by name and triggers are not held to it.',
  }),
  secure({
    path: 'match.embeddings',
    shape: { kind: 'models', providers: ['openai-compatible', 'local'] },
    default: {},
    narrow: onlyRemoved,
    combine: 'byName',
    description:
      'Embeddings by name; the first that can be used helps to match messages by meaning. "openai-compatible" is an endpoint, to which what is matched is sent; "local" a package of weights beside techne, named by model. null removes one.',
  }),
  secure({
    path: 'hub.install',
    shape: { kind: 'choice', values: ['pinned', 'ask', 'off'] },
    default: 'ask',
    narrow: stricter(['pinned', 'ask', 'off']),
    userOnly: true,
    description:
      'Who agrees to what "techne add" and "techne update" install. "ask": a person at a terminal, or --yes for sources that name a commit or a digest. "pinned": such sources need no --yes. "off": nothing is installed.',
  }),
  secure({
    path: 'hub.allowHosts',
    shape: { kind: 'texts', item: 'host' },
    default: [],
    narrow: intersection,
    description:
      'Hosts that skills may be fetched from although their address is private: names, or IP addresses. Those that are this machine may also be asked over plain http and git://.',
  }),
  secure({
    path: 'hub.indexes',
    shape: { kind: 'texts', item: 'hub' },
    default: [],
    narrow: intersection,
    userOnly: true,
    description:
      'Hubs that techne hub search looks in: addresses of sites, or folders (absolute, or starting with "~/"). Only your own configuration can add to it.',
  }),
  secure({
    path: 'hub.ssh',
    shape: { kind: 'boolean' },
    default: false,
    narrow: both,
    description: 'Whether skills may be fetched with git over ssh, with the keys of your account.',
  }),
  secure({
    path: 'hub.npmRegistry',
    shape: { kind: 'address' },
    default: null,
    narrow: unchanged,
    description:
      "The registry that npm packages are fetched from. null takes the one of npm's own configuration: npm_config_registry, or registry in ~/.npmrc.",
  }),
  secure({
    path: 'hub.minimumAgeHours',
    shape: { kind: 'integer', min: 0, max: 8760 },
    default: 24,
    narrow: larger,
    description:
      'How many hours a version of an npm package or a commit must be public before it is installed, so that others can find out what is wrong with it. 0 switches it off.',
  }),
  secure({
    path: 'webhooks.allowHosts',
    shape: { kind: 'texts', item: 'host' },
    default: [],
    narrow: intersection,
    userOnly: true,
    description:
      'Hosts that workers of this machine may send webhooks to although their address is private, and over plain http: names, or IP addresses.',
  }),
  secure({
    path: 'graph.vault',
    shape: { kind: 'text', item: 'workspace-path' },
    default: null,
    narrow: unchanged,
    description:
      'The folder of notes that techne graph reads and note skills write to. Relative to the workspace, or absolute. null is the workspace itself.',
  }),
  open({
    path: 'graph.folders',
    shape: { kind: 'texts', item: 'note-folder' },
    default: [],
    description:
      'Where new notes go, by type: ["concept=Concepts", "daily=Journal/Daily"]. The folder is in the vault, and counts where the skill names none. A note that exists stays where it is.',
  }),
  secure({
    path: 'proposals.enabled',
    shape: { kind: 'boolean' },
    default: true,
    narrow: both,
    description:
      'Whether agents have the tools skill_propose and skill_proposals, with which they suggest changes of skills to a person.',
  }),
  secure({
    path: 'proposals.autoEnable.enabled',
    shape: { kind: 'boolean' },
    default: false,
    narrow: both,
    userOnly: true,
    description:
      'Whether a proposed change of a skill can take effect without a person, where all conditions of proposals.autoEnable hold. Only your own configuration can switch it on.',
  }),
  secure({
    path: 'proposals.autoEnable.maxRisk',
    shape: { kind: 'choice', values: ['high', 'medium', 'low'] },
    default: 'low',
    narrow: stricter(['high', 'medium', 'low']),
    userOnly: true,
    description: 'The highest computed risk of a skill that takes effect without a person.',
  }),
  secure({
    path: 'proposals.autoEnable.capabilities',
    shape: { kind: 'texts', item: 'word' },
    default: [],
    narrow: intersection,
    userOnly: true,
    description:
      'Capabilities that such a skill may use. Commands, network and credentials must be named one by one: shell, network-read, credential-use.',
  }),
  secure({
    path: 'proposals.autoEnable.from',
    shape: { kind: 'texts', item: 'word' },
    default: ['agent', 'person', 'learn', 'curator'],
    narrow: intersection,
    userOnly: true,
    description: 'Whose proposals take effect without a person: agent, person, learn, curator.',
  }),
  secure({
    path: 'proposals.autoEnable.kinds',
    shape: { kind: 'texts', item: 'word' },
    default: ['create', 'edit'],
    narrow: intersection,
    userOnly: true,
    description: 'Which changes take effect without a person: create, edit, delete, rename.',
  }),
  secure({
    path: 'proposals.autoEnable.folders',
    shape: { kind: 'texts', item: 'home-path' },
    default: [],
    narrow: intersection,
    userOnly: true,
    description:
      'Folders in which skills may change without a person. Absolute, or starting with "~/". Without one nothing takes effect by itself.',
  }),
  secure({
    path: 'proposals.autoEnable.perDay',
    shape: { kind: 'integer', min: 0, max: 1000 },
    default: 3,
    narrow: smaller,
    userOnly: true,
    description: 'How many proposals take effect without a person on one day, as this machine counts days.',
  }),
  secure({
    path: 'proposals.autoEnable.quarantineMinutes',
    shape: { kind: 'integer', min: 0, max: 525_600 },
    default: 60,
    narrow: larger,
    userOnly: true,
    description: 'How many minutes a proposal waits before it can take effect without a person.',
  }),
  secure({
    path: 'mcpServers',
    shape: { kind: 'mcpServers' },
    default: {},
    narrow: onlyRemoved,
    combine: 'byName',
    description:
      'MCP servers by name: a command to start with args and env, or a url to connect to with headers. ${NAME} in a value of env or headers is that variable of your environment. null removes one.',
  }),
];

/** The folders of the table: `roots`, `skills` … and the keys that stand alone. */
export const topLevelKeys: readonly string[] = [
  ...new Set(configKeys.map((key) => key.path.split('.')[0] as string)),
];

const byPath = new Map(configKeys.map((key) => [key.path, key]));

export function configKey(path: string): ConfigKey | undefined {
  return byPath.get(path);
}
