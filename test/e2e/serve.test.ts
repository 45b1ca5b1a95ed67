// techne serve through the built command: tokens, the one-time link, kill and restart, draining, MCP, slow and broken clients.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../src/client.ts';
import type { Client } from '../../src/client.ts';
import type { Role } from '../../src/api/role.ts';
import { childEnvironment } from '../support/mcp-client.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';
import { apiSkills } from '../support/api-scene.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const patience = { timeout: 20_000, interval: 20 };

interface Served {
  readonly url: string;
  readonly link: string;
  readonly child: ChildProcess;
  readonly log: () => string;
}

let world: World;
const running = new Set<ChildProcess>();
const tokens = {} as { [role in Role]: string };

beforeAll(async () => {
  world = createWorld({
    ...apiSkills,
    'work/.techne/skills/slow/SKILL.md': `---\nname: slow\ndescription: Waits. Use when waiting is needed.\nmetaskill: SKILL.star\n---\n\n# slow\n`,
    'work/.techne/skills/slow/SKILL.star':
      'def run(input):\n  for n in range(4):\n    trace("round", {"n": n})\n    command(["sh", "-c", "echo %d >> log.txt; sleep 0.4" % n], {"idempotent": True})\n  return {"rounds": 4}\n',
  });
  world.write({
    'work/.techne/skills/once/SKILL.md': `---\nname: once\ndescription: Pays once. Use when something is done once.\nmetaskill: SKILL.star\n---\n\n# once\n`,
    'work/.techne/skills/once/SKILL.star':
      'def run(input):\n  done = command(["sh", "-c", "echo paid >> paid.txt; sleep 30"])\n  return {"ok": done["ok"]}\n',
    'work/.techne/skills/twice/SKILL.md': `---\nname: twice\ndescription: Does two things once. Use when two things are done once.\nmetaskill: SKILL.star\n---\n\n# twice\n`,
    'work/.techne/skills/twice/SKILL.star':
      'def run(input):\n  command(["sh", "-c", "echo first >> twice.txt; while [ ! -e may-end ]; do sleep 0.05; done; echo ended >> twice.txt"])\n  command(["sh", "-c", "echo second >> twice.txt"])\n  return {"ok": True}\n',
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
      commands: { allow: ['sh -c *'] },
    }),
  });
  for (const role of ['viewer', 'runner', 'reviewer', 'operator'] as const) {
    const made = await world.run(['serve', 'token', 'create', `the-${role}`, '--role', role, '--json']);
    tokens[role] = (JSON.parse(made.out) as { readonly token: string }).token;
  }
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await gone(child);
  }
  running.clear();
});
afterAll(() => world.remove());

function serve(...more: string[]): Promise<Served> {
  const child = spawn(
    process.execPath,
    [bin, 'serve', '--port', '0', '--json', '--answer', 'caller', ...more],
    {
      cwd: world.workspace,
      env: childEnvironment(world, { USER: 'ada' }),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  running.add(child);
  let [out, err] = ['', ''];
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (piece: Buffer) => {
      out += piece.toString();
      if (!out.trimEnd().endsWith('}')) return;
      resolve({ ...(JSON.parse(out) as Pick<Served, 'url' | 'link'>), child, log: () => err });
    });
    child.on('close', (code) => reject(new Error(`it ended with ${code}: ${err}`)));
  });
}

function gone(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.on('close', (code) => resolve(code)));
}

const clientOf = ({ url }: Served, role: Role): Client =>
  createClient({ url, token: tokens[role], maxRetries: 0 });

describe('techne serve token', () => {
  it('keeps hashes alone, for the user alone', async () => {
    const file = join(world.home, '.techne', 'tokens.json');
    const text = readFileSync(file, 'utf8');
    for (const token of Object.values(tokens)) expect(text).not.toContain(token.slice(8));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const listed = await world.run(['serve', 'token', 'list', '--json']);
    expect(JSON.parse(listed.out)).toMatchObject([
      { name: 'the-viewer', role: 'viewer', state: 'valid' },
      { name: 'the-runner' },
      { name: 'the-reviewer' },
      { name: 'the-operator' },
    ]);
    expect(listed.out).not.toContain('hash');
  });

  it('says what is wrong', async () => {
    for (const [argv, message] of [
      [['create', 'x'], /--role is missing/],
      [['create', 'a b', '--role', 'viewer'], /cannot be the name/],
      [['create', 'the-runner', '--role', 'viewer'], /there is a token "the-runner" already/],
      [['create', 'x', '--role', 'king'], /king/],
      [['revoke', 'nobody'], /there is no token "nobody"/],
      [['revoke'], /needs the name/],
      [['create', 'x', '--role', 'viewer', '--expires', 'soon'], /--expires must be/],
    ] as const) {
      const { code, err } = await world.run(['serve', 'token', ...argv]);
      expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    }
  });
});

describe('techne serve', () => {
  it('refuses an address that others reach without a token, and a file of tokens that others can write', async () => {
    const empty = createWorld();
    expect(await empty.run(['serve', '--host', '0.0.0.0', '--port', '0'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('techne serve token create') as string,
    });
    empty.write({ 'home/.techne/tokens.json': '{"version": 1, "tokens": 7}' });
    expect(await empty.run(['serve', '--port', '0'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('is not a list of tokens') as string,
    });
    empty.remove();
  });

  it('says what its link is for where it serves no pages', async () => {
    const child = spawn(process.execPath, [bin, 'serve', '--port', '0', '--answer', 'caller'], {
      cwd: world.workspace,
      env: childEnvironment(world, { USER: 'ada' }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => (said += piece.toString()));
    await expect
      .poll(() => said, { timeout: 30_000 })
      .toMatch(/to use the API in a browser, open \(--studio serves pages\), once .*: http:/);
    child.kill('SIGTERM');
    await gone(child);
  }, 60_000);

  it('logs the same user in by a link that works once, with a cookie that needs CSRF', async () => {
    const served = await serve();
    const first = await fetch(served.link);
    expect(first.status).toBe(200);
    const cookie = first.headers.get('set-cookie') ?? '';
    const { port } = new URL(served.url);
    expect(cookie).toMatch(
      new RegExp(`^techne_session_${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    expect((await fetch(served.link)).status).toBe(401);
    expect((await fetch(`${served.url}/login?code=guess`)).status).toBe(401);
    const headers = { cookie: cookie.split(';', 1)[0] as string };
    const described = (await (await fetch(`${served.url}/openapi.json`, { headers })).json()) as {
      components: { securitySchemes: { link: { name: string } } };
    };
    expect(described.components.securitySchemes.link.name).toBe(`techne_session_${port}`);
    const session = (await (await fetch(`${served.url}/v1/session`, { headers })).json()) as { csrf: string };
    expect(session).toMatchObject({ name: 'ada@local', role: 'operator' });
    const start = (more: { readonly [name: string]: string }) =>
      fetch(`${served.url}/v1/runs`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', ...more },
        body: JSON.stringify({ skill: 'echo', input: { word: 'x' } }),
      });
    expect((await start({})).status).toBe(403);
    expect((await start({ 'x-techne-csrf': session.csrf })).status).toBe(202);
  });

  it('loses nothing of a run when it is killed, and continues it after a restart', async () => {
    const first = await serve();
    const { run } = await clientOf(first, 'runner').startRun('slow', { a: 1 }, { key: 'order-1' });
    await vi.waitFor(() => expect(existsSync(join(world.workspace, 'log.txt'))).toBe(true), patience);
    first.child.kill('SIGKILL');
    await gone(first.child);
    const second = await serve();
    const client = clientOf(second, 'runner');
    expect((await client.call('getRun', { params: { run } })).status).toBe('interrupted');
    // The same key means the same run, also after the restart, and continues it.
    expect((await client.startRun('slow', { a: 1 }, { key: 'order-1' })).run).toBe(run);
    expect(await client.waitForRun(run)).toMatchObject({ status: 'completed', envelope: { rounds: 4 } });
    const seen: number[] = [];
    for await (const { seq } of client.events(run)) seen.push(seq);
    expect(seen).toEqual(seen.map((_, at) => at));
    expect(await client.call('replayRun', { params: { run } })).toMatchObject({ same: true });
  });

  it('asks an operator about a call with an unknown outcome, and does not repeat it', async () => {
    const first = await serve();
    const { run } = await clientOf(first, 'runner').startRun('once', { a: 1 });
    const paid = join(world.workspace, 'paid.txt');
    await vi.waitFor(() => expect(existsSync(paid)).toBe(true), patience);
    first.child.kill('SIGKILL');
    await gone(first.child);
    const second = await serve();
    const [runner, operator] = [clientOf(second, 'runner'), clientOf(second, 'operator')];
    await runner.call('resumeRun', { params: { run } });
    const waits = await runner.waitForRun(run);
    expect(waits).toMatchObject({ status: 'needs_decision', undecided: [{ run, kind: 'command' }] });
    const { undecided } = await operator.call('listQuestions', { query: { audience: 'operator' } });
    expect(undecided).toEqual(waits.undecided);
    const key = waits.undecided[0]?.key as string;
    const value = { ok: true, exit_code: 0, result: '' };
    await expect(
      runner.call('decideRun', { params: { run }, body: { key, as: 'done', value } }),
    ).rejects.toMatchObject({ status: 403, code: 'ROLE_REFUSED' });
    await expect(
      operator.call('decideRun', { params: { run }, body: { key: 'nope', as: 'fail' } }),
    ).rejects.toMatchObject({ status: 404, code: 'DECISION_UNKNOWN' });
    await operator.call('decideRun', { params: { run }, body: { key, as: 'done', value } });
    expect(await operator.waitForRun(run)).toMatchObject({ status: 'completed', envelope: { ok: true } });
    expect(readFileSync(paid, 'utf8')).toBe('paid\n');
    const decided: unknown[] = [];
    for await (const { type, entry } of operator.events(run))
      if (type === 'effect.decided') decided.push(entry['by']);
    expect(decided).toEqual(['operator the-operator']);
  });

  it('gives a command under way its grace on SIGTERM, so that no one has to decide about it', async () => {
    const first = await serve();
    const { run } = await clientOf(first, 'runner').startRun('twice', {});
    const [begun, may] = [join(world.workspace, 'twice.txt'), join(world.workspace, 'may-end')];
    await vi.waitFor(() => expect(readFileSync(begun, 'utf8')).toBe('first\n'), patience);
    first.child.kill('SIGTERM');
    await vi.waitFor(() => expect(first.log()).toContain('What one run does now has 30 s to end'), patience);
    const ready = await fetch(`${first.url}/readyz`);
    expect([ready.status, first.child.exitCode]).toEqual([503, null]);
    await expect(clientOf(first, 'runner').startRun('twice', {})).rejects.toMatchObject({
      status: 503,
      code: 'OVERLOADED',
    });
    writeFileSync(may, '');
    expect(await gone(first.child)).toBe(0);
    expect(readFileSync(begun, 'utf8')).toBe('first\nended\n');
    const second = clientOf(await serve(), 'runner');
    expect(await second.call('getRun', { params: { run } })).toMatchObject({ status: 'interrupted' });
    await second.call('resumeRun', { params: { run } });
    expect(await second.waitForRun(run)).toMatchObject({ status: 'completed' });
    expect(readFileSync(begun, 'utf8')).toBe('first\nended\nsecond\n');
  });

  it('ends the grace with a second signal', async () => {
    const first = await serve('--grace', '3600');
    const paid = join(world.workspace, 'paid.txt');
    // Read before the run is started: the command may have written its line when the start is answered.
    const before = existsSync(paid) ? readFileSync(paid, 'utf8') : '';
    const { run } = await clientOf(first, 'runner').startRun('once', {});
    await vi.waitFor(() => expect(readFileSync(paid, 'utf8')).toBe(`${before}paid\n`), patience);
    first.child.kill('SIGTERM');
    await vi.waitFor(() => expect(first.log()).toContain('has 3600 s to end'), patience);
    first.child.kill('SIGTERM');
    expect(await gone(first.child)).toBe(0);
    const second = clientOf(await serve(), 'runner');
    await second.call('resumeRun', { params: { run } });
    expect(await second.waitForRun(run)).toMatchObject({ status: 'needs_decision' });
  });

  it('drains on SIGTERM: runs are detached, and the next server continues them', async () => {
    const first = await serve('--concurrency', '1');
    const client = clientOf(first, 'runner');
    const runs = await Promise.all([1, 2].map(() => client.startRun('slow', { a: 1 })));
    await vi.waitFor(
      async () =>
        expect((await client.call('metrics')).split('\n')).toEqual(
          expect.arrayContaining(['techne_runs_running 1', 'techne_runs_queued 1']),
        ),
      patience,
    );
    first.child.kill('SIGTERM');
    expect(await gone(first.child)).toBe(0);
    expect(first.log()).toContain('stopping; runs can be resumed');
    const second = clientOf(await serve(), 'runner');
    for (const { run } of runs) {
      await second.call('resumeRun', { params: { run } });
      expect(await second.waitForRun(run)).toMatchObject({ status: 'completed' });
    }
  });

  it('has MCP for runners and above, which relays nothing for people', async () => {
    const served = await serve();
    const mcp = async (role: Role): Promise<McpClient> => {
      const client = new McpClient(
        { name: 'test', version: '1' },
        { capabilities: { elicitation: { form: {} } } },
      );
      client.setRequestHandler('elicitation/create', () => {
        throw new Error('nobody is asked');
      });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${tokens[role]}` } },
        }),
      );
      return client;
    };
    await expect(mcp('viewer')).rejects.toThrow(/403|runner/);
    const client = await mcp('runner');
    const started = await client.callTool({
      name: 'run_metaskill',
      arguments: { name: 'form', input: { user_message: 'where' } },
    });
    const { run, status, questions } = started.structuredContent as {
      readonly run: string;
      readonly status: string;
      readonly questions: readonly { readonly id: string; readonly nonce?: string }[];
    };
    expect(status).toBe('paused');
    // A form is for a person: the caller cannot answer it, whatever it says.
    const answered = await client.callTool({
      name: 'run_answer',
      arguments: { run, question: questions[0]?.id ?? '', answer: { city: 'Oslo' } },
    });
    expect(answered.isError).toBe(true);
    const reviewer = clientOf(served, 'reviewer');
    const [asked] = (await reviewer.call('getRun', { params: { run } })).questions;
    if (asked === undefined) throw new Error('nothing is asked');
    await reviewer.answer(asked, { city: 'Oslo' });
    expect((await reviewer.waitForRun(run)).questions).toMatchObject([{ audience: 'caller' }]);
    await client.close();
    const shown = await world.run(['runs', 'show', run]);
    expect(shown.out).toContain('was answered by the person the-reviewer');
  });

  it('sends slow and broken clients away, and answers the others', async () => {
    const served = await serve();
    const { port } = new URL(served.url);
    const sockets = Array.from({ length: 50 }, (_, at) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        at % 2 === 0
          ? 'GET /v1/session HTTP/1.1\r\nHost: '
          : 'POST /v1/runs HTTP/1.1\r\nContent-Length: 9\r\n',
      );
      return socket;
    });
    const say = (text: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(Number(port), '127.0.0.1');
        let got = '';
        socket.on('data', (piece) => (got += piece.toString()));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(got));
        socket.end(text);
      });
    const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${tokens.operator}\r\n`;
    const json = 'Content-Type: application/json\r\n';
    for (const [text, status] of [
      ['NONSENSE\r\n\r\n', /^HTTP\/1\.1 400/],
      [`GET /v1/session HTTP/1.1\r\n${head}X: ${'x'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431/],
      [`CONNECT evil.example:443 HTTP/1.1\r\n${head}\r\n`, /^HTTP\/1\.1 405/],
      [`GET http://evil.example/v1/session HTTP/1.1\r\n${head}\r\n`, /^HTTP\/1\.1 403/],
      [`POST /v1/runs HTTP/1.1\r\n${head}${json}Content-Length: 99999999999\r\n\r\n`, /^HTTP\/1\.1 413/],
      [
        `POST /v1/runs HTTP/1.1\r\n${head}${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        /^HTTP\/1\.1 400/,
      ],
      [`GET /v1/runs/%00 HTTP/1.1\r\n${head}Connection: close\r\n\r\n`, /^HTTP\/1\.1 400/],
      [`GET /v1/session HTTP/1.1\r\n${head}Connection: close\r\n\r\n`, /^HTTP\/1\.1 200/],
    ] as const)
      expect([text.slice(0, 60), await say(text)]).toEqual([
        text.slice(0, 60),
        expect.stringMatching(status),
      ]);
    expect(await clientOf(served, 'viewer').call('session')).toMatchObject({ role: 'viewer' });
    for (const socket of sockets) socket.destroy();
    expect(served.log()).not.toContain('a bug in techne');
  });
});
