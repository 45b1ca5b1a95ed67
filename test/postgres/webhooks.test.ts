// Webhooks and callback tokens as a team uses them: server, workers that are killed with -9, the receiver of the guide, a form that
// is answered by somebody who has nothing but a token.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noPostgres } from '../support/postgres.ts';
import type { Team } from '../support/team.ts';
import { createTeam, programSkill, until } from '../support/team.ts';
import type { Received, Receiver } from '../support/webhook-receiver.ts';
import { isSigned, openReceiver } from '../support/webhook-receiver.ts';

const guide = readFileSync(fileURLToPath(new URL('../../docs/guide/operating.md', import.meta.url)), 'utf8');

const tripSkill = `---
name: trip
description: Plans a trip to a city that a person names. Use when a trip is to be planned.
kind: meta
final_text_mode: "step:plan"
composition:
  steps:
    - id: where
      kind: user_input
      clarify:
        fields:
          - {name: city, type: string, required: true, prompt: Which city?}
    - id: plan
      kind: tool_call
      depends_on: [where]
      tool: emit_text
      tool_allowlist: [emit_text]
      tool_args: {text: "A trip to {{ inputs.collected.where.city }}"}
---

# trip
`;

describe.skipIf(noPostgres)('webhooks of a team', () => {
  let team: Team;
  let receiver: Receiver;
  let url: string;
  let worker: ChildProcess;
  const tokens: { [role: string]: string } = {};
  beforeAll(async () => {
    receiver = await openReceiver();
    team = await createTeam(
      {
        ...programSkill('quick', 'def run(input):\n    return "private text"\n'),
        ...programSkill('fails', 'def run(input):\n    return 1 // 0\n'),
        ...programSkill('touches', 'def run(input):\n    return command(["touch", "made"])\n'),
        ...programSkill('asks', 'def run(input):\n    return ask("Topic?")["answer"]\n'),
        'work/.techne/skills/trip/SKILL.md': tripSkill,
      },
      { webhooks: { allowHosts: ['127.0.0.1'] } },
    );
    for (const role of ['runner', 'reviewer', 'operator'])
      tokens[role] = (
        await team.world.run(['serve', 'token', 'create', `the-${role}`, '--role', role])
      ).out.trim();
    url = await team.startServer();
    worker = await team.startWorker();
  }, 60_000);
  afterAll(async () => {
    await team.close();
    await receiver.close();
  });

  const send = async (path: string, as: string | null, body?: object | 'nothing') => {
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(as === null ? {} : { authorization: `Bearer ${tokens[as]}` }),
        ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}),
      },
      ...(typeof body === 'object' ? { body: JSON.stringify(body) } : {}),
    });
    const json = (await response.json()) as { readonly [key: string]: unknown };
    return { status: response.status, json };
  };
  const startRun = async (skill: string): Promise<string> =>
    (await send('/v1/runs', 'runner', { skill, input: { user_message: 'go' } })).json['run'] as string;
  const add = async (name: string, more: object): Promise<string> => {
    const { status, json } = await send('/v1/webhooks', 'operator', {
      name,
      url: `${receiver.url}/${name}`,
      server: `${url}/`,
      ...more,
    });
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({ secret: expect.stringMatching(/^whsec_/) as string }),
    ]);
    return json['secret'] as string;
  };
  const received = (path: string, run: string): readonly Received[] =>
    receiver.received.filter((one) => one.path === `/hook/${path}` && one.json.data['run'] === run);
  const firstOf = (path: string, run: string): Promise<Received> =>
    until(async () => received(path, run)[0] ?? null);

  it('tell what they were asked to tell, and nothing else, signed', async () => {
    const secret = await add('failures', { events: ['run.ended'], statuses: ['failed'] });
    const texts = await add('texts', { events: ['run.ended'], skills: ['quick'], include: ['body'] });
    const [good, bad] = [await startRun('quick'), await startRun('fails')];
    const failure = await firstOf('failures', bad);
    expect([isSigned(failure, secret), isSigned(failure, texts)]).toEqual([true, false]);
    expect(failure.json).toEqual({
      type: 'run.ended',
      timestamp: expect.stringMatching(/^20\d\d-.*Z$/) as string,
      data: {
        run: bad,
        skill: 'fails',
        status: 'failed',
        startedAt: expect.any(Number) as number,
        endedAt: expect.any(Number) as number,
        error: { code: expect.any(String) as string },
        links: { run: `${url}/v1/runs/${bad}` },
      },
    });
    const text = await firstOf('texts', good);
    expect([isSigned(text, texts), text.json.data['text']]).toEqual([
      true,
      expect.stringContaining('private text'),
    ]);
    expect([received('failures', good), received('texts', bad)]).toEqual([[], []]);
    for (const name of ['failures', 'texts']) {
      const { json } = await send(`/v1/webhooks/${name}/deliveries?state=delivered`, 'operator');
      expect(json['deliveries']).toMatchObject([{ state: 'delivered', attempts: 1, status: 204 }]);
      expect((await send(`/v1/webhooks/${name}/remove`, 'operator', 'nothing')).status).toBe(200);
    }
    expect((await send('/v1/webhooks/texts', 'operator')).json).toMatchObject({ code: 'WEBHOOK_UNKNOWN' });
  }, 60_000);

  it('give somebody outside a token that answers one form, once, and leave no trace of it', async () => {
    await add('desk', { events: ['question.opened'], audiences: ['person'], include: ['callback'] });
    const run = await startRun('trip');
    const { json, text } = await firstOf('desk', run);
    expect(json.data).toEqual({
      run,
      skill: 'trip',
      question: {
        id: expect.any(String) as string,
        run,
        audience: 'person',
        kind: 'form',
        expiresAt: expect.any(Number) as number,
      },
      links: { run: `${url}/v1/runs/${run}` },
      callback: {
        token: expect.stringMatching(/^tcb_[\da-f]{16}\.[\w-]{43}$/) as string,
        url: expect.stringContaining(`${url}/v1/callbacks/tcb_`) as string,
        expiresAt: expect.any(Number) as number,
      },
    });
    expect(text).not.toContain('nonce');
    const { token } = json.data['callback'] as { readonly token: string };
    const path = `/v1/callbacks/${token}`;
    expect(await send(path, null)).toMatchObject({
      status: 200,
      json: { skill: 'trip', schema: { required: ['city'], properties: { city: { type: 'string' } } } },
    });
    // Not another token, not a command, not a word that cancels, not what the form does not have.
    const wrong = `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`;
    for (const [to, body, status, code] of [
      [wrong, { value: { city: 'Oslo' } }, 404, 'CALLBACK_UNKNOWN'],
      ['/v1/callbacks/guess', { value: { city: 'Oslo' } }, 404, 'CALLBACK_UNKNOWN'],
      [path, { value: '/cancel' }, 400, 'REQUEST_INVALID'],
      [path, { approval: 'once' }, 400, 'REQUEST_INVALID'],
      [path, { value: {} }, 422, 'ANSWER_REFUSED'],
    ] as const)
      expect([to, await send(to, null, body)]).toMatchObject([to, { status, json: { code } }]);
    expect((await send(path, null, { value: {} })).json['hint']).toContain('another answer can be sent');
    expect(await send(path, null, { value: { city: 'Oslo' } })).toEqual({
      status: 200,
      json: { accepted: true },
    });
    expect(await send(path, null, { value: { city: 'Rome' } })).toMatchObject({
      status: 404,
      json: { code: 'CALLBACK_UNKNOWN' },
    });
    const shown = await until(async () => {
      const found = await team.techne('runs', 'show', run);
      return found.out.includes('completed') ? found.out : null;
    });
    expect(shown).toMatch(/answered by the person callback token desk\/[\da-f]{16}/);
    const secretHalf = token.split('.')[1] as string;
    for (const table of ['entry', 'inbox', 'delivery', 'event', 'callback', 'run', 'webhook']) {
      const rows = await team.database.query(`select t::text as row from techne.${table} t`);
      expect([table, JSON.stringify(rows).includes(secretHalf)]).toEqual([table, false]);
    }
    await send('/v1/webhooks/desk/remove', 'operator', 'nothing');
  }, 60_000);

  it('give no one more than they have: tokens are made by those who may answer, for forms alone', async () => {
    const questionOf = (run: string): Promise<string> =>
      until(async () => {
        const { json } = await send(`/v1/runs/${run}`, 'operator');
        return (json['questions'] as readonly { readonly id: string }[] | undefined)?.[0]?.id ?? null;
      });
    const form = await startRun('trip');
    const at = `/v1/runs/${form}/questions/${await questionOf(form)}/callback`;
    expect(await send(at, 'runner', {})).toMatchObject({ status: 403, json: { code: 'ROLE_REFUSED' } });
    const { json } = await send(at, 'reviewer', { name: 'intake', expires: 60 });
    expect(json).toMatchObject({ path: `/v1/callbacks/${json['token'] as string}` });
    for (const skill of ['asks', 'touches']) {
      const run = await startRun(skill);
      const question = await questionOf(run);
      expect(await send(`/v1/runs/${run}/questions/${question}/callback`, 'operator', {})).toMatchObject({
        status: 422,
        json: { code: 'ANSWER_REFUSED', detail: expect.stringContaining('is not a form') as string },
      });
      expect((await team.techne('callback', 'create', run)).err).toContain('is not a form');
    }
    // By hand, and revoked; after ten wrong guesses; with the end of the run.
    const made = JSON.parse((await team.techne('callback', 'create', form, '--json')).out) as {
      readonly id: string;
      readonly path: string;
    };
    expect((await send(made.path, null)).status).toBe(200);
    expect((await team.techne('callback', 'revoke', made.id)).code).toBe(0);
    expect((await send(made.path, null)).status).toBe(404);
    expect((await team.techne('callback', 'revoke', made.id)).err).toContain('can be used');
    const guessed = JSON.parse((await team.techne('callback', 'create', form, '--json')).out) as typeof made;
    for (let guess = 0; guess < 10; guess += 1)
      expect((await send(`/v1/callbacks/tcb_${guessed.id}.${'A'.repeat(43)}`, null)).status).toBe(404);
    expect((await send(guessed.path, null)).status).toBe(404);
    expect((await send(json['path'] as string, null)).status).toBe(200);
    await send(`/v1/runs/${form}/cancel?wait=10`, 'runner', {});
    expect((await send(json['path'] as string, null)).status).toBe(404);
    const listed = JSON.parse((await team.techne('callback', 'list', form, '--json')).out) as {
      readonly callbacks: readonly { readonly state: string }[];
    };
    expect(listed.callbacks.map(({ state }) => state)).toEqual(['revoked', 'revoked', 'revoked']);
    expect(JSON.stringify(listed)).not.toMatch(/nonce|digest/);
  }, 60_000);

  it('lose nothing when workers are killed with -9 before and during a delivery', async () => {
    await add('chaos', { events: ['run.ended'] });
    worker.kill('SIGKILL');
    // No worker is there: the process that drives the run stores the event with its end.
    const alone = JSON.parse(
      (await team.techne('run', 'quick', 'user_message=go', '--answer', 'caller', '--json')).out,
    ) as {
      readonly run: string;
    };
    expect(await team.database.query('select kind from techne.event where run = $1', [alone.run])).toEqual([
      { kind: 'status' },
    ]);
    let hung: (() => void) | null = null;
    const reached = new Promise<void>((resolve) => (hung = resolve));
    const { answer } = receiver;
    receiver.answer = () => hung?.();
    const dying = await team.startWorker();
    await reached;
    dying.kill('SIGKILL');
    receiver.answer = answer;
    // The half minute that the dead worker has the delivery for passes.
    await team.database.query('update techne.delivery set taken_until = 0 where taken_until is not null');
    worker = await team.startWorker();
    const ids = await until(async () => {
      const got = received('chaos', alone.run);
      return got.length === 2 ? got.map(({ headers }) => headers['webhook-id']) : null;
    });
    expect(ids[0]).toBe(ids[1]);
    const settled = await until(async () => {
      const { json } = await send('/v1/webhooks/chaos/deliveries', 'operator');
      const [one] = json['deliveries'] as readonly { readonly state: string; readonly attempts: number }[];
      return one?.state === 'delivered' ? one : null;
    });
    expect(settled.attempts).toBe(1);
    await send('/v1/webhooks/chaos/remove', 'operator', 'nothing');
  }, 60_000);

  it('are verified by the receiver of the guide, also while the secret is rotated', async () => {
    const program = /```js\n(\/\/ receiver\.mjs\n[^]*?)```/.exec(guide)?.[1] as string;
    const file = join(team.world.workspace, 'receiver.mjs');
    writeFileSync(file, program);
    const port = await new Promise<number>((resolve) => {
      const probe = createServer().listen(0, '127.0.0.1', () => {
        const { port: free } = probe.address() as AddressInfo;
        probe.close(() => resolve(free));
      });
    });
    const at = `http://127.0.0.1:${port}/`;
    const added = await team.techne('webhook', 'add', 'guide', at, '--event', 'run.ended', '--json');
    const { secret } = JSON.parse(added.out) as { readonly secret: string };
    const child = spawn(process.execPath, [file], {
      env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let out = '';
      child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
      await until(() =>
        fetch(at, { method: 'POST', body: '{}' }).then(
          ({ status }) => (status === 401 ? true : null),
          () => null,
        ),
      );
      expect((await team.techne('webhook', 'test', 'guide')).out).toMatch(
        /^msg_\w+ is delivered: it answered 204\.\n$/,
      );
      await team.techne('webhook', 'rotate', 'guide', '--overlap', '1h');
      const run = await startRun('quick');
      await until(async () => (out.includes(`run.ended ${run} completed`) ? true : null));
      await team.techne('webhook', 'rotate', 'guide', '--overlap', '0s');
      const refused = await team.techne('webhook', 'test', 'guide');
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('it answered 401')]);
    } finally {
      child.kill('SIGKILL');
      await team.techne('webhook', 'remove', 'guide');
    }
  }, 60_000);

  it('are refused where nobody could deliver or ask', async () => {
    const files = await team.world.run(['webhook', 'list', '--store', 'files']);
    expect([files.code, files.err]).toEqual([
      2,
      expect.stringContaining('webhooks share a store in Postgres, and runs are kept in files here'),
    ]);
    const callback = await team.world.run(['callback', 'list', '--store', 'files']);
    expect(callback.err).toContain('callback tokens share a store in Postgres');
    const wrong = async (...argv: readonly string[]) => (await team.techne('webhook', ...argv)).err;
    expect(await wrong('add', 'a', 'http://a.example/', '--event', 'run.ended')).toContain(
      'plain http can be read',
    );
    expect(await wrong('add', 'a', 'https://a.example/')).toContain('--event is missing');
    expect(await wrong('add', 'a b', 'https://a.example/', '--event', 'run.ended')).toContain(
      'cannot be the name',
    );
    expect(
      await wrong('add', 'a', 'https://a.example/', '--event', 'run.held', '--include', 'callback'),
    ).toContain('question.opened');
    expect(await wrong('show', 'nothing')).toContain('there is no webhook "nothing"');
    const over = await send('/v1/webhooks', 'operator', {
      name: 'x',
      url: 'ftp://a/',
      events: ['run.ended'],
    });
    expect(over).toMatchObject({ status: 400, json: { code: 'USAGE' } });
  }, 60_000);
});
