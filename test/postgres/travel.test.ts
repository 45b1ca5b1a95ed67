// What a run needs travels with it: workers with other homes and none of the folders of whoever submitted it.
import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client.ts';
import type { Team } from '../support/team.ts';
import { createTeam, programSkill, until } from '../support/team.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));

/** Two commands with a question between them; the second one reads what the first one wrote. */
const writer = `def run(input):
    first = command(["sh", "-c", "cat given.txt > made.txt; cat " + input["script"] + " >> made.txt; pwd"])
    word = ask("go on?")["answer"]
    second = command(["cat", "made.txt"])
    return first["result"] + second["result"] + word
`;
const slow = `def run(input):
    first = command(["sh", "-c", "echo one > made.txt"])
    second = command(["sh", "-c", "sleep " + input["seconds"] + "; cat made.txt"], opts = {"idempotent": True})
    return second["result"]
`;

const allowing = {
  roots: { builtin: false },
  sandbox: { mode: 'off' },
  commands: { allow: ['sh ...', 'cat ...'] },
};

let team: Team;
const children = new Set<ChildProcess>();
let machines = 0;

/** A worker with a home and a folder of its own, that has nothing of the submitter. */
async function startMachine(
  config: object = allowing,
): Promise<{ readonly child: ChildProcess; readonly home: string; readonly said: () => string }> {
  machines += 1;
  const home = join(team.world.home, '..', `machine${machines}`);
  const cwd = join(home, 'somewhere');
  mkdirSync(join(home, '.techne'), { recursive: true });
  mkdirSync(cwd);
  writeFileSync(join(home, '.techne', 'config.json'), JSON.stringify(config));
  const child = spawn(
    process.execPath,
    [bin, 'worker', '--answer', 'caller', '--store', team.store, '--json'],
    { cwd, env: { PATH: process.env['PATH'], HOME: home } },
  );
  children.add(child);
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  await until(async () => (said.includes('"ready"') ? true : null));
  return { child, home, said: () => said };
}

async function submit(...argv: readonly string[]): Promise<string> {
  const { out, err, code } = await team.techne('run', ...argv, '--submit', '--answer', 'caller', '--quiet');
  expect([code, err]).toEqual([0, '']);
  return out.trim();
}

interface Shown {
  readonly status: string;
  readonly questions: readonly { readonly id: string; readonly question: object }[];
}

async function show(run: string): Promise<Shown> {
  return JSON.parse((await team.techne('runs', 'show', run, '--json')).out) as Shown;
}

const ended = (run: string): Promise<Shown> =>
  until(async () => {
    const shown = await show(run);
    return ['completed', 'failed'].includes(shown.status) ? shown : null;
  });

beforeAll(async () => {
  team = await createTeam({
    ...programSkill('writer', writer),
    'work/.techne/skills/writer/words.txt': 'of the skill\n',
    ...programSkill('slow', slow),
    ...programSkill('single', 'def run(input):\n    return command(["echo", "once"])["result"]\n'),
    ...programSkill('plain', 'def run(input):\n    return "plain"\n'),
  });
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});
afterAll(() => team.close());

describe('a run that travels', () => {
  it('is driven by workers that have none of its folders, and continued by another one', async () => {
    const files = join(team.world.home, '..', 'given');
    mkdirSync(files);
    writeFileSync(join(files, 'given.txt'), 'of the folder\n');
    const run = await submit('writer', '--files', files, '-i', 'script=/techne/skills/writer/words.txt');
    // Whatever the submitter has is gone before a worker comes.
    rmSync(files, { recursive: true });
    rmSync(join(team.world.workspace, '.techne', 'skills', 'writer'), { recursive: true });
    const first = await startMachine();
    await until(async () => ((await show(run)).questions.length > 0 ? true : null));
    first.child.kill('SIGKILL');
    // What the worker had written is only in the store.
    rmSync(join(first.home, '.cache'), { recursive: true });
    await startMachine();
    expect((await team.techne('answer', run, '--text', 'end')).code).toBe(0);
    expect((await ended(run)).status).toBe('completed');
    expect(await resultOf(run)).toBe('/techne/workspace\nof the folder\nof the skill\nend\n');
    const out = join(team.world.home, '..', 'out');
    expect((await team.techne('store', 'files', 'get', run, out)).code).toBe(0);
    expect(readFileSync(join(out, 'made.txt'), 'utf8')).toBe('of the folder\nof the skill\n');
    const replayed = await team.techne('runs', 'replay', run, '--json');
    expect(JSON.parse(replayed.out)).toMatchObject({ same: true });
  }, 90_000);

  it('has the files of finished commands when its worker is killed in the next one', async () => {
    const run = await submit('slow', '-i', 'seconds=2');
    const first = await startMachine();
    const work = join(first.home, '.cache', 'techne', 'work');
    await until(async () => {
      const [worker] = existsSync(work) ? readdirSync(work) : [];
      return worker !== undefined && existsSync(join(work, worker, run, 'made.txt')) ? true : null;
    });
    await until(async () => ((await effectsOf(run)) >= 2 ? true : null));
    first.child.kill('SIGKILL');
    const second = await startMachine();
    expect((await ended(run)).status).toBe('completed');
    expect((await resultOf(run)).trim()).toBe('one');
    expect(second.said()).toContain('"taken-over"');
    // Nothing of a run stays on a worker.
    const left = join(second.home, '.cache', 'techne', 'work');
    await until(async () =>
      readdirSync(left).every((one) => readdirSync(join(left, one)).length === 0) ? true : null,
    );
  }, 90_000);

  it('is held with the reason when its skills are not what was packed, or not there', async () => {
    const { database } = team;
    const run = await submit('plain');
    const [{ digest } = { digest: '' }] = await database.query<{ digest: string }>(
      `select digest from techne.blob where position('def run' in convert_from(bytes, 'SQL_ASCII')) > 0
        and position('"plain"' in convert_from(bytes, 'SQL_ASCII')) > 0`,
    );
    await database.query(
      `update techne.blob set bytes = 'def run(input): return 1' where digest = '${digest}'`,
    );
    const { home } = await startMachine();
    const held = async (): Promise<string | null> => {
      const { out } = await team.techne('worker', 'held', '--json');
      return (
        (JSON.parse(out) as { held: readonly { run: string; held: string }[] }).held.find(
          (one) => one.run === run,
        )?.held ?? null
      );
    };
    expect(await until(held)).toMatch(/does not match its digest/);
    // Nothing half-made is left.
    expect(readdirSync(join(home, '.cache', 'techne', 'sets'))).toEqual([]);
    await database.query(`delete from techne.blob where digest = '${digest}'`);
    await team.techne('worker', 'release', run);
    expect(await until(async () => ((await held())?.includes('no blob') === true ? true : null))).toBe(true);
  }, 90_000);

  it('stops when the trust of the team is revoked, and does not get it back by being submitted again', async () => {
    const run = await submit('slow', '-i', 'seconds=0');
    const { out } = await team.techne('store', 'trust', 'revoke', 'slow', '--json');
    expect(JSON.parse(out)).toMatchObject({ revoked: [{ skill: 'slow', verdict: 'trusted' }] });
    await startMachine();
    await until(async () => {
      const { held } = JSON.parse((await team.techne('worker', 'held', '--json')).out) as {
        held: readonly { run: string; held: string }[];
      };
      return held.find((one) => one.run === run && one.held.includes('not trusted')) ?? null;
    });
    const again = await team.techne('run', 'slow', '-i', 'seconds=0', '--submit', '--answer', 'caller');
    expect([again.code, again.err]).toEqual([expect.any(Number), expect.stringContaining('was revoked')]);
    expect((await team.techne('store', 'trust', 'grant', 'slow')).code).toBe(0);
    await team.techne('worker', 'release', run);
    expect((await ended(run)).status).toBe('completed');
    const list = JSON.parse((await team.techne('store', 'trust', 'list', '--json')).out) as {
      given: readonly { skill: string; by: string; revokedBy: string | null }[];
    };
    expect(
      list.given.filter(({ skill }) => skill === 'slow').map(({ revokedBy }) => revokedBy === null),
    ).toEqual([true, false]);
  }, 90_000);

  it('begins with an archive or a commit, and refuses hostile ones', async () => {
    const place = join(team.world.home, '..', 'sources');
    mkdirSync(join(place, 'tree'), { recursive: true });
    writeFileSync(join(place, 'tree', 'given.txt'), 'packed\n');
    const git = (...argv: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...argv], {
        cwd: join(place, 'tree'),
        encoding: 'utf8',
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    const commit = git('rev-parse', 'HEAD').trim();
    writeFileSync(join(place, 'tree', 'given.txt'), 'later\n');
    git('commit', '-qam', 'second');
    execFileSync('tar', ['-czf', 'files.tgz', '-C', 'tree', 'given.txt'], { cwd: place });
    execFileSync('ln', ['-s', '/etc/passwd', 'leak'], { cwd: place });
    execFileSync('tar', ['-cf', 'link.tar', 'leak'], { cwd: place });
    execFileSync('tar', ['-cPf', 'out.tar', '--transform', 's,^.*,../../out.txt,', 'tree/given.txt'], {
      cwd: place,
    });
    const push = async (name: string, source: string) => {
      const { code, out, err } = await team.techne('store', 'files', 'push', name, source, '--json');
      return code === 0 ? (JSON.parse(out) as { files: number; source: string; by: string }) : out + err;
    };
    expect(await push('archive', join(place, 'files.tgz'))).toMatchObject({
      files: 1,
      source: expect.stringContaining('sha256:'),
    });
    expect(await push('commit', `file://${join(place, 'tree')}#${commit}`)).toMatchObject({
      files: 1,
      source: expect.stringContaining(commit),
    });
    expect(await push('link', join(place, 'link.tar'))).toContain('it is a link');
    expect(await push('out', join(place, 'out.tar'))).toMatch(/\.\./);
    expect(await push('none', join(place, 'nothing.tgz'))).toContain('nothing.tgz');
    await startMachine();
    const run = await submit('slow', '--files', '@commit', '-i', 'seconds=0');
    await ended(run);
    const out = join(place, 'got');
    await team.techne('store', 'files', 'get', run, out);
    expect(readFileSync(join(out, 'given.txt'), 'utf8')).toBe('packed\n');
    const unknown = await team.techne(
      'run',
      'slow',
      '--submit',
      '--files',
      '@nobody',
      '-i',
      'seconds=0',
      '--answer',
      'caller',
    );
    expect(unknown.err).toContain('the store has no files of the name "nobody"');
  }, 90_000);

  it('remembers a lasting approval in the store, with who gave it', async () => {
    await startMachine({ roots: { builtin: false }, sandbox: { mode: 'off' } });
    const run = await submit('single', '-i', 'n=1');
    const asked = await until(async () => {
      const shown = await show(run);
      return shown.questions.length > 0 ? shown : null;
    });
    expect(asked.questions).toMatchObject([
      { audience: 'operator', question: { reason: expect.stringContaining('"/techne/workspace"') } },
    ]);
    expect(
      (await team.world.run(['answer', run, '--approve', 'always', '--store', team.store], { typed: '' }))
        .code,
    ).toBe(0);
    expect((await ended(run)).status).toBe('completed');
    // Another worker, another home, the same decision.
    for (const child of children) child.kill('SIGKILL');
    await startMachine({ roots: { builtin: false }, sandbox: { mode: 'off' } });
    const again = await submit('single', '-i', 'n=2');
    expect((await ended(again)).status).toBe('completed');
    const { given } = JSON.parse((await team.techne('store', 'trust', 'list', '--json')).out) as {
      given: readonly { skill: string; verdict: string; argv: readonly string[] | null }[];
    };
    expect(given.find(({ verdict }) => verdict === 'always')).toMatchObject({
      skill: 'single',
      argv: ['echo', 'once'],
    });
  }, 90_000);

  it('is started over HTTP with files of the store, and an operator takes trust back', async () => {
    const files = join(team.world.home, '..', 'over-http');
    mkdirSync(files);
    writeFileSync(join(files, 'made.txt'), 'given');
    execFileSync('tar', ['-czf', '../over-http.tgz', 'made.txt'], { cwd: files });
    execFileSync('ln', ['-s', '/etc/passwd', 'leak'], { cwd: files });
    execFileSync('tar', ['-cf', '../leak.tar', 'leak'], { cwd: files });
    const tokens = new Map<string, string>();
    for (const role of ['runner', 'operator']) {
      const { out } = await team.world.run(['serve', 'token', 'create', role, '--role', role, '--json']);
      tokens.set(role, (JSON.parse(out) as { token: string }).token);
    }
    const url = await team.startServer();
    const call = async (role: string, path: string, body: object | null = null) => {
      const response = await fetch(`${url}${path}`, {
        method: body === null ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${tokens.get(role)}`, 'content-type': 'application/json' },
        ...(body === null ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as { [name: string]: unknown } };
    };
    const put = async (role: string, name: string, bytes: Buffer) => {
      const response = await fetch(`${url}/v1/files/${name}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${tokens.get(role)}`, 'content-type': 'application/octet-stream' },
        body: new Uint8Array(bytes),
      });
      const { code, by } = (await response.json()) as { code?: string; by?: string };
      return [response.status, code ?? by];
    };
    const archive = readFileSync(`${files}.tgz`);
    expect(await put('runner', 'given', archive)).toEqual([403, 'ROLE_REFUSED']);
    expect(await put('operator', 'no%20name', archive)).toEqual([400, 'REQUEST_INVALID']);
    expect(await put('operator', 'given', Buffer.alloc(0))).toEqual([400, 'REQUEST_INVALID']);
    expect(await put('operator', 'given', Buffer.alloc(64 * 1024 * 1024 + 1))).toEqual([
      413,
      'REQUEST_INVALID',
    ]);
    expect(await put('operator', 'given', archive.subarray(0, 40))).toEqual([422, 'SOURCE_DAMAGED']);
    expect(await put('operator', 'given', readFileSync(join(files, '..', 'leak.tar')))).toEqual([
      422,
      'SOURCE_INVALID',
    ]);
    expect((await call('runner', '/v1/files/given')).status).toBe(404);
    expect(await put('operator', 'given', archive)).toEqual([200, 'operator operator']);
    const client = createClient({ url, token: tokens.get('operator') as string });
    expect(await client.putFiles('gone', archive)).toMatchObject({ name: 'gone', files: 1, bytes: 5 });
    expect((await call('operator', '/v1/files/gone/remove', {})).status).toBe(400);
    await client.call('removeFiles', { params: { name: 'gone' } });
    const { files: listed } = await client.call('listFiles');
    expect(listed.map(({ name }) => name)).toContain('given');
    expect(listed.map(({ name }) => name)).not.toContain('gone');
    await startMachine();
    const unknown = await call('runner', '/v1/runs', { skill: 'single', input: { n: '1' }, files: 'nobody' });
    expect(unknown.body['code']).toBe('WORKSPACE_UNKNOWN');
    const made = await call('runner', '/v1/runs', { skill: 'slow', input: { seconds: '0' }, files: 'given' });
    expect((await ended(made.body['run'] as string)).status).toBe('completed');
    const relied = async () => (await call('runner', `/v1/runs/${made.body['run'] as string}`)).body;
    const { digest, trust } = await relied();
    expect(trust).toMatchObject({
      skill: 'slow',
      digest,
      by: expect.stringContaining('@') as string,
      revokedBy: null,
    });
    expect((await call('runner', '/v1/trust/revoke', { what: 'slow' })).status).toBe(403);
    expect((await call('operator', '/v1/trust/revoke', { what: 'slow' })).body).toMatchObject({
      revoked: [{ skill: 'slow', revokedBy: 'operator operator' }],
    });
    const refused = await call('runner', '/v1/runs', { skill: 'slow', input: { seconds: '0' } });
    expect(refused.body['code']).toBe('NOT_TRUSTED');
    const { given } = (await call('operator', '/v1/trust')).body as { given: readonly { skill: string }[] };
    expect(given.some(({ skill }) => skill === 'slow')).toBe(true);
    expect((await relied())['trust']).toMatchObject({ revokedBy: 'operator operator' });
    const granted = { skill: 'slow', digest: digest as string };
    expect((await call('runner', '/v1/trust', granted)).status).toBe(403);
    expect((await call('operator', '/v1/trust', { ...granted, digest: 'sha256:0' })).status).toBe(400);
    expect((await call('operator', '/v1/trust', granted)).body).toMatchObject({
      ...granted,
      by: 'operator operator',
    });
    const again = await call('runner', '/v1/runs', {
      skill: 'slow',
      input: { seconds: '0' },
      files: 'given',
    });
    expect((await ended(again.body['run'] as string)).status).toBe('completed');
    const shown = (await team.techne('runs', 'show', again.body['run'] as string)).out;
    expect(shown).toMatch(/^trusted +by operator operator, .* \(record \d+\)$/m);
  }, 90_000);
});

async function resultOf(run: string): Promise<string> {
  return (await team.techne('runs', 'resume', run, '--quiet')).out;
}

async function effectsOf(run: string): Promise<number> {
  const { out } = await team.techne('runs', 'show', run, '--json');
  return (JSON.parse(out) as { effects: readonly unknown[] }).effects.length;
}
