// The merged configuration.
//
//   defaults < ~/.techne/config.json < <workspace>/techne.json (or .techne/config.json)
//
// Every value is validated. An invalid value is reported at its place and the layer below counts; a model with an error
// becomes a FaultyEndpoint instead. An untrusted workspace can only narrow security-relevant keys. Every effective value
// knows where it came from.
import type { PrecedenceSetting } from './precedence.ts';

/** Whether commands run in a sandbox: never, where there is one, or not without one. */
export type SandboxMode = 'off' | 'auto' | 'required';
/** Which skills may be executed: none, or those that are trusted. */
export type ExecutionPolicy = 'off' | 'trusted';
/** Whether a model gets bodies when it asks for them, or all at the start. */
export type Disclosure = 'on-demand' | 'eager';

/** Whether skills that the standard rejects are loaded, with what is wrong with them, or skipped. */
export type Loading = 'lenient' | 'strict';

/**
 * What the verdict of a scan does. `off`: nothing is scanned. `warn`: a note. `refuse`: what is dangerous is refused, the rest
 * noted. The last two also refuse what could not be wholly scanned, and what calls for caution.
 */
export type GuardLevel = 'off' | 'warn' | 'refuse' | 'refuse-incomplete' | 'refuse-caution';

/** A model that is configured. */
export interface ModelEndpoint {
  readonly provider: 'anthropic' | 'openai-compatible';
  readonly baseUrl: string | null;
  readonly model: string;
  /** The environment variable that holds the key; the key itself is never configuration. */
  readonly apiKeyEnv: string | null;
  /** Default: unknown, so that what is asked of it counts as costing nothing. */
  readonly price?: ModelPrice;
}

/** An entry with an error. It replaces the one below it and is never asked, since its intended address is unknown. */
export interface FaultyEndpoint {
  /** What is wrong with it, by key. */
  readonly fault: string;
  /** How to fix it; null where the fault says it. */
  readonly hint: string | null;
  /** Its name is wrong, or the whole list is: it may have been meant to be any of them, so it replaces all of them. */
  readonly misnamed?: true;
}

/** What turns texts into vectors. */
export interface EmbeddingEndpoint extends Omit<ModelEndpoint, 'provider'> {
  /** `local`: a package of weights beside techne, which `model` names. */
  readonly provider: 'openai-compatible' | 'local';
}

/** Dollars for a million tokens. */
interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Default: as `input`. */
  readonly cachedInput?: number;
}

/** An MCP server that is configured: a command or a url. */
export interface McpServer {
  readonly command: string | null;
  readonly args: readonly string[];
  /** Values may hold `${NAME}`: that variable of the host. */
  readonly env: { readonly [name: string]: string };
  readonly url: string | null;
  /** With a url. Values may hold `${NAME}`. Default: none. */
  readonly headers?: { readonly [name: string]: string };
}

/** The effective configuration: every key has a value (docs/guide/configuration.md). */
export interface Config {
  readonly roots: {
    /** Further folders with the source `user`. */
    readonly user: readonly string[];
    /** Further folders with the source `workspace`; relative to the workspace. */
    readonly workspace: readonly string[];
    readonly plugin: readonly string[];
    /** The skills shipped with techne. */
    readonly builtin: boolean;
    /** Read other hosts' folders: `.claude/skills`, `.codex/skills` … */
    readonly hosts: boolean;
  };
  /** A profile's name, or the sources from lowest to highest. */
  readonly precedence: PrecedenceSetting;
  readonly loading: Loading;
  readonly skills: {
    /** Names that are neither listed nor run. */
    readonly disabled: readonly string[];
    /** Tools this host offers, for `requires.tools`; `null` means unknown, so tools are not checked. */
    readonly tools: readonly string[] | null;
    /** Values for `requires.config`: names that count as configured. */
    readonly config: readonly string[];
  };
  readonly chat: {
    /** Of the system prompt and the history together. */
    readonly contextTokens: number;
  };
  readonly mcp: {
    /** Where the limits of a session hold for a client. */
    readonly activationLimits: 'never' | 'stdio' | 'always';
    /** Until a question of a client's run expires. */
    readonly questionDays: number;
  };
  readonly index: {
    /** Tokens the discovery index may cost in a prompt. */
    readonly budgetTokens: number;
  };
  readonly prompt: {
    /** Tokens that the block with the skills for one message may cost. */
    readonly turnTokens: number;
    /** Names of skills whose body is in the prompt from the start; `always` means those that declare it. */
    readonly preload: readonly string[];
    readonly preloadTokens: number;
    readonly disclosure: Disclosure;
    /** Bodies, and their tokens, that come with one message. */
    readonly eagerSkills: number;
    readonly eagerTokens: number;
    /** Skills that a model may load in one session. */
    readonly activations: number;
    /** Of all bodies loaded in a session. */
    readonly warnTokens: number;
    readonly capTokens: number;
  };
  readonly limits: {
    /** Folders below a root that are searched. */
    readonly depth: number;
    /** Files in one skill folder that may be digested. */
    readonly files: number;
    /** Bytes in one skill folder that may be digested. */
    readonly bytes: number;
  };
  readonly runs: {
    /** Days after which runs that have ended are removed; 0: never. */
    readonly expireDays: number;
    /** `files`, or an address of Postgres without a password; null is `files`. */
    readonly store: string | null;
  };
  readonly cache: { readonly enabled: boolean };
  readonly watch: { readonly debounceMs: number; readonly pollMs: number };
  readonly metaskills: {
    readonly enabled: boolean;
  };
  readonly execution: {
    /** `off` really is off: nothing is executed, whatever is trusted. */
    readonly policy: ExecutionPolicy;
  };
  readonly guard: {
    /** What the scan of a skill does when it is read. */
    readonly onRead: GuardLevel;
    /** What it does when the skill is about to be executed. */
    readonly onRun: GuardLevel;
  };
  readonly trust: {
    /** Folders whose skills are the user's own work. Only the user's file may grow this. */
    readonly folders: readonly string[];
  };
  readonly commands: {
    /** Patterns of argv that may run without asking. */
    readonly allow: readonly string[];
    readonly deny: readonly string[];
    /** Names of variables that are passed on to commands besides the usual ones. */
    readonly environment: readonly string[];
  };
  readonly tools: {
    /** Names that may be called without asking, with `*` for any part. */
    readonly allow: readonly string[];
    readonly deny: readonly string[];
  };
  readonly sandbox: {
    readonly mode: SandboxMode;
    readonly readRoots: readonly string[];
    readonly writeRoots: readonly string[];
    readonly network: readonly string[];
    readonly processes: number;
    readonly memoryMiB: number;
  };
  readonly models: { readonly [name: string]: ModelEndpoint | FaultyEndpoint };
  readonly match: {
    /** In percent. */
    readonly leastConfidence: number;
    /** The first by name that can be used is asked. */
    readonly embeddings: { readonly [name: string]: EmbeddingEndpoint | FaultyEndpoint };
  };
  readonly hub: {
    readonly install: 'pinned' | 'ask' | 'off';
    /** Hosts that may have a private address. */
    readonly allowHosts: readonly string[];
    /** Hubs that are searched: addresses or folders. */
    readonly indexes: readonly string[];
    readonly ssh: boolean;
    /** `null`: the one of npm's own configuration. */
    readonly npmRegistry: string | null;
    /** 0: new versions and commits are taken at once. */
    readonly minimumAgeHours: number;
  };
  readonly webhooks: {
    /** Hosts that may have a private address, and be sent to without https. */
    readonly allowHosts: readonly string[];
  };
  readonly graph: {
    /** Relative to the workspace, or absolute; `null`: the workspace. */
    readonly vault: string | null;
    /** `TYPE=FOLDER`: where new notes of a type go. */
    readonly folders: readonly string[];
  };
  readonly proposals: {
    readonly enabled: boolean;
    /** As `AutoEnablePolicy` of proposals/auto-enable.ts, with folders as they were written. */
    readonly autoEnable: {
      readonly enabled: boolean;
      readonly maxRisk: 'low' | 'medium' | 'high';
      readonly capabilities: readonly string[];
      readonly from: readonly string[];
      readonly kinds: readonly string[];
      readonly folders: readonly string[];
      readonly perDay: number;
      readonly quarantineMinutes: number;
    };
  };
  readonly mcpServers: { readonly [name: string]: McpServer };
}

export type ConfigLayer = 'default' | 'user' | 'workspace';
