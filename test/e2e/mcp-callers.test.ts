// techne as an MCP server, through the built command and the official client: what an agent may do about runs and skills that
// are not its own, and what a person is shown.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Called, ClientWishes, Generation, McpClient } from '../support/mcp-client.ts';
import { connectHttp, connectStdio, generations, startHttp } from '../support/mcp-client.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';

const opened: McpClient[] = [];
let world: World;

beforeAll(() => {
  world = createWorld({
    'work/.techne/skills/gate/SKILL.md': composition(
      'gate',
      '{id: sure, kind: user_input, clarify: {intro: Only a human may say yes, fields: [{name: sure, type: enum, choices: ["yes", "no"], required: true}]}}',
    ),
    'work/.techne/skills/odd/SKILL.md': composition(
      'odd',
      '{id: sure, kind: user_input, clarify: {intro: "Which\\u202E?", fields: [{name: colour, type: enum, choices: ["red\\u202E\\u001b[31m", blue], required: true, prompt: "see \\u001b[2J\\U000E0041"}]}}',
    ),
    ...program('people', 'disable-model-invocation: true\n'),
    ...program('unready', 'agent_ready: false\n'),
    ...program('context', 'disable-model-invocation: true\nuser-invocable: false\n'),
    ...program('slow', '', '    return {"answer": "slept %s" % command(["sleep", "2"])["ok"]}\n'),
  });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
      commands: { allow: ['sleep ...'] },
    }),
  });
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(() => world.remove());

function composition(name: string, form: string): string {
  return `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\nkind: meta\nfinal_text_mode: raw\ncomposition:\n  steps:\n    - ${form}\n    - {id: end, kind: llm_chat, depends_on: [sure], with: {task: Go on.}}\n---\n\nDo it.\n`;
}

function program(
  name: string,
  fields: string,
  body = '    command(["rm", "-rf", "secret-plan"])\n    return {"answer": "done"}\n',
): { readonly [path: string]: string } {
  return {
    [`work/.techne/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\nmetaskill: SKILL.star\n${fields}---\n\nDo it.\n`,
    [`work/.techne/skills/${name}/SKILL.star`]: `def run(input):\n${body}`,
  };
}

async function open(wishes: ClientWishes, ...argv: readonly string[]): Promise<McpClient> {
  const client = await connectStdio(world, wishes, ...argv);
  opened.push(client);
  return client;
}

/** A run that a person started at a terminal, and left there. */
async function startedByPerson(skill: string, ...argv: readonly string[]): Promise<string> {
  const { out } = await world.run(['run', skill, ...argv, '--json']);
  return (JSON.parse(out) as { readonly run: string }).run;
}

function journal(run: string): string {
  const folder = join(world.home, '.techne/runs', run);
  return readdirSync(folder)
    .filter((name) => name.startsWith('journal'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

const runs = (): readonly string[] => {
  try {
    return readdirSync(join(world.home, '.techne/runs'));
  } catch {
    return [];
  }
};
const answeredBy = (run: string): string | undefined =>
  /"type":"question.answered".*?"by":"([^"]+)"/.exec(journal(run))?.[1];
const errorOf = (code: string) => ({ isError: true, structuredContent: { error: { code } } });

describe.each(generations)("a person's question, speaking %s", (_version, generation: Generation) => {
  it('is not answered by an agent in a run that it did not start', async () => {
    const run = await startedByPerson('gate', 'user_message=go');
    const { call, facts } = await open({ generation });
    const paused = await facts('run_status', { run });
    const [question] = paused.questions;
    expect(paused).toMatchObject({
      status: 'paused',
      next: [
        expect.stringContaining(
          `you cannot answer it. A person answers at a terminal: techne answer ${run}`,
        ) as string,
      ],
    });
    expect(question).not.toHaveProperty('nonce');
    const nonce = /"nonce":"([^"]+)"/.exec(journal(run))?.[1] as string;
    expect(JSON.stringify(await call('run_answer', { run }))).not.toContain(nonce);
    expect(
      await call('run_answer', { run, question: question?.id as string, nonce, answer: { sure: 'yes' } }),
    ).toMatchObject(errorOf('ANSWER_REFUSED'));
    expect(answeredBy(run)).toBeUndefined();
    await world.run(['runs', 'cancel', run]);
  });

  it('is passed on in its own run, and the journal says through whom', async () => {
    const { facts } = await open({ generation });
    const {
      run,
      questions: [question],
    } = await facts('run_metaskill', { name: 'gate', input: { user_message: 'go' } });
    await facts('run_answer', {
      run,
      question: question?.id as string,
      nonce: question?.nonce as string,
      answer: { sure: 'yes' },
    });
    expect(answeredBy(run)).toBe('caller for the person');
    expect((await world.run(['runs', 'show', run])).out).toContain(
      'was answered by the caller for the person',
    );
    // Another server does not know whose run it was.
    const second = await facts('run_metaskill', { name: 'gate', input: { user_message: 'go' } });
    const other = await open({ generation });
    expect((await other.facts('run_status', { run: second.run })).questions[0]).not.toHaveProperty('nonce');
  });

  it('is asked through the client without a hidden character, and what is chosen is what it stands for', async () => {
    const forms: string[] = [];
    const { facts } = await open({
      generation,
      fillIn: ({ message, requestedSchema }) => {
        forms.push(JSON.stringify({ message, requestedSchema }));
        const { colour } = requestedSchema['properties'] as {
          readonly colour: { readonly enum: readonly string[] };
        };
        return { action: 'accept', content: { colour: colour.enum[0] as string } };
      },
    });
    const { run } = await facts('run_metaskill', { name: 'odd', input: { user_message: 'go' } });
    expect(forms).toHaveLength(1);
    expect(forms[0]).not.toMatch(/[\u202E\u001B\u{E0041}]|\\u001b/u);
    expect(forms[0]).toContain('"enum":["red\\\\u{202E}\\\\u{1B}[31m","blue"]');
    expect([answeredBy(run), journal(run).includes('{"colour":"red\u202E\\u001b[31m"}')]).toEqual([
      'client for the person',
      true,
    ]);
  });
});

describe('a connection over HTTP', () => {
  it('passes on words for the runs of its own session; without sessions, for those of the server', async () => {
    const token = 'a-token-for-tests-0123456789';
    const server = await startHttp(world, { TECHNE_MCP_TOKEN: token });
    const nonces: boolean[] = [];
    for (const [, generation] of generations) {
      const [own, other] = [
        await connectHttp(server.url, token, { generation }),
        await connectHttp(server.url, token, { generation }),
      ];
      opened.push(own, other);
      const { run } = await own.facts('run_metaskill', { name: 'gate', input: { user_message: 'go' } });
      for (const client of [own, other])
        nonces.push((await client.facts('run_status', { run })).questions[0]?.nonce !== undefined);
    }
    expect(nonces).toEqual([true, false, true, true]);
    for (const one of opened.splice(0)) await one.close();
    await server.stop();
  });
});

describe.each(generations)(
  'a skill that is not open to the model, speaking %s',
  (_version, generation: Generation) => {
    it.each(['people', 'unready', 'context'])('cannot be started by it: %s', async (name) => {
      const before = runs();
      const { client, call } = await open({ generation });
      const { tools } = await client.listTools();
      expect(JSON.stringify(tools.find((tool) => tool.name === 'run_metaskill'))).not.toContain(name);
      expect(await call('run_metaskill', { name, input: {} })).toMatchObject({
        isError: true,
        content: [
          { text: expect.stringMatching(new RegExp(`^error: unknown metaskill: '${name}'`)) as string },
        ],
        structuredContent: { status: 'refused' },
      });
      expect(runs()).toEqual(before);
    });

    it('has runs of people that it can neither see nor end', async () => {
      const run = await startedByPerson('people');
      const { call, facts } = await open({ generation });
      for (const tool of ['run_status', 'run_answer', 'run_cancel'])
        expect(await call(tool, { run })).toMatchObject(errorOf('RUN_UNKNOWN'));
      expect(JSON.stringify(await facts('run_status'))).not.toContain(run);
      expect((await world.run(['runs', 'show', run, '--json'])).out).toContain('"paused"');
    });

    it('is given by its prompt, which a person chooses', async () => {
      const { client, call, facts } = await open({ generation });
      expect(await call('skill_load', { name: 'people' })).toMatchObject({ isError: true });
      await client.getPrompt({ name: 'people' });
      expect(await facts('skill_load', { name: 'people' })).toMatchObject({ skill_id: 'people' });
      // To start it is still theirs.
      expect(await call('run_metaskill', { name: 'people', input: {} })).toMatchObject({ isError: true });
    });
  },
);

describe('two calls that wait for the same run', () => {
  it('are two: one that is taken back does not take the result from the other', async () => {
    const { client, facts } = await open({ generation: 'auto' }, '--wait', '1');
    const { run, status } = await facts('run_metaskill', { name: 'slow', input: {} });
    expect(status).toBe('running');
    const back = new AbortController();
    const stays = facts('run_answer', { run });
    const leaves = client.callTool({ name: 'run_answer', arguments: { run } }, { signal: back.signal });
    setTimeout(() => back.abort(), 100);
    await expect(leaves).rejects.toBeDefined();
    const seen: Called = await stays;
    expect(['completed', 'running']).toContain(seen.status);
    await vi.waitFor(
      async () =>
        expect(await facts('run_status', { run, wait_seconds: 1 })).toMatchObject({
          status: 'completed',
          result: { answer: 'slept True' },
        }),
      { timeout: 10_000, interval: 50 },
    );
  });
});
