// Who is answered over the API: every operation with every role, state of a token, Host and Origin. One table, one guard, one
// application, as the server has them; only the socket is left out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRole, roles } from '../src/api/role.ts';
import type { Role } from '../src/api/role.ts';
import { operationNames, operationOf } from '../src/api/operations.ts';
import type { Operation } from '../src/api/operation.ts';
import { createApiGuard } from '../src/http/guard.ts';
import { RateLimit } from '../src/http/rate-limit.ts';
import { Sessions } from '../src/http/sessions.ts';
import type { ApiScene } from './support/api-scene.ts';
import { openApiScene } from './support/api-scene.ts';

const hosts = ['127.0.0.1:1', 'localhost:1', 'runs.example:1'];
const origins = ['https://tools.example'];
let scene: ApiScene;
let sessions: Sessions;
/** Of the link. */
let cookie: string;
/** Of sessions of tokens, by the state of the token. */
let cookies: { readonly [state: string]: string };
let texts: { readonly [state: string]: string };

beforeAll(async () => {
  scene = await openApiScene();
  sessions = new Sessions({
    person: 'me@local',
    tokens: scene.tokenFile,
    nowMs: Date.now,
    port: () => 8486,
    isSecure: false,
    file: null,
  });
  const cookieOf = (token: string | null): string => {
    const found = token === null ? null : scene.tokenFile.find(token);
    if (typeof found === 'string') throw new Error(`the token is ${found}`);
    return sessions.open(found?.hash ?? null, false).setCookie.split(';', 1)[0] ?? '';
  };
  cookie = cookieOf(null);
  const short = await scene.tokenFile.create('short-lived', 'operator', null);
  const closed = cookieOf(null);
  sessions.end(sessions.find(closed)?.id ?? '', false);
  cookies = {
    ...Object.fromEntries(roles.map((role) => [role, cookieOf(scene.tokens[role])])),
    revoked: cookieOf(short),
    closed,
  };
  await scene.tokenFile.revoke('short-lived');
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
    { tokens: scene.tokenFile, sessions, rate, loginRate: rate, onRefused: () => undefined },
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
  ['wrong cookie', () => ['Cookie', 'techne_session_8486=guess'], 401],
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
      // A callback token is all the proof there is: cookies are not looked at, so no page can make use of them.
      const changes = operation.method !== 'GET' && operation.role !== null;
      expect([name, statusOf(operation, head([]))]).toEqual([name, changes ? 403 : 0]);
      expect(statusOf(operation, head(['X-Techne-Csrf', 'guess']))).toBe(changes ? 403 : 0);
      const { csrf } = sessions.find(cookie) as { readonly csrf: string };
      expect(statusOf(operation, head(['X-Techne-Csrf', csrf]))).toBe(0);
      expect(statusOf(operation, head(['X-Techne-Csrf', csrf, 'X-Techne-Csrf', csrf]))).toBe(
        changes ? 403 : 0,
      );
    }
  });

  it.each([...roles, 'revoked', 'closed'])(
    'gives the cookie of a session of a token its rights: %s',
    (state) => {
      const wrong: string[] = [];
      const pair = cookies[state] ?? '';
      const csrf = sessions.find(pair)?.csrf ?? 'none';
      for (const name of operationNames()) {
        const operation = operationOf(name);
        const right = roles.find((role) => role === state);
        const allowed =
          operation.role === null ? 0 : right === undefined ? 401 : hasRole(right, operation.role) ? 0 : 403;
        const isChange = operation.method !== 'GET' && operation.role !== null;
        for (const [what, more, wanted] of [
          ['its CSRF value', ['X-Techne-Csrf', csrf], allowed],
          ['no CSRF value', [], isChange && allowed === 0 ? 403 : allowed],
          [
            'that of another',
            ['X-Techne-Csrf', sessions.find(cookie)?.csrf ?? ''],
            isChange && allowed === 0 ? 403 : allowed,
          ],
          ['an Origin elsewhere', ['X-Techne-Csrf', csrf, 'Origin', 'https://evil.example'], 403],
          [
            'another Host',
            ['X-Techne-Csrf', csrf, 'Host', 'evil.example'],
            operation.path === '/healthz' || operation.path === '/readyz' ? allowed : 403,
          ],
        ] as const) {
          const host = what === 'another Host' ? [] : ['Host', '127.0.0.1:1'];
          const got = statusOf(operation, {
            method: operation.method,
            target: targetOf(operation),
            rawHeaders: [...host, 'Cookie', pair, ...more],
          });
          if (got !== wanted) wrong.push(`${name}, ${what}: ${got}, not ${wanted}`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it('knows the public address, with https, as its own', () => {
    const guard = createApiGuard(
      { hosts, origins: [], publicOrigin: 'https://team.example' },
      {
        tokens: scene.tokenFile,
        sessions,
        rate: new RateLimit({ perSecond: 1_000, burst: 1_000, nowMs: () => 0 }),
        loginRate: new RateLimit({ perSecond: 1_000, burst: 1_000, nowMs: () => 0 }),
        onRefused: () => undefined,
      },
    );
    const statusAt = (host: string, origin: string): number | null =>
      guard({
        method: 'POST',
        target: '/v1/login',
        rawHeaders: ['Host', host, 'Origin', origin, 'Sec-Fetch-Site', 'same-origin'],
      }).refusal?.status ?? null;
    expect(statusAt('team.example', 'https://team.example')).toBeNull();
    expect(statusAt('team.example', 'http://team.example')).toBe(403);
    expect(statusAt('team.example:1', 'https://team.example')).toBe(403);
    expect(statusAt('evil.example', 'https://team.example')).toBe(403);
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

describe('a login with a token', () => {
  const logIn = (token: string, headers: { readonly [name: string]: string } = {}) =>
    scene.send('/v1/login', { as: null, body: { token }, headers });
  const sessionIn = ({ headers }: Awaited<ReturnType<typeof logIn>>): string =>
    String(headers['set-cookie']).split(';', 1)[0] ?? '';

  it('gives a session with its name and role, which logout ends', async () => {
    const text = await scene.tokenFile.create('bea', 'reviewer', null);
    const answer = await logIn(text);
    expect(answer).toMatchObject({ status: 200, json: { name: 'bea', role: 'reviewer' } });
    const [setCookie] = answer.headers['set-cookie'] ?? [];
    expect(setCookie).toMatch(
      new RegExp(`^techne_session_${scene.serving.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    expect(answer.text).not.toContain(text);
    const pair = sessionIn(answer);
    const { csrf } = answer.json as { readonly csrf: string };
    const ask = () => scene.send('/v1/session', { as: null, headers: { cookie: pair } });
    expect((await ask()).json).toMatchObject({ name: 'bea', csrf });
    const leave = (headers: { readonly [name: string]: string }) =>
      scene.send('/v1/logout', { as: null, method: 'POST', headers: { cookie: pair, ...headers } });
    expect((await leave({})).status).toBe(403);
    const left = await leave({ 'x-techne-csrf': csrf });
    expect([left.status, left.json, left.headers['set-cookie']]).toEqual([
      200,
      { ended: true },
      [`techne_session_${scene.serving.port}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`],
    ]);
    expect((await ask()).status).toBe(401);
    expect((await scene.send('/v1/logout', { method: 'POST' })).json).toEqual({ ended: false });
  });

  it('says the same of every token that does not count', async () => {
    const answers = await Promise.all(
      ['techne_guess', texts['expired'] ?? '', texts['revoked'] ?? ''].map((text) => logIn(text)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, json: { code: 'TOKEN_REFUSED' } });
    for (const { headers } of answers) expect(headers['set-cookie']).toBeUndefined();
  });

  it('takes nothing but a code or a token, as JSON from our own pages', async () => {
    for (const body of [{}, { code: 'a', token: 'b' }, { token: 7 }, { token: 'x'.repeat(129) }])
      expect((await scene.send('/v1/login', { as: null, body })).status).toBe(400);
    const text = scene.tokens.viewer;
    const form = { raw: `token=${text}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await scene.send('/v1/login', { as: null, ...form })).status).toBe(415);
    expect((await logIn(text, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await logIn(text, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
  });

  it('ends open streams with its token', async () => {
    const text = await scene.tokenFile.create('leaver', 'viewer', null);
    const { headers } = await logIn(text);
    const cookieOfIt = String(headers['set-cookie']).split(';', 1)[0] ?? '';
    const streams = [{ cookie: cookieOfIt }, { authorization: `Bearer ${text}` }].map((given) =>
      scene.send('/v1/changes', { as: null, headers: given }),
    );
    const isOpen = async (): Promise<boolean> =>
      /^techne_change_streams 2$/m.test((await scene.send('/metrics')).text);
    await expect.poll(isOpen).toBe(true);
    await scene.tokenFile.revoke('leaver');
    // They have begun, and are cut: a response without an end settles this.
    expect((await Promise.all(streams)).map(({ status }) => status)).toEqual([200, 200]);
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
      expect([asked.status, asked.headers['access-control-allow-methods']]).toEqual([204, 'GET, POST, PUT']);
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
