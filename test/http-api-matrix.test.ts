// Who is answered over the API: every operation with every role, state of a token, Host and Origin. One table, one guard, one
// application, as the server has them; only the socket is left out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRole, roles } from '../src/api/role.ts';
import type { Role } from '../src/api/role.ts';
import { operationNames, operationOf } from '../src/api/operations.ts';
import type { Operation } from '../src/api/operation.ts';
import { createApiGuard } from '../src/http/guard.ts';
import { LoginLink } from '../src/http/link.ts';
import { RateLimit } from '../src/http/rate-limit.ts';
import type { ApiScene } from './support/api-scene.ts';
import { openApiScene } from './support/api-scene.ts';

const hosts = ['127.0.0.1:1', 'localhost:1', 'runs.example:1'];
const origins = ['https://tools.example'];
let scene: ApiScene;
let link: LoginLink;
let cookie: string;
let texts: { readonly [state: string]: string };

beforeAll(async () => {
  scene = await openApiScene();
  link = new LoginLink('me@local', Date.now);
  const code = new URL(link.urlAt('http://127.0.0.1:1')).searchParams.get('code') as string;
  cookie = (link.open(code) as string).split(';', 1)[0] as string;
  const expired = await scene.tokenFile.create('old', 'operator', Date.now() - 1);
  const revoked = await scene.tokenFile.create('gone', 'operator', null);
  await scene.tokenFile.revoke('gone');
  texts = { ...scene.tokens, expired, revoked };
});
afterAll(() => scene.close());

interface Case {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
}

function judge(head: Case): ReturnType<ReturnType<typeof createApiGuard>> {
  const rate = new RateLimit({ perSecond: 1_000, burst: 1_000, nowMs: () => 0 });
  return createApiGuard(
    { hosts, origins },
    { tokens: scene.tokenFile, link, rate, onRefused: () => undefined },
  )(head);
}

/** The status of a refusal by the guard or by the role; 0: it passes. */
function statusOf(operation: Operation, head: Case): number {
  const { refusal, known } = judge(head);
  if (refusal !== null) return refusal.status;
  const { role } = operation;
  return role === null || (known.identity !== null && hasRole(known.identity.role, role)) ? 0 : 403;
}

const targetOf = ({ path }: Operation): string => path.replaceAll(/\{\w+\}/g, '01ARZ3NDEKTSV4RRFFQ69G5FAV');

const hostCases: readonly (readonly [string, readonly string[], boolean])[] = [
  ['own', ['127.0.0.1:1'], true],
  ['name', ['LOCALHOST:1'], true],
  ['allowed', ['runs.example:1'], true],
  ['foreign', ['evil.example'], false],
  ['other port', ['127.0.0.1:2'], false],
  ['none', [], false],
  ['two', ['127.0.0.1:1', '127.0.0.1:1'], false],
];
const originCases: readonly (readonly [string, readonly string[], boolean])[] = [
  ['none', [], true],
  ['own', ['Origin', 'http://127.0.0.1:1'], true],
  ['allowed', ['Origin', 'https://tools.example'], true],
  ['allowed, cross-site', ['Origin', 'https://tools.example', 'Sec-Fetch-Site', 'cross-site'], true],
  ['foreign', ['Origin', 'https://evil.example'], false],
  ['null', ['Origin', 'null'], false],
  ['https of own', ['Origin', 'https://127.0.0.1:1'], false],
  ['two', ['Origin', 'http://127.0.0.1:1', 'Origin', 'https://tools.example'], false],
  ['cross-site', ['Sec-Fetch-Site', 'cross-site'], false],
];
const tokenCases: readonly (readonly [string, () => readonly string[], Role | 401])[] = [
  ...roles.map((role) => [role, () => ['Authorization', `Bearer ${texts[role]}`], role] as const),
  ['none', () => [], 401],
  ['unknown', () => ['Authorization', 'Bearer techne_guess'], 401],
  ['expired', () => ['Authorization', `Bearer ${texts['expired']}`], 401],
  ['revoked', () => ['Authorization', `Bearer ${texts['revoked']}`], 401],
  ['basic', () => ['Authorization', 'Basic YTpi'], 401],
  ['twice', () => ['Authorization', `Bearer ${texts['operator']}`, 'Authorization', 'Bearer x'], 401],
  ['wrong cookie', () => ['Cookie', 'techne_session=guess'], 401],
];

describe('the security matrix', () => {
  it.each(operationNames())('holds for %s', (name) => {
    const operation = operationOf(name);
    const isProbe = operation.path === '/healthz' || operation.path === '/readyz';
    const wrong: string[] = [];
    let cases = 0;
    for (const [host, hostValues, hostPasses] of hostCases)
      for (const [origin, originHeaders, originPasses] of originCases)
        for (const [token, headers, role] of tokenCases) {
          cases += 1;
          const got = statusOf(operation, {
            method: operation.method,
            target: targetOf(operation),
            rawHeaders: [...hostValues.flatMap((value) => ['Host', value]), ...originHeaders, ...headers()],
          });
          const wanted =
            (!isProbe && !hostPasses) || !originPasses
              ? 403
              : operation.role === null
                ? 0
                : role === 401
                  ? 401
                  : hasRole(role, operation.role)
                    ? 0
                    : 403;
          if (got !== wanted)
            wrong.push(`host ${host}, origin ${origin}, token ${token}: ${got}, not ${wanted}`);
        }
    expect(wrong).toEqual([]);
    expect(cases).toBe(7 * 9 * 11);
  });

  it('lets the cookie of the link do everything, but change something only with its CSRF value', () => {
    for (const name of operationNames()) {
      const operation = operationOf(name);
      const head = (more: readonly string[]): Case => ({
        method: operation.method,
        target: targetOf(operation),
        rawHeaders: ['Host', '127.0.0.1:1', 'Cookie', `other=1; ${cookie}`, ...more],
      });
      const changes = operation.method === 'POST';
      expect([name, statusOf(operation, head([]))]).toEqual([name, changes ? 403 : 0]);
      expect(statusOf(operation, head(['X-Techne-Csrf', 'guess']))).toBe(changes ? 403 : 0);
      const { csrf } = link.sessionOf(cookie) as { readonly csrf: string };
      expect(statusOf(operation, head(['X-Techne-Csrf', csrf]))).toBe(0);
      expect(statusOf(operation, head(['X-Techne-Csrf', csrf, 'X-Techne-Csrf', csrf]))).toBe(
        changes ? 403 : 0,
      );
    }
  });

  it('answers over the socket as the table says', async () => {
    for (const name of operationNames()) {
      const { path, method, role } = operationOf(name);
      if (role === null) continue;
      const target = targetOf(operationOf(name));
      const below = roles[roles.indexOf(role) - 1];
      const none = await scene.send(target, { method, as: null });
      expect([name, none.status, none.headers['www-authenticate']]).toEqual([
        name,
        401,
        'Bearer realm="techne"',
      ]);
      const [status, wanted] =
        below === undefined ? [0, 0] : [(await scene.send(target, { method, as: below })).status, 403];
      expect([path, status]).toEqual([path, wanted]);
      const foreign = await scene.send(target, { method, headers: { host: 'evil.example' } });
      expect([path, foreign.status, foreign.json]).toMatchObject([path, 403, { code: 'PLACE_REFUSED' }]);
    }
    // Unknown clients do not even learn which paths there are.
    expect((await scene.send('/v1/nothing', { as: null })).status).toBe(401);
  });

  it('is told apart at once when a token is revoked', async () => {
    const text = await scene.tokenFile.create('short', 'viewer', null);
    const ask = () => scene.send('/v1/session', { as: null, headers: { authorization: `Bearer ${text}` } });
    expect((await ask()).json).toMatchObject({ name: 'short', role: 'viewer', answers: [] });
    await scene.tokenFile.revoke('short');
    expect(await ask()).toMatchObject({ status: 401, json: { code: 'TOKEN_REFUSED' } });
  });
});

describe('CORS', () => {
  it('is there for allowed origins alone', async () => {
    const cross = await openApiScene({ allowedOrigins: ['https://tools.example'] });
    try {
      const from = (origin: string, method = 'GET', as: 'viewer' | null = 'viewer') =>
        cross.send('/v1/session', { as, method, headers: { origin } });
      expect((await from('https://tools.example')).headers['access-control-allow-origin']).toBe(
        'https://tools.example',
      );
      const asked = await from('https://tools.example', 'OPTIONS', null);
      expect([asked.status, asked.headers['access-control-allow-methods']]).toEqual([204, 'GET, POST']);
      expect((await from('https://evil.example', 'OPTIONS', null)).status).toBe(403);
      const own = await cross.send('/v1/session', { as: 'viewer' });
      expect(own.headers['access-control-allow-origin']).toBeUndefined();
    } finally {
      await cross.close();
    }
  });
});

describe('rates', () => {
  it('are limited for each token, and say when to come again', async () => {
    const slow = await openApiScene({ ratePerSecond: 1 });
    try {
      const asked = await Promise.all(
        Array.from({ length: 12 }, () => slow.send('/v1/session', { as: 'viewer' })),
      );
      const refused = asked.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused[0]).toMatchObject({ json: { code: 'RATE_LIMITED' }, headers: { 'retry-after': '1' } });
      expect((await slow.send('/v1/session', { as: 'runner' })).status).toBe(200);
    } finally {
      await slow.close();
    }
  });
});
