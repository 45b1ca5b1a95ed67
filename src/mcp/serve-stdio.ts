// The server over standard input and output, for a host that starts it.
//
// D1. Standard output belongs to the protocol. When the host closes the input, or goes away, the server ends.
// D2. A message that is too long to be read ends it as well: where the next one begins is not known. That is no orderly end.
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Readable, Writable } from 'node:stream';
import { OwnRuns } from '../techne/own-runs.ts';
import { createServer } from './create-server.ts';
import type { McpService } from './service.ts';

export interface StdioOptions {
  readonly service: McpService;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly onFault: (error: Error) => void;
  /** One message. Default: 10 MiB. */
  readonly maxMessageBytes?: number;
}

export interface StdioServing {
  /** When the other side is gone: null; else why the server does not go on (D2). */
  readonly ended: Promise<string | null>;
  close(): Promise<void>;
}

const tooLong = /^ReadBuffer exceeded maximum size/;

export function serveOverStdio({
  service,
  stdin,
  stdout,
  onFault,
  maxMessageBytes = 10 * 1024 * 1024,
}: StdioOptions): StdioServing {
  // One conversation for the connection, also where the library makes a server to look at and throws it away.
  const conversation = service.createConversation();
  const own = new OwnRuns();
  let live: McpServer | null = null;
  // Every result that waits for a slow reader listens until there is room: that is no leak.
  stdout.setMaxListeners(0);
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: maxMessageBytes });
  let fault: string | null = null;
  const ended = new Promise<string | null>((resolve) => {
    const close = transport.close.bind(transport);
    transport.close = async () => {
      await close();
      resolve(fault);
    };
  });
  const heard = (error: Error): void => {
    if (tooLong.test(error.message))
      fault = `a message of the host is longer than ${maxMessageBytes} bytes, so the server ends`;
    else onFault(error);
  };
  const handle = serveStdio(
    () => {
      live = createServer(service, conversation, own);
      return live;
    },
    { transport, onerror: heard },
  );
  const stopListening = service.onListChanged(({ tools, prompts, resources }) => {
    const server = live?.server;
    if (server === undefined) return;
    const sends = [
      ...(tools ? [server.sendToolListChanged()] : []),
      ...(prompts ? [server.sendPromptListChanged()] : []),
      ...(resources ? [server.sendResourceListChanged()] : []),
    ];
    for (const send of sends) send.catch((error: unknown) => onFault(error as Error));
  });
  return {
    ended,
    async close() {
      stopListening();
      await handle.close();
    },
  };
}
