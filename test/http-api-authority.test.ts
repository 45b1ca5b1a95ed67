// What a token may not do by a detour: to answer by a fork what it may not answer, and to blind others who follow a run.
import { request } from 'node:http';
import type { ClientRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/base/json.ts';
import type { ApiScene } from './support/api-scene.ts';
import { openApiScene } from './support/api-scene.ts';
import { skillText } from './support/run-cli.ts';

let scene: ApiScene;
const open = new Set<ClientRequest>();

beforeAll(async () => {
  scene = await openApiScene({
    files: {
      'work/.techne/skills/gate/SKILL.md': `---
name: gate
description: Asks a person before it goes on. Use when a gate is needed.
kind: meta
composition:
  steps:
    - id: may
      kind: user_input
      clarify:
        fields:
          - name: release
            type: enum
            choices: ["yes", "no"]
            required: true
    - id: say
      kind: llm_chat
      depends_on: [may]
      with:
        task: "say {{ outputs.may }}"
---

# gate
`,
      'work/.techne/skills/pays/SKILL.md': skillText(
        'pays',
        'Pays. Use when something is paid.',
        'metaskill: SKILL.star\n',
      ),
      'work/.techne/skills/pays/SKILL.star':
        'def run(input):\n  paid = command(["touch", "paid.txt"])\n  return {"paid": paid["ok"], "said": ask("and?")}\n',
    },
  });
});
afterEach(() => {
  for (const one of open) one.destroy();
  open.clear();
});
afterAll(async () => {
  await scene.close();
});

interface Waiting {
  readonly run: string;
  readonly question: JsonObject;
}

const waits = async (skill: string, input: JsonObject | null): Promise<Waiting> => {
  const started = await scene.get('/v1/runs?wait=10', { as: 'runner', body: { skill, input } });
  const { questions } = await scene.get(`/v1/runs/${started['run'] as string}`);
  const [question] = questions as readonly JsonObject[];
  return { run: started['run'] as string, question: question as JsonObject };
};

describe('a fork with edited outcomes', () => {
  it('does not answer a form for a person with the token of a runner', async () => {
    const { run, question } = await waits('gate', null);
    expect(question['audience']).toBe('person');
    const answered = await scene.send(
      `/v1/runs/${run}/questions/${question['id'] as string}/answer?wait=10`,
      { as: 'reviewer', body: { nonce: question['nonce'] as string, value: { release: 'no' } } },
    );
    expect(answered.status).toBeLessThan(300);
    const edited = { body: { outcomes: { may: { values: { release: 'yes' } } } } };
    expect(await scene.send(`/v1/runs/${run}/fork?wait=5`, { as: 'runner', ...edited })).toMatchObject({
      status: 403,
      json: { code: 'ROLE_REFUSED' },
    });
    expect((await scene.send(`/v1/runs/${run}/fork?wait=5`, { as: 'reviewer', ...edited })).status).toBe(202);
  });

  it('does not undo what an operator denied', async () => {
    const { run, question } = await waits('pays', { go: true });
    expect(question['audience']).toBe('operator');
    await scene.get(`/v1/runs/${run}/questions/${question['id'] as string}/approve?wait=10`, {
      body: { nonce: question['nonce'] as string, approval: 'deny' },
    });
    const { details } = await scene.get(`/v1/runs/${run}?details=true`);
    const [call] = (details as JsonObject)['effects'] as readonly JsonObject[];
    const key = call?.['key'] as string;
    for (const as of ['runner', 'reviewer'] as const)
      expect(
        await scene.send(`/v1/runs/${run}/fork?wait=5`, { as, body: { outcomes: { [key]: 'done' } } }),
      ).toMatchObject({ status: 403, json: { code: 'ROLE_REFUSED' } });
  });

  it('asks again for what an operator approved once', async () => {
    const { run, question } = await waits('pays', { go: true });
    await scene.get(`/v1/runs/${run}/questions/${question['id'] as string}/approve?wait=10`, {
      body: { nonce: question['nonce'] as string, approval: 'once' },
    });
    const { details } = await scene.get(`/v1/runs/${run}?details=true`);
    const [call] = (details as JsonObject)['effects'] as readonly JsonObject[];
    const forked = await scene.get(`/v1/runs/${run}/fork?wait=10`, {
      as: 'runner',
      body: { from: call?.['key'] as string },
    });
    expect(forked).toMatchObject({ status: 'paused' });
  });
});

/** What a stream gives, as text. */
function stream(path: string): { readonly text: () => string; readonly opened: Promise<void> } {
  let text = '';
  const opened = new Promise<void>((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: scene.serving.port,
        path,
        agent: false,
        headers: { authorization: `Bearer ${scene.tokens.viewer}` },
      },
      (response) => {
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          text += piece;
          resolve();
        });
        response.on('error', () => undefined);
      },
    );
    asked.on('error', reject);
    asked.end();
    open.add(asked);
  });
  return { text: () => text, opened };
}

describe('whoever follows a run from a number that is not there yet', () => {
  it('takes no events from others who follow it', async () => {
    const { run, question } = await waits('asks', { what: 'the sea' });
    const early = stream(`/v1/changes?runs=${run}:999999999`);
    await early.opened;
    const late = stream(`/v1/runs/${run}/events`);
    await expect.poll(late.text, { timeout: 8_000 }).toContain('question.asked');
    await scene.get(`/v1/runs/${run}/questions/${question['id'] as string}/answer?wait=10`, {
      as: 'operator',
      body: { nonce: question['nonce'] as string, value: 'red' },
    });
    await expect.poll(late.text, { timeout: 8_000 }).toContain('run.ended');
  });
});
