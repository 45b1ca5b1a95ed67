// Node's own server, with every resource bounded: the ground of the API and of MCP over HTTP.
//
//   node:http -> guard (head only) -> places -> bounded body -> web Request -> Response
//
// The server listens on this machine only, unless another address is given. Bodies, requests and streams under way, connections and
// the time to receive a request are limited; a client that reads nothing for `stallMs` is cut off. Nothing of a request that
// the guard refuses is read. A client that is known and still sends when it is answered is read from, and what it sends is dropped, for
// `lingerMs`: a connection that is closed at once would take the answer with it. Tunnels and upgrades are refused.
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TechneError } from '../../base/error.ts';
import type { Upload } from '../uploads.ts';
import type { HttpRefusal, PlaceOptions, RequestHead } from './check-place.ts';
import { Connections } from './connections.ts';
import { dropRest, readBody, sendResponse, toWebRequest } from './web-exchange.ts';

/** What the guard says about the head of a request. */
export interface RequestVerdict<Known> {
  /** `null`: it may pass. */
  readonly refusal: HttpRefusal | null;
  /** It has a right to be here, even where it is refused for something else. */
  readonly proven: boolean;
  /** What the guard found out, such as whose token it is. */
  readonly known: Known;
  /** A stream that stays open has a place of its own. Default: false. */
  readonly isStream?: boolean;
  /** Whose places it takes: one holder has half of them at most. Default: no holder. */
  readonly holder?: string;
  /** What gives the right to be here, looked at each second while a stream is open. Default: it does not end. */
  readonly standing?: Standing;
}

/** A token or a session, which can end while a stream of it is open. */
export interface Standing {
  /** The same for all requests with it. */
  readonly key: string;
  readonly holds: () => boolean;
}

export interface Exchange<Known> {
  readonly request: Request;
  /** `null` where the method has none. */
  readonly body: string | null;
  /** Of a PUT: its body, which is not read yet. Whoever reads it bounds it. */
  readonly upload: Upload | null;
  readonly known: Known;
}

export interface ServerOptions<Known> {
  /** 0: any free port. */
  readonly port: number;
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** Additional host names of the server, without a port. Default: none. */
  readonly allowedHosts?: readonly string[];
  /** Additional allowed origins. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** The origin of what is in front of this server, such as a proxy with TLS. Default: nothing is. */
  readonly publicOrigin?: string | null;
  readonly maxBodyBytes: number;
  /** Concurrent requests. */
  readonly maxRequests: number;
  /** Concurrent streams, besides the requests. Default: as many as requests. */
  readonly maxStreams?: number;
  /** A quarter of them is for connections that have not proven themselves yet. */
  readonly maxConnections: number;
  /** How long a request may take to arrive. */
  readonly arrivalMs: number;
  /** How long a client may read nothing of its response. Default: 30 s. */
  readonly stallMs?: number;
  /** Called once, when the names of the server are known. */
  readonly createGuard: (place: PlaceOptions) => (head: RequestHead) => RequestVerdict<Known>;
  readonly answer: (exchange: Exchange<Known>) => Promise<Response | HttpRefusal>;
  /** A refusal as the body that clients of this surface expect. */
  readonly renderRefusal: (refusal: HttpRefusal) => { readonly type: string; readonly body: string };
  /** What to do where the port is in use. */
  readonly portHint: string;
  readonly onBug: (error: unknown) => void;
}

export interface OpenServer {
  /** `http://127.0.0.1:8484`, without a path. */
  readonly origin: string;
  readonly port: number;
  /** Takes no further connections; those that are idle end. */
  stopAccepting(): void;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** Places that one holder may always have, where there are any. */
const leastOfOne = 2;
/** How long a client that is known may go on to send after it was answered. */
const lingerMs = 5_000;
/** How long a stream may outlive its token. */
const standingMs = 1_000;

/** Throws ENVIRONMENT when the port cannot be listened on. */
export async function openServer<Known>(options: ServerOptions<Known>): Promise<OpenServer> {
  const { port, host = '127.0.0.1', arrivalMs, stallMs = 30_000, maxRequests, maxBodyBytes } = options;
  const { maxStreams = maxRequests } = options;
  const connections = new Connections(options.maxConnections);
  const underWay = { requests: 0, streams: 0 };
  const heldBy = new Map<string, number>();
  const standings = new Map<ServerResponse, Standing>();
  const looking = setInterval(() => cutWithoutStanding(standings), standingMs);
  looking.unref();
  let guard: ((head: RequestHead) => RequestVerdict<Known>) | null = null;
  let origin = '';
  const refuse = (request: IncomingMessage, response: ServerResponse, refusal: HttpRefusal): Promise<void> =>
    sendRefusal(request, response, refusal, options.renderRefusal(refusal));

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: target = '', rawHeaders } = request;
    if (guard === null) return refuse(request, response, { status: 503, message: 'the server is starting' });
    const peer = request.socket.remoteAddress;
    const {
      refusal,
      proven,
      known,
      isStream = false,
      standing,
      holder,
    } = guard({ method, target, rawHeaders, peer });
    if (!proven && refusal !== null) return refuse(request, response, closing(refusal));
    if (proven && !connections.prove(request.socket))
      return refuse(
        request,
        response,
        closing({ status: 503, message: 'too many connections are open; try again later' }),
      );
    if (refusal !== null) return refuse(request, response, refusal);
    // No web Request can have it.
    if (method === 'TRACE')
      return refuse(request, response, {
        status: 405,
        message: 'the method TRACE is not answered',
        headers: { allow: 'GET, HEAD, POST, PUT, DELETE' },
      });
    const [kind, most] = isStream ? (['streams', maxStreams] as const) : (['requests', maxRequests] as const);
    if (underWay[kind] >= most)
      return refuse(request, response, {
        status: 503,
        message: `the server handles ${underWay[kind]} ${kind} already; try again later`,
        headers: { 'retry-after': '1' },
      });
    // Whoever has all places of one token must not have those of the others.
    const holding = holder === undefined ? null : `${kind} ${holder}`;
    const held = holding === null ? 0 : (heldBy.get(holding) ?? 0);
    if (held >= Math.max(leastOfOne, Math.ceil(most / 2)))
      return refuse(request, response, {
        status: 429,
        message: `${holder} has ${held} ${kind} under way, which is half of what the server takes`,
        hint: 'end some of them first',
        headers: { 'retry-after': '1' },
      });
    if (holding !== null) heldBy.set(holding, held + 1);
    underWay[kind] += 1;
    const left = new AbortController();
    const leave = (): void => left.abort(new Error('the client disconnected'));
    response.on('close', leave);
    if (standing !== undefined && (isStream || method === 'GET')) standings.set(response, standing);
    try {
      const body = method === 'POST' ? await readBody(request, maxBodyBytes) : '';
      if (body === null)
        return refuse(request, response, { status: 413, message: `the body is over ${maxBodyBytes} bytes` });
      const given = method === 'POST' ? body : null;
      const web = toWebRequest(request, origin, given, left.signal);
      const upload = method === 'PUT' ? uploadOf(request) : null;
      const answered = await options.answer({ request: web, body: given, upload, known });
      const sendsStill = upload !== null && !request.complete;
      if (sendsStill) response.setHeader('connection', 'close');
      if (answered instanceof Response)
        await sendResponse(answered, response, stallMs, () =>
          sendsStill ? dropRest(request, lingerMs) : Promise.resolve(),
        );
      else await refuse(request, response, answered);
    } finally {
      response.off('close', leave);
      standings.delete(response);
      underWay[kind] -= 1;
      const rest = holding === null ? 0 : (heldBy.get(holding) ?? 0) - 1;
      if (holding !== null && rest > 0) heldBy.set(holding, rest);
      else if (holding !== null) heldBy.delete(holding);
    }
  };

  const http = createServer(
    {
      requestTimeout: arrivalMs,
      headersTimeout: Math.min(arrivalMs, 10_000),
      connectionsCheckingInterval: Math.min(arrivalMs, 5_000),
      keepAliveTimeout: 5_000,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
    },
    (request, response) => {
      void answer(request, response).catch((error: unknown) => {
        // The client disconnected during the request. A request whose body was read counts as destroyed by itself.
        if (request.socket.destroyed || response.destroyed) return;
        options.onBug(error);
        if (response.headersSent) response.destroy();
        else
          void refuse(request, response, {
            status: 500,
            message: 'internal error in techne; see the log of the server',
          });
      });
    },
  );
  http.on('connection', (socket) => connections.add(socket));
  http.on(
    'connect',
    (_request, socket) =>
      void socket.end('HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
  );
  await listen(http, port, host, options.portHint);
  http.on('error', options.onBug);
  const { port: bound } = http.address() as AddressInfo;
  const names = [
    isLoopback(host) ? ['127.0.0.1', 'localhost', '[::1]'] : [bracketed(host)],
    options.allowedHosts ?? [],
  ].flat();
  const hosts = names.flatMap((name) => [
    `${name.toLowerCase()}:${bound}`,
    ...(bound === 80 ? [name.toLowerCase()] : []),
  ]);
  origin = `http://${bracketed(host)}:${bound}`;
  guard = options.createGuard({
    hosts,
    origins: options.allowedOrigins ?? [],
    publicOrigin: options.publicOrigin ?? null,
  });
  let closed: Promise<void> | null = null;
  const stopAccepting = (): void => {
    closed ??= new Promise<void>((resolve) => http.close(() => resolve()));
    http.closeIdleConnections();
  };
  return {
    origin,
    port: bound,
    stopAccepting,
    async close() {
      stopAccepting();
      clearInterval(looking);
      http.closeAllConnections();
      await closed;
    },
  };
}

/** The client comes back, and is told why it may not. */
function cutWithoutStanding(standings: ReadonlyMap<ServerResponse, Standing>): void {
  const known = new Map<string, boolean>();
  for (const [response, { key, holds }] of standings) {
    const stands = known.get(key) ?? holds();
    known.set(key, stands);
    if (!stands) response.destroy();
  }
}

function uploadOf(request: IncomingMessage): Upload {
  const { 'content-length': length } = request.headers;
  return {
    length: length === undefined ? null : Number(length),
    // Left early, the connection stays for the answer.
    chunks: request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>,
  };
}

/** The connection ends with it: whoever has no right to be here keeps no place. */
function closing(refusal: HttpRefusal): HttpRefusal {
  return { ...refusal, headers: { ...refusal.headers, connection: 'close' } };
}

/** Refuses a request without keeping the rest of it. */
async function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers = {} }: HttpRefusal,
  { type, body }: { readonly type: string; readonly body: string },
): Promise<void> {
  const isWhole =
    request.complete ||
    (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined);
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(isWhole ? {} : { connection: 'close' }),
    ...headers,
  });
  if (isWhole || headers['connection'] === 'close') {
    response.end(body);
    return;
  }
  response.write(body);
  await dropRest(request, lingerMs);
  response.end();
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

async function listen(http: Server, port: number, host: string, hint: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void =>
      reject(
        new TechneError(
          'ENVIRONMENT',
          `cannot listen on ${host}:${port}: ${error.code === 'EADDRINUSE' ? 'the port is in use' : error.message}`,
          { hint, cause: error },
        ),
      );
    http.once('error', fail);
    http.listen(port, host, () => {
      http.off('error', fail);
      resolve();
    });
  });
}
