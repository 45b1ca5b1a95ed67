// The built command `techne acp` as an editor starts it: the official client of the protocol, a process, and a model on the
// loopback interface.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  ContentBlock,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AcpClient, AcpClientOptions } from '../support/acp-client.ts';
import { connectAcp, startAgent } from '../support/acp-client.ts';
import type { ModelServer, ModelServerOptions } from '../support/model-server.ts';
import { createModelServer } from '../support/model-server.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';

let world: World;
let server: ModelServer | null = null;
let editor: AcpClient | null = null;
beforeEach(() => {
  world = createWorld({
    'work/.techne/skills/greet/SKILL.md':
      '---\nname: greet\ndescription: Greets. Use to greet.\nargument-hint: "[who]"\n---\n\nGreet $ARGUMENTS warmly.\n',
    'work/.techne/skills/touch/SKILL.md':
      '---\nname: touch\ndescription: Makes a file. Use to make a file.\nmetaskill: SKILL.star\n---\n\nRun it.\n',
    'work/.techne/skills/touch/SKILL.star':
      'def run(input):\n    result = command(["touch", "made by `run`"])\n    return {"answer": "made" if result["ok"] else "not made"}\n',
    'work/.techne/skills/order/SKILL.md':
      '---\nname: order\ndescription: Takes an order. Use to order.\nkind: meta\ncomposition:\n  steps:\n    - id: collect\n      kind: user_input\n      clarify:\n        mode: form\n        fields:\n          - {name: drink, type: string, required: true, prompt: Which drink?}\nfinal_text_mode: "step:collect"\n---\n\nOrder.\n',
    'other/.git/HEAD': '',
  });
});
afterEach(async () => {
  await editor?.end();
  await server?.close();
  editor = null;
  server = null;
  world.remove();
});

async function open(
  turns: ModelServerOptions['turns'],
  options: AcpClientOptions = {},
): Promise<{ readonly editor: AcpClient; readonly server: ModelServer }> {
  server = await createModelServer({ turns });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      trust: { folders: [world.workspace] },
      models: { near: { provider: 'openai-compatible', baseUrl: server.url, model: 'test' } },
    }),
  });
  editor = await connectAcp(world, options);
  return { editor, server };
}
const begin = async (cwd: string = world.workspace): Promise<string> =>
  (await (editor as AcpClient).agent.request(methods.agent.session.new, { cwd, mcpServers: [] })).sessionId;
const prompt = async (sessionId: string, ...blocks: readonly (string | ContentBlock)[]): Promise<string> =>
  (
    await (editor as AcpClient).agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: blocks.map((block): ContentBlock =>
        typeof block === 'string' ? { type: 'text', text: block } : block,
      ),
    })
  ).stopReason;
const choose =
  (optionId: string) =>
  async (_request: RequestPermissionRequest): Promise<RequestPermissionResponse> => ({
    outcome: { outcome: 'selected', optionId },
  });
const contentOf = (request: RequestPermissionRequest): string => JSON.stringify(request.toolCall.content);
const logs = (): readonly string[] => {
  const folder = join(world.home, '.techne/chats');
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => readFileSync(join(folder, name), 'utf8'))
    : [];
};

describe('techne acp', () => {
  it('streams an answer, with a call of a tool, and says which commands there are', async () => {
    await open([
      { text: ['I ', 'look.'], calls: [{ tool: 'list_files', input: { path: '.' } }] },
      { text: ['All ', 'done.'] },
    ]);
    const session = await begin();
    expect(await prompt(session, 'What is here?')).toBe('end_turn');
    expect(editor?.said(session)).toBe('I look.All done.');
    expect(editor?.of('agent_message_chunk').length).toBeGreaterThan(2);
    expect(editor?.of('tool_call')).toMatchObject([
      {
        toolCallId: expect.stringMatching(/^1:/) as string,
        title: '`list_files .`',
        kind: 'search',
        status: 'in_progress',
        rawInput: { path: '.' },
      },
    ]);
    expect(editor?.of('tool_call_update').at(-1)).toMatchObject({
      toolCallId: editor?.of('tool_call')[0]?.toolCallId,
      status: 'completed',
    });
    expect(editor?.of('available_commands_update', session)).toMatchObject([
      {
        availableCommands: expect.arrayContaining([
          expect.objectContaining({
            name: 'greet',
            description: 'Greets. Use to greet.',
            input: { hint: '[who]' },
          }),
          expect.objectContaining({ name: 'continue', input: null }),
        ]) as unknown,
      },
    ]);
  });

  it('gives the model what a person attached, and the body of a skill that is called', async () => {
    const { server: model } = await open([{ text: 'Hello.' }]);
    const session = await begin();
    await prompt(session, '/greet the moon');
    await prompt(
      session,
      'Compare ',
      { type: 'resource_link', name: 'a b.md', uri: 'file:///home/x/a%20b.md' },
      { type: 'resource', resource: { uri: 'file:///c.md', text: 'text ``` of c' } },
    );
    const [first, second] = model.requests.map(({ body }) => JSON.stringify(body['messages']));
    expect(first).toContain('Greet the moon warmly.');
    expect(second).toContain('Compare  /home/x/a b.md');
    expect(second).toContain('/c.md:\\n````\\ntext ``` of c\\n````');
  });

  it('asks for approval with the exact command and folder, and does what was chosen', async () => {
    const calls = [{ tool: 'command', input: { argv: ['touch', 'a `b` [c](d)'] } }] as const;
    await open(
      (request) =>
        JSON.stringify(request.body['messages']).includes('"role":"tool"') ? { text: 'Ready.' } : { calls },
      { onPermission: choose('once') },
    );
    const session = await begin();
    expect(await prompt(session, 'Make it.')).toBe('end_turn');
    const [asked] = editor?.asked ?? [];
    expect(asked).toMatchObject({
      sessionId: session,
      toolCall: {
        toolCallId: editor?.of('tool_call')[0]?.toolCallId,
        title: '``command touch "a `b` [c](d)"``',
        kind: 'execute',
        rawInput: { argv: ['touch', 'a `b` [c](d)'], cwd: world.workspace },
      },
      options: [{ optionId: 'once' }, { optionId: 'always' }, { optionId: 'deny' }, { optionId: 'never' }],
    });
    expect(contentOf(asked as RequestPermissionRequest)).toContain(`in ${world.workspace}`);
    expect(existsSync(join(world.workspace, 'a `b` [c](d)'))).toBe(true);
    expect(logs()[0]).toContain('"approval":"once"');
  });

  it.each(['deny', 'no such option'])('makes no call after "%s"', async (option) => {
    const { server: model } = await open(
      (request) =>
        JSON.stringify(request.body['messages']).includes('"role":"tool"')
          ? { text: 'Then not.' }
          : { calls: [{ tool: 'command', input: { argv: ['touch', 'never'] } }] },
      { onPermission: choose(option) },
    );
    const session = await begin();
    expect(await prompt(session, 'Make it.')).toBe('end_turn');
    expect(existsSync(join(world.workspace, 'never'))).toBe(false);
    expect(editor?.of('tool_call_update').at(-1)).toMatchObject({ status: 'failed' });
    expect(model.requests).toHaveLength(2);
  });

  it.each([
    ['once', 'made', true],
    ['deny', 'not made', false],
  ])('runs a skill whose command is answered with %s', async (option, answer, isMade) => {
    await open([{ text: 'unused' }], { onPermission: choose(option) });
    const session = await begin();
    expect(await prompt(session, '/touch')).toBe('end_turn');
    expect(editor?.said(session).trim()).toBe(answer);
    const [asked] = editor?.asked ?? [];
    expect(asked?.toolCall).toMatchObject({ title: '``command touch "made by `run`"``', kind: 'execute' });
    expect(contentOf(asked as RequestPermissionRequest)).toContain('of the skill touch');
    expect(existsSync(join(world.workspace, 'made by `run`'))).toBe(isMade);
    // The call of the run is the one that was asked about.
    const [call] = editor?.of('tool_call') ?? [];
    expect([call?.title, call?.toolCallId]).toEqual([asked?.toolCall.title, asked?.toolCall.toolCallId]);
    expect(editor?.of('tool_call_update').at(-1)).toMatchObject({
      toolCallId: call?.toolCallId,
      status: isMade ? 'completed' : 'failed',
    });
  });

  it('shows the plan of a run, and how a form is answered', async () => {
    await open([{ text: 'unused' }]);
    const session = await begin();
    expect(await prompt(session, '/order a drink')).toBe('end_turn');
    expect(editor?.of('plan')[0]?.entries).toMatchObject([
      { content: 'Collect (ask a person)', status: 'pending' },
    ]);
    expect(editor?.said(session)).toMatch(/`techne answer 01[0-9A-Z]{24}`, then `\/continue` here/);
  });

  it('stops a message, while the model writes and while a person is asked', async () => {
    let isAsked = false;
    const { server: model } = await open((_request, index) =>
      index === 0
        ? { text: 'I begin', fault: { kind: 'silent', after: 1 } }
        : { calls: [{ tool: 'command', input: { argv: ['touch', 'never'] } }] },
    );
    const session = await begin();
    const writing = prompt(session, 'Write.');
    await model.arrived(1);
    await editor?.agent.notify(methods.agent.session.cancel, { sessionId: session });
    expect(await writing).toBe('cancelled');
    const asking = prompt(session, 'Make it.');
    await editor?.until(() => (isAsked = (editor?.asked.length ?? 0) > 0));
    await editor?.agent.notify(methods.agent.session.cancel, { sessionId: session });
    expect([await asking, isAsked]).toEqual(['cancelled', true]);
    expect(existsSync(join(world.workspace, 'never'))).toBe(false);
    expect(logs()[0]?.match(/"outcome":"stopped"/g)).toHaveLength(2);
  });

  it('stops a run that waits for an approval, and resumes it', async () => {
    let isFirst = true;
    await open([{ text: 'unused' }], {
      onPermission: (request, signal) => {
        if (!isFirst) return choose('once')(request);
        isFirst = false;
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ outcome: { outcome: 'cancelled' } }));
        });
      },
    });
    const session = await begin();
    const running = prompt(session, '/touch');
    await editor?.until(() => (editor?.asked.length ?? 0) > 0);
    await editor?.agent.notify(methods.agent.session.cancel, { sessionId: session });
    expect(await running).toBe('cancelled');
    expect(editor?.said(session)).toContain('`/continue` resumes the run');
    expect(existsSync(join(world.workspace, 'made by `run`'))).toBe(false);
    expect(await prompt(session, '/continue')).toBe('end_turn');
    expect(editor?.asked).toHaveLength(2);
    expect(existsSync(join(world.workspace, 'made by `run`'))).toBe(true);
  });

  it('keeps two sessions in two folders apart, and answers both at once', async () => {
    const { server: model } = await open((request) => ({
      text: JSON.stringify(request.body['messages']).includes('first') ? 'one' : 'two',
    }));
    const [first, second] = [await begin(), await begin(join(world.folder, 'other'))];
    expect(await Promise.all([prompt(first, 'the first'), prompt(second, 'the other')])).toEqual([
      'end_turn',
      'end_turn',
    ]);
    expect([editor?.said(first), editor?.said(second)]).toEqual(['one', 'two']);
    expect(model.requests.map(({ body }) => JSON.stringify(body).includes('"name":"skill_load"'))).toEqual([
      true,
      true,
    ]);
    const names = (session: string) =>
      editor
        ?.of('available_commands_update', session)
        .at(-1)
        ?.availableCommands.map(({ name }) => name);
    expect(names(first)).toContain('greet');
    expect(names(second)).not.toContain('greet');
    await expect(Promise.all([prompt(first, 'x'), prompt(first, 'y')])).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('is still being answered') as string,
    });
  });

  it('lists, loads and resumes what was said before, also in another process', async () => {
    const { server: model } = await open([
      { text: 'I look.', calls: [{ tool: 'list_files', input: { path: '.' } }] },
      { text: 'Nothing.' },
      { text: 'Again.' },
    ]);
    const session = await begin();
    await prompt(session, 'What is here?');
    await editor?.end();
    const next = await connectAcp(world);
    editor = next;
    const { sessions } = await next.agent.request(methods.agent.session.list, { cwd: world.workspace });
    expect(sessions).toMatchObject([{ sessionId: session, cwd: world.workspace, title: 'What is here?' }]);
    expect(
      (await next.agent.request(methods.agent.session.list, { cwd: join(world.folder, 'other') })).sessions,
    ).toEqual([]);
    await next.agent.request(methods.agent.session.load, {
      sessionId: session,
      cwd: world.workspace,
      mcpServers: [],
    });
    expect(next.updates.map(({ update }) => update.sessionUpdate).slice(0, 5)).toEqual([
      'user_message_chunk',
      'agent_message_chunk',
      'tool_call',
      'tool_call_update',
      'agent_message_chunk',
    ]);
    expect(await prompt(session, 'And now?')).toBe('end_turn');
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain('What is here?');
    await next.agent.request(methods.agent.session.close, { sessionId: session });
    await expect(prompt(session, 'x')).rejects.toMatchObject({ code: -32_002 });
    await next.agent.request(methods.agent.session.resume, {
      sessionId: session,
      cwd: world.workspace,
      mcpServers: [],
    });
    expect(await prompt(session, 'Still there?')).toBe('end_turn');
    await expect(
      next.agent.request(methods.agent.session.load, { sessionId: session, cwd: world.home, mcpServers: [] }),
    ).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining('began in') as string });
  });

  it('says what to configure where there is no model, and goes on when there is one', async () => {
    server = await createModelServer({ turns: [{ text: 'Hello.' }] });
    const next = await connectAcp(world);
    editor = next;
    await expect(begin()).rejects.toMatchObject({
      code: -32_000,
      message: expect.stringContaining('model') as string,
    });
    writeFileSync(
      join(world.home, '.techne/config.json'),
      JSON.stringify({
        models: { near: { provider: 'openai-compatible', baseUrl: server.url, model: 'test' } },
      }),
    );
    await next.agent.request(methods.agent.authenticate, { methodId: 'configure-model' });
    expect(await prompt(await begin(), 'Hi.')).toBe('end_turn');
  });

  it('reports a model that fails, and what cannot be said, and stays usable', async () => {
    const { server: model } = await open((_request, index) =>
      index === 0 ? { fault: { kind: 'status', status: 401 } } : { text: 'Better.' },
    );
    const session = await begin();
    await expect(prompt(session, 'Hi.')).rejects.toMatchObject({ code: -32_603 });
    await expect(prompt(session, { type: 'image', data: '', mimeType: 'image/png' })).rejects.toMatchObject({
      code: -32_602,
    });
    await expect(prompt(session, '  ')).rejects.toMatchObject({ code: -32_602 });
    expect(await prompt(session, '/gret the moon')).toBe('end_turn');
    expect(editor?.said(session)).toContain('did you mean /greet?');
    expect(await prompt(session, 'Again.')).toBe('end_turn');
    expect(model.requests).toHaveLength(2);
    const paths = ['relative', join(world.folder, 'missing'), '/a\0b', `/${'x'.repeat(5_000)}`];
    for (const cwd of paths) await expect(begin(cwd)).rejects.toMatchObject({ code: -32_602 });
    await expect(
      editor?.agent.request(methods.agent.session.load, {
        sessionId: '../../etc',
        cwd: world.workspace,
        mcpServers: [],
      }),
    ).rejects.toMatchObject({ code: -32_002 });
  });

  it('answers malformed messages with errors, and goes on', async () => {
    const child = startAgent(world);
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    const exit = new Promise<number | null>((resolve) => {
      child.once('close', resolve);
    });
    const lines = [
      // Nothing is answered before it.
      '{"jsonrpc":"2.0","id":0,"method":"session/list","params":{}}',
      '{"jsonrpc":"2.0","id":9,"method":"initialize","params":{"protocolVersion":1}}',
      '{"jsonrpc": "2.0", oops}',
      '[1]',
      '"text"',
      '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":3}}',
      '{"jsonrpc":"2.0","id":2,"method":"no/such"}',
      '{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"x","prompt":[]}}',
      '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"x"}}',
      '{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"one"}}',
      '{"jsonrpc":"2.0","id":5,"method":"session/list","params":{}}',
    ];
    child.stdin.write(`${lines.join('\n')}\n`);
    await new Promise<void>((resolve) => {
      child.stdout.on('data', () => {
        if (out.includes('"id":5')) resolve();
      });
    });
    child.stdin.end();
    expect(await exit).toBe(0);
    const replies = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number | null; error?: { code: number; message: string } });
    const codes = Object.fromEntries(
      replies.filter(({ id }) => id !== null).map(({ id, error }) => [id, error?.code]),
    );
    expect(codes).toEqual({
      0: -32_600,
      1: -32_602,
      2: -32_601,
      3: -32_002,
      4: -32_602,
      5: undefined,
      9: undefined,
    });
    expect(replies.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
      -32_700, -32_600, -32_600,
    ]);
    expect(out).not.toMatch(/\n\s+at /);
  });

  it('says why it ends where a message is too long', async () => {
    const child = startAgent(world);
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdin.on('error', () => undefined);
    const exit = new Promise<number | null>((resolve) => {
      child.once('close', resolve);
    });
    child.stdout.resume();
    child.stdin.write('x'.repeat(17 * 1024 * 1024));
    expect(await exit).toBe(1);
    expect(err).toMatch(/^techne acp: .*\b16777216\b.*\n$/);
  });

  it.each([
    ['closes its input', ({ stdin }: AcpClient['child']) => void stdin.end()],
    [
      'is killed',
      ({ stdin, stdout }: AcpClient['child']) => {
        stdin.destroy();
        stdout.destroy();
      },
    ],
  ])('ends when the client %s, with the answer stopped in the log', async (_what, leave) => {
    const { server: model } = await open([{ text: 'I begin', fault: { kind: 'silent', after: 1 } }]);
    const session = await begin();
    const answering = prompt(session, 'Write.').catch((error: unknown) => error);
    await model.arrived(1);
    const going = editor as AcpClient;
    leave(going.child);
    expect(await going.exit).toMatchObject({ code: 0, err: '' });
    await answering;
    await model.left(1);
    expect(logs()[0]).toContain('"outcome":"stopped"');
  });
});
