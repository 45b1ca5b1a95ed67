// A team as a user sets it up: a server that leaves runs to workers, two workers, Postgres; one worker is killed.
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../support/postgres.ts';
import { createDatabase, noPostgres } from '../support/postgres.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));

interface RunView {
  readonly run: string;
  readonly status: string;
  readonly text: string | null;
  readonly questions: readonly { readonly id: string; readonly nonce: string | null }[];
}

describe.skipIf(noPostgres)('a server and two workers', () => {
  let database: TestDatabase;
  let world: World;
  let store: string;
  let url: string;
  let token: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    database = await createDatabase();
    store = `${database.url}?lease=2`;
    const skill = (name: string): string =>
      `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\nmetaskill: SKILL.star\n---\n\nDo it.\n`;
    world = createWorld({
      'work/.techne/skills/topic/SKILL.md': skill('topic'),
      'work/.techne/skills/topic/SKILL.star':
        'def run(input):\n    return "%s about %s" % (input["who"], ask("Topic?")["answer"])\n',
      'work/.techne/skills/slow/SKILL.md': skill('slow'),
      'work/.techne/skills/slow/SKILL.star':
        'def run(input):\n    for i in range(8):\n        command(["sleep", "0.4"], {"idempotent": True})\n    return "slept"\n',
    });
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        trust: { folders: [world.workspace] },
        commands: { allow: ['sleep *'] },
        sandbox: { mode: 'off' },
      }),
    });
    const made = spawnSync(
      process.execPath,
      [bin, 'serve', 'token', 'create', 'ann', '--role', 'runner', '--json'],
      {
        ...options(),
        encoding: 'utf8',
      },
    );
    ({ token } = JSON.parse(made.stdout) as { token: string });
    const [served] = await Promise.all([
      start(['serve', '--port', '0', '--workers', '--answer', 'caller'], '"url"'),
      start(['worker', '--answer', 'caller'], '"ready"'),
      start(['worker', '--answer', 'caller'], '"ready"'),
    ]);
    ({ url } = JSON.parse(served) as { url: string });
  }, 120_000);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await database.drop();
    world.remove();
  });

  const options = () => ({
    cwd: world.workspace,
    env: { PATH: process.env['PATH'], HOME: world.home },
  });
  /** Resolves to what it printed once that contains `ready`. */
  const start = (argv: readonly string[], ready: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [bin, ...argv, '--store', store, '--json'], options());
      children.push(child);
      let [out, err] = ['', ''];
      child.stderr.on('data', (text: Buffer) => (err += text.toString()));
      child.stdout.on('data', (text: Buffer) => {
        out += text.toString();
        if (out.includes(ready) && out.includes('\n')) resolve(out);
      });
      child.on('exit', (code, signal) =>
        reject(new Error(`${argv[0]} ended with ${code ?? signal}: ${err}`)),
      );
    });
  const call = async (path: string, body?: object, headers: object = {}): Promise<RunView> => {
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return (await response.json()) as RunView;
  };
  const until = async (run: string, status: string): Promise<RunView> => {
    for (let tries = 0; tries < 120; tries += 1) {
      const view = await call(`/v1/runs/${run}?wait=5`);
      if (view.status === status) return view;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    throw new Error(`run ${run} is not ${status}: ${JSON.stringify(await call(`/v1/runs/${run}`))}`);
  };

  it('starts runs over HTTP, answers them, and gives one run for one key', async () => {
    const started = await Promise.all(
      ['Ann', 'Bob', 'Cyd'].map((who) => call('/v1/runs', { skill: 'topic', input: { who } })),
    );
    for (const [at, { run }] of started.entries()) {
      const { questions } = await until(run, 'paused');
      const [{ id, nonce } = { id: '', nonce: null }] = questions;
      const answered = await call(`/v1/runs/${run}/questions/${id}/answer?wait=60`, {
        nonce,
        value: 'tides',
      });
      expect(answered.status).toBe('completed');
      expect(answered.text).toContain(`${['Ann', 'Bob', 'Cyd'][at]} about tides`);
    }
    const keyed = { 'idempotency-key': 'one' };
    const body = { skill: 'topic', input: { who: 'Dot' } };
    const [first, second] = await Promise.all([call('/v1/runs', body, keyed), call('/v1/runs', body, keyed)]);
    expect(second.run).toBe(first.run);
    await expect(call('/v1/runs', { ...body, input: { who: 'Eve' } }, keyed)).rejects.toThrow('KEY_REUSED');
    const other = { 'idempotency-key': 'two' };
    const refused = call('/v1/runs', { ...body, skill: 'topics' }, other);
    await expect(refused).rejects.toThrow('SKILL_UNKNOWN');
    const corrected = await call('/v1/runs', body, other);
    expect((await until(corrected.run, 'paused')).run).toBe(corrected.run);
  }, 120_000);

  it('queues from the command line, and says what is wrong with what it cannot queue', async () => {
    // Not `spawnSync`: connections that the server closes meanwhile have to be seen.
    const submit = async (...argv: readonly string[]) => {
      const child = spawn(process.execPath, [bin, 'run', ...argv, '--submit', '--store', store], options());
      const [stdout, stderr, [status]] = await Promise.all([
        textOf(child.stdout),
        textOf(child.stderr),
        once(child, 'exit'),
      ]);
      return { status: status as number | null, stdout, stderr };
    };
    const queued = await submit('topic', 'who=Fay', '--answer', 'caller', '--key', 'fay');
    expect([queued.status, queued.stderr]).toEqual([0, expect.stringContaining('It is queued')]);
    const again = await submit('topic', 'who=Fay', '--answer', 'caller', '--key', 'fay');
    expect([again.stdout, again.stderr]).toEqual([
      queued.stdout,
      expect.stringContaining('submitted before'),
    ]);
    expect((await submit('topic', 'who=Gus', '--answer', 'caller', '--queue', 'a b')).stderr).toContain(
      '"a b" cannot be the name of a queue',
    );
    const unknown = await submit('topics', 'who=Gus', '--answer', 'caller');
    expect([unknown.status, unknown.stdout, unknown.stderr]).toEqual([
      4,
      '',
      expect.stringContaining("unknown metaskill: 'topics' did you mean 'topic'?"),
    ]);
  }, 120_000);

  it('continues the runs of a worker that is killed, and drains one that is told to stop', async () => {
    const started = await Promise.all(
      [1, 2, 3, 4].map(() => call('/v1/runs', { skill: 'slow', input: { a: 1 } })),
    );
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    children[1]?.kill('SIGKILL');
    for (const { run } of started) {
      const seen = await call(`/v1/runs/${run}?wait=60`);
      expect([seen.status, seen.text]).toEqual(['completed', expect.stringContaining('slept')]);
    }
    const ended = new Promise((resolve) => children[2]?.on('exit', (code) => resolve(code)));
    children[2]?.kill('SIGTERM');
    expect(await ended).toBe(0);
  }, 120_000);
});
