// A receiver of webhooks on loopback that answers as a test tells it to, and verifies signatures with a computation of its own.
import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly json: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: { readonly [key: string]: unknown };
  };
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Default: 204. */
  answer: (response: ServerResponse, received: Received) => void;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        text,
        json: JSON.parse(text) as Received['json'],
      };
      received.push(one);
      receiver.answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (response) => response.writeHead(204).end(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Whether one of the signatures is that of the secret. */
export function isSigned({ headers, text }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const [id, at] = [headers['webhook-id'] as string, headers['webhook-timestamp'] as string];
  const wanted = createHmac('sha256', key)
    .update(id)
    .update('.')
    .update(at)
    .update('.')
    .update(text)
    .digest('base64');
  return (headers['webhook-signature'] as string).split(' ').some((one) => one === `v1,${wanted}`);
}
