// What the handlers of the API share: the façade, who drives runs, who follows them.
import type { JsonObject } from '../base/json.ts';
import type { HubJobs } from '../techne/hub/hub-jobs.ts';
import type { OpenTechne } from '../techne/create-techne.ts';
import type { OpenRuns } from '../techne/open-runs.ts';
import type { Serving } from '../techne/serving.ts';
import { mustServe } from '../techne/serving.ts';
import type { TokenFile } from '../techne/tokens/token-file.ts';
import type { Suggestions } from '../techne/open-suggestions.ts';
import type { Role } from '../api/role.ts';
import type { OperationInput, OperationOutput } from '../api/operation.ts';
import type { OperationName, Operations } from '../api/operations.ts';
import type { Changes } from './changes.ts';
import type { LiveChats } from './chats/live-chats.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Identity } from './guard.ts';
import type { LoginLink } from './link.ts';
import type { Metrics } from './metrics.ts';
import type { RunFeeds } from './run-feeds.ts';
import type { RunTexts } from './run-texts.ts';
import type { Sessions } from './sessions.ts';
import type { StartKeys } from './start-keys.ts';

export interface ApiService {
  readonly techne: OpenTechne;
  readonly dispatcher: Dispatcher;
  readonly feeds: RunFeeds;
  readonly changes: Changes;
  readonly texts: RunTexts;
  /** Fetching, scanning and installing skills. */
  readonly jobs: HubJobs;
  /** `null`: it holds none. */
  readonly chats: LiveChats | null;
  readonly keys: StartKeys;
  readonly metrics: Metrics;
  /** The last results of the tests of skills, by name. */
  readonly lastTests: Map<string, LastTests>;
  readonly tokens: TokenFile;
  /** What a conversation would suggest among the newest skills; the same while they are. */
  readonly suggestions: () => Promise<Suggestions>;
  /** `null`: there is none, such as on an address that others reach. */
  readonly link: LoginLink | null;
  readonly sessions: Sessions;
  /** The workspace of runs. */
  readonly workspace: string;
  readonly homeFolder: string;
  readonly variables: { readonly [name: string]: string | undefined };
  readonly heartbeatMs: number;
  /** Aborts: the server stops. */
  readonly stopping: AbortSignal;
  readonly nowMs: () => number;
  readonly newRunId: () => string;
}

/** The tests of a skill as this server last ran them. */
export interface LastTests {
  readonly at: number;
  /** Of the skill as it was. */
  readonly digest: string;
  readonly passed: number;
  readonly failed: number;
  readonly tests: readonly JsonObject[];
}

/** A call of an operation, checked. */
export interface Call<Name extends OperationName> extends OperationInput<Operations[Name]> {
  /** Of operations without a role: a viewer without a name. */
  readonly identity: Identity;
  readonly role: Role;
  /** Aborts: the client has left. */
  readonly left: AbortSignal;
}

/** Answers a call: a value of the schema of its response, or a response of its own. Throws what becomes a problem. */
export type Handler<Name extends OperationName> = (
  call: Call<Name>,
) => Promise<OperationOutput<Operations[Name]> | Response> | OperationOutput<Operations[Name]> | Response;

export type Handlers<Names extends OperationName = OperationName> = {
  readonly [Name in Names]: Handler<Name>;
};

/** Drives a run that can go on, unless a conversation of this process does. Throws OVERLOADED. */
export function driveOn({ dispatcher, chats }: ApiService, run: string): void {
  if (chats?.drives(run) !== true) dispatcher.submit(run);
}

/** `what` needs a shared store, such as "schedules". Throws USAGE where the runs of the server are in files. */
export function mustShare(serving: Serving | null, what: string): Serving {
  return mustServe(
    serving,
    what,
    'the server needs a store in Postgres: techne serve --store postgres://…, or runs.store in its configuration',
  );
}

/** The runs over the newest skills. */
export function useRuns<T>({ techne }: ApiService, work: (runs: OpenRuns) => Promise<T>): Promise<T> {
  return techne.runs.use(techne.snapshot, work);
}
