// Sessions of clients that speak the older protocol: one server each, until the session ends or times out.
//
// A session ends after `idleMs` without use. If all sessions are taken, a new client replaces the one that was idle longest, because
// clients disconnect without notice; if none is idle, the client is asked to try again. A session is not idle during a request or a
// stream, or while it opens.
import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport, isInitializeRequest } from '@modelcontextprotocol/server';
import type { McpServer } from '@modelcontextprotocol/server';
import { createServer } from '../create-server.ts';
import type { ListChanges, McpService } from '../service.ts';
import type { HttpRefusal } from '../../http/server/check-place.ts';

interface Session {
  readonly mcp: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedMs: number;
  underWay: number;
}

interface SessionsOptions {
  readonly service: McpService;
  readonly maxSessions: number;
  readonly idleMs: number;
  readonly nowMs: () => number;
}

export class Sessions {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #sweep: NodeJS.Timeout;
  #opening = 0;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => void this.#endIdle(), Math.min(60_000, Math.max(50, options.idleMs / 4)));
    this.#sweep.unref();
  }

  get count(): number {
    return this.#sessions.size + this.#opening;
  }

  /** `body`: the parsed body; undefined if there is none. */
  async handle(request: Request, body: unknown): Promise<Response | HttpRefusal> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const session = this.#sessions.get(id);
      return session === undefined
        ? { status: 404, message: 'there is no such session' }
        : this.#use(session, request, body);
    }
    if (body === undefined || !(Array.isArray(body) ? body : [body]).some(isInitializeRequest))
      return { status: 400, message: 'a session starts with "initialize"' };
    await this.#endIdle();
    if (this.count >= this.#options.maxSessions) await this.#endLongestIdle();
    if (this.count >= this.#options.maxSessions)
      return {
        status: 503,
        message: `${this.count} sessions are open already; try again later`,
        headers: { 'retry-after': '30' },
      };
    this.#opening += 1;
    try {
      return await this.#use(await this.#open(), request, body);
    } finally {
      this.#opening -= 1;
    }
  }

  tell({ tools, prompts, resources }: ListChanges): void {
    for (const {
      mcp: { server },
    } of this.#sessions.values()) {
      for (const send of [
        ...(tools ? [server.sendToolListChanged()] : []),
        ...(prompts ? [server.sendPromptListChanged()] : []),
        ...(resources ? [server.sendResourceListChanged()] : []),
      ])
        send.catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.values()].map(({ mcp }) => mcp.close().catch(() => undefined)));
    this.#sessions.clear();
  }

  async #open(): Promise<Session> {
    const { service, nowMs } = this.#options;
    const mcp = createServer(service);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    const session: Session = { mcp, transport, usedMs: nowMs(), underWay: 0 };
    // The transport cleans up after this.
    await mcp.connect(transport);
    return session;
  }

  async #use(session: Session, request: Request, body: unknown): Promise<Response> {
    const { nowMs } = this.#options;
    session.usedMs = nowMs();
    session.underWay += 1;
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      session.underWay -= 1;
      session.usedMs = nowMs();
    };
    try {
      const response = await session.transport.handleRequest(
        request,
        body === undefined ? {} : { parsedBody: body },
      );
      if (response.body === null) {
        end();
        return response;
      }
      // The request lasts until its response is fully sent.
      const [status, headers] = [response.status, response.headers];
      return new Response(watched(response.body, end), { status, headers });
    } catch (error) {
      end();
      throw error;
    }
  }

  async #endIdle(): Promise<void> {
    const { idleMs, nowMs } = this.#options;
    for (const [id, session] of this.#sessions) {
      if (session.underWay > 0 || nowMs() - session.usedMs < idleMs) continue;
      await this.#end(id, session);
    }
  }

  /** Ends idle sessions to make room. */
  async #endLongestIdle(): Promise<void> {
    const idle = [...this.#sessions].filter(([, { underWay }]) => underWay === 0);
    const first = idle.reduce<(typeof idle)[number] | null>(
      (least, one) => (least === null || one[1].usedMs < least[1].usedMs ? one : least),
      null,
    );
    if (first !== null) await this.#end(...first);
  }

  async #end(id: string, session: Session): Promise<void> {
    this.#sessions.delete(id);
    await session.mcp.close().catch(() => undefined);
  }
}

function watched(body: ReadableStream<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}
