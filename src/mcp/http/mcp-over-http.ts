// MCP as a handler of web requests: the newer protocol, or a session of the older one.
//
//   Request and its body -> Response, or a refusal
//
// `techne mcp --http` serves it alone (serve-http.ts), `techne serve` beside its API. The caller has checked who it is.
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { HttpRefusal } from '../../http/server/check-place.ts';
import { OwnRuns } from '../../techne/own-runs.ts';
import { createServer } from '../create-server.ts';
import type { McpService } from '../service.ts';
import { Sessions } from './sessions.ts';

export interface McpHandlerOptions {
  readonly service: McpService;
  readonly maxSessions: number;
  readonly sessionIdleMs: number;
  readonly maxBodyBytes: number;
}

export interface McpHandler {
  /** `body`: its text; null where the method has none. */
  answer(request: Request, body: string | null): Promise<Response | HttpRefusal>;
  close(): Promise<void>;
}

export function createMcpOverHttp(options: McpHandlerOptions): McpHandler {
  const { service, maxSessions, sessionIdleMs, maxBodyBytes } = options;
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
  return {
    async answer(request, body) {
      let parsed: unknown;
      if (body !== null) {
        try {
          parsed = JSON.parse(body);
        } catch {
          return { status: 400, message: 'the body is not JSON', code: -32_700 };
        }
      }
      return (await isLegacyRequest(request, parsed))
        ? sessions.handle(request, parsed)
        : modern.fetch(request, { parsedBody: parsed });
    },
    async close() {
      stopListening();
      await modern.close();
      await sessions.close();
    },
  };
}

/** A refusal as a JSON-RPC error without an id. */
export function renderMcpRefusal({ message, code = -32_000 }: HttpRefusal): {
  readonly type: string;
  readonly body: string;
} {
  const error = { code: typeof code === 'number' ? code : -32_000, message };
  return { type: 'application/json', body: JSON.stringify({ jsonrpc: '2.0', error, id: null }) };
}
