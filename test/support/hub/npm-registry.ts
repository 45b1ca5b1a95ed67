// A registry that speaks the protocol of npm: packuments and tarballs, on loopback.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PublishedVersion {
  readonly tarball: Buffer;
  readonly publishedAt?: string;
  /** Instead of the right one; null: none. */
  readonly integrity?: string | null;
  /** Instead of the right one. */
  readonly url?: string;
}

export interface LocalServer {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  close(): Promise<void>;
}

export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LocalServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export interface Registry extends LocalServer {
  publish(name: string, version: string, published: PublishedVersion): void;
  tag(name: string, tag: string, version: string): void;
}

export async function openRegistry(): Promise<Registry> {
  const packages = new Map<string, Map<string, PublishedVersion>>();
  const tags = new Map<string, { [tag: string]: string }>();
  const server = await serve((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname.slice(1));
    const [name = '', file] = path.split('/-/');
    const versions = packages.get(name);
    if (versions === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}');
      return;
    }
    if (file !== undefined) {
      response.writeHead(200).end(versions.get(file.replace(/^.*?-(\d+\.\d+\.\d+.*)\.tgz$/, '$1'))?.tarball);
      return;
    }
    const base = name.replace(/^@[^/]*\//, '');
    const packument = {
      name,
      'dist-tags': tags.get(name),
      versions: Object.fromEntries(
        [...versions].map(([version, { tarball, integrity, url }]) => [
          version,
          {
            name,
            version,
            dist: {
              tarball: url ?? `${server.url}${name}/-/${base}-${version}.tgz`,
              shasum: createHash('sha1').update(tarball).digest('hex'),
              ...(integrity === null
                ? {}
                : {
                    integrity: integrity ?? `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
                  }),
            },
          },
        ]),
      ),
      time: Object.fromEntries([...versions].map(([version, { publishedAt }]) => [version, publishedAt])),
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(packument));
  });
  return {
    ...server,
    publish(name, version, published) {
      const versions = packages.get(name) ?? new Map<string, PublishedVersion>();
      packages.set(name, versions.set(version, published));
      tags.set(name, { ...tags.get(name), latest: version });
    },
    tag: (name, tag, version) => void tags.set(name, { ...tags.get(name), [tag]: version }),
  };
}
