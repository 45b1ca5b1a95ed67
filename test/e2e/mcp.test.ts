// techne as an MCP server, through the built command and the official client, in both generations of the protocol.
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Called, ClientWishes, Generation, HttpServer, McpClient } from '../support/mcp-client.ts';
import { connectHttp, connectStdio, generations, startHttp } from '../support/mcp-client.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld, skillText } from '../support/run-cli.ts';

const notesServer = fileURLToPath(new URL('../fixtures/mcp/notes-server.mjs', import.meta.url));
const token = 'a-token-for-tests-0123456789';
const patience = { timeout: 20_000, interval: 20 };
const opened: McpClient[] = [];
let world: World;
let http: HttpServer;

beforeAll(async () => {
  world = createWorld({
    ...program(
      'loop',
      'def run(input):\n    for i in range(3):\n        a = ask("Draft %d" % i, {"purpose": "draft"})["answer"]\n        if "good" in a:\n            return {"status": "accepted", "answer": a, "rounds": i + 1}\n    return {"status": "exhausted", "answer": a}\n',
    ),
    ...program(
      'risky',
      'def run(input):\n    done = command(["touch", "made-by-risky"])\n    return {"answer": "done", "ok": done["ok"]}\n',
    ),
    'work/.techne/skills/notes/SKILL.md': skillText(
      'notes',
      'Takes notes about tides.',
      'arguments: [topic]\n',
    ).replace('Do it.', 'Notes on $topic.'),
    'work/.techne/skills/notes/references/a b.md': 'High water.\n',
    'work/.techne/skills/secret/SKILL.md': skillText(
      'secret',
      'For people alone.',
      'disable-model-invocation: true\n',
    ),
    'work/.techne/skills/relay/SKILL.md': composition('relay', [
      '{id: begin, kind: tool_call, tool: notes__add_note, tool_args: {note: begin}}',
      '{id: draft, kind: llm_chat, depends_on: [begin], with: {task: "Write a line."}}',
      '{id: middle, kind: tool_call, tool: notes__add_note, depends_on: [draft], tool_args: {note: middle}}',
      '{id: review, kind: llm_chat, depends_on: [middle], with: {task: "Review: {{ outputs.draft | truncate(100) }}"}}',
      '{id: end, kind: tool_call, tool: notes__add_note, depends_on: [review], tool_args: {note: "end {{ outputs.draft | truncate(40) }} {{ outputs.review | truncate(40) }}"}}',
    ]),
    'work/.techne/skills/form/SKILL.md': composition('form', [
      '{id: choice, kind: user_input, clarify: {intro: Which one?, fields: [{name: colour, type: enum, choices: [red, blue], required: true}, {name: size, type: int, min: 1, max: 9, required: true}]}}',
      '{id: end, kind: tool_call, tool: notes__echo, depends_on: [choice], tool_args: {text: "{{ inputs.collected.choice.colour }} {{ inputs.collected.choice.size }}"}}',
    ]),
    log: '',
  });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
      watch: { debounceMs: 20 },
      mcpServers: {
        notes: { command: process.execPath, args: [notesServer, '--log', join(world.folder, 'log')] },
      },
      tools: { allow: ['notes__*'] },
    }),
  });
  http = await startHttp(world, { TECHNE_MCP_TOKEN: token });
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(async () => {
  await http.stop();
  world.remove();
});

function program(name: string, text: string): { readonly [path: string]: string } {
  return {
    [`work/.techne/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\nmetaskill: SKILL.star\n---\n\nDo it.\n`,
    [`work/.techne/skills/${name}/SKILL.star`]: text,
  };
}

function composition(name: string, steps: readonly string[]): string {
  return `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\nkind: meta\nfinal_text_mode: raw\ncomposition:\n  steps:\n${steps.map((step) => `    - ${step}\n`).join('')}---\n\nDo it.\n`;
}

type Way = 'stdio' | 'http';
const ways: readonly (readonly [Way, string, Generation])[] = (['stdio', 'http'] as const).flatMap((way) =>
  generations.map(([version, generation]) => [way, version, generation] as const),
);

async function open(way: Way, wishes: ClientWishes, ...argv: readonly string[]): Promise<McpClient> {
  const client = await (way === 'stdio'
    ? connectStdio(world, wishes, ...argv)
    : connectHttp(http.url, token, wishes));
  opened.push(client);
  return client;
}

const firstOf = ({ questions: [first] }: Called) => first as NonNullable<typeof first>;
const answerTo = (paused: Called, answer: string) => ({
  run: paused.run,
  question: firstOf(paused).id,
  nonce: firstOf(paused).nonce,
  answer,
});
/** All that is written of a run. */
function journal(run: string): string {
  const folder = join(world.home, '.techne/runs', run);
  return readdirSync(folder)
    .filter((name) => name.startsWith('journal'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

/** Bodies of a skill that the servers recorded. */
function usesOf(skill: string): number {
  const folder = join(world.home, '.techne/uses');
  return (existsSync(folder) ? readdirSync(folder) : [])
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as { at: number; skill: string; reason: string; tokens: number })
    .filter((use) => use.skill === skill && Object.keys(use).join() === 'at,skill,reason,tokens').length;
}

const log = (): readonly string[] =>
  readFileSync(join(world.folder, 'log'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('add '));

describe.each(ways)('techne mcp over %s, speaking %s', (way, version, generation) => {
  it('says what it is, and how skills are found', async () => {
    const { client } = await open(way, { generation });
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
      extensions: { 'io.modelcontextprotocol/skills': {} },
    });
    expect(client.getInstructions()).toContain('at the start of a task, call `skill_search`');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'skill_search',
      'skill_load',
      'skill_read',
      'skill_propose',
      'skill_proposals',
      'run_metaskill',
      'run_answer',
      'run_status',
      'run_cancel',
    ]);
    expect(
      tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name),
    ).toEqual(['skill_search', 'skill_load', 'skill_read', 'skill_proposals', 'run_status']);
    expect(tools[5]?.inputSchema.properties?.['name']).toMatchObject({
      enum: ['form', 'loop', 'relay', 'risky'],
    });
  });

  it('takes proposals of skills, and changes none', async () => {
    const { call } = await open(way, { generation });
    const files = [
      { path: 'SKILL.md', text: `---\nname: moon\ndescription: ${way} ${generation}.\n---\nx\n` },
    ];
    const made = await call('skill_propose', { action: 'create', name: 'moon', why: 'asked for', files });
    expect(made).toMatchObject({
      content: [{ text: expect.stringContaining('Nothing has changed yet') as string }],
    });
    const { proposal } = (made as unknown as { _meta: { 'techne/metadata': { proposal: string } } })._meta[
      'techne/metadata'
    ];
    const { origin } = JSON.parse(
      readFileSync(join(world.home, '.techne/proposals', proposal, 'proposal.json'), 'utf8'),
    ) as { origin: { conversation: string | null } };
    // A request of the newer protocol over HTTP belongs to no session.
    const hasSession = way === 'stdio' || generation === 'legacy';
    expect(origin.conversation ?? '').toMatch(hasSession ? /^[0-9A-Za-z-]{26,36}$/ : /^$/);
    expect(origin).toEqual({
      by: 'agent',
      surface: 'mcp',
      run: null,
      conversation: hasSession ? origin.conversation : null,
      model: null,
      client: expect.stringMatching(/^\S+ \S+$/),
    });
    expect(await call('skill_proposals', {})).toMatchObject({
      content: [{ text: expect.stringContaining('pending: create moon') as string }],
    });
    expect(existsSync(join(world.workspace, '.techne/skills/moon'))).toBe(false);
  });

  it('finds, loads and reads skills, with the metadata beside the text', async () => {
    const { call } = await open(way, { generation });
    const given = (text: string, metadata: object) => ({
      content: [{ type: 'text', text: expect.stringContaining(text) as string }],
      _meta: { 'techne/metadata': metadata },
    });
    expect(await call('skill_search', { query: 'tides' })).toMatchObject(
      given('- notes [workspace] — Takes notes about tides.', {
        result_count: 1,
        result_names: ['notes'],
      }),
    );
    const usesBefore = usesOf('notes');
    expect(await call('skill_load', { name: 'notes' })).toMatchObject(
      given('# Skill: notes (source: workspace)', { skill_id: 'notes', source: 'workspace' }),
    );
    // For "techne skills stats": that, when, and nothing else.
    expect(usesOf('notes')).toBe(usesBefore + 1);
    expect(await call('skill_read', { name: 'notes', path: 'references/a b.md' })).toMatchObject(
      given('High water.\n', { truncated: false }),
    );
    expect(await call('skill_read', { name: 'notes', path: '../loop/SKILL.md' })).toMatchObject({
      isError: true,
    });
    expect(await call('skill_load', { name: 'nots' })).toMatchObject({
      isError: true,
      content: [{ text: "no skill registered with name 'nots'\nDid you mean 'notes'?" }],
    });
    expect(await call('skill_load', { name: 'secret' })).toMatchObject({ isError: true });
    await expect(call('skill_lod', {})).rejects.toMatchObject({ code: -32602 });
  });

  it('gives skills of people as prompts, with their arguments', async () => {
    const { client } = await open(way, { generation });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['form', 'loop', 'notes', 'relay', 'risky', 'secret']);
    expect(prompts[2]).toMatchObject({
      description: 'Takes notes about tides.',
      arguments: [{ name: 'topic', required: false }],
    });
    expect(await client.getPrompt({ name: 'notes', arguments: { topic: 'neap' } })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: '# notes\n\nNotes on neap.\n' } }],
    });
    await expect(client.getPrompt({ name: 'note' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('there is no prompt "note"') as string,
    });
  });

  it('serves skills by the Skills extension, and every file has its digest', async () => {
    const skills = new SkillsClient((await open(way, { generation })).client);
    expect(skills.supported).toBe(true);
    const { skills: entries, invalid } = await skills.list();
    expect(invalid).toEqual([]);
    expect(entries.map(({ uri }) => uri)).toEqual(
      ['form', 'loop', 'notes', 'relay', 'risky'].map((name) => `skill://${name}/SKILL.md`),
    );
    const notes = entries[2] as (typeof entries)[number];
    expect(await skills.read(notes)).toMatchObject({
      verified: true,
      frontmatter: { name: 'notes', arguments: ['topic'] },
    });
    expect(await skills.read(notes, 'references/a b.md')).toMatchObject({
      verified: true,
      text: 'High water.\n',
    });
    expect((await skills.get('skill://notes/SKILL.md')).skill).toEqual(notes);
    await expect(skills.get('skill://secret/SKILL.md')).rejects.toMatchObject({ code: -32602 });
  });

  it('lets the calling agent drive a run without any model', async () => {
    const { facts, progress } = await open(way, { generation });
    const first = await facts('run_metaskill', { name: 'loop', input: {} });
    expect(first).toMatchObject({
      status: 'paused',
      skill: 'loop',
      questions: [{ audience: 'caller', question: { prompt: 'Draft 0' } }],
    });
    const second = await facts('run_answer', answerTo(first, 'bad'));
    expect(second).toMatchObject({ status: 'paused', questions: [{ question: { prompt: 'Draft 1' } }] });
    expect(await facts('run_status', { run: first.run })).toMatchObject({
      status: 'paused',
      questions: second.questions,
    });
    expect(await facts('run_answer', answerTo(second, 'good'))).toMatchObject({
      status: 'completed',
      result: { status: 'accepted', answer: 'good', rounds: 2 },
    });
    expect(await facts('run_status', { run: first.run })).toMatchObject({
      status: 'completed',
      result: { answer: 'good' },
    });
    // The client drops what comes in one piece with the result.
    expect(progress.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        `run ${first.run} of loop started`,
        'ask 1 started',
        'waits for the caller',
        'ask 1 is done',
      ]),
    );
  });

  it('takes an answer with its own nonce, and the same one twice', async () => {
    const { call, facts } = await open(way, { generation });
    const first = await facts('run_metaskill', { name: 'loop', input: {} });
    expect(await call('run_answer', { ...answerTo(first, 'good'), nonce: 'guessed' })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'ANSWER_REFUSED' } },
    });
    expect(await facts('run_answer', answerTo(first, 'good'))).toMatchObject({ status: 'completed' });
    expect(await facts('run_answer', answerTo(first, 'good'))).toMatchObject({
      status: 'completed',
      result: { rounds: 1 },
    });
    expect(await call('run_answer', answerTo(first, 'other'))).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'QUESTION_UNKNOWN' } },
    });
  });

  it('lets no agent approve its own command', async () => {
    const { call, facts } = await open(way, {
      generation,
      fillIn: () => ({ action: 'accept', content: { approve: 'once' } }),
    });
    const paused = await facts('run_metaskill', { name: 'risky', input: {} });
    expect(paused).toMatchObject({
      status: 'paused',
      questions: [{ audience: 'operator', question: { type: 'approval' } }],
    });
    expect(firstOf(paused)).not.toHaveProperty('nonce');
    // Not even with the nonce, which nobody was told.
    const nonce = /"nonce":"([^"]+)"/.exec(journal(paused.run))?.[1] as string;
    for (const answer of ['once', 'always', true]) {
      expect(
        await call('run_answer', { run: paused.run, question: firstOf(paused).id, nonce, answer }),
      ).toMatchObject({
        isError: true,
        structuredContent: {
          error: {
            code: 'ANSWER_REFUSED',
            hint: expect.stringContaining(`techne answer ${paused.run}`) as string,
          },
        },
      });
    }
    const cancelled = await call('run_cancel', { run: paused.run, reason: 'enough' });
    expect([cancelled.isError ?? false, cancelled.structuredContent]).toMatchObject([
      false,
      { status: 'cancelled' },
    ]);
  });

  it('asks the user of the client for what a form needs', async () => {
    const asked: string[] = [];
    const { facts } = await open(way, {
      generation,
      fillIn: ({ message, requestedSchema }) => {
        asked.push(`${message} ${(requestedSchema['required'] as readonly string[]).join()}`);
        return { action: 'accept', content: { colour: 'blue', size: asked.length === 1 ? 99 : 7 } };
      },
    });
    // The first answer does not fit, so the user is asked again.
    expect(await facts('run_metaskill', { name: 'form', input: { user_message: 'go' } })).toMatchObject({
      status: 'completed',
      result: { answer: 'blue 7' },
    });
    expect(asked).toEqual([
      'Which one? colour,size',
      'Which one?\nsize must be from 1 to 9, not 99 colour,size',
    ]);
  });

  it('leaves a form open that the user does not fill in', async () => {
    const { facts, call } = await open(way, { generation, fillIn: () => ({ action: 'decline' }) });
    const paused = await facts('run_metaskill', { name: 'form', input: { user_message: 'go' } });
    expect(paused).toMatchObject({
      status: 'paused',
      next: [expect.stringContaining('The user was asked and gave no answer') as string, expect.anything()],
    });
    expect(firstOf(paused)).not.toHaveProperty('nonce');
    expect(
      await call('run_answer', {
        run: paused.run,
        question: firstOf(paused).id,
        nonce: 'x',
        answer: { colour: 'red', size: 1 },
      }),
    ).toMatchObject({ isError: true, structuredContent: { error: { code: 'ANSWER_REFUSED' } } });
  });

  it('takes what the user says from the caller where the client cannot ask', async () => {
    const { facts, call } = await open(way, { generation });
    const paused = await facts('run_metaskill', { name: 'form', input: { user_message: 'go' } });
    expect(paused).toMatchObject({
      status: 'paused',
      questions: [{ audience: 'person', nonce: expect.any(String) as string }],
    });
    const given = { run: paused.run, question: firstOf(paused).id, nonce: firstOf(paused).nonce };
    expect(await call('run_answer', { ...given, answer: { colour: 'green', size: 1 } })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'ANSWER_REFUSED' } },
    });
    expect(await facts('run_answer', { ...given, answer: { colour: 'red', size: 1 } })).toMatchObject({
      status: 'completed',
      result: { answer: 'red 1' },
    });
  });

  it('tells when skills come and go', async () => {
    const { client, notes, facts } = await open(way, { generation });
    await client.listTools();
    const name = `fresh-${way}-${generation}`;
    // The stream on which a server tells by itself may open a moment after the first answer.
    await new Promise((resolve) => setTimeout(resolve, 300));
    world.write({ [`work/.techne/skills/${name}/SKILL.md`]: skillText(name) });
    await vi.waitFor(() => expect([...new Set(notes)].sort()).toEqual(['prompts', 'resources']), patience);
    expect(await facts('skill_search', { query: name })).toMatchObject({ result_names: [name] });
    rmSync(join(world.workspace, '.techne/skills', name), { recursive: true });
    // The server over HTTP is shared: the next client must not meet this skill.
    await vi.waitFor(
      async () =>
        expect((await client.listPrompts()).prompts.map((prompt) => prompt.name)).not.toContain(name),
      patience,
    );
  });
});

describe('a run that a client drives', () => {
  it.each(generations)(
    'loses nothing when the server is killed, and does nothing twice (%s)',
    async (_version, generation) => {
      world.write({ log: '' });
      const before = await connectStdio(world, { generation });
      const first = await before.facts('run_metaskill', { name: 'relay', input: { user_message: 'go' } });
      expect(first).toMatchObject({ status: 'paused', questions: [{ audience: 'caller' }] });
      process.kill(before.pid as number, 'SIGKILL');
      await before.close();

      const after = await connectStdio(world, { generation });
      // Whoever lost the id finds the run again.
      expect(await after.facts('run_status')).toMatchObject({
        runs: expect.arrayContaining([
          expect.objectContaining({ run: first.run, status: 'paused' }),
        ]) as unknown,
      });
      // Killed when the answer has had its effects, whether or not anybody has heard of it.
      const lost = after.call('run_answer', answerTo(first, 'a line')).catch(() => null);
      await vi.waitFor(() => expect(journal(first.run).split('question.asked')).toHaveLength(3), {
        ...patience,
        interval: 1,
      });
      process.kill(after.pid as number, 'SIGKILL');
      await after.close();
      await lost;

      const last = await connectStdio(world, { generation });
      opened.push(last);
      const facts = await last.facts('run_answer', answerTo(first, 'a line'));
      expect(facts).toMatchObject({
        status: 'paused',
        questions: [{ question: { prompt: expect.stringContaining('a line') as string } }],
      });
      expect(await last.facts('run_answer', answerTo(facts, 'fine'))).toMatchObject({ status: 'completed' });
      expect(log()).toEqual(['add begin', 'add middle', 'add end a line fine']);
    },
  );

  it('goes on in the server while the client does something else, and is looked at later', async () => {
    world.write({
      'work/.techne/skills/slow/SKILL.md': composition('slow', [
        `{id: wait, kind: tool_call, tool: notes__gate, tool_args: {path: "${join(world.folder, 'gate')}"}}`,
      ]),
    });
    const { facts } = await open('stdio', { generation: 'auto' }, '--wait', '1');
    const started = await facts('run_metaskill', { name: 'slow', input: { user_message: 'go' } });
    expect(started).toMatchObject({ status: 'running', skill: 'slow' });
    expect(await facts('run_status', { run: started.run })).toMatchObject({ status: 'running' });
    world.write({ gate: '' });
    await vi.waitFor(
      async () =>
        expect(await facts('run_status', { run: started.run, wait_seconds: 1 })).toMatchObject({
          status: 'completed',
        }),
      patience,
    );
    rmSync(join(world.workspace, '.techne/skills/slow'), { recursive: true });
  });

  it('is left as it is when the client takes its call back', async () => {
    rmSync(join(world.folder, 'gate'), { force: true });
    world.write({
      'work/.techne/skills/slow/SKILL.md': composition('slow', [
        `{id: wait, kind: tool_call, tool: notes__gate, tool_args: {path: "${join(world.folder, 'gate')}"}}`,
      ]),
    });
    const { client, facts, progress } = await open('stdio', { generation: 'auto' });
    const back = new AbortController();
    const call = client.callTool(
      { name: 'run_metaskill', arguments: { name: 'slow', input: { user_message: 'go' } } },
      { signal: back.signal, onprogress: (note) => void progress.push(note) },
    );
    call.catch(() => undefined);
    await vi.waitFor(() => expect(progress.length).toBeGreaterThan(1), patience);
    const run = /run (\S+) of/.exec(progress[0]?.message ?? '')?.[1] as string;
    back.abort();
    await expect(call).rejects.toBeDefined();
    await vi.waitFor(
      async () => expect((await facts('run_status', { run }))['status']).not.toBe('running'),
      patience,
    );
    world.write({ gate: '' });
    expect(await facts('run_answer', { run })).toMatchObject({ status: 'completed' });
    rmSync(join(world.workspace, '.techne/skills/slow'), { recursive: true });
  });

  it('is not there for a server of another workspace', async () => {
    const { facts } = await open('stdio', { generation: 'legacy' });
    const { run } = await facts('run_metaskill', { name: 'loop', input: {} });
    world.write({ 'other/.git/HEAD': '' });
    const other = await open('stdio', { generation: 'legacy' }, '--workspace', join(world.folder, 'other'));
    expect(await other.call('run_status', { run })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'RUN_UNKNOWN' } },
    });
    expect(await other.facts('run_status')).toMatchObject({ runs: [] });
    await facts('run_status');
  });
});

describe('what a caller cannot do', () => {
  it('is to reach beyond the runs by their names', async () => {
    const { call } = await open('stdio', { generation: 'auto' });
    for (const run of ['../../../../etc', '..', '/etc/passwd', 'a\0b', '']) {
      for (const tool of ['run_status', 'run_answer', 'run_cancel'])
        expect(await call(tool, { run })).toMatchObject({
          isError: true,
          structuredContent: { error: { code: expect.stringMatching(/^(?:RUN_UNKNOWN|USAGE)$/) as string } },
        });
    }
  });

  it('is to fill in a form where people alone may', async () => {
    const { facts, call } = await open('stdio', { generation: 'auto' }, '--no-relay');
    const paused = await facts('run_metaskill', { name: 'form', input: { user_message: 'go' } });
    expect(paused).toMatchObject({
      status: 'paused',
      next: [expect.stringContaining(`techne answer ${paused.run}`) as string],
    });
    const nonce = /"nonce":"([^"]+)"/.exec(journal(paused.run))?.[1] as string;
    expect(
      await call('run_answer', {
        run: paused.run,
        question: firstOf(paused).id,
        nonce,
        answer: { colour: 'red', size: 1 },
      }),
    ).toMatchObject({ isError: true, structuredContent: { error: { code: 'ANSWER_REFUSED' } } });
    // A person answers elsewhere, and the caller goes on.
    expect(
      (
        await world.run([
          'answer',
          paused.run,
          '--as',
          'person',
          '--set',
          'colour=blue',
          '--set',
          'size=3',
          '--no-resume',
        ])
      ).code,
    ).toBe(0);
    expect(await facts('run_answer', { run: paused.run })).toMatchObject({
      status: 'completed',
      result: { answer: 'blue 3' },
    });
  });
});

describe('techne mcp --http', () => {
  it('makes a token and shows it once', async () => {
    const server = await startHttp(world, {});
    const [shown, ...more] = [...server.err().matchAll(/Authorization: Bearer ([\w-]{43})/g)];
    expect(more).toEqual([]);
    const client = await connectHttp(server.url, shown?.[1] as string, { generation: 'auto' });
    expect((await client.client.listTools()).tools).toHaveLength(9);
    await client.close();
    await expect(
      connectHttp(server.url, 'another-token-0123456789', { generation: 'auto' }),
    ).rejects.toBeDefined();
    await server.stop();
  });

  it('refuses a token that could be guessed', async () => {
    expect(await world.run(['mcp', '--http', '0'], { env: { TECHNE_MCP_TOKEN: 'short' } })).toMatchObject({
      code: 2,
      err: expect.stringContaining('TECHNE_MCP_TOKEN needs at least 16 characters') as string,
    });
  });
});
