// techne/client against a real server: starts, waits, answers, and follows events while connections break.
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError, createClient } from '../src/client.ts';
import type { Client, RunEntry } from '../src/client.ts';
import type { ApiScene } from './support/api-scene.ts';
import { openApiScene } from './support/api-scene.ts';

let scene: ApiScene;
let runner: Client;
let operator: Client;
beforeAll(async () => {
  scene = await openApiScene();
  const { url } = scene.serving;
  runner = createClient({ url, token: scene.tokens.runner });
  operator = createClient({ url, token: scene.tokens.operator });
});
afterAll(() => scene.close());

describe('createClient', () => {
  it('starts a hundred runs and waits for all of them', async () => {
    const words = Array.from({ length: 100 }, (_, at) => `word ${at}`);
    const started = await Promise.all(words.map((word) => runner.startRun('echo', { word })));
    const ended = await Promise.all(started.map(({ run }) => runner.waitForRun(run)));
    expect(ended.map(({ status, envelope }) => [status, envelope?.['said']])).toEqual(
      words.map((word) => ['completed', word]),
    );
  });

  it('answers what runs wait for', async () => {
    const { run } = await runner.startRun('asks', { what: 'the sea' });
    expect(await runner.waitForRun(run)).toMatchObject({ status: 'paused' });
    for await (const question of runner.questions({ audience: 'caller' }))
      if (question.outermost === run) await runner.answer(question, 'blue');
    expect((await runner.waitForRun(run)).envelope).toMatchObject({ said: { answer: 'blue' } });
  });

  it('approves what an operator may, and tells a runner why not', async () => {
    const { run } = await runner.startRun('touches', { a: 1 });
    await runner.waitForRun(run);
    const [asked] = (await operator.call('getRun', { params: { run } })).questions;
    if (asked === undefined) throw new Error('the command is not asked about');
    const refused = await runner.approve(asked, 'once').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 403, code: 'ROLE_REFUSED', hint: expect.any(String) as string });
    const choices = (asked.question as { readonly choices: readonly string[] }).choices;
    await operator.approve(asked, choices[0] as string);
    expect(await runner.waitForRun(run)).toMatchObject({ status: 'completed' });
  });

  it('gives a start the same run, however often it is repeated', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => runner.startRun('echo', { word: 'x' }, { key: 'the-same' })),
    );
    expect(one?.run).toBe(two?.run);
    await expect(runner.startRun('echo', { word: 'y' }, { key: 'the-same' })).rejects.toMatchObject({
      code: 'KEY_REUSED',
    });
  });

  it('says which part of a request does not fit', async () => {
    await expect(runner.call('listRuns', { query: { limit: 0 } })).rejects.toMatchObject({
      status: 400,
      faults: ['the query "limit" must be at least 1, not 0'],
    });
    await expect(
      createClient({ url: scene.serving.url, token: 'guess' }).call('session'),
    ).rejects.toMatchObject({ status: 401, code: 'TOKEN_REFUSED' });
  });

  it('follows a run over connections that break, and gives every entry once', async () => {
    const { run } = await runner.startRun('echo', { word: 'tide' });
    await runner.waitForRun(run);
    const journal = await scene.techne.withRuns(({ store }) => store.read(run));
    // Each connection ends in the middle of the second event, or before it began.
    const broken = await breaking(scene.serving.port);
    const client = createClient({ url: broken.url, token: scene.tokens.viewer });
    const seen: RunEntry[] = [];
    for await (const entry of client.events(run)) seen.push(entry);
    broken.server.close();
    expect(seen.map(({ seq, type }) => [seq, type])).toEqual(
      journal.map(({ seq, entry }) => [seq, entry.type]),
    );
    expect(broken.connections()).toBeGreaterThan(journal.length);
  });

  it('stops following when it is told to', async () => {
    const { run } = await runner.startRun('asks', { what: 'the sea' });
    const stop = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const { type } of runner.events(run, { signal: stop.signal })) {
        seen.push(type);
        if (type === 'run.paused') stop.abort(new Error('enough'));
      }
    })();
    await expect(following).rejects.toThrow('enough');
    expect(seen).toContain('question.asked');
  });
});

describe('techne/client', () => {
  it('is one file that imports nothing, so that a browser can load it', () => {
    const built = readFileSync(new URL('../dist/client.js', import.meta.url), 'utf8');
    expect(built).not.toMatch(/\bimport\s*[({"'*]|\bfrom\s*["']|\bnode:|\bprocess\./);
  });
});

/** A proxy that cuts responses off: every other one at once, the others after one and a half events. */
async function breaking(
  port: number,
): Promise<{ readonly url: string; readonly server: Server; readonly connections: () => number }> {
  let count = 0;
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}${request.url ?? ''}`, {
      headers: { authorization: request.headers.authorization ?? '' },
    });
    const text = await answer.text();
    response.writeHead(answer.status, { 'content-type': 'text/event-stream' });
    if (answer.status === 204) response.end();
    else response.write(text.slice(0, text.indexOf('\n\n') + 20), () => request.socket.destroy());
  };
  const server = createServer((request, response: ServerResponse) => {
    count += 1;
    if (count % 2 === 0) {
      request.socket.destroy();
      return;
    }
    void pass(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}`, server, connections: () => count };
}
