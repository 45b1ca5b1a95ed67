// docs/guide/serving.md, done as it says: the skill, the tokens, the hundred runs of its program, the answer by HTTP.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childEnvironment } from './support/mcp-client.ts';
import type { World } from './support/run-cli.ts';
import { createWorld } from './support/run-cli.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(project, 'docs/guide/serving.md'), 'utf8');
const blocks = [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, kind, text = '']) => ({ kind, text }));
const sh = promisify(execFile);
let world: World;
let server: ChildProcess;
let url: string;
const tokens: { [name: string]: string } = {};

beforeAll(async () => {
  world = createWorld();
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
    }),
  });
  const made = blocks.find(({ text }) => text.includes('SKILL.md'))?.text as string;
  await sh('sh', ['-c', made], { cwd: world.workspace });
  const commands = blocks.find(({ text }) => text.includes('techne serve token create'))?.text as string;
  for (const [, name = '', role = ''] of commands.matchAll(/^techne serve token create (\S+) --role (\S+)/gm))
    tokens[name] = (await world.run(['serve', 'token', 'create', name, '--role', role])).out.trim();
  server = spawn(process.execPath, [join(project, 'bin/techne.mjs'), 'serve', '--port', '0', '--json'], {
    cwd: world.workspace,
    env: childEnvironment(world),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  url = await new Promise((resolve) => {
    let text = '';
    server.stdout?.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text.trimEnd().endsWith('}')) resolve((JSON.parse(text) as { readonly url: string }).url);
    });
  });
});
afterAll(async () => {
  server.kill('SIGTERM');
  await new Promise((resolve) => server.on('close', resolve));
  world.remove();
});

const ask = async (path: string, as: string, body?: object) => {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${tokens[as]}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as { readonly [key: string]: unknown } };
};

describe('docs/guide/serving.md', () => {
  it('starts a hundred runs, twice the same, and a person answers', async () => {
    const program = blocks.find(({ text }) => text.startsWith('// start.mjs'))?.text as string;
    const file = join(world.workspace, 'start.mjs');
    writeFileSync(file, program.replace("'techne/client'", JSON.stringify(join(project, 'dist/client.js'))));
    const env = { ...process.env, TECHNE_URL: url, TECHNE_TOKEN: tokens['ci'] };
    for (const _ of [1, 2]) {
      const { stdout } = await sh(process.execPath, [file], { env });
      expect(stdout).toBe('100 runs wait for a person\n');
    }
    const { json: list } = await ask('/v1/runs?limit=1', 'ada');
    const [{ run } = {}] = list['runs'] as readonly { readonly run?: string }[];
    const { json } = await ask(`/v1/runs/${run}`, 'ada');
    const [asked] = json['questions'] as readonly { readonly [key: string]: string }[];
    expect(asked).toMatchObject({ audience: 'person', kind: 'form' });
    const path = `/v1/runs/${asked?.['run']}/questions/${asked?.['id']}/answer?wait=10`;
    const body = { nonce: asked?.['nonce'], value: { city: 'Oslo' } };
    expect(await ask(path, 'ci', body)).toMatchObject({ status: 403, json: { code: 'ROLE_REFUSED' } });
    expect(await ask(path, 'ada', body)).toMatchObject({
      status: 202,
      json: { status: 'completed', text: expect.stringContaining('A trip to Oslo') as string },
    });
    const shown = await world.run(['runs', 'show', asked?.['run'] as string]);
    expect(shown.out).toContain('was answered by the person ada');
  });
});
