// The API server: everything that `techne serve` opens, and how it stops.
//
//   options -> openServer (bounds, guard) -> app (routes) -> façade; MCP beside it
//
// Stopping drains: /readyz says no, streams end with an event and no effect begins; those under way get a grace to end. Then runs are
// detached and can be resumed, and requests under way are answered.
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { createNodeIds, nodeRunClock } from '../node/environment.ts';
import type { ChatHost } from '../techne/chat/chat-host.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { OpenTechne } from '../techne/create-techne.ts';
import type { HubJobsOptions } from '../techne/hub/hub-jobs.ts';
import { HubJobs } from '../techne/hub/hub-jobs.ts';
import { Proposals } from '../techne/proposals/proposals.ts';
import type { TokenFile } from '../techne/tokens/token-file.ts';
import { hasRole } from '../api/role.ts';
import { createApp } from './app.ts';
import type { Route } from './app.ts';
import { Changes } from './changes.ts';
import { LiveChats } from './chats/live-chats.ts';
import { LocalDispatcher } from './dispatcher.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { KnownRequest } from './guard.ts';
import { createApiGuard, whoIs } from './guard.ts';
import { LoginLink } from './link.ts';
import type { Meter } from './metrics.ts';
import { Metrics } from './metrics.ts';
import { problemOfRefusal, problemType, renderProblem } from './problem.ts';
import { RateLimit } from './rate-limit.ts';
import { Sessions } from './sessions.ts';
import { RunFeeds } from './run-feeds.ts';
import { RunTexts } from './run-texts.ts';
import type { HttpRefusal } from './server/check-place.ts';
import type { OpenServer } from './server/open-server.ts';
import { isLoopback, openServer } from './server/open-server.ts';
import type { ApiService } from './service.ts';
import { useRuns } from './service.ts';
import type { Suggestions } from '../techne/open-suggestions.ts';
import { openSuggestions } from '../techne/open-suggestions.ts';
import type { StudioFiles } from './studio-files.ts';
import type { StartKeys } from './start-keys.ts';
import { createFileStartKeys } from './start-keys.ts';

/** Another surface in the same server. */
export interface Mount {
  /** `/mcp`. */
  readonly path: string;
  answer(request: Request, body: string | null): Promise<Response | HttpRefusal>;
  /** Begins nothing more; resolves when the effects under way have ended, or after `graceMs`. */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly techne: OpenTechne;
  readonly tokens: TokenFile;
  readonly workspace: string;
  readonly homeFolder: string;
  readonly variables: { readonly [name: string]: string | undefined };
  /** The name of the person who started it, for decisions by the one-time link. */
  readonly person: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: none. */
  readonly allowedHosts?: readonly string[];
  /** Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** Where browsers reach it, such as a proxy with TLS: `https://runs.example.org`. Default: where it listens. */
  readonly publicOrigin?: string | null;
  /** Runs at once. Default: 8. */
  readonly concurrency?: number;
  /** Runs that wait. Default: 10,000. */
  readonly maxQueued?: number;
  /** Requests of one token in a second. Default: 100, four times as many at once after a pause. */
  readonly ratePerSecond?: number;
  /** Default: 4 MiB. */
  readonly maxBodyBytes?: number;
  /** Concurrent requests. Default: 256. */
  readonly maxRequests?: number;
  /** Concurrent streams, and requests that wait. Default: 2,048. */
  readonly maxStreams?: number;
  /** Default: 4,096. */
  readonly maxConnections?: number;
  /** How long a request may take to arrive. Default: 30 s. */
  readonly arrivalMs?: number;
  /** How long a client may read nothing. Default: 30 s. */
  readonly stallMs?: number;
  /** How often a silent stream shows that it is there. Default: 15 s. */
  readonly heartbeatMs?: number;
  /** For runners and above. Default: none. */
  readonly mount?: Mount;
  /** For conversations; it is closed with the server. Default: there are none. */
  readonly chats?: ChatHost;
  /** Conversations that are answered at once. Default: 8. */
  readonly maxAnswering?: number;
  /** How long an answer of a conversation may take. Default: 30 minutes. */
  readonly maxAnswerMs?: number;
  /** The files of the browser client. Default: it is not served. */
  readonly studio?: StudioFiles;
  /** Of OpenTelemetry: gets what /metrics has. Default: none. */
  readonly meter?: Meter;
  /** Instead of this process: who drives runs. */
  readonly dispatcher?: Dispatcher;
  /** Instead of files in the home folder: where idempotency keys are kept. */
  readonly keys?: StartKeys;
  /** Of fetching, scanning and installing skills. Default: those of `HubJobs`. */
  readonly jobs?: Pick<HubJobsOptions, 'limits' | 'fetcher'>;
  readonly onBug: (error: unknown) => void;
}

export interface ApiServing {
  /** `http://127.0.0.1:8486`. */
  readonly url: string;
  readonly port: number;
  /** The one-time link; `null` on an address that others reach. */
  readonly link: string | null;
  /** Everything that is answered, as the router has it; `*` stands for every method, and for the rest of a path. */
  readonly routes: readonly Route[];
  /** Runs that this process drives now. */
  readonly running: number;
  /**
   * Takes no further work, ends streams, gives effects under way `graceMs` (default: 0) to end, detaches from runs, answers what is
   * under way, then closes. A second call ends the grace at once.
   */
  close(graceMs?: number): Promise<void>;
}

/** Logins of one address: as many at once, then one a second. */
const mostLogins = 20;

/** How long requests under way may take while the server stops. */
const drainMs = 10_000;

/** Throws ENVIRONMENT when the port cannot be listened on, TOKENS_FILE when the tokens cannot be used. */
export async function serveApi(options: ServeOptions): Promise<ApiServing> {
  const { techne, tokens, host = '127.0.0.1', onBug, mount, studio } = options;
  const maxBodyBytes = options.maxBodyBytes ?? 4 * 1024 * 1024;
  tokens.list();
  const nowMs = (): number => nodeRunClock.nowMs();
  const stop = new AbortController();
  // As many listen as there are streams.
  setMaxListeners(0, stop.signal);
  const metrics = new Metrics(options.meter ?? null);
  const texts = new RunTexts();
  const dispatcher = options.dispatcher ?? localDispatcher(options, metrics, texts);
  const feeds = new RunFeeds(async () => {
    const { runs, release } = await techne.runs.hold(techne.snapshot);
    return { store: runs.store, release };
  });
  let port = 0;
  const publicOrigin = options.publicOrigin ?? null;
  const link = isLoopback(host) ? new LoginLink(nowMs) : null;
  const sessions = new Sessions({
    person: link === null ? null : options.person,
    tokens,
    nowMs,
    port: () => port,
    isSecure: publicOrigin?.startsWith('https:') === true,
    file:
      studio === undefined
        ? null
        : () => join(options.homeFolder, '.techne', 'serve', `sessions-${port}.json`),
  });
  const ids = createNodeIds();
  const { queue } = new Proposals({ library: techne.library, homeFolder: options.homeFolder });
  const changes = new Changes({
    useStore: (work) => useRuns(service, ({ store }) => work(store)),
    dispatcher,
    proposals: () => queue.mark(),
    onBug,
  });
  const { maxAnswering, maxAnswerMs } = options;
  const chats =
    options.chats === undefined
      ? null
      : new LiveChats({
          host: options.chats,
          workspace: options.workspace,
          nowMs,
          onListChange: () => changes.tell({ type: 'chats.changed' }),
          onRun: () => changes.kick(),
          onRunEvent: (event) => texts.take(event),
          onBug,
          ...(maxAnswering === undefined ? {} : { maxAnswering }),
          ...(maxAnswerMs === undefined ? {} : { maxAnswerMs }),
        });
  const service: ApiService = {
    techne,
    dispatcher,
    feeds,
    changes,
    texts,
    jobs: new HubJobs({
      library: techne.library,
      workspace: options.workspace,
      homeFolder: options.homeFolder,
      newId: () => ids.ulid(),
      onInstalled: async () => {
        await techne.refresh();
        changes.tell({ type: 'hub.changed' });
      },
      onChange: (job) => changes.tell({ type: 'job.changed', job }),
      onBug,
      ...options.jobs,
    }),
    chats,
    metrics,
    lastTests: new Map(),
    tokens,
    suggestions: keepSuggestions(techne),
    link,
    sessions,
    keys:
      options.keys ??
      createFileStartKeys({ folder: join(options.homeFolder, '.techne', 'serve', 'keys'), nowMs }),
    workspace: options.workspace,
    homeFolder: options.homeFolder,
    variables: options.variables,
    heartbeatMs: options.heartbeatMs ?? 15_000,
    stopping: stop.signal,
    nowMs,
    newRunId: () => ids.ulid(),
  };
  describeGauges(service);
  const app = createApp({ service, onBug });
  const perSecond = options.ratePerSecond ?? 100;
  const monotonicMs = (): number => nodeRunClock.monotonicMs();
  const rate = new RateLimit({ perSecond, burst: perSecond * 4, nowMs: monotonicMs });
  const loginRate = new RateLimit({ perSecond: 1, burst: mostLogins, nowMs: monotonicMs });
  const stopFollowing = techne.skills.onChange(() => {
    changes.tell({ type: 'skills.changed' });
    void techne.runs.renew().catch(onBug);
  });
  let underWay = 0;
  const server = await openServer<KnownRequest>({
    port: options.port ?? 0,
    host,
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
    publicOrigin,
    maxBodyBytes,
    maxRequests: options.maxRequests ?? 256,
    maxStreams: options.maxStreams ?? 2_048,
    maxConnections: options.maxConnections ?? 4_096,
    arrivalMs: options.arrivalMs ?? 30_000,
    ...(options.stallMs === undefined ? {} : { stallMs: options.stallMs }),
    createGuard: (place) =>
      createApiGuard(place, {
        tokens,
        sessions,
        rate,
        loginRate,
        ...(studio === undefined ? {} : { isOfClient: (path: string) => studio.has(path) }),
        onRefused: ({ status }) => metrics.count('techne_http_refused_total', { status: String(status) }),
      }),
    async answer({ request, body, upload, known }) {
      underWay += 1;
      try {
        if (mount !== undefined && new URL(request.url).pathname === mount.path)
          return await answerMounted(mount, request, body, known);
        if (studio?.has(new URL(request.url).pathname) === true) return studio.answer(request);
        return await app.answer(request, { body, upload, known });
      } finally {
        underWay -= 1;
      }
    },
    renderRefusal: (refusal) => ({ type: problemType, body: renderProblem(problemOfRefusal(refusal)) }),
    portHint: 'choose another --port; 0 is any free port',
    onBug,
  });
  port = server.port;
  let closing: Promise<void> | null = null;
  let endGrace = (): void => undefined;
  const graceEnded = new Promise<void>((resolve) => {
    endGrace = resolve;
  });
  const close = async (graceMs: number): Promise<void> => {
    stop.abort();
    const effectsEnded = Promise.all([
      dispatcher.drain(graceMs),
      mount?.drain(graceMs),
      chats?.drain(graceMs),
    ]);
    await Promise.race([effectsEnded, graceEnded]);
    await mount?.close();
    await service.jobs.close();
    await chats?.close();
    await drained(() => underWay === 0);
    stopFollowing();
    texts.close();
    await closeServer(server);
  };
  return {
    url: server.origin,
    port: server.port,
    link: link?.urlAt(server.origin, studio !== undefined) ?? null,
    routes: [
      ...app.routes,
      ...(mount === undefined ? [] : [{ method: '*', path: mount.path }]),
      ...(studio === undefined ? [] : [{ method: 'GET', path: '/*' }]),
    ],
    get running() {
      return dispatcher.counts().running;
    },
    async close(graceMs = 0) {
      if (closing !== null) {
        endGrace();
        await dispatcher.drain(0);
      }
      closing ??= close(graceMs);
      await closing;
    },
  };
}

function localDispatcher(options: ServeOptions, metrics: Metrics, texts: RunTexts): Dispatcher {
  const { techne, onBug } = options;
  metrics.describe('techne_runs_driven_total', 'Runs that were driven here, by how that ended');
  return new LocalDispatcher({
    resume: (run, stops) =>
      techne.runs.resume(techne.snapshot, run, { ...stops, onEvent: (event) => texts.take(event) }),
    concurrency: options.concurrency ?? 8,
    maxQueued: options.maxQueued ?? 10_000,
    onEnded: (status) => metrics.count('techne_runs_driven_total', { status }),
    onBug,
  });
}

function describeGauges({
  metrics,
  dispatcher,
  feeds,
  changes,
  chats,
  jobs,
  techne,
  stopping,
}: ApiService): void {
  metrics.describe('techne_http_refused_total', 'Requests that the guard refused');
  metrics.describe('techne_http_request_seconds', 'Time to answer a request, without its stream');
  metrics.gauge('techne_runs_running', 'Runs that this process drives', () => dispatcher.counts().running);
  metrics.gauge('techne_runs_queued', 'Runs that wait for a place', () => dispatcher.counts().queued);
  metrics.gauge('techne_event_streams', 'Streams of events that are open', () => feeds.readers);
  metrics.gauge('techne_change_streams', 'Streams of all changes that are open', () => changes.readers);
  metrics.gauge(
    'techne_hub_jobs',
    'Jobs that fetch, scan or wait for consent',
    () => jobs.list().filter(({ endedAt }) => endedAt === null).length,
  );
  if (chats !== null)
    metrics.gauge('techne_chats_answering', 'Conversations that are being answered', () => chats.answering);
  metrics.gauge('techne_skills', 'Skills of the snapshot', () => techne.snapshot.skills.length);
  metrics.gauge('techne_stopping', '1 while the server stops', () => (stopping.aborted ? 1 : 0));
  metrics.gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
}

async function answerMounted(
  mount: Mount,
  request: Request,
  body: string | null,
  { identity }: KnownRequest,
): Promise<Response | HttpRefusal> {
  if (identity === null || !hasRole(identity.role, 'runner'))
    return {
      status: 403,
      message: `MCP needs the role "runner", and ${whoIs(identity)}`,
      code: 'ROLE_REFUSED',
    };
  return mount.answer(request, body);
}

async function drained(isDone: () => boolean): Promise<void> {
  const endMs = nodeRunClock.monotonicMs() + drainMs;
  while (!isDone() && nodeRunClock.monotonicMs() < endMs)
    await new Promise<void>((resolve) => nodeRunClock.after(20, resolve, 'wait'));
}

/** What is written by now is sent: streams have got their last event. */
async function closeServer(server: OpenServer): Promise<void> {
  server.stopAccepting();
  await new Promise<void>((resolve) => nodeRunClock.after(50, resolve, 'wait'));
  await server.close();
}

/** A page asks at every key: an index for each request would cost more than the answer. */
function keepSuggestions(techne: OpenTechne): () => Promise<Suggestions> {
  let kept: { readonly of: Snapshot; readonly suggestions: Promise<Suggestions> } | null = null;
  return () => {
    const { library, snapshot } = techne;
    if (kept?.of !== snapshot) {
      const suggestions = openSuggestions(library, snapshot, () => undefined);
      const made = { of: snapshot, suggestions };
      kept = made;
      suggestions.catch(() => {
        if (kept === made) kept = null;
      });
    }
    return kept.suggestions;
  };
}
