import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodeFiles } from '../../node/files/files.ts';
import type { SiteServer } from './serve-site.ts';
import { serveSite } from './serve-site.ts';

let folder: string;
let server: SiteServer;
const onBug = (error: unknown): never => {
  throw error;
};
const artifact = '/.well-known/agent-skills/tides/tides-1.0.0.tar.gz';

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-serve-')));
  const site = join(folder, 'site');
  mkdirSync(join(site, '.well-known/agent-skills/tides'), { recursive: true });
  mkdirSync(join(site, 'skills/tides'), { recursive: true });
  mkdirSync(join(site, '.git'));
  writeFileSync(join(site, '.well-known/agent-skills/index.json'), '{}');
  writeFileSync(join(site, artifact), 'bytes');
  writeFileSync(join(site, 'index.html'), '<h1>Skills</h1>');
  writeFileSync(join(site, 'skills/tides/index.html'), '<h1>Tides</h1>');
  writeFileSync(join(site, '.git/config'), 'secret');
  writeFileSync(join(site, '.techne-publish.lock'), 'secret');
  writeFileSync(join(site, '.well-known/agent-skills/.index.json.1.0123456789ab.tmp'), 'secret');
  writeFileSync(join(folder, 'secret.html'), 'secret');
  symlinkSync(join(folder, 'secret.html'), join(site, 'link.html'));
  symlinkSync(folder, join(site, 'out'));
  mkdirSync(join(site, 'linked'));
  symlinkSync(join(folder, 'secret.html'), join(site, 'linked/index.html'));
  server = await serveSite({ files: createNodeFiles(), site, port: 0, onBug });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The path goes out as it is: no client tidies it up. */
function get(
  path: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, agent: false, ...options }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (body += part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('a served hub', () => {
  it('listens on this machine only', () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  });

  it.each([
    ['/', 'text/html; charset=utf-8', 'no-cache', '<h1>Skills</h1>'],
    ['/skills/tides/', 'text/html; charset=utf-8', 'no-cache', '<h1>Tides</h1>'],
    ['/.well-known/agent-skills/index.json?x=1', 'application/json; charset=utf-8', 'no-cache', '{}'],
    [artifact, 'application/gzip', 'public, max-age=31536000, immutable', 'bytes'],
  ])('has %s', async (path, type, cache, body) => {
    const answer = await get(path);
    expect(answer).toMatchObject({ status: 200, body });
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'cache-control': cache,
      'x-content-type-options': 'nosniff',
    });
    const etag = answer.headers.etag as string;
    expect(await get(path, { headers: { 'if-none-match': `"x", W/${etag}` } })).toMatchObject({
      status: 304,
      body: '',
    });
    const head = await get(path, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, body: '' });
    expect(head.headers['content-length']).toBe(String(body.length));
  });

  it('leads from a folder to its page', async () => {
    const answer = await get('/skills/tides');
    expect([answer.status, answer.headers.location]).toEqual([301, '/skills/tides/']);
  });

  it.each([
    '/../secret.html',
    '/%2e%2e/secret.html',
    '/..%2fsecret.html',
    '/skills/..%5c..%5csecret.html',
    '/skills/../../secret.html',
    '//etc/passwd',
    '/skills//tides/',
    '/./index.html',
    '/link.html',
    '/out/secret.html',
    '/linked/',
    '/linked',
    '/.git/config',
    '/.techne-publish.lock',
    '/.well-known/agent-skills/.index.json.1.0123456789ab.tmp',
    '/skills/.well-known/x',
    '/skills/',
    '/skills',
    '/.well-known/',
    '/nothing',
    '/index.html/',
    '/index.html%00',
    '/%',
    '/%c0%ae%c0%ae/secret.html',
    'http://evil.example/index.html',
    `/${'a'.repeat(5000)}`,
  ])('has nothing at %s', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.body).toBe('not found\n');
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])('refuses %s', async (method) => {
    expect(await get('/', { method })).toMatchObject({ status: 405 });
  });

  it('refuses requests for another host', async () => {
    expect(await get('/', { headers: { host: 'evil.example' } })).toMatchObject({ status: 421 });
    expect(await get('/', { headers: { host: '127.0.0.1.evil.example:80' } })).toMatchObject({ status: 421 });
    expect(await get('/', { headers: { host: 'localhost:1' } })).toMatchObject({ status: 200 });
    expect(await get('/', { headers: { host: '[::1]:1' } })).toMatchObject({ status: 200 });
  });

  it('says what is wrong with a folder or a port', async () => {
    const files = createNodeFiles();
    await expect(serveSite({ files, site: join(folder, 'none'), port: 0, onBug })).rejects.toMatchObject({
      code: 'FILE_MISSING',
    });
    const port = Number(new URL(server.url).port);
    await expect(serveSite({ files, site: folder, port, onBug })).rejects.toMatchObject({
      code: 'ENVIRONMENT',
    });
  });
});
