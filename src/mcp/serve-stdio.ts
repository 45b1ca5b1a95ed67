// The server over standard input and output, for a host that starts it.
//
// Standard output carries the protocol. The server ends when the host closes the input or exits.
//
// serve-stdio#D2. A message that is too long also ends the server, as an error: the start of the next message is unknown.
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
  /** null if the host closed the input; else why the server ended (serve-stdio#D2). */
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
  // One conversation for the connection, although the library also creates servers that it discards.
  const conversation = service.createConversation();
  const own = new OwnRuns();
  let live: McpServer | null = null;
  // Every result that waits for a slow reader adds a listener; that is not a leak.
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
