// The API server: everything that `techne serve` opens, and how it stops.
//
//   options -> openServer (bounds, guard) -> app (routes) -> façade; MCP beside it
//
// Stopping drains: /readyz says no, streams end with an event, runs are detached and can be resumed, requests under way are answered.
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { createNodeIds, nodeRunClock } from '../node/environment.ts';
import type { OpenTechne } from '../techne/create-techne.ts';
import type { TokenFile } from '../techne/tokens/token-file.ts';
import { hasRole } from '../api/role.ts';
import { createApp } from './app.ts';
import { LocalDispatcher } from './dispatcher.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { KnownRequest } from './guard.ts';
import { createApiGuard, whoIs } from './guard.ts';
import { LoginLink } from './link.ts';
import { Metrics } from './metrics.ts';
import { problemOfRefusal, problemType, renderProblem } from './problem.ts';
import { RateLimit } from './rate-limit.ts';
import { RunFeeds } from './run-feeds.ts';
import type { HttpRefusal } from './server/check-place.ts';
import type { OpenServer } from './server/open-server.ts';
import { isLoopback, openServer } from './server/open-server.ts';
import type { ApiService } from './service.ts';
import type { StartKeys } from './start-keys.ts';
import { createFileStartKeys } from './start-keys.ts';

/** Another surface in the same server. */
export interface Mount {
  /** `/mcp`. */
  readonly path: string;
  answer(request: Request, body: string | null): Promise<Response | HttpRefusal>;
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
  /** Instead of this process: who drives runs. */
  readonly dispatcher?: Dispatcher;
  /** Instead of files in the home folder: where idempotency keys are kept. */
  readonly keys?: StartKeys;
  readonly onBug: (error: unknown) => void;
}

export interface ApiServing {
  /** `http://127.0.0.1:8486`. */
  readonly url: string;
  readonly port: number;
  /** The one-time link; `null` on an address that others reach. */
  readonly link: string | null;
  /** Takes no further work, detaches from runs, ends streams, answers what is under way, then closes. */
  close(): Promise<void>;
}

/** How long requests under way may take while the server stops. */
const drainMs = 10_000;

/** Throws ENVIRONMENT when the port cannot be listened on, TOKENS_FILE when the tokens cannot be used. */
export async function serveApi(options: ServeOptions): Promise<ApiServing> {
  const { techne, tokens, host = '127.0.0.1', onBug, mount } = options;
  const maxBodyBytes = options.maxBodyBytes ?? 4 * 1024 * 1024;
  tokens.list();
  const nowMs = (): number => nodeRunClock.nowMs();
  const stop = new AbortController();
  // As many listen as there are streams.
  setMaxListeners(0, stop.signal);
  const metrics = new Metrics();
  const dispatcher = options.dispatcher ?? localDispatcher(options, metrics);
  const feeds = new RunFeeds(async () => {
    const { runs, release } = await techne.runs.hold(techne.snapshot);
    return { store: runs.store, release };
  });
  const link = isLoopback(host) ? new LoginLink(options.person, nowMs) : null;
  const ids = createNodeIds();
  const service: ApiService = {
    techne,
    dispatcher,
    feeds,
    metrics,
    link,
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
  const rate = new RateLimit({ perSecond, burst: perSecond * 4, nowMs: () => nodeRunClock.monotonicMs() });
  const stopFollowing = techne.skills.onChange(() => void techne.runs.renew().catch(onBug));
  let underWay = 0;
  const server = await openServer<KnownRequest>({
    port: options.port ?? 0,
    host,
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
    maxBodyBytes,
    maxRequests: options.maxRequests ?? 256,
    maxStreams: options.maxStreams ?? 2_048,
    maxConnections: options.maxConnections ?? 4_096,
    arrivalMs: options.arrivalMs ?? 30_000,
    ...(options.stallMs === undefined ? {} : { stallMs: options.stallMs }),
    createGuard: (place) =>
      createApiGuard(place, {
        tokens,
        link,
        rate,
        onRefused: ({ status }) => metrics.count('techne_http_refused_total', { status: String(status) }),
      }),
    async answer({ request, body, known }) {
      underWay += 1;
      try {
        if (mount !== undefined && new URL(request.url).pathname === mount.path)
          return await answerMounted(mount, request, body, known);
        return await app(request, { body, known });
      } finally {
        underWay -= 1;
      }
    },
    renderRefusal: (refusal) => ({ type: problemType, body: renderProblem(problemOfRefusal(refusal)) }),
    portHint: 'choose another --port; 0 is any free port',
    onBug,
  });
  return {
    url: server.origin,
    port: server.port,
    link: link?.urlAt(server.origin) ?? null,
    async close() {
      stop.abort();
      await dispatcher.drain();
      await mount?.close();
      await drained(() => underWay === 0);
      stopFollowing();
      await closeServer(server);
    },
  };
}

function localDispatcher(options: ServeOptions, metrics: Metrics): Dispatcher {
  const { techne, onBug } = options;
  metrics.describe('techne_runs_driven_total', 'Runs that were driven here, by how that ended');
  return new LocalDispatcher({
    resume: (run, detach) => techne.runs.resume(techne.snapshot, run, { detach }),
    concurrency: options.concurrency ?? 8,
    maxQueued: options.maxQueued ?? 10_000,
    onEnded: (status) => metrics.count('techne_runs_driven_total', { status }),
    onBug,
  });
}

function describeGauges({ metrics, dispatcher, feeds, techne, stopping }: ApiService): void {
  metrics.describe('techne_http_refused_total', 'Requests that the guard refused');
  metrics.describe('techne_http_request_seconds', 'Time to answer a request, without its stream');
  metrics.gauge('techne_runs_running', 'Runs that this process drives', () => dispatcher.counts().running);
  metrics.gauge('techne_runs_queued', 'Runs that wait for a place', () => dispatcher.counts().queued);
  metrics.gauge('techne_event_streams', 'Streams of events that are open', () => feeds.readers);
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
