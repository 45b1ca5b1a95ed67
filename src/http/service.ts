// What the handlers of the API share: the façade, who drives runs, who follows them.
import type { OpenTechne } from '../techne/create-techne.ts';
import type { OpenRuns } from '../techne/open-runs.ts';
import type { Role } from '../api/role.ts';
import type { OperationInput, OperationOutput } from '../api/operation.ts';
import type { OperationName, Operations } from '../api/operations.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Identity } from './guard.ts';
import type { LoginLink } from './link.ts';
import type { Metrics } from './metrics.ts';
import type { RunFeeds } from './run-feeds.ts';
import type { StartKeys } from './start-keys.ts';

export interface ApiService {
  readonly techne: OpenTechne;
  readonly dispatcher: Dispatcher;
  readonly feeds: RunFeeds;
  readonly keys: StartKeys;
  readonly metrics: Metrics;
  readonly link: LoginLink | null;
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

/** The runs over the newest skills. */
export function useRuns<T>({ techne }: ApiService, work: (runs: OpenRuns) => Promise<T>): Promise<T> {
  return techne.runs.use(techne.snapshot, work);
}
