import { Client } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { World } from '../../test/support/run-cli.ts';
import { createWorld } from '../../test/support/run-cli.ts';
import { createServer } from './create-server.ts';
import { maxRounds, maxTries } from './elicit-form.ts';
import type { McpService } from './service.ts';
import { openServiceOf } from '../../test/support/mcp-service.ts';

let world: World;
let service: McpService;

beforeAll(async () => {
  world = createWorld({
    'work/.techne/skills/trip/SKILL.md':
      '---\nname: trip\ndescription: Plans a trip.\nkind: meta\ncomposition:\n  steps:\n    - {id: plan, kind: llm_chat, with: {task: "Plan {{ inputs.user_message | xml_escape | truncate(100) }}"}}\n---\n\nPlan it.\n',
    'work/.techne/skills/forms/SKILL.md': `---\nname: forms\ndescription: Asks for sizes.\nkind: meta\nfinal_text_mode: raw\ncomposition:\n  steps:\n${Array.from({ length: 4 }, (_, at) => `    - {id: size${at}, kind: user_input, ${at === 0 ? '' : `depends_on: [size${at - 1}], `}clarify: {fields: [{name: size, type: int, min: 1, max: 9, required: true}]}}\n`).join('')}---\n\nDo it.\n`,
    'work/.techne/skills/form/SKILL.md':
      '---\nname: form\ndescription: Asks for a size.\nkind: meta\nfinal_text_mode: raw\ncomposition:\n  steps:\n    - {id: choice, kind: user_input, clarify: {intro: Which one?, fields: [{name: size, type: int, min: 1, max: 9, required: true}]}}\n---\n\nDo it.\n',
  });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
    }),
  });
  const variables = { PATH: process.env['PATH'] };
  service = await openServiceOf(world, { variables });
});
afterAll(async () => {
  await service.close();
  world.remove();
});

/** What a caller hears of a form whose user is asked in this way, over the older protocol. */
async function runForm(
  fillIn: (
    round: number,
    message: string,
  ) => { readonly action: 'accept'; readonly content: { readonly [field: string]: number } },
  name = 'form',
): Promise<CallToolResult & { readonly asked: number }> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'legacy' }, capabilities: { elicitation: { form: {} } } },
  );
  let asked = 0;
  client.setRequestHandler('elicitation/create', ({ params }) => fillIn(++asked, params.message) as never);
  await createServer(service).connect(there);
  await client.connect(here);
  try {
    return {
      ...((await client.callTool({
        name: 'run_metaskill',
        arguments: { name, input: { user_message: 'go' } },
      })) as CallToolResult),
      asked,
    };
  } finally {
    await client.close();
  }
}

describe('a form without an answer (create-server#C3)', () => {
  it('leaves the caller with the run, where the client fails to ask', async () => {
    const result = await runForm(() => {
      throw new Error('the window was closed');
    });
    expect(result).toMatchObject({
      asked: 1,
      structuredContent: {
        status: 'paused',
        run: expect.any(String) as string,
        next: [
          expect.stringMatching(
            /^The user could not be asked here: .*the window was closed\. The run stays paused; do not answer for them\. To end it, call run_cancel\.$/,
          ) as string,
          expect.stringContaining('techne answer ') as string,
        ],
      },
    });
    expect(result.isError ?? false).toBe(false);
  });

  it('leaves the caller with the run, where the user never says what fits', async () => {
    const result = await runForm(() => ({ action: 'accept', content: { size: 99 } }));
    expect(result).toMatchObject({
      asked: maxTries,
      structuredContent: {
        status: 'paused',
        run: expect.any(String) as string,
        next: [
          'The answer of the user was not accepted: size must be from 1 to 9, not 99. The run stays paused; do not answer for them. To end it, call run_cancel.',
          expect.stringContaining('techne answer ') as string,
        ],
      },
    });
    expect(result.isError ?? false).toBe(false);
  });

  it('says little of an answer with much in it that the form does not have', async () => {
    const content = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, at) => [`field-that-is-none-${at}`, at]),
    );
    const messages: string[] = [];
    const result = await runForm((_round, message) => {
      messages.push(message);
      return { action: 'accept', content };
    });
    expect(result).toMatchObject({
      asked: maxTries,
      structuredContent: {
        next: [
          expect.stringContaining('; and 2995 more keys that no field has; the fields are size') as string,
          expect.any(String) as string,
        ],
      },
    });
    for (const text of [...messages, JSON.stringify(result)]) expect(text.length).toBeLessThan(4_000);
  });

  it('continues with what fits after all', async () => {
    expect(
      await runForm((round) => ({ action: 'accept', content: { size: round < 3 ? 99 : 7 } })),
    ).toMatchObject({ asked: 3, structuredContent: { status: 'completed' } });
  });

  it('asks for each of several forms anew, and again where one was filled in wrongly (elicit-form#E4)', async () => {
    const result = await runForm(
      (round) => ({ action: 'accept', content: { size: round % 3 === 0 ? 7 : 99 } }),
      'forms',
    );
    expect(result).toMatchObject({ asked: maxRounds, structuredContent: { status: 'completed' } });
  });
});

describe('a composition', () => {
  async function connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const [here, there] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    await createServer(service).connect(there);
    await client.connect(here);
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }

  it('has its message among the keys of run_metaskill, which are those that a run takes', async () => {
    await connected(async (client) => {
      const tool = (await client.listTools()).tools.find(({ name }) => name === 'run_metaskill');
      expect(tool?.inputSchema.properties?.['input']).toMatchObject({
        description:
          'Input data passed to the metaskill program.\nform: keys: user_message (string)\nforms: keys: user_message (string)\ntrip: keys: user_message (required string)',
        properties: {
          user_message: { type: 'string', description: 'What is wanted, in the words of the user.' },
        },
      });
      const lacking = await client.callTool({
        name: 'run_metaskill',
        arguments: { name: 'trip', input: {} },
      });
      expect(lacking.structuredContent).toMatchObject({
        status: 'refused',
        error: { code: 'INPUT_REQUIRED' },
      });
      const given = await client.callTool({
        name: 'run_metaskill',
        arguments: { name: 'trip', input: { user_message: 'Rome in May' } },
      });
      expect(given.structuredContent).toMatchObject({ status: 'paused', skill: 'trip' });
    });
  });

  it('has its message as the argument of its prompt, which gives the whole call', async () => {
    await connected(async (client) => {
      const prompt = (await client.listPrompts()).prompts.find(({ name }) => name === 'trip');
      expect(prompt?.arguments).toEqual([
        { name: 'user_message', required: true, description: 'What is wanted, in the words of the user.' },
      ]);
      const { messages } = await client.getPrompt({
        name: 'trip',
        arguments: { user_message: 'Rome in May' },
      });
      expect(messages.map(({ content }) => (content as { readonly text: string }).text).join('')).toMatch(
        /Plan it\.\n\nThis skill is a program: run it with run_metaskill, \{"name":"trip","input":\{"user_message":"Rome in May"\}\}\.\n$/,
      );
    });
  });
});
