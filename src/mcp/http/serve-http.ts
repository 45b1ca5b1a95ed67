// The server over streamable HTTP.
//
//   node:http -> guard (guard-request.ts) -> bounded body -> the newer protocol, or a session of the older one
//
// The server listens on this machine only, unless another address is given. Bodies, concurrent requests, connections, sessions,
// streams and the time to receive a request are limited. A refusal is a JSON-RPC error without an id, with an HTTP status.
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { TechneError } from '../../base/error.ts';
import { OwnRuns } from '../../techne/own-runs.ts';
import { createServer } from '../create-server.ts';
import type { McpService } from '../service.ts';
import { Connections } from './connections.ts';
import type { RequestGuard, HttpRefusal } from './guard-request.ts';
import { createGuard } from './guard-request.ts';
import { Sessions } from './sessions.ts';
import { readBody, sendResponse, toWebRequest } from './web-exchange.ts';

interface HttpOptions {
  readonly service: McpService;
  readonly token: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** Additional host names of the server, without a port. Default: none. */
  readonly allowedHosts?: readonly string[];
  /** Additional allowed origins, such as `https://tools.example`. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** Default: 4 MiB. */
  readonly maxBodyBytes?: number;
  /** Concurrent requests and streams. Default: 64. */
  readonly maxRequests?: number;
  /** A quarter of them is for connections that have not shown the token yet. Default: 256. */
  readonly maxConnections?: number;
  /** Default: 32. */
  readonly maxSessions?: number;
  /** Default: 30 min. */
  readonly sessionIdleMs?: number;
  /** How long a request may take to arrive. Default: 30 s. */
  readonly arrivalMs?: number;
}

export interface HttpServing {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const mcpPath = '/mcp';

/** Throws ENVIRONMENT when the port cannot be listened on. */
export async function serveOverHttp(options: HttpOptions): Promise<HttpServing> {
  const {
    service,
    token,
    port = 0,
    host = '127.0.0.1',
    maxBodyBytes = 4 * 1024 * 1024,
    maxRequests = 64,
    maxConnections = 256,
    maxSessions = 32,
    sessionIdleMs = 30 * 60_000,
    arrivalMs = 30_000,
  } = options;
  // Without sessions there is no conversation that could have a body already, so each request is one of its own. Nor is there
  // anything that tells two clients with the token apart: what one of them started, both did.
  const own = new OwnRuns();
  const modern = createMcpHandler(() => createServer(service, service.createConversation(), own), {
    legacy: 'reject',
    maxSubscriptions: maxSessions,
    maxRequestBodySize: maxBodyBytes,
  });
  const sessions = new Sessions({
    service,
    maxSessions,
    idleMs: sessionIdleMs,
    nowMs: () => performance.now(),
  });
  const stopListening = service.onListChanged((changes) => {
    sessions.tell(changes);
    if (changes.tools) modern.notify.toolsChanged();
    if (changes.prompts) modern.notify.promptsChanged();
    if (changes.resources) modern.notify.resourcesChanged();
  });
  const connections = new Connections(maxConnections);
  let guard: RequestGuard = () => ({
    proven: false,
    refusal: { status: 503, message: 'the server is starting' },
  });
  let origin = '';
  let underWay = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: target = '', rawHeaders } = request;
    const { refusal, proven } = guard({ method, target, rawHeaders });
    if (!proven && refusal !== null) return refuse(request, response, closing(refusal));
    if (!connections.prove(request.socket))
      return refuse(
        request,
        response,
        closing({ status: 503, message: 'too many connections are open; try again later' }),
      );
    if (refusal !== null) return refuse(request, response, refusal);
    if (underWay >= maxRequests)
      return refuse(request, response, {
        status: 503,
        message: `the server handles ${underWay} requests already; try again later`,
        headers: { 'retry-after': '1' },
      });
    underWay += 1;
    const left = new AbortController();
    const leave = (): void => left.abort(new Error('the client disconnected'));
    response.on('close', leave);
    try {
      const text = method === 'POST' ? await readBody(request, maxBodyBytes) : '';
      if (text === null)
        return refuse(request, response, { status: 413, message: `the body is over ${maxBodyBytes} bytes` });
      let body: unknown;
      if (method === 'POST') {
        try {
          body = JSON.parse(text);
        } catch {
          return refuse(request, response, { status: 400, message: 'the body is not JSON' }, -32_700);
        }
      }
      const web = toWebRequest(request, origin, method === 'POST' ? text : null, left.signal);
      const answered = (await isLegacyRequest(web, body))
        ? await sessions.handle(web, body)
        : await modern.fetch(web, { parsedBody: body });
      if (answered instanceof Response) await sendResponse(answered, response);
      else refuse(request, response, answered);
    } finally {
      response.off('close', leave);
      underWay -= 1;
    }
  };

  const http = createHttpServer(
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
        service.onBug(error);
        if (response.headersSent) response.destroy();
        else
          refuse(request, response, {
            status: 500,
            message: 'internal error in techne; see the log of the server',
          });
      });
    },
  );
  http.on('connection', (socket) => connections.add(socket));
  // No tunnels and no protocol upgrades.
  http.on(
    'connect',
    (_request, socket) =>
      void socket.end('HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
  );
  await listen(http, port, host);
  http.on('error', service.onBug);
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
  guard = createGuard({ hosts, origins: options.allowedOrigins ?? [], token, path: mcpPath });
  return {
    url: `${origin}${mcpPath}`,
    port: bound,
    async close() {
      stopListening();
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      await modern.close();
      await sessions.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

/** The connection ends with it: whoever has no right to be here keeps no place. */
function closing(refusal: HttpRefusal): HttpRefusal {
  return { ...refusal, headers: { ...refusal.headers, connection: 'close' } };
}

/** Refuses a request without reading the rest of it. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, headers = {} }: HttpRefusal,
  code = -32_000,
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  const isWhole =
    request.complete ||
    (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(isWhole ? {} : { connection: 'close' }),
    ...headers,
  });
  response.end(body);
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

async function listen(http: ReturnType<typeof createHttpServer>, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void =>
      reject(
        new TechneError(
          'ENVIRONMENT',
          `cannot listen on ${host}:${port}: ${error.code === 'EADDRINUSE' ? 'the port is in use' : error.message}`,
          { hint: 'choose another port with --http PORT; 0 is any free port', cause: error },
        ),
      );
    http.once('error', fail);
    http.listen(port, host, () => {
      http.off('error', fail);
      resolve();
    });
  });
}
