// A hub in a folder -> the same hub over HTTP, for this machine.
//
//   GET or HEAD -> a file of the site, its type, an ETag; archives and details never change and may be kept for ever
//
// 1. Nothing outside the folder is served: no "..", no encoded separators, no link that leads out, no hidden file but those of
//    .well-known. A folder is its index.html or nothing: there are no listings.
// 2. On a loopback address, requests that name another host are refused, so that no web page reaches it by DNS.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { isInside } from '../../base/is-inside.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { codeOf } from '../../node/files/file-fault.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import { mostFileBytes } from '../publish/site-files.ts';
import { indexFolder } from '../publish/site-layout.ts';

export interface ServeOptions {
  readonly files: Files;
  readonly site: string;
  /** 0: any free one. */
  readonly port: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Called for bugs of techne; the server goes on. Must not throw. */
  readonly onBug: (error: unknown) => void;
}

export interface SiteServer {
  /** With the port, ending in "/". */
  readonly url: string;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Uint8Array;
}

const types: readonly (readonly [end: string, type: string])[] = [
  ['.html', 'text/html; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.tar.gz', 'application/gzip'],
];

/** Throws FILE_MISSING where there is no such folder, ENVIRONMENT where it cannot listen. */
export async function serveSite(options: ServeOptions): Promise<SiteServer> {
  const { files, port, host = '127.0.0.1' } = options;
  const site = files.realPath(options.site);
  if (site === null || files.stat(site)?.isDirectory() !== true)
    throw new TechneError('FILE_MISSING', `there is no folder "${options.site}"`, {
      hint: 'techne publish DIR --out SITE makes a hub',
    });
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    void answer(request, { files, site, onlyLoopback: isLoopback(host) }).then(
      (reply) => send(request, response, reply),
      (error: unknown) => {
        send(request, response, plain(error instanceof FileFault ? 404 : 500, 'not found'));
        if (!(error instanceof FileFault)) options.onBug(error);
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new TechneError('ENVIRONMENT', `cannot listen on ${host} port ${port}: ${error.message}`, {
          hint:
            codeOf(error) === 'EADDRINUSE'
              ? 'choose another --port; 0 takes any free one'
              : 'choose another --host or --port',
          cause: error,
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${isIP(host) === 6 ? `[${host}]` : host}:${chosen}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Place {
  readonly files: Files;
  /** Real path. */
  readonly site: string;
  readonly onlyLoopback: boolean;
}

async function answer(request: IncomingMessage, { files, site, onlyLoopback }: Place): Promise<Reply> {
  const { method, url = '', headers } = request;
  if (onlyLoopback && !isLoopback(hostOf(headers.host ?? '')))
    return plain(421, 'this server is for this machine only');
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'only GET and HEAD', { allow: 'GET, HEAD' });
  const [path = ''] = url.split('?', 1);
  const segments = segmentsOf(path);
  if (segments === null) return plain(404, 'not found');
  const isFolder = path.endsWith('/');
  const named = join(site, ...segments);
  const real = files.realPath(named);
  if (real === null || !isInside(real, site)) return plain(404, 'not found');
  if (files.stat(real)?.isDirectory() === true && !isFolder)
    return files.lstat(join(real, 'index.html'))?.isFile() === true
      ? plain(301, 'moved', { location: `${path}/` })
      : plain(404, 'not found');
  const file = isFolder ? files.realPath(join(real, 'index.html')) : real;
  if (file === null || !isInside(file, site)) return plain(404, 'not found');
  const read = await files.read(file, mostFileBytes);
  if (read === null) return plain(404, 'not found');
  const etag = `"${nodeSha256(read.bytes)}"`;
  const cached = {
    etag,
    'cache-control': isImmutable(segments) ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  if (
    (headers['if-none-match'] ?? '')
      .split(/\s*,\s*/)
      .some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
  )
    return { status: 304, headers: cached, body: new Uint8Array() };
  const type = types.find(([end]) => file.endsWith(end))?.[1] ?? 'application/octet-stream';
  return { status: 200, headers: { ...cached, 'content-type': type }, body: read.bytes };
}

/** `null` for anything but plain names; hidden ones only where the index lies. */
function segmentsOf(path: string): readonly string[] | null {
  if (!path.startsWith('/') || path.length > 4096) return null;
  const segments: string[] = [];
  for (const part of path.slice(1).split('/')) {
    let segment: string;
    try {
      segment = decodeURIComponent(part);
    } catch (error) {
      if (error instanceof URIError) return null;
      throw error;
    }
    if (/[/\\\0]/.test(segment)) return null;
    if (segment.startsWith('.') && !(segment === '.well-known' && segments.length === 0)) return null;
    segments.push(segment);
  }
  if (segments.at(-1) === '') segments.pop();
  return segments.includes('') ? null : segments;
}

/** Archives and details of a version; the index itself changes. */
function isImmutable(segments: readonly string[]): boolean {
  return segments.length === 4 && segments.slice(0, 2).join('/') === indexFolder;
}

function plain(status: number, text: string, headers: Reply['headers'] = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: Buffer.from(`${text}\n`),
  };
}

function send({ method }: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, {
    ...headers,
    ...(status === 304 ? {} : { 'content-length': String(body.length) }),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.end(method === 'HEAD' || status === 304 ? undefined : body);
}

/** Without the port. */
function hostOf(header: string): string {
  return header.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
}

function isLoopback(host: string): boolean {
  return (
    host.toLowerCase() === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  );
}
