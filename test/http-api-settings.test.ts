// How a server is set up, over HTTP: values with their origins and without secrets, the checks of doctor, tokens; with a shared store
// its checks, workers, schedules.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/base/json.ts';
import type { ApiScene } from './support/api-scene.ts';
import { openApiScene } from './support/api-scene.ts';
import { createDatabase, noPostgres } from './support/postgres.ts';
import type { TestDatabase } from './support/postgres.ts';
import { createWorld } from './support/run-cli.ts';

const secrets = ['s3cr3t-in-args', 's3cr3t-in-env', 's3cr3t-in-header', 's3cr3t-in-query'];
const config = `{
  "guard": { "onRun": "refuse" },
  "runs": { "store": "postgres://me@127.0.0.1:1/runs" },
  "models": { "default": { "provider": "anthropic", "model": "some-model", "apiKeyEnv": "MY_KEY" } },
  "mcpServers": {
    "notes": {
      "command": "notes-server",
      "args": ["--token", "s3cr3t-in-args", "--api-key=s3cr3t-in-args", "--port", "1"],
      "env": { "NOTES_TOKEN": "s3cr3t-in-env" }
    },
    "far": {
      "url": "https://mcp.example/x?api_key=s3cr3t-in-query",
      "headers": { "Authorization": "Bearer s3cr3t-in-header" }
    }
  }
}
`;

describe('settings over HTTP', () => {
  let scene: ApiScene;
  beforeAll(async () => {
    scene = await openApiScene({
      store: 'files',
      files: {
        'home/.techne/config.json': config,
        'work/techne.json': '{ "index": { "budgetTokens": 1000 } }\n',
        'work/.techne/skills/broken/SKILL.md':
          '---\nname: broken\ndescription: 7\nmetaskill: gone.star\n---\n',
      },
    });
  });
  afterAll(() => scene.close());
  const values = async (): Promise<readonly JsonObject[]> =>
    (await scene.get('/v1/config', { as: 'reviewer' }))['values'] as JsonObject[];
  const valueOf = async (key: string): Promise<JsonObject | undefined> =>
    (await values()).find((one) => one['key'] === key);

  it('has every value with the file and line that it comes from', async () => {
    expect((await scene.send('/v1/config', { as: 'runner' })).status).toBe(403);
    expect(await valueOf('guard.onRun')).toMatchObject({
      value: 'refuse',
      layer: 'user',
      path: '~/.techne/config.json',
      line: 2,
      because: null,
    });
    expect(await valueOf('index.budgetTokens')).toMatchObject({
      value: 1000,
      usual: 4000,
      layer: 'workspace',
      path: 'techne.json',
      line: 1,
    });
    expect(await valueOf('loading')).toMatchObject({ value: 'lenient', layer: 'default', path: null });
  });

  it('shows no secret, in no value and in no check', async () => {
    const shown = await Promise.all(
      ['/v1/config', '/v1/doctor', '/v1/tokens'].map(async (path) => (await scene.send(path)).text),
    );
    for (const text of shown)
      for (const secret of [...secrets, ...Object.values(scene.tokens)]) expect(text).not.toContain(secret);
    expect((await valueOf('mcpServers'))?.['value']).toMatchObject({
      notes: {
        args: ['--token', '(hidden)', '--api-key=(hidden)', '--port', '1'],
        env: { NOTES_TOKEN: '(hidden)' },
      },
      far: {
        url: 'https://mcp.example/x?api_key=(hidden)',
        headers: { Authorization: '(hidden)' },
      },
    });
    expect((await valueOf('runs.store'))?.['value']).toBe('postgres://me@127.0.0.1:1/runs');
  });

  it('has what doctor says of this machine', async () => {
    expect((await scene.send('/v1/doctor', { as: 'viewer' })).status).toBe(403);
    const doctor = await scene.get('/v1/doctor', { as: 'reviewer' });
    expect(doctor['environment']).toContainEqual(expect.objectContaining({ name: 'node', ok: true }));
    expect(doctor['answerers']).toContainEqual(expect.objectContaining({ name: 'caller', chosen: true }));
    expect(doctor['roots']).toContainEqual(
      expect.objectContaining({ path: '.techne/skills', exists: true, source: 'workspace' }),
    );
    expect(doctor['skills']).toContainEqual(
      expect.objectContaining({ name: 'broken', path: '.techne/skills/broken/SKILL.md' }),
    );
    expect(doctor['store']).toBe('files');
    expect(await scene.get('/v1/doctor/store', { as: 'reviewer' })).toEqual({ store: null });
    const { servers } = await scene.get('/v1/doctor/servers', { method: 'POST' });
    expect((servers as JsonObject[]).map(({ server, fault }) => [server, typeof fault])).toEqual(
      expect.arrayContaining([['notes', 'string']]),
    );
  }, 60_000);

  it('names the tokens to an operator, and says where a shared store is needed', async () => {
    expect((await scene.send('/v1/tokens', { as: 'reviewer' })).status).toBe(403);
    const { tokens } = await scene.get('/v1/tokens');
    expect(
      (tokens as JsonObject[]).map(({ role }) => role as string).toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual(['operator', 'reviewer', 'runner', 'viewer']);
    expect(await scene.get('/v1/workers', { as: 'viewer' })).toEqual({
      isShared: false,
      workers: [],
      held: [],
    });
    expect(await scene.get('/v1/schedules', { as: 'viewer' })).toEqual({ schedules: [] });
    for (const path of ['/v1/schedules/x/pause', '/v1/runs/x/release'])
      expect(await scene.send(path, { method: 'POST' })).toMatchObject({
        status: 400,
        json: {
          code: 'USAGE',
          title: expect.stringContaining('the request') as string,
          hint: expect.stringMatching(/^the server needs a store in Postgres/) as string,
        },
      });
  });
});

describe.skipIf(noPostgres)('settings of a shared store', () => {
  let database: TestDatabase;
  let scene: ApiScene;
  beforeAll(async () => {
    database = await createDatabase();
    scene = await openApiScene({ store: database.url });
  });
  afterAll(async () => {
    await scene.close();
    await database.drop();
  });

  it('are its checks, its processes and its schedules, which operators pause and remove', async () => {
    const { store } = await scene.get('/v1/doctor/store', { as: 'reviewer' });
    expect((store as JsonObject)['findings']).toContainEqual(
      expect.objectContaining({ name: 'server', ok: true }),
    );
    expect(await scene.get('/v1/workers', { as: 'viewer' })).toMatchObject({ isShared: true, held: [] });
    await scene.techne.withRuns(async ({ serving }) => {
      if (serving === null) throw new Error('there is no shared store');
      const { addSchedule } = await import('../src/techne/schedules.ts');
      await addSchedule(serving, {
        name: 'nightly',
        skill: 'echo',
        input: { word: 'secret of the input' },
        cron: '0 3 * * *',
        timezone: 'UTC',
        missed: 'latest',
        queue: 'default',
        priority: 0,
      });
    });
    const listed = await scene.send('/v1/schedules', { as: 'viewer' });
    expect(listed.json).toMatchObject({ schedules: [{ name: 'nightly', isPaused: false }] });
    expect(listed.text).not.toContain('secret of the input');
    const act = (what: string, as: 'operator' | 'reviewer' = 'operator') =>
      scene.send(`/v1/schedules/nightly/${what}`, { as, method: 'POST' });
    expect((await act('pause', 'reviewer')).status).toBe(403);
    expect((await act('pause')).json).toMatchObject({ isPaused: true });
    expect((await act('resume')).json).toMatchObject({
      isPaused: false,
      nextAt: expect.any(Number) as number,
    });
    expect((await act('remove')).json).toMatchObject({ name: 'nightly' });
    expect(await scene.get('/v1/schedules')).toEqual({ schedules: [] });
  }, 60_000);

  it('are the same for the command line and for HTTP', async () => {
    const world = createWorld({ 'work/techne.json': '{ "guard": { "onRun": "refuse" } }\n' });
    const own = await openApiScene({ world });
    try {
      const cli = JSON.parse((await world.run(['config', '--json'])).out) as {
        readonly values: { readonly [key: string]: unknown };
      };
      const { values } = await own.get('/v1/config');
      const listed = values as readonly { readonly [name: string]: unknown }[];
      for (const { key, value, layer, line } of listed)
        expect([key, cli.values[key as string]]).toEqual([
          key,
          expect.objectContaining({ value, layer, line }),
        ]);
      const doctor = JSON.parse((await world.run(['doctor', '--json'])).out) as { roots: JsonObject[] };
      const { roots } = await own.get('/v1/doctor');
      expect((roots as JsonObject[]).map(({ source }) => source)).toEqual(
        doctor.roots.map(({ source }) => source),
      );
    } finally {
      await own.close();
      world.remove();
    }
  }, 60_000);
});
