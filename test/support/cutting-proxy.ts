// A way to a server that breaks: each request passes, is lost with the connection, or is carried out while its answer is lost.
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** `lost`: the server never sees it. `unanswered`: the server answers, and no one hears it. `cut`: sent, and cut at once. */
export type Fate = 'passes' | 'lost' | 'unanswered' | 'cut';

export interface CuttingProxy {
  readonly port: number;
  /** Asked for each request of a client. Default: everything passes. */
  judge: (request: Buffer) => Fate;
  /** Ends every connection now. */
  cutAll(): void;
  close(): Promise<void>;
}

export async function createCuttingProxy(toPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(toPort, '127.0.0.1');
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    let hears = true;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', cut);
      socket.on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    client.on('data', (request) => {
      const fate = proxy.judge(request);
      if (fate === 'lost') return cut();
      if (fate === 'unanswered') hears = false;
      upstream.write(request, () => {
        if (fate === 'cut') cut();
      });
    });
    upstream.on('data', (answer) => {
      if (hears) client.write(answer);
      else cut();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: CuttingProxy = {
    port: (server.address() as AddressInfo).port,
    judge: () => 'passes',
    cutAll: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        proxy.cutAll();
      }),
  };
  return proxy;
}
