// MCP inside another server: opened by its first request.
//
// The server around it has authenticated the request. Clients are not asked for forms or decisions through MCP here, even if they support it:
// those are for tokens of reviewers and operators.
import type { Mount } from '../../http/serve-api.ts';
import type { McpService } from '../service.ts';
import type { McpHandler } from './mcp-over-http.ts';
import { createMcpOverHttp } from './mcp-over-http.ts';

interface OpenMcp {
  readonly service: McpService;
  readonly handler: McpHandler;
}

/** `open` gives a service with `relaysForms` and `asksPeople` off. */
export function mountMcp(open: () => Promise<McpService>, maxBodyBytes: number): Mount {
  let opened: Promise<OpenMcp> | null = null;
  const start = async (): Promise<OpenMcp> => {
    const service = await open();
    return {
      service,
      handler: createMcpOverHttp({ service, maxBodyBytes, maxSessions: 64, sessionIdleMs: 30 * 60_000 }),
    };
  };
  return {
    path: '/mcp',
    async answer(request, body) {
      opened ??= start().catch((error: unknown) => {
        // The next request tries again.
        opened = null;
        throw error;
      });
      return (await opened).handler.answer(request, body);
    },
    async drain(graceMs) {
      await (await opened?.catch(() => null))?.service.drain(graceMs);
    },
    async close() {
      const known = await opened?.catch(() => null);
      await known?.handler.close();
      await known?.service.close();
    },
  };
}
