import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, skillText } from '../../test/support/run-cli.ts';
import type { World } from '../../test/support/run-cli.ts';
import { matchOf, scriptedMatcher } from '../../test/support/session.ts';
import type { Matcher } from '../match/match.ts';
import type { SkillEvent } from '../prompt/skill-loaded.ts';
import type { RunEvent } from '../run/events.ts';
import type { PendingQuestion, RunResult } from '../run/result/result.ts';
import type { AgentSession } from './agent-session.ts';
import type { Techne, TechneOptions } from './create-techne.ts';
import { createTechne } from './create-techne.ts';
import { RunDetachedError } from '../run/drive/drive.ts';

const program = (name: string, source: string): { readonly [path: string]: string } => ({
  [`work/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Use to ${name}.\nmetaskill: SKILL.star\n---\nThe body of ${name}.\n`,
  [`work/skills/${name}/SKILL.star`]: source,
});
const asking =
  'def run(input):\n    return {"answer": ask("Say " + input["word"], {"purpose": "say"})["answer"]}\n';

let world: World;
let opened: Techne[];
beforeEach(() => {
  opened = [];
  world = createWorld({ 'work/skills/tides/SKILL.md': skillText('tides'), ...program('speak', asking) });
});
afterEach(async () => {
  await Promise.all(opened.map((techne) => techne.close()));
  world.remove();
});

async function create(options: TechneOptions = {}): Promise<Techne> {
  const techne = await createTechne({
    cwd: world.workspace,
    homeFolder: world.home,
    variables: {},
    roots: ['skills'],
    trust: ['skills'],
    ...options,
  });
  opened.push(techne);
  return techne;
}

describe('createTechne', () => {
  it('gives a session and its runs one snapshot, also when the skills change while it opens', async () => {
    const techne = await create();
    const [session] = await Promise.all([techne.session(), techne.refresh()]);
    // The session moves on from the snapshot that it shows: had it been opened over the new one, there were nothing to move to.
    expect(session.skills.snapshot === techne.snapshot).toBe(false);
    expect([await session.moveOn(), session.skills.snapshot === techne.snapshot]).toEqual([true, true]);
  });

  it('has the skills of its roots, and those of the workspace without any', async () => {
    world.write({ 'work/.agents/skills/moon/SKILL.md': skillText('moon') });
    expect((await create()).snapshot.skills.map(({ name }) => name)).toEqual(['speak', 'tides']);
    const around = await createTechne({ cwd: world.workspace, homeFolder: world.home });
    expect(around.snapshot.skills.map(({ name }) => name)).toEqual(['moon']);
    await around.close();
  });

  it('throws FILE_MISSING for a root that is not there', async () => {
    await expect(create({ roots: ['nowhere'] })).rejects.toMatchObject({ code: 'FILE_MISSING' });
  });

  it('throws FILE_MISSING for a folder that is not there, or is none', async () => {
    const cwd = join(world.workspace, 'nowhere');
    await expect(createTechne({ cwd, homeFolder: world.home })).rejects.toMatchObject({
      code: 'FILE_MISSING',
      message: `the folder "${cwd}" is not a folder`,
    });
    await expect(
      createTechne({ cwd: join(world.workspace, 'skills', 'tides', 'SKILL.md'), homeFolder: world.home }),
    ).rejects.toMatchObject({ code: 'FILE_MISSING' });
  });

  it.each([
    [
      { answerer: 42 },
      'createTechne: the option answerer must be a function, an answerer with a name and answer(), or text such as "model", not 42',
      null,
    ],
    [
      { answerer: { name: 'me' } },
      'createTechne: the option answerer must be a function, an answerer with a name and answer(), or text such as "model", not an object',
      null,
    ],
    [{ awnserer: 'model' }, 'createTechne: there is no option "awnserer"', 'did you mean answerer?'],
    [{ root: ['skills'] }, 'createTechne: there is no option "root"', 'did you mean roots?'],
    [{ roots: 'skills' }, 'createTechne: the option roots must be an array of strings, not "skills"', null],
    [
      { questions: { operater: () => true } },
      'createTechne: there is no option "questions.operater"',
      'did you mean operator?',
    ],
    [{ questions: { person: true } }, 'createTechne: questions.person must be a function, not true', null],
    [{ defaults: { asks: NaN } }, 'createTechne: defaults.asks must be a number from 0 on, not NaN', null],
    [
      { filters: { upper: 'x' } },
      'createTechne: the option filters must be an object, with a function behind each name, not an object',
      null,
    ],
    [
      { blobs: {} },
      'createTechne: the option blobs must be an object with put(), get(), has(), not an object',
      null,
    ],
    ['skills', 'createTechne: the options must be an object, not "skills"', null],
    [null, 'createTechne: the options must be an object, not null', null],
  ])('refuses %j', async (options, message, hint) => {
    await expect(createTechne(options as never)).rejects.toMatchObject({
      name: 'TechneError',
      code: 'USAGE',
      message,
      hint,
    });
  });

  it('names every option where none is near', async () => {
    await expect(createTechne({ zzz: 1 } as never)).rejects.toMatchObject({
      hint: expect.stringMatching(/^there is cwd, workspace, roots, .*onWarning$/) as string,
    });
  });

  it('takes an option that is undefined for one that is left out', async () => {
    expect(
      (await create({ answerer: undefined, cache: undefined, onEvent: undefined } as never)).snapshot.has(
        'tides',
      ),
    ).toBe(true);
  });

  it('refuses arguments of its calls that are missing or of another kind', async () => {
    const techne = (await create()) as unknown as {
      readonly [name: string]: (...args: readonly unknown[]) => Promise<unknown>;
    };
    const session = (await techne['session']?.()) as typeof techne;
    const calls: readonly (readonly [typeof techne, string, readonly unknown[], string])[] = [
      [techne, 'match', [], 'match: the message must be a string, not undefined'],
      [techne, 'match', ['x', 3], 'match: the options must be an object, not 3'],
      [techne, 'match', ['x', { limits: 3 }], 'match: there is no option "limits"'],
      [techne, 'index', [400], 'index: budget must be an object, not 400'],
      [techne, 'index', [{ token: 400 }], 'index: there is no option "budget.token"'],
      [
        techne,
        'session',
        [{ budget: { tokens: '400' } }],
        'session: budget.tokens must be a number from 0 on, not "400"',
      ],
      [
        techne,
        'tools',
        [{ settings: { disclosure: 'early' } }],
        'session: settings.disclosure must be "on-demand" or "eager", not "early"',
      ],
      [techne, 'run', [], 'run: the skill must be a string, not undefined'],
      [techne, 'run', ['speak', {}, { limits: { ask: 1 } }], 'run: there is no option "limits.ask"'],
      [techne, 'run', ['speak', {}, null], 'run: the options must be an object, not null'],
      [techne, 'resume', [], 'resume: the run must be a string, not undefined'],
      [techne, 'resume', ['r', { limits: {} }], 'resume: there is no option "limits"'],
      [techne, 'withRuns', [], 'withRuns: the work must be a function, not undefined'],
      [session, 'match', [], 'match: the message must be a string, not undefined'],
      [session, 'enrich', [], 'enrich: the turn must be an object, not undefined'],
      [session, 'enrich', ['hello'], 'enrich: the turn must be an object, not "hello"'],
      [session, 'enrich', [{}], 'enrich: turn.message must be a string, not undefined'],
      [session, 'call', [], 'call: the tool must be a string, not undefined'],
    ];
    for (const [on, name, args, message] of calls)
      await expect(on[name]?.(...args)).rejects.toMatchObject({ code: 'USAGE', message });
  });

  it('looks again when it is told to, and by itself once it watches', async () => {
    const techne = await create();
    const before = techne.snapshot;
    world.write({ 'work/skills/moon/SKILL.md': skillText('moon') });
    expect(techne.snapshot).toBe(before);
    expect((await techne.refresh()).has('moon')).toBe(true);
    expect(techne.snapshot.has('moon')).toBe(true);
    const watch = await techne.watch();
    expect(await techne.watch()).toBe(watch);
    const added = new Promise<string>((resolve) =>
      watch.on((event) => event.type === 'skill.added' && resolve(event.skill.name)),
    );
    world.write({ 'work/skills/winds/SKILL.md': skillText('winds') });
    expect(await added).toBe('winds');
    expect(techne.snapshot.has('winds')).toBe(true);
  });

  it('makes one matcher for each snapshot, when the first message comes', async () => {
    const made: string[] = [];
    const techne = await create({
      openMatcher: async ({ skills }) => (
        made.push(skills.map(({ name }) => name).join(' ')),
        scriptedMatcher({ 'is it high?': { matches: [matchOf('tides')] } })
      ),
    });
    await techne.session();
    expect(made).toEqual([]);
    expect((await techne.match('is it high?')).matches).toEqual([matchOf('tides')]);
    expect((await techne.match('hello')).matches).toEqual([]);
    expect(made).toEqual(['speak tides']);
    world.write({ 'work/skills/moon/SKILL.md': skillText('moon') });
    await techne.refresh();
    await techne.match('hello');
    expect(made).toEqual(['speak tides', 'moon speak tides']);
  });

  it('matches with nothing where there is no matcher, and tries again after one that failed', async () => {
    expect(await (await create({ openMatcher: async () => null })).match('hello')).toEqual({
      matches: [],
      abstained: null,
      candidates: [],
    });
    let tries = 0;
    const techne = await create({
      openMatcher: async (): Promise<Matcher> => {
        tries += 1;
        if (tries === 1) throw new Error('no');
        return scriptedMatcher({});
      },
    });
    await expect(techne.match('hello')).rejects.toThrow('no');
    expect((await techne.match('hello')).matches).toEqual([]);
  });

  it('lists skills within a budget', async () => {
    const techne = await create();
    expect((await techne.index()).text).toBe(
      '## Available skills\nUse `skill_search(query)` to filter and `skill_load(name)` to read a body.\n- speak: Use to speak. (metaskill: starlark)\n- tides: Does tides. Use when tides is needed.',
    );
    expect((await techne.index({ characters: 150 })).tier).toBe('omitted');
  });

  it('does nothing after it is closed', async () => {
    const techne = await create();
    await techne.close();
    for (const late of [
      techne.session(),
      techne.match(''),
      techne.run('speak'),
      techne.watch(),
      techne.refresh(),
      techne.index(),
      techne.tools(),
      techne.withRuns(async () => 0),
    ])
      await expect(late).rejects.toMatchObject({ code: 'USAGE', message: 'techne is closed' });
  });
});

describe('run', () => {
  it('lets a function of the program answer', async () => {
    const events: (SkillEvent | RunEvent)['type'][] = [];
    const techne = await create({
      answerer: ({ prompt, purpose }) => `${purpose}: ${prompt.toUpperCase()}`,
      onEvent: ({ type }) => events.push(type),
    });
    const own: string[] = [];
    const result = await techne.run('speak', { word: 'hello' }, { onEvent: ({ type }) => own.push(type) });
    expect([result.status, result.envelope?.['answer']]).toEqual(['completed', 'say: SAY HELLO']);
    expect(own).toEqual(events);
    expect(own).toContain('run.ended');
    expect((await techne.withRuns(({ runner }) => runner.replay(result.run as string))).same).toBe(true);
  });

  it('refuses an untrusted skill', async () => {
    const { status, error } = await (await create({ trust: [] })).run('speak', { word: 'hello' });
    expect([status, error?.code]).toEqual(['refused', 'NOT_TRUSTED']);
  });

  it('fails the ask when the function gives no text', async () => {
    const result = await (
      await create({ answerer: () => 7 as unknown as string })
    ).run('speak', { word: 'hello' });
    expect([result.status, result.error?.message.includes('returned a value of type number')]).toEqual([
      'failed',
      true,
    ]);
  });

  it('pauses without an answerer, and continues with handlers', async () => {
    const techne = await create({ answerer: 'caller' });
    const paused = await techne.run('speak', { word: 'hello' });
    expect([paused.status, paused.questions.length]).toEqual(['paused', 1]);
    const result = await techne.resume(paused.run as string, {
      questions: {
        caller: ({ question }) => `heard ${JSON.stringify((question as { prompt: string }).prompt)}`,
      },
    });
    expect(result.envelope?.['answer']).toBe('heard "Say hello"');
  });

  it('tells a handler why its answer cannot be taken', async () => {
    world.write({
      'work/skills/form/SKILL.md':
        '---\nname: form\ndescription: Use to ask.\nkind: meta\ncomposition:\n  steps:\n    - {id: size, kind: user_input, clarify: {fields: [{name: metres, type: int, required: true}]}}\n---\nIt asks.\n',
    });
    const refusals: (string | null)[] = [];
    const questions = {
      person: (_: unknown, { refused }: { readonly refused: string | null }) => (
        refusals.push(refused),
        refused === null ? { metres: 'many' } : { metres: 3 }
      ),
    };
    const result = await (
      await create({ questions, answerer: () => 'done' })
    ).run('form', { user_message: 'go' });
    expect([result.status, refusals.length, refusals[1]?.includes('metres')]).toEqual(['completed', 2, true]);
    await expect(
      (await create({ questions: { person: () => ({ metres: 'many' }) } })).run('form', {
        user_message: 'go',
      }),
    ).rejects.toMatchObject({ code: 'ANSWER_REFUSED' });
  });

  it('keeps approvals from the handler of the caller', async () => {
    world.write({ ...program('list', 'def run(input):\n    return {"answer": command(["uname"])["ok"]}\n') });
    const asked: string[] = [];
    const techne = await create({
      questions: {
        caller: ({ audience }) => (asked.push(audience), 'yes'),
        person: ({ audience }) => (asked.push(audience), 'yes'),
      },
    });
    const { status, questions } = await techne.run('list');
    expect([status, questions.map(({ audience }) => audience), asked]).toEqual(['paused', ['operator'], []]);
  });

  it('cancels with the signal of the program, and leaves the run when it closes', async () => {
    let began = (): void => undefined;
    const waiting = (): { techne: Promise<Techne>; begun: Promise<void> } => ({
      begun: new Promise((resolve) => (began = resolve)),
      techne: create({
        answerer: (_, signal) =>
          new Promise((_resolve, reject) => {
            began();
            signal.addEventListener('abort', () => reject(new Error('stopped')));
          }),
      }),
    });
    const first = waiting();
    const abort = new AbortController();
    const cancelled = (await first.techne).run('speak', { word: 'a' }, { signal: abort.signal });
    await first.begun;
    abort.abort();
    expect((await cancelled).status).toBe('cancelled');

    const second = waiting();
    const left = (await second.techne).run('speak', { word: 'b' }).catch((error: unknown) => error);
    await second.begun;
    await (await second.techne).close();
    const error = await left;
    expect(error).toBeInstanceOf(RunDetachedError);
    const { run } = error as RunDetachedError;
    expect(
      (await (await create({ answerer: () => 'later' })).resume(run as string)).envelope?.['answer'],
    ).toBe('later');
  });
});

describe('a session', () => {
  const call = (session: AgentSession, tool: string, args: object) =>
    session.call(tool, args as never, { id: 'call-1' });

  it('hints at a call that can be made', async () => {
    const session = await (await create()).session();
    const { hint } = (await session.call(5 as never, {}).catch((error: unknown) => error)) as {
      readonly hint: string | null;
    };
    const [, tool, argument] = /^write call\("(\w+)", \{ (\w+): "its-name" \}\)$/.exec(hint ?? '') ?? [];
    expect(session.tools.find(({ name }) => name === tool)?.parameters).toHaveProperty(
      `properties.${argument}`,
    );
  });

  it('has a prompt, tools and turns', async () => {
    const loaded: (SkillEvent | RunEvent)[] = [];
    const techne = await create({
      openMatcher: async () => scriptedMatcher({ 'use tides': { matches: [matchOf('tides', 'explicit')] } }),
      onEvent: (event) => loaded.push(event),
    });
    const session = await techne.session();
    expect(session.prompt).toContain('call `run_metaskill`');
    expect(session.prompt.endsWith((await techne.index()).text)).toBe(true);
    expect(session.tools.map(({ name, readOnly }) => `${name} ${readOnly}`)).toEqual([
      'skill_search true',
      'skill_load true',
      'use_skill true',
      'skill_read true',
      'skill_propose false',
      'skill_proposals true',
      'run_metaskill false',
      'run_answer false',
      'run_status true',
    ]);
    expect((await techne.tools()).map(({ name }) => name)).toEqual(session.tools.map(({ name }) => name));
    expect((await session.enrich({ message: 'use tides' })).given).toEqual(['tides']);
    expect(await call(session, 'skill_load', { name: 'speak' })).toMatchObject({
      ok: true,
      metadata: { skill_id: 'speak' },
    });
    expect(
      loaded.map((event) =>
        event.type === 'skill.loaded' ? [event.skill_id, event.triggered_by_tool_use_id] : event.type,
      ),
    ).toEqual([
      ['tides', null],
      ['speak', 'call-1'],
    ]);
    expect(await call(session, 'skill_lod', {})).toEqual({
      ok: false,
      text: 'error: there is no tool "skill_lod" here; did you mean skill_load?',
      metadata: {},
    });
    expect(await call(session, 'skill_load', { name: 'tide' })).toEqual({
      ok: false,
      text: `error: no skill registered with name 'tide'\nDid you mean 'tides'?`,
      metadata: { code: 'SKILL_UNKNOWN' },
    });
  });

  it('offers nothing to run where nothing is run', async () => {
    const off = async (techne: Techne, runs?: boolean): Promise<readonly string[]> =>
      (await techne.tools(runs === undefined ? {} : { runs })).map(({ name }) => name);
    expect(await off(await create(), false)).toEqual([
      'skill_search',
      'skill_load',
      'use_skill',
      'skill_read',
      'skill_propose',
      'skill_proposals',
    ]);
    world.write({ 'home/.techne/config.json': '{"execution": {"policy": "off"}}' });
    const techne = await create();
    expect(await off(techne)).toEqual([
      'skill_search',
      'skill_load',
      'use_skill',
      'skill_read',
      'skill_propose',
      'skill_proposals',
    ]);
    expect((await techne.session()).prompt).not.toContain('run_metaskill');
  });

  it('takes meta_invoke for run_metaskill', async () => {
    const session = await (await create({ answerer: 'caller' })).session();
    expect(await call(session, 'meta_invoke', { name: 'speak', input: { word: 'x' } })).toMatchObject({
      ok: true,
      metadata: { status: 'paused', skill: 'speak' },
    });
    expect(session.tools.map(({ name }) => name)).not.toContain('meta_invoke');
  });

  it('gives the model of the agent a long question whole, or in pages', async () => {
    const session = await (await create({ answerer: 'caller' })).session();
    const ask = (word: string) => call(session, 'run_metaskill', { name: 'speak', input: { word } });
    const long = 'x'.repeat(36_000);
    expect((await ask(long)).text).toContain(`"Say ${long}"`);
    const { text } = await ask('y'.repeat(90_000));
    const [, next = '{}'] = /read on with run_status (\{.*?\})\]/.exec(text.replaceAll('\\"', '"')) ?? [];
    const page = await call(session, 'run_status', JSON.parse(next) as { run: string });
    expect(page).toMatchObject({
      ok: true,
      text: expect.stringMatching(/^Question .*, characters 32000 to 72000 of \d+:\ny{40000}\n\[cut here/),
    });
    expect(await call(session, 'run_status', { run: 'x' })).toMatchObject({ ok: false });
  });

  it('lets the model of the agent answer what a skill asks, and nothing else', async () => {
    world.write({ ...program('list', 'def run(input):\n    return {"answer": command(["uname"])["ok"]}\n') });
    const session = await (await create({ answerer: 'caller' })).session();
    const paused = await call(session, 'run_metaskill', { name: 'speak', input: { word: 'hello' } });
    expect(paused).toMatchObject({ ok: true, metadata: { status: 'paused', skill: 'speak' } });
    const [, run, question, nonce] = /\{"run": "(.*?)", "question": "(.*?)", "nonce": "(.*?)"/.exec(
      paused.text,
    ) as unknown as readonly string[];
    expect(
      (await call(session, 'run_answer', { run, question, nonce: 'guessed', answer: 'x' })).text,
    ).toContain('error: ');
    expect((await call(session, 'run_answer', { run, question })).text).toContain('belong together');
    expect(await call(session, 'run_answer', { run, question, nonce, answer: 'hi' })).toMatchObject({
      ok: true,
      text: expect.stringMatching(/^\[Metaskill: speak completed\]\n\{"answer":"hi",/),
      metadata: { status: 'completed' },
    });
    const command = await call(session, 'run_metaskill', { name: 'list', input: {} });
    const waits = command.metadata?.['run'] as string;
    expect(command.text).toContain(`The run ${waits} waits for a person`);
    expect(command.text).not.toContain('nonce');
    const { id } = (
      JSON.parse(command.text.slice(command.text.indexOf('\n{') + 1, command.text.lastIndexOf('\n'))) as {
        questions: readonly { id: string }[];
      }
    ).questions[0] as { id: string };
    expect(
      await call(session, 'run_answer', { run: waits, question: id, nonce: 'x', answer: true }),
    ).toMatchObject({ ok: false, metadata: { code: 'ANSWER_REFUSED' } });
  });

  it('gives the program the questions of a run as data, so that it can ask its user', async () => {
    world.write({
      'work/skills/form/SKILL.md':
        '---\nname: form\ndescription: Use to ask.\nkind: meta\nfinal_text_mode: raw\ncomposition:\n  steps:\n    - {id: size, kind: user_input, clarify: {fields: [{name: metres, type: int, required: true}]}}\n---\nIt asks.\n',
    });
    const techne = await create({ answerer: 'caller' });
    const session = await techne.session();
    const paused = await call(session, 'run_metaskill', { name: 'form', input: { user_message: 'go' } });
    const { run, questions } = paused.metadata as unknown as Pick<RunResult, 'questions'> & {
      readonly run: string;
    };
    expect(questions).toMatchObject([
      {
        run,
        audience: 'person',
        id: expect.any(String) as string,
        nonce: expect.any(String) as string,
        question: { type: 'form', fields: [{ name: 'metres', type: 'int' }, { name: 'additional_notes' }] },
      },
    ]);
    const [{ id, nonce }] = questions as [PendingQuestion];
    expect(paused.text).not.toContain(nonce);
    expect(
      await call(session, 'run_answer', { run, question: id, nonce, answer: { metres: 3 } }),
    ).toMatchObject({ ok: false, metadata: { code: 'ANSWER_REFUSED' } });
    await techne.withRuns(({ runner }) =>
      runner.answer(run, { question: id, nonce, value: { metres: 3 }, from: 'person' }),
    );
    const { metadata } = await call(session, 'run_answer', { run });
    expect(metadata).toMatchObject({
      status: 'completed',
      run,
      envelope: { answer: expect.stringContaining('3') as string },
      usage: { asks: 0 },
    });
    expect(metadata).not.toHaveProperty('questions');
    expect(
      (await call(session, 'run_metaskill', { name: 'form', input: { mesage: 'go' } })).metadata,
    ).toMatchObject({
      status: 'refused',
      code: 'INPUT_INVALID',
      error: { code: 'INPUT_INVALID', hint: 'keys: user_message' },
    });
  });

  it('tells the model the key of a composition', async () => {
    world.write({
      'work/skills/trip/SKILL.md':
        '---\nname: trip\ndescription: Use to travel.\nkind: meta\ncomposition:\n  steps:\n    - {id: plan, kind: llm_chat, with: {task: "{{ inputs.user_message | truncate(100) }}"}}\n---\nIt plans.\n',
    });
    const tool = (await (await create({ answerer: () => 'said' })).tools()).find(
      ({ name }) => name === 'run_metaskill',
    );
    expect(tool?.parameters).toMatchObject({
      properties: {
        input: {
          description: expect.stringContaining('\ntrip: keys: user_message (required string)') as string,
          properties: { user_message: { type: 'string' } },
        },
      },
    });
  });

  it('starts nothing that is not open to the model', async () => {
    world.write(
      Object.fromEntries(
        Object.entries(program('secret', asking)).map(([path, text]) => [
          path,
          text.replace('metaskill:', 'disable-model-invocation: true\nmetaskill:'),
        ]),
      ),
    );
    const session = await (await create({ answerer: () => 'said' })).session();
    expect(await call(session, 'run_metaskill', { name: 'secret', input: { word: 'x' } })).toEqual({
      ok: false,
      text: "error: unknown metaskill: 'secret'",
      metadata: {},
    });
  });

  it('reaches no run of a skill that is not open to the model, with an answer or without', async () => {
    world.write(
      Object.fromEntries(
        Object.entries(program('secret', asking)).map(([path, text]) => [
          path,
          text.replace('metaskill:', 'disable-model-invocation: true\nmetaskill:'),
        ]),
      ),
    );
    const techne = await create({ answerer: 'caller' });
    const session = await techne.session();
    const {
      run,
      questions: [asked],
    } = await techne.run('secret', { word: 'hello' });
    const unknown = {
      ok: false,
      text: expect.stringContaining(`there is no run "${run}" in this workspace`) as string,
      metadata: { code: 'RUN_UNKNOWN' },
    };
    expect(await call(session, 'run_answer', { run })).toMatchObject(unknown);
    expect(
      await call(session, 'run_answer', { run, question: asked?.id, nonce: asked?.nonce, answer: 'x' }),
    ).toMatchObject(unknown);
    expect(
      (await techne.withRuns(({ runner }) => runner.inspect(run as string))).questions[0]?.answer,
    ).toBeNull();
    // One of a skill that it knows, whoever started it.
    const open = await techne.run('speak', { word: 'hello' });
    expect(await call(session, 'run_answer', { run: open.run })).toMatchObject({
      ok: true,
      metadata: { status: 'paused' },
    });
  });

  it('resumes its own run of a skill that was closed to the model meanwhile', async () => {
    const techne = await create({ answerer: 'caller' });
    const session = await techne.session();
    const { metadata: { run } = {} } = await call(session, 'run_metaskill', {
      name: 'speak',
      input: { word: 'hello' },
    });
    world.write({
      ...program('other', asking),
      ...Object.fromEntries(
        Object.entries(program('speak', asking)).map(([path, text]) => [
          path,
          text.replace('metaskill:', 'disable-model-invocation: true\nmetaskill:'),
        ]),
      ),
    });
    await techne.refresh();
    await session.moveOn();
    expect((await call(session, 'run_answer', { run })).metadata?.['code']).not.toBe('RUN_UNKNOWN');
    expect(await call(await techne.session(), 'run_answer', { run })).toMatchObject({
      ok: false,
      metadata: { code: 'RUN_UNKNOWN' },
    });
  });

  it('resumes no run of another workspace either', async () => {
    const { run } = await (await create({ answerer: 'caller' })).run('speak', { word: 'hello' });
    world.write(
      Object.fromEntries(
        Object.entries(program('speak', asking)).map(([path, text]) => [
          path.replace(/^work/, 'other'),
          text,
        ]),
      ),
    );
    const elsewhere = await createTechne({
      cwd: join(world.home, '../other'),
      homeFolder: world.home,
      variables: {},
      roots: ['skills'],
      trust: ['skills'],
      answerer: 'caller',
    });
    opened.push(elsewhere);
    expect(await call(await elsewhere.session(), 'run_answer', { run })).toMatchObject({
      ok: false,
      metadata: { code: 'RUN_UNKNOWN' },
    });
  });

  it('preloads no untrusted skill in a fork, also when it is gone from the disk', async () => {
    world.write({
      'work/.techne/skills/evil/SKILL.md':
        '---\nname: evil\ndescription: Evil.\nalways: true\n---\nTHE EVIL BODY\n',
    });
    const techne = await createTechne({ cwd: world.workspace, homeFolder: world.home, variables: {} });
    opened.push(techne);
    const session = await techne.session();
    // So that the body can be read without the disk.
    await call(session, 'skill_load', { name: 'evil' });
    rmSync(join(world.workspace, '.techne/skills/evil'), { recursive: true });
    await techne.refresh();
    const fork = await session.fork();
    expect([fork.prompt.includes('- evil: Evil.'), fork.prompt.includes('THE EVIL BODY')]).toEqual([
      true,
      false,
    ]);
  });

  it('answers no run of another workspace, and none after it is closed', async () => {
    const techne = await create({ answerer: 'caller' });
    const paused = await techne.run('speak', { word: 'hello' });
    const [asked] = paused.questions;
    world.write(
      Object.fromEntries(
        Object.entries(program('speak', asking)).map(([path, text]) => [
          path.replace(/^work/, 'other'),
          text,
        ]),
      ),
    );
    const elsewhere = await createTechne({
      cwd: join(world.home, '../other'),
      homeFolder: world.home,
      variables: {},
      roots: ['skills'],
      trust: ['skills'],
      answerer: 'caller',
    });
    opened.push(elsewhere);
    const given = {
      run: paused.run as string,
      question: asked?.id as string,
      nonce: asked?.nonce as string,
      answer: 'FROM ELSEWHERE',
    };
    const own = await techne.session();
    expect(await call(await elsewhere.session(), 'run_answer', given)).toMatchObject({
      ok: false,
      metadata: { code: 'RUN_UNKNOWN' },
    });
    expect(
      (await techne.withRuns(({ runner }) => runner.inspect(given.run))).questions[0]?.answer,
    ).toBeNull();
    await techne.close();
    expect(await call(own, 'run_answer', given)).toMatchObject({ ok: false, metadata: { code: 'USAGE' } });
    expect(await call(own, 'run_metaskill', { name: 'speak', input: { word: 'x' } })).toMatchObject({
      ok: false,
      metadata: { code: 'USAGE' },
    });
  });

  it('leaves a run that was to begin when it was closed', async () => {
    const techne = await create({ answerer: () => 'said' });
    const late = techne.run('speak', { word: 'hello' });
    await techne.close();
    await expect(late).rejects.toBeInstanceOf(RunDetachedError);
  });

  it('keeps its skills until it is moved, and a fork for good', async () => {
    const techne = await create({ answerer: () => 'said' });
    const session = await techne.session();
    const fork = await session.fork();
    const { prompt } = session;
    world.write({
      ...program('shout', asking),
      'work/skills/tides/SKILL.md': skillText('tides').replace('Use when', 'Now use when'),
    });
    await techne.refresh();
    expect([session.prompt, fork.prompt]).toEqual([prompt, prompt]);
    const runShout = { name: 'shout', input: { word: 'a' } };
    expect((await call(session, 'run_metaskill', runShout)).ok).toBe(false);
    expect(await fork.moveOn()).toBe(false);
    expect(await session.moveOn()).toBe(true);
    expect(await session.moveOn()).toBe(false);
    expect(session.prompt).toContain('- shout: Use to shout.');
    expect(fork.prompt).toBe(prompt);
    const names = async (of: AgentSession): Promise<readonly string[]> =>
      (await of.match('use the shout skill')).matches.map(({ skill }) => skill);
    expect([await names(session), await names(fork), await names(session)]).toEqual([
      ['shout'],
      [],
      ['shout'],
    ]);
    expect((await call(session, 'run_metaskill', runShout)).ok).toBe(true);
    expect((await call(fork, 'run_metaskill', runShout)).ok).toBe(false);
    expect((await call(fork, 'run_metaskill', { name: 'speak', input: { word: 'a' } })).ok).toBe(true);
  });

  it('leaves a run when the turn is stopped', async () => {
    let begun = (): void => undefined;
    const began = new Promise<void>((resolve) => (begun = resolve));
    const techne = await create({
      answerer: (_, signal) =>
        new Promise((_resolve, reject) => {
          begun();
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    });
    const turn = new AbortController();
    const calling = (await techne.session()).call(
      'run_metaskill',
      { name: 'speak', input: { word: 'a' } },
      { signal: turn.signal },
    );
    await began;
    turn.abort();
    expect(await calling).toMatchObject({ ok: false, metadata: { code: 'RUN_UNFINISHED' } });
    expect(
      (await techne.withRuns(({ store }) => store.list({ limit: 5 }))).runs.map(({ endedAt }) => endedAt),
    ).toEqual([null]);
  });
});

it('loads nothing for runs, watching and models before they are needed', async () => {
  // What is imported at once is what a list of skills needs.
  const { readFileSync } = await import('node:fs');
  const at = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');
  for (const file of ['create-techne.ts', 'runs.ts', 'skill-store.ts'])
    expect(at(file)).not.toMatch(/^import \{.*\} from '\.\/(?:open-runs|open-matcher|node-watching)\.ts'/m);
});
