// The server over standard input and output, for a host that starts it.
//
// D1. Standard output belongs to the protocol. When the host closes the input, or goes away, the server ends.
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Readable, Writable } from 'node:stream';
import { OwnRuns } from '../host/own-runs.ts';
import { createServer } from './create-server.ts';
import type { McpService } from './service.ts';

export interface StdioOptions {
  readonly service: McpService;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly onFault: (error: Error) => void;
  /** One message. Default: 10 MB. */
  readonly maxMessageBytes?: number;
}

export interface StdioServing {
  /** When the other side is gone. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export function serveOverStdio({ service, stdin, stdout, onFault, maxMessageBytes }: StdioOptions): StdioServing {
  // One conversation for the connection, also where the library makes a server to look at and throws it away.
  const conversation = service.createConversation();
  const own = new OwnRuns();
  let live: McpServer | null = null;
  const transport = new StdioServerTransport(stdin, stdout, maxMessageBytes === undefined ? {} : { maxBufferSize: maxMessageBytes });
  const ended = new Promise<void>((resolve) => {
    const close = transport.close.bind(transport);
    transport.close = async () => {
      await close();
      resolve();
    };
  });
  const handle = serveStdio(
    () => {
      live = createServer(service, conversation, own);
      return live;
    },
    { transport, onerror: onFault },
  );
  const unheard = service.onListChanged(({ tools, prompts, resources }) => {
    const server = live?.server;
    if (server === undefined) return;
    const sends = [...(tools ? [server.sendToolListChanged()] : []), ...(prompts ? [server.sendPromptListChanged()] : []), ...(resources ? [server.sendResourceListChanged()] : [])];
    for (const send of sends) send.catch((error: unknown) => onFault(error as Error));
  });
  return {
    ended,
    async close() {
      unheard();
      await handle.close();
    },
  };
}
