// techne chat, in this process: one message, conversations that go on, skills, tools and runs, with a scripted model.
import { readFileSync, readdirSync, appendFileSync, truncateSync, statSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createModelServer } from '../../../test/support/model-server.ts';
import type { Ran, RunOptions, World } from '../../../test/support/run-cli.ts';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';

let world: World;
beforeEach(() => {
  world = createWorld({
    'work/.techne/skills/tides/SKILL.md': skillText(
      'tides',
      'Explains tides. Use when somebody asks about tides.',
      'argument-hint: PLACE\ntriggers: [explain the tides]\n',
    ),
    'work/.techne/skills/greet/SKILL.md':
      '---\nname: greet\ndescription: Greets. Use to greet.\n---\n\nGreet $ARGUMENTS warmly.\n',
    'work/.techne/skills/count/SKILL.md':
      '---\nname: count\ndescription: Counts fruit. Use to count.\nmetaskill: SKILL.star\n---\n\nInput keys:\n\n- `fruit`: what to count\n',
    'work/.techne/skills/count/SKILL.star':
      'def run(input):\n    return {"answer": "two " + input["fruit"]}\n',
    'work/fruit.txt': 'apple\npear\n',
  });
  configure({});
});
afterEach(() => world.remove());

function configure(config: object): void {
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
      ...config,
    }),
  });
}

function script(yaml: string): void {
  world.write({ 'work/talk.yaml': yaml });
}

const chat = (argv: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  world.run(['chat', '--answer', 'script:talk.yaml', ...argv], options);

interface Printed {
  readonly chat: string;
  readonly status: string;
  readonly answer: string;
  readonly message: string | null;
  readonly turns: number;
  readonly skills: { readonly loaded: readonly string[] };
  readonly calls: readonly { readonly tool: string; readonly ok: boolean }[];
  readonly runs: readonly { readonly skill: string; readonly status: string }[];
}

async function json(...argv: readonly string[]): Promise<Printed & { readonly code: number }> {
  const { code, out, err } = await chat([...argv, '--json']);
  if (!out.startsWith('{')) throw new Error(out + err);
  return { ...(JSON.parse(out) as Printed), code };
}

interface Line {
  readonly type: string;
  readonly [key: string]: unknown;
}

function logOf(id: string): readonly Line[] {
  return readFileSync(join(world.home, '.techne/chats', `${id}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

const proposalsOf = (out: string): string =>
  (JSON.parse(out) as { proposals: { id: string }[] }).proposals[0]?.id ?? '';

describe('techne chat -p', () => {
  it('records which conversation and model a proposal is from', async () => {
    script(
      'chat:\n  - calls: [{tool: skill_propose, args: {action: delete, name: greet, why: nobody greets}}]\n  - {answer: proposed}\n',
    );
    const { chat: id, code } = await json('-p', 'nobody greets anybody');
    const { out } = await world.run(['proposals', 'list', '--json']);
    expect([code, (JSON.parse(out) as { proposals: { origin: object }[] }).proposals[0]?.origin]).toEqual([
      0,
      {
        by: 'agent',
        surface: 'chat',
        run: null,
        conversation: id,
        model: `script:${join(world.workspace, 'talk.yaml')}`,
        client: null,
      },
    ]);
    expect((await world.run(['proposals', 'show', proposalsOf(out)])).out).toContain(`  chat    ${id}\n`);
  }, 60_000);

  it('runs a skill that the model calls by the name of S1', async () => {
    script(
      'chat:\n  - calls: [{tool: meta_invoke, args: {name: count, input: {fruit: pears}}}]\n  - {contains: two pears, answer: done}\n',
    );
    expect(await json('-p', 'count')).toMatchObject({
      answer: 'done',
      runs: [{ skill: 'count', status: 'completed' }],
    });
  });

  it('offers no skill that needs a tool which the conversation does not have', async () => {
    const skill = (name: string, tool: string) => ({
      [`work/.techne/skills/${name}/SKILL.md`]: skillText(
        name,
        'Looks up. Use to look up.',
        `tools: ${tool}\n`,
      ),
    });
    world.write({ ...skill('by-shell', 'Bash'), ...skill('by-web', 'WebSearch') });
    script(
      'chat:\n  - calls: [{tool: skill_load, args: {name: by-shell}}, {tool: skill_load, args: {name: by-web}}]\n  - answer: done\n',
    );
    const { calls } = await json('-p', 'hello');
    expect(calls.map(({ tool, ok }) => [tool, ok])).toEqual([
      ['skill_load', true],
      ['skill_load', false],
    ]);
  });

  it('prints the answer, and with --json what happened', async () => {
    script('chat: ["Hello there."]\n');
    expect(await chat(['-p', 'hi', '-q'])).toEqual({ code: 0, out: 'Hello there.\n', err: '' });
    expect(await json('-p', 'hi')).toMatchObject({
      code: 0,
      status: 'done',
      answer: 'Hello there.',
      message: null,
      turns: 1,
      calls: [],
      runs: [],
    });
  });

  it('takes the answers of a script that says nothing of a conversation', async () => {
    script('answers: ["Hello there."]\n');
    expect((await chat(['-p', 'hi', '-q'])).out).toBe('Hello there.\n');
  });

  it('says what is missing when there is no model, and who cannot talk', async () => {
    const { code, err } = await world.run(['chat', '-p', 'hi']);
    expect([code, err]).toEqual([
      3,
      'techne: techne chat needs a model: there is no model to ask\n  hint: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model under "models" in ~/.techne/config.json. "techne doctor" shows what there is\n',
    ]);
    expect((await world.run(['chat', '-p', 'hi', '--answer', 'caller'])).err).toContain(
      '"caller" cannot hold a conversation',
    );
    expect((await world.run(['chat'])).code).toBe(2);
    expect((await world.run(['chat', '-p', ' '])).code).toBe(2);
  });

  it('reads a message from standard input', async () => {
    script('chat: [{contains: from a pipe, answer: Got it.}]\n');
    expect((await chat(['-p', '-', '-q'], { input: 'from a pipe\n' })).out).toBe('Got it.\n');
  });

  it('fails with what the model failed with', async () => {
    script('chat: [{error: the line is down}]\n');
    expect(await json('-p', 'hi')).toMatchObject({ code: 1, status: 'failed', message: 'the line is down' });
  });
});

describe('a conversation', () => {
  it('goes on where it was, and can be listed', async () => {
    script('chat: ["One.", {contains: second, answer: Two.}]\n');
    const { chat: id } = await json('-p', 'first');
    expect(await json('-p', 'second', '--resume', id.slice(-6))).toMatchObject({ chat: id, answer: 'Two.' });
    expect(logOf(id).map(({ type }) => type)).toEqual([
      'chat.started',
      'user.said',
      'turn.taken',
      'answer.ended',
      'user.said',
      'turn.taken',
      'answer.ended',
    ]);
    const { out } = await world.run(['chat', '--list']);
    expect(out).toMatch(
      new RegExp(
        `^CHAT +LAST +MESSAGES +WORKSPACE +BEGAN WITH\n${id} +(?:now|\\d+ \\w+) +2 messages +${world.workspace} +first\n$`,
      ),
    );
    expect((await chat(['-p', 'x', '--resume', 'zzzz'])).code).toBe(2);
  });

  it('drops a torn tail, and refuses damage before it', async () => {
    script('chat: ["One.", "Two."]\n');
    const { chat: id } = await json('-p', 'first');
    const file = join(world.home, '.techne/chats', `${id}.jsonl`);
    appendFileSync(file, '{"type":"user.said","at":1,"te');
    const { code, err } = await chat(['-p', 'second', '--resume', id]);
    expect([code, err.includes('was incomplete and was dropped')]).toEqual([0, true]);
    expect(logOf(id)).toHaveLength(7);
    world.write({
      [`home/.techne/chats/${id}.jsonl`]: readFileSync(file, 'utf8').replace('{"type":"user.said"', '{"type'),
    });
    expect((await chat(['-p', 'third', '--resume', id])).err).toMatch(/cannot be read, line 2/);
  });

  it('tells the model of a call whose outcome is unknown, and does not make it again', async () => {
    configure({ commands: { allow: ['touch ...'] } });
    script(
      'chat: [{calls: [{tool: command, args: {argv: [touch, made.txt]}}]}, {contains: go on, answer: I looked.}, {answer: never}]\n',
    );
    const { chat: id } = await json('-p', 'make it');
    const file = join(world.home, '.techne/chats', `${id}.jsonl`);
    const lines = readFileSync(file, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"call.ended"'));
    truncateSync(file, Buffer.byteLength(`${lines.slice(0, at).join('\n')}\n`));
    const before = statSync(file).size;
    script('chat: ["x", {contains: go on, answer: I looked.}]\n');
    expect((await json('-p', 'go on', '--resume', id)).answer).toBe('I looked.');
    expect(statSync(file).size).toBeGreaterThan(before);
  });

  it('is held by one process', async () => {
    script('chat: ["One."]\n');
    const { chat: id } = await json('-p', 'first');
    const { ChatFiles } = await import('../../node/chat/chat-files.ts');
    const files = new ChatFiles(join(world.home, '.techne/chats'));
    await files.open(id, null, async () => {
      expect((await chat(['-p', 'x', '--resume', id])).err).toContain('is held by process');
    });
  });

  it('is summarised when it is too long, and goes on', async () => {
    const long = 'word '.repeat(6000);
    script(`chat: ["${long}", "Second.", {purpose: compact, answer: They talked at length.}, "Third."]\n`);
    const { chat: id } = await json('-p', 'first', '--context', '4000');
    await json('-p', 'second', '--resume', id, '--context', '4000');
    const log = logOf(id);
    expect(log.filter(({ type }) => type === 'history.compacted')).toMatchObject([
      { summary: 'They talked at length.' },
    ]);
    expect((await json('-p', 'third', '--resume', id, '--context', '4000')).answer).toBe('Third.');
    configure({ chat: { contextTokens: 4000 } });
    const other = await json('-p', 'first');
    await json('-p', 'second', '--resume', other.chat);
    expect(logOf(other.chat).filter(({ type }) => type === 'history.compacted')).toHaveLength(1);
  });
});

describe('skills in a conversation', () => {
  it('are matched with each message, shown discreetly, and given when a person mentions them', async () => {
    script(
      'chat: [{contains: "## Skills for this message", answer: High.}, {contains: "### Skill: tides", answer: Low.}]\n',
    );
    const first = await chat(['-p', 'please explain the tides to me']);
    expect([first.out, first.err]).toEqual(['High.\n', expect.stringMatching(/^· skills: tides \(.+\)\n$/)]);
    expect(await json('-p', 'now with $tides', '--resume')).toMatchObject({
      answer: 'Low.',
      skills: { matched: [{ skill: 'tides', mode: 'explicit' }], loaded: ['tides'] },
    });
  });

  it('are called with a slash and their arguments', async () => {
    script('chat: [{contains: "Greet Ada warmly.", answer: "Hello, Ada!"}]\n');
    expect(await json('-p', '/greet Ada')).toMatchObject({
      answer: 'Hello, Ada!',
      skills: { loaded: ['greet'] },
    });
    expect((await chat(['-p', '/gret Ada'])).err).toContain(
      'there is no command /gret; did you mean /greet?',
    );
  });

  it('are loaded by the model, and stay loaded when the conversation is taken up again', async () => {
    script(
      'chat: [{calls: [{tool: skill_load, args: {name: tides}}]}, "Loaded.", {calls: [{tool: skill_load, args: {name: tides}}]}, {contains: given earlier in this conversation, answer: Known.}]\n',
    );
    const first = await json('-p', 'tides?');
    expect(first).toMatchObject({
      answer: 'Loaded.',
      skills: { loaded: ['tides'] },
      calls: [{ tool: 'skill_load', ok: true }],
    });
    expect((await json('-p', 'again', '--resume', first.chat)).answer).toBe('Known.');
  });

  it('are run by the model, and by a person with a slash', async () => {
    script(
      'chat: [{calls: [{tool: run_metaskill, args: {name: count, input: {fruit: pears}}}]}, {contains: two pears, answer: Two.}, {contains: well, answer: Fine.}]\n',
    );
    const first = await json('-p', 'count pears');
    expect(first).toMatchObject({
      answer: 'Two.',
      calls: [{ tool: 'run_metaskill', ok: true }],
      runs: [{ skill: 'count', status: 'completed' }],
    });
    expect(await json('-p', '/count red apples', '--resume', first.chat)).toMatchObject({
      code: 0,
      status: 'completed',
    });
    expect(logOf(first.chat).at(-1)).toMatchObject({
      type: 'note.added',
      text: expect.stringContaining('two red apples') as string,
    });
  });
});

describe('a skill with "context: fork"', () => {
  const skill = (fields: string, body: string): string =>
    `---\nname: study\ndescription: Studies. Use to study.\ncontext: fork\n${fields}---\n\n${body}`;

  it('is worked on by an agent of its own, which knows nothing of the conversation', async () => {
    world.write({ 'work/.techne/skills/study/SKILL.md': skill('', 'Study $ARGUMENTS.\n') });
    const server = await createModelServer({
      turns: [
        { text: 'Hello.' },
        { calls: [{ tool: 'skill_load', input: { name: 'tides' } }] },
        { text: 'The moon does it.' },
        { text: 'Yes.' },
      ],
    });
    try {
      configure({ models: { near: { provider: 'openai-compatible', baseUrl: server.url, model: 'small' } } });
      const say = async (...argv: readonly string[]): Promise<Printed> =>
        JSON.parse((await world.run(['chat', '--answer', 'model:near', '--json', ...argv])).out) as Printed;
      const { chat: id } = await say('-p', 'my name is Ada');
      expect(await say('-p', '/study the tides', '--resume', id)).toMatchObject({
        status: 'done',
        answer: 'The moon does it.',
        turns: 2,
        skills: { loaded: ['study', 'tides'] },
      });
      expect(await say('-p', 'is that so?', '--resume', id)).toMatchObject({ answer: 'Yes.' });
      const told = server.requests.map(({ body }) => JSON.stringify(body['messages']));
      expect([
        told[1]?.includes('Study the tides.'),
        told[1]?.includes('Ada'),
        told[2]?.includes('Ada'),
      ]).toEqual([true, false, false]);
      expect([
        told[3]?.includes('Ada'),
        told[3]?.includes('The moon does it.'),
        told[3]?.includes('Study the tides.'),
        told[3]?.includes('### Skill: tides'),
      ]).toEqual([true, true, false, false]);
      expect(logOf(id).map(({ type }) => type)).toEqual([
        'chat.started',
        'user.said',
        'turn.taken',
        'answer.ended',
        'note.added',
        'note.added',
        'user.said',
        'turn.taken',
        'answer.ended',
      ]);
      expect(logOf(id)[5]).toMatchObject({ spent: { turns: 2 } });
    } finally {
      await server.close();
    }
  });

  it('counts its turns and runs as those of the conversation', async () => {
    world.write({ 'work/.techne/skills/study/SKILL.md': skill('', 'Study $ARGUMENTS.\n') });
    script(
      'chat: [Hello., {contains: "Study pears.", calls: [{tool: run_metaskill, args: {name: count, input: {fruit: pears}}}]}, {contains: two pears, answer: Two.}, {contains: again, answer: Still two.}]\n',
    );
    const { chat: id } = await json('-p', 'hello');
    expect(await json('-p', '/study pears', '--resume', id)).toMatchObject({
      answer: 'Two.',
      runs: [{ skill: 'count', status: 'completed' }],
    });
    expect(await json('-p', 'again', '--resume', id)).toMatchObject({ answer: 'Still two.' });
  });

  it('does nothing unasked when it is untrusted, and nor does the conversation that gets its result', async () => {
    configure({ trust: { folders: [] }, commands: { allow: ['uname'] } });
    world.write({ 'work/.techne/skills/study/SKILL.md': skill('', 'Study.\n') });
    const call = '{calls: [{tool: command, args: {argv: [uname]}}]}';
    script(`chat: [${call}, Before., ${call}, Within., ${call}, After.]\n`);
    const before = await json('-p', 'go');
    const within = await json('-p', '/study', '--resume', before.chat);
    const after = await json('-p', 'go', '--resume', before.chat);
    expect(
      [before, within, after].map(({ answer, calls }) => [answer, ...calls.map(({ ok }) => ok)]),
    ).toEqual([
      ['Before.', true],
      ['Within.', false],
      ['After.', false],
    ]);
  });

  it('tells the conversation how it failed', async () => {
    world.write({ 'work/.techne/skills/study/SKILL.md': skill('', 'Study.\n') });
    script('chat: [{error: the line is down}]\n');
    const failed = await json('-p', '/study');
    expect(failed).toMatchObject({ code: 1, status: 'failed', message: 'the line is down' });
    expect(logOf(failed.chat).at(-1)).toMatchObject({
      type: 'note.added',
      text: expect.stringContaining('came to no end: the line is down') as string,
    });
  });
});

describe('a skill that names a model', () => {
  it('is answered by that model where it is configured, and else by whoever has the conversation, with a word', async () => {
    world.write({
      'work/.techne/skills/hard/SKILL.md':
        '---\nname: hard\ndescription: Thinks hard. Use to think.\nmodel: far\n---\n\nThink.\n',
      'work/.techne/skills/odd/SKILL.md':
        '---\nname: odd\ndescription: Odd. Use for odd things.\nmodel: opus\n---\n\nThink.\n',
      'work/.techne/skills/same/SKILL.md':
        '---\nname: same\ndescription: Same. Use for the same.\nmodel: inherit\n---\n\nThink.\n',
    });
    const server = await createModelServer({ turns: [{ text: 'Fine.' }] });
    try {
      const endpoint = (model: string): object => ({
        provider: 'openai-compatible',
        baseUrl: server.url,
        model,
      });
      configure({ models: { near: endpoint('small'), far: endpoint('large') } });
      const errors: string[] = [];
      for (const message of ['/hard', 'and now', '/odd', '/same'])
        errors.push((await world.run(['chat', '--answer', 'model:near', '-p', message])).err);
      expect(server.requests.map(({ body }) => body['model'])).toEqual(['large', 'small', 'small', 'small']);
      expect(errors.map((text) => /asks for the model.*/.exec(text)?.[0] ?? null)).toEqual([
        null,
        null,
        'asks for the model "opus", which is not configured: model:near answers',
        null,
      ]);
    } finally {
      await server.close();
    }
  });
});

describe('tools in a conversation', () => {
  it('read without asking, and change nothing where no person can be asked', async () => {
    script(
      'chat: [{calls: [{tool: read_file, args: {path: fruit.txt}}, {tool: write_file, args: {path: new.txt, content: x}}, {tool: command, args: {argv: [uname]}}, {tool: reed_file, args: {}}]}, {contains: [pear, no person can approve it, did you mean read_file], answer: Done.}]\n',
    );
    expect(await json('-p', 'look')).toMatchObject({
      answer: 'Done.',
      calls: [{ ok: true }, { ok: false }, { ok: false }, { ok: false }],
    });
    expect(existsSync(join(world.workspace, 'new.txt'))).toBe(false);
  });

  it('are granted by allowed-tools of a trusted skill that is loaded, and of no other', async () => {
    world.write({
      'work/.techne/skills/name-it/SKILL.md':
        '---\nname: name-it\ndescription: Names the system. Use to name it.\nallowed-tools: Bash(uname:*)\n---\n\nRun uname.\n',
    });
    const calls =
      'chat: [{calls: [{tool: skill_load, args: {name: name-it}}, {tool: command, args: {argv: [uname]}}, {tool: command, args: {argv: [id]}}]}, Done.]\n';
    script(calls);
    expect((await json('-p', 'go')).calls.map(({ ok }) => ok)).toEqual([true, true, false]);
    configure({ trust: { folders: [] } });
    expect((await json('-p', 'go')).calls.map(({ ok }) => ok)).toEqual([true, false, false]);
  });

  it('are not run unasked while an untrusted skill is loaded, whatever is allowed', async () => {
    configure({ trust: { folders: [] }, commands: { allow: ['uname'] } });
    script(
      'chat: [{calls: [{tool: command, args: {argv: [uname]}}, {tool: skill_load, args: {name: tides}}, {tool: command, args: {argv: [uname]}}]}, Done.]\n',
    );
    expect((await json('-p', 'go')).calls.map(({ ok }) => ok)).toEqual([true, true, false]);
  });
});

describe('what is run with a slash', () => {
  it('answers with --json what it prints without', async () => {
    script('chat: [Never.]\n');
    expect(await json('-p', '/count red apples')).toMatchObject({
      status: 'completed',
      answer: 'two red apples',
      message: null,
    });
    expect((await chat(['-p', '/count red apples', '-q'])).out).toBe('two red apples\n');
    expect(await json('-p', '/count')).toMatchObject({
      code: 4,
      status: 'refused',
      answer: '',
      message: 'skill \'count\' needs "fruit"',
    });
  });

  it('tells its events to a file', async () => {
    script('chat: [Never.]\n');
    await chat(['-p', '/count pears', '--events', 'events.jsonl']);
    const events = readFileSync(join(world.workspace, 'events.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Line).type);
    expect([events[0], events.at(-1)]).toEqual(['run.started', 'run.ended']);
  });

  it('has a file of events from the start, with the skills that are loaded', async () => {
    world.write({
      'home/.techne/skills/notes/SKILL.md': skillText(
        'notes',
        'Writes notes. Use to note.',
        'always: true\n',
      ),
      'work/.techne/skills/study/SKILL.md':
        '---\nname: study\ndescription: Studies. Use to study.\ncontext: fork\n---\n\nStudy.\n',
    });
    script('chat: [{calls: [{tool: skill_load, args: {name: tides}}]}, Fine.]\n');
    const events = (): readonly unknown[] =>
      readFileSync(join(world.workspace, 'events.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const { type, skill_id: skill, load_reason: reason } = JSON.parse(line) as Line;
          return [type, skill, reason];
        });
    await chat(['-p', '/usage', '--events', 'events.jsonl']);
    const always = ['skill.loaded', 'notes', 'always'];
    expect(events()).toEqual([always]);
    await chat(['-p', 'tides?', '--events', 'events.jsonl']);
    expect(events().slice(1)).toEqual([always, ['skill.loaded', 'tides', 'on_demand']]);
    script('chat: [Fine.]\n');
    await chat(['-p', '/study', '--events', 'events.jsonl']);
    expect(events().slice(3).at(-1)).toEqual(['skill.loaded', 'study', 'on_demand']);
    await chat(['-p', '/usage', '--events', 'none/events.jsonl']);
    expect((await chat(['-p', '/usage', '--events', 'none/events.jsonl'])).err).toContain(
      'events cannot be written to "none/events.jsonl"',
    );
  });

  it('is refused with the keys that are missing', async () => {
    script('chat: [Never.]\n');
    expect((await chat(['-p', '/count'])).err).toContain(
      'skill \'count\' needs "fruit"\n  hint: keys: fruit (required)\n',
    );
  });

  it('can be gone on with by its conversation, also when nothing was said in it', async () => {
    script('chat: [Fine.]\n');
    const { chat: id } = await json('-p', '/count pears');
    expect((await json('-p', 'well?', '--resume')).chat).toBe(id);
  });

  it('that waits for an answer shows what is asked, and the command that answers it', async () => {
    script('chat: [Never.]\n');
    world.write({
      'work/.techne/skills/intake/SKILL.md':
        '---\nname: intake\ndescription: Asks first. Use to ask.\nkind: meta\ntriggers: [ask me, ask me first]\nfinal_text_mode: raw\ncomposition:\n  steps:\n    - id: details\n      kind: user_input\n      clarify:\n        fields: [{name: version, type: string, required: true, prompt: Which version?}]\n---\n\nAsk.\n',
    });
    const { code, out, err } = await chat(['-p', '/intake go']);
    expect([code, out, err.includes('/continue')]).toEqual([
      5,
      expect.stringMatching(
        /^paused: the run waits for an answer\n[^]*Which version\?[^]*techne answer 01\w+ --set version=/,
      ),
      false,
    ]);
    const printed = await json('-p', '/intake go');
    expect(printed).toMatchObject({
      status: 'paused',
      message: expect.stringMatching(/^the run waits for an answer: techne answer 01\w+$/) as string,
      questions: [{ audience: 'person', question: { type: 'form', step: 'details' } }],
      undecided: [],
    });
    // Answered as it was said: the conversation hears of it.
    const run = printed.message?.split(' ').at(-1) as string;
    expect((await world.run(['answer', run, '--set', 'version=2.4', '--as', 'person', '-q'])).code).toBe(0);
    script('chat: [So it is 2.4.]\n');
    const heard = await chat(['-p', 'well?', '--resume', printed.chat]);
    expect([heard.code, heard.err]).toEqual([
      0,
      expect.stringContaining(`the run of intake that waited has ended: completed · techne runs show ${run}`),
    ]);
    expect(JSON.stringify(logOf(printed.chat))).toContain(
      'continued elsewhere and has ended. Its result is data:',
    );
  });

  it('is asked about when nobody knows what became of a call, and goes on', async () => {
    configure({ commands: { allow: ['sleep ...'] } });
    script('chat: [Never.]\n');
    world.write({
      'work/.techne/skills/slow/SKILL.md':
        '---\nname: slow\ndescription: Waits. Use to wait.\nmetaskill: SKILL.star\n---\n\nInput keys:\n\n- `s`: seconds\n',
      'work/.techne/skills/slow/SKILL.star':
        'def run(input):\n    return {"answer": "slept %s" % command(["sleep", input["s"]])["ok"]}\n',
    });
    const left = await chat(['-p', '/slow 30'], {
      terminate: new Promise((resolve) => setTimeout(resolve, 2500)),
    });
    expect(left.err).toContain('/continue resumes it');
    const nobody = await chat(['-p', '/continue', '--resume']);
    expect([nobody.code, nobody.out]).toEqual([
      6,
      expect.stringMatching(
        /^needs a decision: [^]*\n {2}techne runs resolve 01\w+ \S+ --as done\|retry\|fail\n/,
      ),
    ]);
    const { err, out } = await chat(['--resume'], {
      talk: [
        ['\u001B[3G', '/continue\r'],
        ['later: ', '\n'],
        ['\u001B[3G', '/continue\r'],
        ['later: ', 'perhaps\n'],
        ['later: ', 'done\n'],
        ['\u001B[3G', '/exit\r'],
      ],
    });
    expect(err).toContain('The outcome of this call is unknown. Check whether it happened, then decide:');
    expect(err).toContain('sleep 30');
    expect(out).toContain('slept True');
  });
});

describe('what runs of a conversation cost', () => {
  const looper = {
    'work/.techne/skills/looper/SKILL.md':
      '---\nname: looper\ndescription: Asks thrice. Use to loop.\nmetaskill: SKILL.star\n---\n\nInput keys:\n\n- `topic`: what about\n',
    'work/.techne/skills/looper/SKILL.star':
      'def run(input):\n    for n in range(3):\n        last = ask(input["topic"])\n    return {"answer": last["answer"]}\n',
  };
  const answer = '{answer: Yes., tokens: {input: 10, output: 4}}';
  const spent = { asks: 3, inputTokens: 30, outputTokens: 12, costMicros: 0 };

  it('is counted when a person starts them, and known when the conversation goes on', async () => {
    world.write(looper);
    script(
      `chat: [{answer: Hello., tokens: {input: 5, output: 1}}]\nanswers: [${answer}, ${answer}, ${answer}]\n`,
    );
    const first = await json('-p', '/looper tides');
    expect(first).toMatchObject({
      status: 'completed',
      runs: [{ skill: 'looper', usage: spent }],
      usage: { inputTokens: 30, outputTokens: 12, costMicros: 0 },
    });
    expect(await json('-p', 'hi', '--resume', first.chat)).toMatchObject({
      usage: { inputTokens: 35, outputTokens: 13, costMicros: 0 },
    });
    expect((await chat(['-p', '/usage', '--resume', first.chat])).err).toBe(
      '5 tokens in, 1 out, cost unknown, 1 turn\nruns: 30 tokens in, 12 out, cost unknown, 3 asks of 1 run\ntogether: 35 tokens in, 13 out, cost unknown\n',
    );
  });

  it('is counted when the model starts them, also in an agent of its own', async () => {
    world.write({
      ...looper,
      'work/.techne/skills/study/SKILL.md':
        '---\nname: study\ndescription: Studies. Use to study.\ncontext: fork\n---\n\nStudy.\n',
    });
    script(
      `chat: [{calls: [{tool: run_metaskill, args: {name: looper, input: {topic: tides}}}]}, Done., Late.]\nanswers: [${answer}, ${answer}, ${answer}]\n`,
    );
    for (const message of ['loop', '/study'])
      expect(await json('-p', message)).toMatchObject({
        answer: 'Done.',
        runs: [{ usage: spent }],
        usage: { inputTokens: 30, outputTokens: 12 },
      });
  });

  it('is counted up to where a run was stopped, and once when it goes on', async () => {
    configure({ commands: { allow: ['sleep ...'] } });
    world.write({
      ...looper,
      'work/.techne/skills/looper/SKILL.star':
        'def run(input):\n    ask(input["topic"])\n    command(["sleep", "30"], {"idempotent": True})\n    return {"answer": "end"}\n',
    });
    script(`chat: [Never.]\nanswers: [${answer}]\n`);
    const left = await chat(['-p', '/looper tides', '--json'], {
      terminate: new Promise((resolve) => setTimeout(resolve, 2500)),
    });
    const { chat: id, usage, runs } = JSON.parse(left.out) as Printed & { readonly usage: object };
    expect([usage, runs]).toMatchObject([
      { inputTokens: 10 },
      [{ status: 'interrupted', usage: { asks: 1, outputTokens: 4 } }],
    ]);
    const shown = await world.run(['runs', 'show', 'last']);
    expect(shown.out).toContain(
      'It is detached: no process drives it. To resume (in the chat that started it: /continue):\n  techne runs resume 01',
    );
    expect([
      shown.out.includes('stopped, can be resumed'),
      shown.out.includes('under way'),
      shown.out.includes('is gone'),
    ]).toEqual([true, false, false]);
    const again = await chat(['-p', '/continue', '--resume', id, '--json'], {
      terminate: new Promise((resolve) => setTimeout(resolve, 1500)),
    });
    expect(JSON.parse(again.out)).toMatchObject({
      usage: { inputTokens: 10, outputTokens: 4 },
      runs: [{ usage: { asks: 1 } }],
    });
  });
});

describe('commands of a conversation', () => {
  it('say what keeps a skill from being called, and what there is instead', async () => {
    script('chat: [Never.]\n');
    world.write({
      'work/.techne/skills/needs/SKILL.md':
        '---\nname: needs\ndescription: Needs much. Use it.\nrequires: {bins: [no-such-program]}\n---\n\nDo it.\n',
      'work/.techne/skills/quiet/SKILL.md':
        '---\nname: quiet\ndescription: For models. Use it.\nuser-invocable: false\n---\n\nDo it.\n',
    });
    expect((await chat(['-p', '/needs x'])).err).toBe(
      'techne: the skill "needs" cannot be called: the program "no-such-program" is not on PATH (install no-such-program)\n',
    );
    expect((await chat(['-p', '/quiet'])).err).toContain(
      'the skill "quiet" cannot be called: its author keeps it',
    );
    expect((await chat(['-p', '/zzzzzz'])).err).toContain(
      'there is no command /zzzzzz; /help lists the commands\n',
    );
  });

  it('count in words', async () => {
    script('chat: [One.]\n');
    const { chat: id } = await json('-p', 'hi');
    expect((await chat(['-p', '/usage', '--resume', id])).err).toContain('0 tokens in, 0 out, 1 turn\n');
    expect((await chat(['-p', '/help'])).err).toContain(
      'at the prompt it clears the line, and twice on an empty line it ends the chat',
    );
  });
});

describe('techne chat at a terminal', () => {
  const prompt = '\u001B[3G';
  it('asks before a file is written and a program is run', async () => {
    script(
      'chat: [{calls: [{tool: write_file, args: {path: new.txt, content: "one\\ntwo\\n"}}, {tool: command, args: {argv: [uname]}}]}, Done., Bye.]\n',
    );
    const { code, out, err } = await chat([], {
      talk: [
        [prompt, 'write it\r'],
        ['no: ', 'o\n'],
        ['no: ', 'd\n'],
        [prompt, '/exit\r'],
      ],
    });
    expect([code, out]).toEqual([0, 'Done.\n']);
    expect(err).toContain('The model wants to write a file:\n\n  new.txt\n  + one\n  + two\n');
    expect(err).toMatch(/the operator said no|To resume: techne chat --resume 01/);
    expect(readFileSync(join(world.workspace, 'new.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  it('says what is wrong with a skill whose YAML was broken meanwhile', async () => {
    const server = await createModelServer({
      turns: (_request, index) => {
        if (index === 0)
          world.write({
            'work/.techne/skills/greet/SKILL.md':
              '---\nname: greet\ndescription: [never closed\n---\n\nGreet.\n',
          });
        return { text: index === 0 ? 'One.' : 'Two.' };
      },
    });
    try {
      configure({ models: { near: { provider: 'openai-compatible', baseUrl: server.url, model: 'small' } } });
      const { err } = await world.run(['chat', '--answer', 'model:near'], {
        talk: [
          [prompt, 'hello\r'],
          [prompt, 'again\r'],
          [prompt, '/exit\r'],
        ],
      });
      expect(err).toMatch(/techne: the file of "greet" has problems: .* \(techne check greet\)\n/);
      expect(err).toContain('skills: changed greet');
    } finally {
      await server.close();
    }
  });

  it('keeps lines and conversations', async () => {
    script('chat: [Done.]\n');
    await chat([], {
      talk: [
        [prompt, 'hello there\r'],
        [prompt, '/exit\r'],
      ],
    });
    expect(readFileSync(join(world.home, '.techne/chat_history'), 'utf8')).toBe('hello there\n/exit\n');
    expect(
      readdirSync(join(world.home, '.techne/chats')).filter((name) => name.endsWith('.jsonl')),
    ).toHaveLength(1);
  });
});
