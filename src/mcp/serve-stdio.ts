// The server over standard input and output, for a host that starts it.
//
// Standard output carries the protocol. The server ends when the host closes the input or exits.
//
// serve-stdio#D2. A message that is too long or malformed gets an error reply, and the server goes on (stdio-gate.ts).
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Readable, Writable } from 'node:stream';
import { createNodeIds } from '../node/environment.ts';
import { OwnRuns } from '../techne/own-runs.ts';
import { createServer } from './create-server.ts';
import type { McpService } from './service.ts';
import { StdioGate } from './stdio-gate.ts';

interface StdioOptions {
  readonly service: McpService;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly onFault: (error: Error) => void;
  /** One message. Default: 10 MiB. */
  readonly maxMessageBytes?: number;
}

export interface StdioServing {
  /** The host closed the input. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export function serveOverStdio({
  service,
  stdin,
  stdout,
  onFault,
  maxMessageBytes = 10 * 1024 * 1024,
}: StdioOptions): StdioServing {
  // One conversation for the connection, although the library also creates servers that it discards.
  const conversation = service.createConversation(createNodeIds().ulid());
  const own = new OwnRuns();
  let live: McpServer | null = null;
  // Every result that waits for a slow reader adds a listener; that is not a leak.
  stdout.setMaxListeners(0);
  const gate = new StdioGate({
    maxMessageBytes,
    reply: (line) => void stdout.write(line),
    onFault: (message) => onFault(new Error(message)),
  });
  const input = stdin.pipe(gate);
  stdin.once('error', (error) => gate.destroy(error));
  // The gate has judged the length: a message, its line end, and the beginning of the next one.
  const transport = new StdioServerTransport(input, stdout, { maxBufferSize: 2 * maxMessageBytes + 65_536 });
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
