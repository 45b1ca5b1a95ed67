// The built command and a model on the loopback interface; and that nothing but a model loads the model library.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelServer } from '../support/model-server.ts';
import { createModelServer } from '../support/model-server.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

describe('the built files', () => {
  it('keep the model library behind import()', () => {
    const chunks = readdirSync(join(dist, 'chunks')).map((name) => join(dist, 'chunks', name));
    const library = chunks.filter((file) =>
      /anthropic-version|chat\/completions/.test(readFileSync(file, 'utf8')),
    );
    expect(library.length).toBeGreaterThan(0);
    const importers = [join(dist, 'cli.js'), join(dist, 'index.js'), ...chunks].filter((file) => {
      if (library.includes(file)) return false;
      const imported = [
        ...readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*["'](\.[^"'\n]+)["']/g),
      ].map(([, specifier = '']) => join(dirname(file), specifier));
      return imported.some((each) => library.includes(each));
    });
    expect(importers).toEqual([]);
  });
});

describe('techne run with a model', () => {
  let world: World;
  let server: ModelServer;
  beforeEach(() => {
    if (!existsSync(join(dist, 'cli.js'))) throw new Error('dist/ is missing: run "npm run build" first');
    world = createWorld();
    world.write({
      'work/.techne/skills/count/SKILL.md':
        '---\nname: count\ndescription: Counts fruit. Use to count.\nmetaskill: SKILL.star\n---\n\nInput keys:\n\n- `fruit`: what to count\n',
      'work/.techne/skills/count/SKILL.star':
        'def run(input):\n    answer = ask("Count the " + input["fruit"])\n    return {"answer": answer["answer"]}\n',
      'work/fruit.txt': 'apple\npear\n',
    });
  });
  afterEach(async () => {
    await server.close();
    world.remove();
  });

  function techne(
    argv: readonly string[],
    env: { readonly [name: string]: string } = {},
  ): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [bin, ...argv], {
        cwd: world.workspace,
        env: { PATH: process.env['PATH'], HOME: world.home, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let out = '';
      let err = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, out, err }));
    });
  }

  it('asks it, lets it use its tools, and ends with the answer', async () => {
    server = await createModelServer({
      key: 'sk-e2e',
      turns: [{ calls: [{ tool: 'read_file', input: { path: 'fruit.txt' } }] }, { text: 'Two.' }],
    });
    world.write({
      'home/.techne/config.json': JSON.stringify({
        trust: { folders: [world.workspace] },
        models: {
          near: { provider: 'anthropic', baseUrl: server.url, model: 'test', apiKeyEnv: 'NEAR_KEY' },
        },
      }),
    });
    const { code, out, err } = await techne(['run', 'count', 'fruit=apples', '--json'], {
      NEAR_KEY: 'sk-e2e',
    });
    expect([code, out.includes('Two.')]).toEqual([0, true]);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('apple\\npear');
    expect(out + err).not.toContain('sk-e2e');
    // What the model did with its tools is part of what it answered: the test of this run needs neither.
    const made = await techne(['runs', 'to-test', 'last']);
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.out).toContain('{contains: Count the apples, answer: Two., turns: 2, tokens: ');
    world.write({ 'work/.techne/skills/count/tests/recorded.yaml': made.out });
    expect((await techne(['test', 'count'])).out).toContain('1 passed, 0 failed');
  });

  it('says which key is wrong', async () => {
    server = await createModelServer({ key: 'sk-e2e', turns: [] });
    world.write({
      'home/.techne/config.json': JSON.stringify({
        trust: { folders: [world.workspace] },
        models: {
          near: { provider: 'openai-compatible', baseUrl: server.url, model: 'test', apiKeyEnv: 'NEAR_KEY' },
        },
      }),
    });
    const { code, out, err } = await techne(['run', 'count', 'fruit=apples'], { NEAR_KEY: 'sk-wrong' });
    expect([code, (out + err).includes('model:near (test) refused the key in NEAR_KEY (HTTP 401)')]).toEqual([
      1,
      true,
    ]);
    expect(out + err).not.toContain('sk-wrong');
  });
});
