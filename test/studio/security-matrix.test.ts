// Who is answered, over the socket: every route that the router has, with every Host, Origin, token, cookie and CSRF value that counts.
// The routes come from the server itself; one that no table knows fails. test/http-api-matrix.test.ts holds the guard to every combination.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationNames, operationOf } from '../../src/api/operations.ts';
import { hasRole, roles } from '../../src/api/role.ts';
import type { Role } from '../../src/api/role.ts';
import { mountMcp } from '../../src/mcp/http/mount.ts';
import { openStudioFiles } from '../../src/http/studio-files.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { ApiScene } from '../support/api-scene.ts';
import { openApiScene } from '../support/api-scene.ts';
import { studioFolder } from './open-studio.ts';

/** What is not an operation: MCP for runners, the files of the client for everybody. */
const others: readonly { readonly method: string; readonly path: string; readonly kind: 'mcp' | 'file' }[] = [
  { method: '*', path: '/mcp', kind: 'mcp' },
  { method: 'GET', path: '/*', kind: 'file' },
];

interface Entry {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** `null`: everybody. */
  readonly role: Role | null;
  readonly kind: 'operation' | 'probe' | 'mcp' | 'file';
}

interface Given {
  readonly status: number;
  readonly code: string | null;
}

interface Case {
  readonly what: string;
  readonly headers: { readonly [name: string]: string };
  /** `passes`: neither the guard nor the role refuses it. */
  readonly wanted: (entry: Entry) => 401 | 403 | 'passes';
  /** It is not sent where it would pass: it could change something. */
  readonly onlyRefused?: boolean;
}

const refusals = new Set(['PLACE_REFUSED', 'ROLE_REFUSED', 'TOKEN_REFUSED']);
const changes = ({ method, kind }: Entry): boolean => kind !== 'file' && method !== 'GET';

describe('the security matrix of the server with the studio', () => {
  let scene: ApiScene;
  let cookie: string;
  let csrf: string;
  /** Of sessions of tokens. */
  const sessions = new Map<Role, string>();
  beforeAll(async () => {
    scene = await openApiScene({
      studio: openStudioFiles(studioFolder),
      mount: mountMcp(() => Promise.reject(new Error('no request of this test may come so far')), 1_024),
    });
    const code = new URL(scene.serving.link ?? '').hash.replace('#login=', '');
    const answer = await scene.send('/v1/login', { as: null, body: { code } });
    cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? '';
    csrf = (answer.json as { readonly csrf: string }).csrf;
    for (const role of roles) {
      const { headers } = await scene.send('/v1/login', { as: null, body: { token: scene.tokens[role] } });
      sessions.set(role, String(headers['set-cookie']).split(';', 1)[0] ?? '');
    }
  });
  afterAll(() => scene.close());

  /** The status and code, as soon as they are there: streams do not end. */
  const ask = (entry: Entry, headers: Case['headers']): Promise<Given> =>
    new Promise((resolve, reject) => {
      const path = entry.path.replaceAll(/:\w+/g, '01ARZ3NDEKTSV4RRFFQ69G5FAV');
      const asked = request(
        {
          host: '127.0.0.1',
          port: scene.serving.port,
          path,
          method: entry.method,
          agent: false,
          setHost: false,
          headers: { host: `127.0.0.1:${scene.serving.port}`, ...headers },
        },
        (response) => {
          const status = response.statusCode ?? 0;
          const end = (code: string | null): void => {
            resolve({ status, code });
            response.destroy();
          };
          if (!/problem/.test(response.headers['content-type'] ?? '')) return end(null);
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (piece: string) => (text += piece));
          response.on('end', () => end((JSON.parse(text) as { readonly code: string }).code));
        },
      );
      asked.on('error', reject);
      asked.end();
    });

  const entries = (): readonly Entry[] =>
    scene.serving.routes.flatMap(({ method, path }): readonly Entry[] => {
      const name = operationNames().find((one) => {
        const operation = operationOf(one);
        return operation.method === method && operation.path.replaceAll(/\{(\w+)\}/g, ':$1') === path;
      });
      if (name !== undefined) {
        const { role } = operationOf(name);
        const kind = path === '/healthz' || path === '/readyz' ? 'probe' : 'operation';
        return [{ name, method, path, role, kind }];
      }
      const other = others.find((one) => one.method === method && one.path === path);
      if (other === undefined) throw new Error(`${method} ${path} is in no table`);
      return other.kind === 'mcp'
        ? ['GET', 'POST', 'DELETE'].map((one) => ({
            name: `mcp ${one}`,
            method: one,
            path,
            role: 'runner' as const,
            kind: 'mcp' as const,
          }))
        : ['/', '/runs/x', '/assets/nothing.js', '/icon.svg'].map((file) => ({
            name: `file ${file}`,
            method: 'GET',
            path: file,
            role: null,
            kind: 'file' as const,
          }));
    });

  it('knows every route of the router, and the router every operation', () => {
    const found = entries();
    expect(
      found.filter(({ kind }) => kind === 'operation' || kind === 'probe').map(({ name }) => name),
    ).toEqual([...operationNames()]);
    expect(found.filter(({ kind }) => kind === 'mcp').length).toBe(3);
    expect(found.filter(({ kind }) => kind === 'file').length).toBe(4);
  });

  it('is kept by each of them, in more than a thousand cases', async () => {
    const token = (role: Role): Case['headers'] => ({ authorization: `Bearer ${scene.tokens[role]}` });
    const byRole = (role: Role | null) => (entry: Entry) =>
      entry.role === null ? 'passes' : role === null ? 401 : hasRole(role, entry.role) ? 'passes' : 403;
    const byCookie = (entry: Entry) => (entry.role !== null && changes(entry) ? 403 : 'passes');
    const cases: readonly Case[] = [
      {
        what: 'a foreign Host',
        headers: { ...token('operator'), host: 'evil.example' },
        wanted: ({ kind }) => (kind === 'probe' ? 'passes' : 403),
      },
      {
        what: 'a foreign Host without a token',
        headers: { host: 'evil.example' },
        wanted: ({ kind }) => (kind === 'probe' ? 'passes' : 403),
      },
      {
        what: 'another port as Host',
        headers: { ...token('operator'), host: '127.0.0.1:1' },
        wanted: ({ kind }) => (kind === 'probe' ? 'passes' : 403),
      },
      {
        what: 'a foreign Origin',
        headers: { ...token('operator'), origin: 'https://evil.example' },
        wanted: () => 403,
      },
      { what: 'the Origin null', headers: { ...token('operator'), origin: 'null' }, wanted: () => 403 },
      {
        what: 'another site',
        headers: { ...token('operator'), 'sec-fetch-site': 'cross-site' },
        wanted: () => 403,
      },
      {
        what: 'a link on another site',
        headers: {
          cookie,
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'document',
        },
        wanted: ({ kind }) => (kind === 'file' ? 'passes' : 403),
      },
      {
        what: 'our cookie from another site',
        headers: { cookie, 'x-techne-csrf': csrf, origin: 'https://evil.example' },
        wanted: () => 403,
      },
      { what: 'our cookie without its CSRF value', headers: { cookie }, wanted: byCookie, onlyRefused: true },
      {
        what: 'our cookie with another CSRF value',
        headers: { cookie, 'x-techne-csrf': 'guess' },
        wanted: byCookie,
        onlyRefused: true,
      },
      { what: 'no token', headers: {}, wanted: byRole(null) },
      { what: 'an unknown token', headers: { authorization: 'Bearer techne_guess' }, wanted: byRole(null) },
      {
        what: 'an unknown cookie',
        headers: { cookie: `${cookie.split('=', 1)[0]}=guess` },
        wanted: byRole(null),
      },
      ...roles.map((role): Case => ({
        what: `a ${role}`,
        headers: token(role),
        wanted: byRole(role),
        onlyRefused: true,
      })),
      // Without its CSRF value, so nothing is changed: only what the role may read passes.
      ...roles.map((role): Case => ({
        what: `a session of a ${role}`,
        headers: { cookie: sessions.get(role) ?? '' },
        wanted: (entry) => (entry.role !== null && changes(entry) ? 403 : byRole(role)(entry)),
        onlyRefused: true,
      })),
      {
        what: 'a viewer at our own Origin',
        headers: { ...token('viewer'), origin: scene.serving.url, 'sec-fetch-site': 'same-origin' },
        wanted: byRole('viewer'),
        onlyRefused: true,
      },
    ];
    const wrong: string[] = [];
    let sent = 0;
    for (const entry of entries())
      for (const { what, headers, wanted, onlyRefused = false } of cases) {
        const should = wanted(entry);
        // What changes something is sent only where it must be refused; reading is sent always.
        if (should === 'passes' && onlyRefused && changes(entry)) continue;
        // MCP behind the guard is not opened here.
        if (should === 'passes' && entry.kind === 'mcp') continue;
        sent += 1;
        const { status, code } = await ask(entry, headers);
        const isRefused = code !== null && refusals.has(code);
        const isRight =
          should === 'passes'
            ? !isRefused ||
              (entry.path === '/v1/login' && code === 'TOKEN_REFUSED') ||
              entry.path === '/login'
            : isRefused && status === should;
        if (!isRight)
          wrong.push(
            `${entry.name} (${entry.method} ${entry.path}), ${what}: ${status} ${code}, not ${should}`,
          );
      }
    expect(wrong).toEqual([]);
    expect(sent).toBeGreaterThanOrEqual(1_000);
    expect(scene.bugs).toEqual([]);
  }, 120_000);

  it('gives the client and every refusal without a way to read them from elsewhere', async () => {
    for (const path of ['/', '/v1/session', '/v1/nothing', '/mcp']) {
      const { headers } = await scene.send(path, { as: null, headers: { origin: 'https://evil.example' } });
      expect([path, headers['access-control-allow-origin']]).toEqual([path, undefined]);
    }
    const { headers } = await fetch(`${scene.serving.url}/`);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    const api = await scene.send('/v1/session', { as: 'viewer' });
    expect(api.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it('says no, and no more, to what only somebody sends who wants to break it', async () => {
    const status = async (path: string, headers = {}): Promise<number> =>
      (await scene.send(path, { as: 'operator', headers })).status;
    for (const method of ['TRACE', 'PATCH', 'PROPFIND'])
      expect([method, (await scene.send('/v1/runs', { as: 'operator', method })).status]).toEqual([
        method,
        405,
      ]);
    for (const name of ['__proto__', 'constructor', 'toString', '..%2f..%2fetc'])
      expect([name, await status(`/v1/skills/${name}`)]).toEqual([name, 404]);
    for (const query of ['limit=1e9', 'limit=-1', 'limit=__proto__', '__proto__=1', 'limit=1&limit=2'])
      expect([query, await status(`/v1/inventory?${query}`)]).toEqual([query, 400]);
    const post = (raw: string | Buffer) =>
      scene.send('/v1/runs?wait=10', {
        as: 'runner',
        raw,
        headers: { 'content-type': 'application/json' },
      });
    const deep = await post(`{"skill":"echo","input":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`);
    expect([deep.status, deep.text]).toEqual([400, expect.stringContaining('nested too deeply')]);
    for (const raw of ['{"skill":', Buffer.from([0x7b, 0xff]), '{"__proto__":{"skill":"echo"}}'])
      expect((await post(raw)).status).toBe(400);
    expect((await post(`{"skill":"echo","input":{"a":"${'x'.repeat(5_000_000)}"}}`)).status).toBe(413);
    const polluting = await post(
      '{"skill":"echo","input":{"word":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    );
    expect([polluting.status, Object.keys(Object.prototype), ({} as JsonObject)['polluted']]).toEqual([
      202,
      [],
      undefined,
    ]);
    expect(scene.bugs).toEqual([]);
  });
});
