// techne as an MCP server, through the built command and the official client: calls that are taken back, what only a person
// decides, and lists that hold what they say.
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Called, ClientWishes, Generation, McpClient } from '../support/mcp-client.ts';
import { connectHttp, connectStdio, generations, startHttp } from '../support/mcp-client.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld, skillText } from '../support/run-cli.ts';

type SkillEntry = Awaited<ReturnType<SkillsClient['list']>>['skills'][number];
const patience = { timeout: 20_000, interval: 20 };
const opened: McpClient[] = [];
let world: World;

beforeAll(() => {
  world = createWorld({
    ...program(
      'sleeper',
      'def run(input):\n    done = command(["sleep", "8"])\n    return {"answer": "slept", "code": done["exit_code"]}\n',
    ),
    ...program(
      'talk',
      'def run(input):\n    return {"answer": ask("Say " + input["word"], {})["answer"], "times": input.get("times", 1)}\n',
      'inputs:\n  word: {type: string, required: true, description: What to say}\n  times: {type: integer, default: 2, description: How often}\n',
    ),
    'work/.techne/skills/nested/SKILL.md': skillText(
      'nested',
      'Has nested metadata.',
      'metadata:\n  techne:\n    risk: low\n  version: 2\n',
    ),
    'work/.techne/skills/folded/SKILL.md':
      '---\nname: folded\ndescription: "Goes on\n  in the next line."\n---\n\nDo it.\n',
    'work/.techne/skills/Loud/SKILL.md': skillText('Loud'),
    ...Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [`work/.techne/skills/${name}/SKILL.md`, skillText(name)]),
    ),
  });
  configure({});
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(() => world.remove());

function configure(more: JsonObject): void {
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
      commands: { allow: ['sleep ...'] },
      ...more,
    }),
  });
}

function program(name: string, text: string, fields = ''): { readonly [path: string]: string } {
  return {
    [`work/.techne/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\nmetaskill: SKILL.star\n${fields}---\n\nDo it.\n`,
    [`work/.techne/skills/${name}/SKILL.star`]: text,
  };
}

async function open(wishes: ClientWishes, ...argv: readonly string[]): Promise<McpClient> {
  const client = await connectStdio(world, wishes, ...argv);
  opened.push(client);
  return client;
}

/** Starts `sleeper` and takes the call back while its command is under way. */
async function takeBack({
  client,
  facts,
}: McpClient): Promise<{ readonly run: string; readonly status: Called }> {
  const progress: string[] = [];
  const back = new AbortController();
  const call = client.callTool(
    { name: 'run_metaskill', arguments: { name: 'sleeper', input: {} } },
    { signal: back.signal, onprogress: ({ message = '' }) => void progress.push(message) },
  );
  call.catch(() => undefined);
  await vi.waitFor(() => expect(progress.at(-1)).toMatch(/^command \S+ started$/), patience);
  const run = /run (\S+) of/.exec(progress[0] ?? '')?.[1] as string;
  back.abort();
  await expect(call).rejects.toBeDefined();
  return {
    run,
    status: await vi.waitFor(async () => {
      const status = await facts('run_status', { run });
      expect(status.status).not.toBe('running');
      return status;
    }, patience),
  };
}

describe.each(generations)(
  'a call that is taken back while a command is under way, speaking %s',
  (_version, generation: Generation) => {
    it('is no mistake of techne, and the server says that it stopped the run', async () => {
      const server = await startHttp(world, { TECHNE_MCP_TOKEN: 'a-token-for-tests-0123456789' });
      const client = await connectHttp(server.url, 'a-token-for-tests-0123456789', { generation });
      const { run, status } = await takeBack(client);
      expect(status).toMatchObject({
        status: 'interrupted',
        stopped_here: true,
        under_way: ['command sleep 8'],
        next: [
          `This server stopped run ${run} when the last call that waited for it was cancelled. Its finished calls are kept. To resume, call run_answer with {"run": "${run}"}; to end it, call run_cancel.`,
          expect.stringContaining('Unfinished calls: command sleep 8.') as string,
        ],
      });
      await client.close();
      await server.stop();
      expect(server.err()).not.toContain('bug in techne');
    });

    it('needs a person, and the caller is told what they type', async () => {
      const { facts, call, ...rest } = await open({ generation });
      const { run } = await takeBack({ facts, call, ...rest });
      const waiting = await facts('run_answer', { run });
      const [{ key } = { key: '' }] = waiting['undecided'] as readonly { readonly key: string }[];
      expect(waiting).toMatchObject({
        status: 'needs_decision',
        undecided: [{ run, kind: 'command', request: { argv: ['sleep', '8'] } }],
        next: [
          `The outcome of this call is unknown: command sleep 8. You cannot decide about it; a person does, at a terminal: techne runs resolve ${run} ${key} --as done|retry|fail`,
          `After that, call run_answer with {"run": "${run}"}.`,
        ],
      });
      expect(await facts('run_status', { run })).toMatchObject({
        status: 'needs_decision',
        undecided: [{ key }],
      });
      // Whatever an agent says is no decision.
      for (const answer of ['done', 'retry', { decision: 'done' }])
        expect(await call('run_answer', { run, question: key, nonce: key, answer })).toMatchObject({
          isError: true,
          structuredContent: { error: { code: 'QUESTION_UNKNOWN' } },
        });
      expect(await facts('run_answer', { run })).toMatchObject({ status: 'needs_decision' });
      expect(await call('run_cancel', { run })).toMatchObject({ structuredContent: { status: 'cancelled' } });
    });

    it('is decided by the user of a client that can ask', async () => {
      const asked: string[] = [];
      const decisions = ['perhaps', 'done'];
      const client = await open({
        generation,
        fillIn: ({ message }) => {
          asked.push(message);
          return {
            action: 'accept',
            content: { decision: decisions.shift() as string, value: '{"exit_code": 3}' },
          };
        },
      });
      const { run } = await takeBack(client);
      expect(await client.facts('run_answer', { run })).toMatchObject({
        status: 'completed',
        result: { answer: 'slept', code: 3 },
      });
      expect(asked).toHaveLength(2);
      expect(asked[0]).toContain(
        'A run of the skill "sleeper" was stopped during this call, and it is unknown whether it was done:\ncommand sleep 8\n',
      );
      expect(asked[1]).toContain('the decision must be "done", "retry" or "fail"');
    });

    it('stays open where the user does not decide', async () => {
      const client = await open({ generation, fillIn: () => ({ action: 'decline' }) });
      const { run } = await takeBack(client);
      expect(await client.facts('run_answer', { run })).toMatchObject({
        status: 'needs_decision',
        next: [
          expect.stringContaining('The user was asked and gave no answer') as string,
          expect.stringContaining(`techne runs resolve ${run}`) as string,
          expect.anything(),
        ],
      });
    });
  },
);

describe('a run that has ended', () => {
  it('is not said to be cancelled', async () => {
    const { facts, call } = await open({ generation: 'auto' });
    const {
      run,
      questions: [question],
    } = await facts('run_metaskill', { name: 'talk', input: { word: 'hi' } });
    await facts('run_answer', {
      run,
      question: question?.id as string,
      nonce: question?.nonce as string,
      answer: 'hi',
    });
    const cancelled = await call('run_cancel', { run });
    expect(cancelled.structuredContent).toMatchObject({
      status: 'completed',
      next: [`Nothing was cancelled: run ${run} had already ended, as completed.`],
    });
    expect((cancelled.content as readonly { readonly text: string }[])[0]?.text).toContain(
      'Nothing was cancelled',
    );
  });
});

describe('a question', () => {
  it('has the same shape in the text and in the structured content', async () => {
    const { call } = await open({ generation: 'auto' });
    const { content, structuredContent } = await call('run_metaskill', {
      name: 'talk',
      input: { word: 'hi' },
    });
    const [, envelope] =
      /\n(\{.*\})\n/.exec((content as readonly { readonly text: string }[])[0]?.text ?? '') ?? [];
    const {
      questions: [inText],
    } = JSON.parse(envelope ?? '') as Called;
    const { run, ...inFacts } = (structuredContent as unknown as Called)
      .questions[0] as Called['questions'][number];
    expect(inFacts).toEqual(inText);
    expect(run).toBe((structuredContent as unknown as Called).run);
  });
});

describe.each(generations)('the lists of a server, speaking %s', (_version, generation: Generation) => {
  it('hold what can be read, every skill in both', async () => {
    const { client } = await open({ generation });
    const skills = new SkillsClient(client);
    const { resources } = await client.listResources();
    const { skills: entries } = await skills.list();
    const names = ['a', 'b', 'c', 'd', 'e', 'folded', 'nested', 'sleeper', 'talk'];
    expect(resources.map(({ name }) => name)).toEqual(['Loud', ...names]);
    // A name outside the rules of the extension can only be a resource.
    expect(entries.map(({ uri }) => uri)).toEqual(names.map((name) => `skill://${name}/SKILL.md`));
    for (const { uri, name } of resources) {
      const {
        contents: [content],
      } = await client.readResource({ uri });
      expect((content as { text: string }).text).toBe(
        readFileSync(join(world.workspace, '.techne/skills', name, 'SKILL.md'), 'utf8'),
      );
    }
    const nested = entries.find(({ uri }) => uri === 'skill://nested/SKILL.md');
    expect(nested).toMatchObject({
      frontmatter: { name: 'nested', metadata: { techne: '{"risk":"low"}', version: '2' } },
      resources: [
        {
          uri: 'skill://nested/SKILL.md',
          size: readFileSync(join(world.workspace, '.techne/skills/nested/SKILL.md')).length,
        },
      ],
    });
  });

  it('give the keys of a metaskill as arguments of its prompt', async () => {
    const { client } = await open({ generation });
    const { prompts } = await client.listPrompts();
    expect(prompts.find(({ name }) => name === 'talk')?.arguments).toEqual([
      { name: 'word', required: true, description: 'What to say' },
      { name: 'times', required: false, description: 'How often (integer)' },
    ]);
    expect(await client.getPrompt({ name: 'talk', arguments: { word: 'hi', times: '3' } })).toMatchObject({
      messages: [
        {
          content: {
            text: 'Do it.\n\nThis skill is a program: run it with run_metaskill, {"name":"talk","input":{"word":"hi","times":3}}.\n',
          },
        },
      ],
    });
    await expect(client.getPrompt({ name: 'talk', arguments: { times: '3' } })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('the prompt "talk" needs "word"') as string,
    });
    await expect(
      client.getPrompt({ name: 'talk', arguments: { word: 'x', times: 'three' } }),
    ).rejects.toMatchObject({ code: -32602 });
    await expect(
      client.getPrompt({ name: 'talk', arguments: { word: 'x', other: 'y' } }),
    ).rejects.toMatchObject({ code: -32602 });
  });
});

describe('the files of a skill', () => {
  it('have true digests, also behind links, and none where they are too many', async () => {
    const other = createWorld({
      'work/.techne/skills/linked/SKILL.md': skillText('linked'),
      'work/.techne/skills/linked/real.md': 'Real.\n',
      'secret.md': 'Secret.\n',
      'work/.techne/skills/large/SKILL.md': skillText('large'),
      ...Object.fromEntries(
        Array.from({ length: 513 }, (_, at) => [`work/.techne/skills/large/${at}.md`, `${at}\n`]),
      ),
    });
    const folder = join(other.workspace, '.techne/skills/linked');
    symlinkSync('real.md', join(folder, 'in.md'));
    symlinkSync(join(other.folder, 'secret.md'), join(folder, 'out.md'));
    other.write({
      'home/.techne/config.json': JSON.stringify({ roots: { builtin: false }, cache: { enabled: false } }),
    });
    const { client } = await connectStdio(other, { generation: 'auto' }).then(
      (one) => (opened.push(one), one),
    );
    const skills = new SkillsClient(client);
    const [large, linked] = (await skills.list()).skills as [SkillEntry, SkillEntry];
    expect(large.resources).toBe('dynamic');
    expect(await skills.read(large, '512.md')).toMatchObject({ verified: false, text: '512\n' });
    expect((linked.resources as readonly { readonly uri: string }[]).map(({ uri }) => uri)).toEqual(
      ['SKILL.md', 'in.md', 'real.md'].map((path) => `skill://linked/${path}`),
    );
    expect(await skills.read(linked, 'in.md')).toMatchObject({ verified: true, text: 'Real.\n' });
    await expect(client.readResource({ uri: 'skill://linked/out.md' })).rejects.toMatchObject({
      message: expect.not.stringContaining('Secret') as string,
    });
    other.remove();
  });
});

describe('resources/list', () => {
  it('has pages', async () => {
    const many = createWorld(
      Object.fromEntries(
        Array.from({ length: 1_203 }, (_, at) => [
          `work/.techne/skills/s${at}/SKILL.md`,
          skillText(`s${at}`),
        ]),
      ),
    );
    many.write({
      'home/.techne/config.json': JSON.stringify({ roots: { builtin: false }, cache: { enabled: false } }),
    });
    const one = await connectStdio(many, { generation: 'auto' });
    opened.push(one);
    const found: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await one.client.request({
        method: 'resources/list',
        params: cursor === undefined ? {} : { cursor },
      });
      found.push(...page.resources.map(({ name }) => name));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined && pages < 9);
    expect([pages, new Set(found).size, found.length]).toEqual([3, 1_203, 1_203]);
    many.remove();
  });
});

describe('skills that one connection loads', () => {
  it('are limited as in a session, since a host starts a server of its own, and not where that is turned off', async () => {
    const loaded = async (): Promise<number> => {
      const { call } = await open({ generation: 'legacy' });
      let count = 0;
      for (const name of ['a', 'b', 'c', 'd', 'e'])
        if ((await call('skill_load', { name })).isError !== true) count += 1;
      return count;
    };
    expect(await loaded()).toBe(3);
    configure({ mcp: { activationLimits: 'never' } });
    const all = await loaded();
    configure({});
    expect(all).toBe(5);
  });

  it('are limited where somebody says so, and the refusal says by what', async () => {
    configure({ prompt: { activations: 2 } });
    const { facts, call } = await open({ generation: 'legacy' });
    configure({});
    for (const name of ['a', 'b']) await facts('skill_load', { name });
    expect(await call('skill_load', { name: 'c' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('`prompt.activations`') as string }],
    });
  });
});

describe('techne mcp', () => {
  it.each([
    ['foo', 2, '"foo" is not an answerer'],
    ['script:none.yaml', 3, 'none.yaml'],
    ['model', 3, 'there is no model to ask'],
  ])('does not start with --answer %s', async (answer, code, message) => {
    expect(await world.run(['mcp', '--answer', answer])).toMatchObject({
      code,
      err: expect.stringContaining(message) as string,
    });
  });

  it('writes the events of runs to a file', async () => {
    const one = await open({ generation: 'auto' }, '--events', join(world.folder, 'events.jsonl'));
    const { run } = await one.facts('run_metaskill', { name: 'talk', input: { word: 'hi' } });
    await vi.waitFor(
      () =>
        expect(
          readFileSync(join(world.folder, 'events.jsonl'), 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as JsonObject),
        ).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ type: 'run.started', run }),
            expect.objectContaining({ type: 'question.asked', run }),
          ]),
        ),
      patience,
    );
  });
});
