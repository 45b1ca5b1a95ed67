// The server over streamable HTTP, alone and with one token.
//
//   http/server/ -> guard (guard-request.ts) -> mcp-over-http.ts
//
// A refusal is a JSON-RPC error without an id, with an HTTP status.
import { openServer } from '../../http/server/open-server.ts';
import type { McpService } from '../service.ts';
import { createGuard } from './guard-request.ts';
import { createMcpOverHttp, renderMcpRefusal } from './mcp-over-http.ts';

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
  const { service, token, maxBodyBytes = 4 * 1024 * 1024, port = 0 } = options;
  const mcp = createMcpOverHttp({
    service,
    maxBodyBytes,
    maxSessions: options.maxSessions ?? 32,
    sessionIdleMs: options.sessionIdleMs ?? 30 * 60_000,
  });
  const { allowedHosts = [], allowedOrigins = [], host } = options;
  const server = await openServer({
    port,
    ...(host === undefined ? {} : { host }),
    allowedHosts,
    allowedOrigins,
    maxBodyBytes,
    maxRequests: options.maxRequests ?? 64,
    maxConnections: options.maxConnections ?? 256,
    arrivalMs: options.arrivalMs ?? 30_000,
    createGuard: (place) => createGuard({ ...place, token, path: mcpPath }),
    answer: ({ request, body }) => mcp.answer(request, body),
    renderRefusal: renderMcpRefusal,
    portHint: 'choose another port with --http PORT; 0 is any free port',
    onBug: service.onBug,
  });
  return {
    url: `${server.origin}${mcpPath}`,
    port: server.port,
    async close() {
      server.stopAccepting();
      await mcp.close();
      await server.close();
    },
  };
}
