// The browser client as files in memory: paths -> bytes, types and headers.
//
// The build names its files by their content, so everything under /assets/ can be cached for ever; the page itself never is. Every
// other path without an extension gives the page too, which shows what the path names (deep links). The page has no script or style
// of its own, and the policy allows none: only files of this server, and HTML only through the named policies.
import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { TechneError } from '../base/error.ts';

export interface StudioFiles {
  /** Whether it is a path of the client: such a request needs no token, because everybody may read these files. */
  has(path: string): boolean;
  answer(request: Request): Response;
}

const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html dompurify techne-worker',
].join('; ');

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
};

/** Paths that are of the server, whether there is something at them or not. */
const ofServer = /^\/(?:v1|mcp|login|metrics|healthz|readyz|openapi\.json)(?:\/|$)/;

interface StudioFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly packed: Uint8Array<ArrayBuffer> | null;
}

/** Throws ENVIRONMENT where the client was not built. */
export function openStudioFiles(folder: string): StudioFiles {
  const files = new Map<string, StudioFile>();
  let names: readonly string[];
  try {
    names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && !one.name.startsWith('.'))
      .map((one) => join(one.parentPath, one.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    names = [];
  }
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const bytes = new Uint8Array(readFileSync(name));
    files.set(name.slice(folder.length).replaceAll('\\', '/'), {
      type,
      bytes,
      packed: bytes.length > 1_024 ? new Uint8Array(gzipSync(bytes)) : null,
    });
  }
  const page = files.get('/index.html');
  if (page === undefined)
    throw new TechneError(
      'ENVIRONMENT',
      `the studio was not built: there is no ${join(folder, 'index.html')}`,
      {
        hint: 'in a checkout: npm run build; otherwise install techne again',
      },
    );
  return {
    has: (path) => !ofServer.test(path),
    answer(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
      const found = files.get(pathname) ?? (extname(pathname) === '' ? page : undefined);
      if (found === undefined)
        return new Response('There is no such file.\n', {
          status: 404,
          headers: {
            ...everywhere,
            'content-type': 'text/plain; charset=utf-8',
            'cache-control': 'no-store',
          },
        });
      const isPacked = found.packed !== null && /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
      return new Response(request.method === 'HEAD' ? null : isPacked ? found.packed : found.bytes, {
        headers: {
          ...everywhere,
          'content-type': found.type,
          'cache-control': pathname.startsWith('/assets/')
            ? 'public, max-age=31536000, immutable'
            : 'no-store',
          vary: 'Accept-Encoding',
          ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
        },
      });
    },
  };
}

const everywhere = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  // For browsers and proxies that do not know `frame-ancestors`.
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
