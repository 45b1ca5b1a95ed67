// The API over a real loopback server, in this process. Every response is checked against the OpenAPI document.
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/base/json.ts';
import { renderOpenApi } from '../src/api/render-openapi.ts';
import { createFileStartKeys } from '../src/http/start-keys.ts';
import { operationNames } from '../src/api/operations.ts';
import type { ApiScene } from './support/api-scene.ts';
import { openApiScene } from './support/api-scene.ts';

let scene: ApiScene;
beforeAll(async () => {
  scene = await openApiScene();
});
afterAll(async () => {
  await scene.close();
});

const start = (skill: string, input: JsonObject, wait = 10) =>
  scene.get(`/v1/runs?wait=${wait}`, { as: 'runner', body: { skill, input } });

describe('the OpenAPI document', () => {
  it('is this, and is served', async () => {
    await expect(`${JSON.stringify(renderOpenApi('0.0.0'), null, 2)}\n`).toMatchFileSnapshot(
      'golden/openapi.json',
    );
    const served = await scene.get('/openapi.json', { as: 'viewer' });
    expect(Object.keys(served['paths'] as JsonObject).length).toBeGreaterThan(30);
    expect(served['openapi']).toBe('3.1.0');
  });

  it('has a response for every operation', () => {
    expect(operationNames().length).toBeGreaterThan(33);
  });
});

describe('runs', () => {
  it('start, end, and are shown and listed', async () => {
    const run = await start('echo', { word: 'tide' });
    expect(run).toMatchObject({
      status: 'completed',
      skill: 'echo',
      envelope: { said: 'tide' },
      questions: [],
    });
    const shown = await scene.get(`/v1/runs/${run['run'] as string}?details=true`, { as: 'viewer' });
    expect(shown['details']).toMatchObject({ input: { word: 'tide' } });
    const listed = await scene.get('/v1/runs?skill=echo&status=completed&limit=5', { as: 'viewer' });
    expect((listed['runs'] as JsonObject[]).map((one) => one['run'])).toContain(run['run']);
    expect(await scene.get('/v1/runs?workspace=/nowhere')).toEqual({ runs: [], cursor: null });
    expect(await scene.get('/v1/runs?since=2100-01-01T00:00:00Z')).toEqual({ runs: [], cursor: null });
  });

  it('give pages with a cursor, each run once', async () => {
    for (const word of ['a', 'b', 'c']) await start('echo', { word });
    const seen: unknown[] = [];
    let path = '/v1/runs?limit=2';
    for (;;) {
      const page = await scene.get(path);
      seen.push(...(page['runs'] as JsonObject[]).map((one) => one['run']));
      if (page['cursor'] === null) break;
      path = `/v1/runs?limit=2&cursor=${page['cursor'] as string}`;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(3);
  });

  it('answer at once without wait, and are queued or running then', async () => {
    const answer = await scene.send('/v1/runs', {
      as: 'runner',
      body: { skill: 'echo', input: { word: 'x' } },
    });
    expect(answer.status).toBe(202);
    const { run } = answer.json as { readonly run: string };
    expect(await scene.get(`/v1/runs/${run}?wait=10`)).toMatchObject({ status: 'completed' });
  });

  it('are the same for the same key and body, and refused for another body', async () => {
    const sent = (word: string) =>
      scene.send('/v1/runs?wait=10', {
        as: 'runner',
        headers: { 'idempotency-key': 'order-7' },
        body: { skill: 'echo', input: { word } },
      });
    const [first, again, both] = await Promise.all([sent('one'), sent('one'), sent('one')]);
    const ids = [first, again, both].map(({ json }) => (json as JsonObject)['run']);
    expect(new Set(ids).size).toBe(1);
    expect(await sent('two')).toMatchObject({ status: 409, json: { code: 'KEY_REUSED' } });
    // The key of one token is not that of another.
    const other = await scene.send('/v1/runs?wait=10', {
      as: 'operator',
      headers: { 'idempotency-key': 'order-7' },
      body: { skill: 'echo', input: { word: 'one' } },
    });
    expect((other.json as JsonObject)['run']).not.toBe(ids[0]);
  });

  it('are made by the repetition where a crash came between the key and the run', async () => {
    const keys = createFileStartKeys({
      folder: join(scene.world.home, '.techne/serve/keys'),
      nowMs: Date.now,
    });
    const { name } = (await scene.get('/v1/session', { as: 'runner' })) as { readonly name: string };
    const body = { skill: 'echo', input: { word: 'tide' } };
    const run = '01ARZ3NDEKTSV4RRFFQ69G5FA0';
    expect(await keys.claim(name, 'order-8', body, run)).toBe(run);
    const headers = { 'idempotency-key': 'order-8' };
    expect(await scene.get('/v1/runs?wait=10', { as: 'runner', headers, body })).toMatchObject({
      run,
      status: 'completed',
    });
  });

  it('that were refused leave their key to a corrected request', async () => {
    const sent = (skill: string) =>
      scene.send('/v1/runs?wait=10', {
        as: 'runner',
        headers: { 'idempotency-key': 'order-9' },
        body: { skill, input: { word: 'x' } },
      });
    expect(await sent('ecko')).toMatchObject({ status: 404, json: { code: 'SKILL_UNKNOWN' } });
    expect(await sent('echo')).toMatchObject({ status: 202, json: { status: 'completed' } });
  });

  it('that cannot start say why', async () => {
    const sent = (skill: string, input: JsonObject) =>
      scene.send('/v1/runs', { as: 'runner', body: { skill, input } });
    expect(await sent('ecko', { word: 'x' })).toMatchObject({
      status: 404,
      json: { code: 'SKILL_UNKNOWN', hint: "did you mean 'echo'?" },
    });
    expect(await sent('notes', { word: 'x' })).toMatchObject({
      status: 422,
      json: { code: 'NOT_A_METASKILL' },
    });
  });

  it('are replayed, forked and compared', async () => {
    const run = await start('echo', { word: 'tide' });
    expect(
      await scene.get(`/v1/runs/${run['run'] as string}/replay`, { as: 'runner', method: 'POST' }),
    ).toMatchObject({
      same: true,
      divergences: [],
    });
    const fork = await scene.get(`/v1/runs/${run['run'] as string}/fork?wait=10`, {
      as: 'runner',
      body: { input: { word: 'ebb' } },
    });
    expect(fork).toMatchObject({ status: 'completed', envelope: { said: 'ebb' } });
    const { differences } = await scene.get(
      `/v1/runs/${run['run'] as string}/diff/${fork['run'] as string}`,
      { as: 'viewer' },
    );
    expect((differences as JsonObject[]).map(({ what }) => what)).toContain('input');
  });

  it('are cancelled, with the name of the token', async () => {
    const run = await start('asks', { what: 'the sea' });
    expect(run).toMatchObject({ status: 'paused' });
    const path = `/v1/runs/${run['run'] as string}/cancel?wait=10`;
    const ended = await scene.get(path, { as: 'runner', body: { reason: 'enough' } });
    expect(ended).toMatchObject({
      status: 'cancelled',
      cancelled: { reason: 'enough', by: expect.stringMatching(/^runner runner-/) as string },
    });
    expect(await scene.send(path, { as: 'runner', method: 'POST' })).toMatchObject({
      status: 409,
      json: { code: 'RUN_ENDED' },
    });
  });

  it.each([
    'nope',
    '..',
    '%2e%2e',
    '%2Fetc',
    'a%00b',
    'x'.repeat(65),
    'a b',
    '%ff',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ])('that are not there are refused: %s', async (id) => {
    for (const path of [`/v1/runs/${id}`, `/v1/runs/${id}/events`, `/v1/runs/${id}/diff/${id}`]) {
      const answer = await scene.send(path.replaceAll(' ', '%20'));
      expect([400, 404]).toContain(answer.status);
      expect((answer.json as JsonObject)['hint']).toBeDefined();
    }
  });
});

describe('questions', () => {
  const questionOf = async (run: unknown, as: 'viewer' | 'runner' | 'reviewer' | 'operator') =>
    ((await scene.get(`/v1/runs/${run as string}`, { as }))['questions'] as JsonObject[])[0] as JsonObject;

  it('to the caller are answered by a runner', async () => {
    const run = await start('asks', { what: 'the sea' });
    const asked = await questionOf(run['run'], 'runner');
    expect(asked).toMatchObject({ audience: 'caller', role: 'runner', kind: 'ask' });
    const path = `/v1/runs/${run['run'] as string}/questions/${asked['id'] as string}/answer?wait=10`;
    expect(await scene.send(path, { as: 'viewer', body: { nonce: 'x', value: 'blue' } })).toMatchObject({
      status: 403,
      json: { code: 'ROLE_REFUSED' },
    });
    expect(await scene.send(path, { as: 'runner', body: { nonce: 'guess', value: 'blue' } })).toMatchObject({
      status: 422,
      json: { code: 'ANSWER_REFUSED' },
    });
    expect(
      await scene.get(path, { as: 'runner', body: { nonce: asked['nonce'] ?? null, value: 'blue' } }),
    ).toMatchObject({ status: 'completed', envelope: { said: { answer: 'blue' } } });
    expect(
      await scene.send(path, { as: 'runner', body: { nonce: asked['nonce'] ?? null, value: 'red' } }),
    ).toMatchObject({ status: 404, json: { code: 'QUESTION_UNKNOWN' } });
  });

  it('to a person are answered by a reviewer, never by a runner, and the journal has the name', async () => {
    const run = await start('form', { user_message: 'where' });
    expect(run).toMatchObject({ status: 'paused' });
    const asked = await questionOf(run['run'], 'reviewer');
    expect(asked).toMatchObject({ audience: 'person', role: 'reviewer', kind: 'form' });
    expect((await questionOf(run['run'], 'runner'))['nonce']).toBeNull();
    const path = `/v1/runs/${run['run'] as string}/questions/${asked['id'] as string}/answer?wait=10`;
    const body = { nonce: asked['nonce'] ?? null, value: { city: 'Oslo' } };
    expect(await scene.send(path, { as: 'runner', body })).toMatchObject({
      status: 403,
      json: { code: 'ROLE_REFUSED' },
    });
    expect(await scene.send(path, { as: 'reviewer', body: { ...body, value: { town: 1 } } })).toMatchObject({
      status: 422,
      json: { code: 'ANSWER_REFUSED' },
    });
    const next = await scene.get(path, { as: 'reviewer', body });
    expect(next).toMatchObject({ status: 'paused', questions: [{ audience: 'caller' }] });
    const shown = await scene.get(`/v1/runs/${run['run'] as string}?details=true`);
    expect((shown['details'] as JsonObject)['answered']).toMatchObject([
      { answer: { by: 'person', name: expect.stringMatching(/^reviewer-/) as string } },
    ]);
  });

  it('about commands are approved by an operator alone', async () => {
    const run = await start('touches', { a: 1 });
    expect(run).toMatchObject({ status: 'paused' });
    const asked = await questionOf(run['run'], 'operator');
    expect(asked).toMatchObject({ audience: 'operator', kind: 'approval' });
    const path = `/v1/runs/${run['run'] as string}/questions/${asked['id'] as string}`;
    const nonce = asked['nonce'] ?? null;
    for (const as of ['viewer', 'runner', 'reviewer'] as const) {
      expect((await questionOf(run['run'], as))['nonce']).toBeNull();
      expect((await scene.send(`${path}/approve`, { as, body: { nonce, approval: 'once' } })).status).toBe(
        403,
      );
      expect((await scene.send(`${path}/answer`, { as, body: { nonce, value: 'once' } })).status).toBe(403);
    }
    expect(existsSync(join(scene.world.workspace, 'made.txt'))).toBe(false);
    const listed = await scene.get('/v1/questions?audience=operator', { as: 'viewer' });
    expect(listed['questions']).toMatchObject([
      { outermost: run['run'], nonce: null, workspace: scene.world.workspace },
    ]);
    const choices = (asked['question'] as JsonObject)['choices'] as string[];
    expect(
      await scene.get(`${path}/approve?wait=10`, { body: { nonce, approval: choices[0] as string } }),
    ).toMatchObject({ status: 'completed' });
    expect(existsSync(join(scene.world.workspace, 'made.txt'))).toBe(true);
  });
});

describe('skills', () => {
  it('are listed in pages, shown, checked, tested and scanned by name', async () => {
    const first = await scene.get('/v1/skills?limit=2', { as: 'viewer' });
    expect((first['skills'] as JsonObject[]).map(({ name }) => name)).toEqual(['asks', 'echo']);
    const second = await scene.get(`/v1/skills?limit=2&cursor=${first['cursor'] as string}`);
    expect((second['skills'] as JsonObject[]).map(({ name }) => name)).toEqual(['form', 'many']);
    expect(await scene.get('/v1/skills/echo?body=true', { as: 'viewer' })).toMatchObject({
      name: 'echo',
      path: '.techne/skills/echo/SKILL.md',
      body: expect.stringContaining('Do it.') as string,
    });
    expect(await scene.get('/v1/skills/echo/facts')).toMatchObject({ runnable: { ok: true } });
    expect(await scene.get('/v1/skills/form/plan?drawing=mermaid')).toMatchObject({
      drawing: expect.stringContaining('where') as string,
    });
    expect(await scene.send('/v1/skills/echo/plan')).toMatchObject({ status: 400, json: { code: 'USAGE' } });
    expect(await scene.get('/v1/skills/echo/check', { as: 'runner', method: 'POST' })).toMatchObject({
      errors: 0,
    });
    expect(await scene.get('/v1/skills/echo/test', { as: 'runner', method: 'POST' })).toMatchObject({
      ok: true,
      passed: 0,
    });
    expect(await scene.get('/v1/skills/echo/scan', { as: 'runner', method: 'POST' })).toMatchObject({
      skill: 'echo',
      verdict: 'clean',
    });
    expect(await scene.send('/v1/skills/..%2f..%2fetc')).toMatchObject({ status: 404 });
  });

  it('are matched and indexed', async () => {
    expect(
      await scene.get('/v1/match', { as: 'viewer', body: { message: 'use the skill notes' } }),
    ).toMatchObject({
      matches: [{ skill: 'notes' }],
    });
    expect(await scene.get('/v1/index?tokens=2000', { as: 'viewer' })).toMatchObject({ tier: 'full' });
  });
});

describe('proposals and the hub', () => {
  it('are empty at first, and unknown ones are refused', async () => {
    expect(await scene.get('/v1/proposals', { as: 'viewer' })).toMatchObject({
      proposals: [],
      faults: [],
      frozen: false,
      freeze: null,
      autoEnable: { enabled: false },
    });
    for (const [path, as] of [
      ['', 'viewer'],
      ['/diff', 'viewer'],
    ] as const)
      expect(await scene.send(`/v1/proposals/0123456789abcdef${path}`, { as })).toMatchObject({
        status: 404,
        json: { code: 'PROPOSAL_UNKNOWN' },
      });
    expect(await scene.get('/v1/hub/installed', { as: 'viewer' })).toMatchObject({
      skills: [],
      notInLock: [],
    });
  });
});

describe('requests that do not fit', () => {
  const bad = async (path: string, sent: Parameters<ApiScene['send']>[1]) => {
    const { status, json } = await scene.send(path, sent);
    const { code, detail } = json as JsonObject;
    return detail === undefined ? [status] : [status, code, detail];
  };

  const text = expect.any(String) as string;

  it('say what does not', async () => {
    expect(await bad('/v1/runs', { raw: '{"skill":' })).toEqual([400, 'REQUEST_INVALID', text]);
    expect(await bad('/v1/runs', { body: { skil: 'echo' } })).toEqual([
      400,
      'REQUEST_INVALID',
      'the body lacks the key "skill" (is it "skil"?)',
    ]);
    expect(await bad('/v1/runs', { body: { skill: 7 } })).toEqual([
      400,
      'REQUEST_INVALID',
      'the body.skill must be a string, not the number 7',
    ]);
    expect(await bad('/v1/runs', { body: [] })).toEqual([400, 'REQUEST_INVALID', text]);
    expect(await bad('/v1/runs', { raw: '' })).toEqual([400, 'REQUEST_INVALID', text]);
    expect(await bad('/v1/runs?limit=x', {})).toEqual([
      400,
      'REQUEST_INVALID',
      'the query "limit" must be an integer, not the string "x"',
    ]);
    expect(await bad('/v1/runs?limit=1&limit=2', {})).toEqual([400, 'REQUEST_INVALID', text]);
    expect(await bad('/v1/runs?colour=red', {})).toEqual([400, 'REQUEST_INVALID', text]);
    expect(await bad('/v1/runs?since=yesterday', {})).toEqual([400, 'REQUEST_INVALID', text]);
    expect(await bad('/v1/runs', { headers: { 'content-type': 'text/plain' }, body: {} })).toEqual([
      415,
      'REQUEST_INVALID',
      text,
    ]);
    expect(await bad('/v1/match', { raw: `{"message":"${'x'.repeat(5 * 1024 * 1024)}"}` })).toEqual([
      413,
      'REQUEST_LIMIT',
      text,
    ]);
    expect(await bad('/v1/nothing', {})).toEqual([404, 'ROUTE_UNKNOWN', text]);
    expect(await bad('/v1/match', { method: 'GET' })).toEqual([405, 'ROUTE_UNKNOWN', text]);
    expect(await bad('/v1/runs', { method: 'DELETE' })).toEqual([405, 'ROUTE_UNKNOWN', text]);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(await bad('/v1/runs', { raw: `{"skill":"echo","input":{"word":${deep}}}` })).toEqual([
      400,
      'REQUEST_INVALID',
      text,
    ]);
    expect(await bad('/v1/runs', { raw: '{"skill":"echo","__proto__":{"input":1}}' })).toEqual([
      400,
      'REQUEST_INVALID',
      text,
    ]);
  });

  it.each([
    ['the body of a call', 'POST /v1/match', 'application/json', 8],
    ['an upload', 'PUT /v1/files/given', 'application/octet-stream', 65],
  ])('say so to a client that is still sending: %s', async (_, route, type, mebibytes) => {
    const port = Number(new URL(scene.serving.url).port);
    const socket = connect(port, '127.0.0.1');
    const errors: string[] = [];
    socket.on('error', (error) => errors.push(error.message));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    let answer = '';
    const answered = new Promise<void>((resolve) =>
      socket.setEncoding('utf8').on('data', (part: string) => {
        answer += part;
        if (answer.includes('}')) resolve();
      }),
    );
    const length = mebibytes * 1024 * 1024;
    socket.write(
      `${route} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${scene.tokens.operator}\r\n` +
        `content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`,
    );
    await answered;
    expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n/i);
    // The rest is taken, so that the answer is not lost with a connection that is reset.
    for (let sent = 0; sent < mebibytes; sent += 1) {
      socket.write('x'.repeat(1024 * 1024));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await ended;
    expect(errors).toEqual([]);
    expect(socket.bytesWritten).toBeGreaterThan(length);
  });
});

describe('metrics', () => {
  it('are Prometheus text', async () => {
    const { text } = await scene.send('/metrics', { as: 'viewer' });
    expect(text).toMatch(/^techne_runs_running \d+$/m);
    expect(text).toMatch(/^techne_http_requests_total\{operation="startRun",status="202"\} \d+$/m);
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{(?:\w+="[^"]*",?)*\})? [\d.e+-]+)$/);
  });
});
