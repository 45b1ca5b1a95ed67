// Runs inside the test process, on the real engine, journal and command host, in a world of its own.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { type as systemName } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parsePrinted } from '../../../test/support/printed-run.ts';
import type { PrintedRun } from '../../../test/support/printed-run.ts';
import { createWorld } from '../../../test/support/run-cli.ts';
import type { Ran, RunOptions, World } from '../../../test/support/run-cli.ts';

const loop = `
def run(input):
    for i in range(3):
        answer = ask("Try %d: %s" % (i, input["task"]), {"purpose": "draft"})["answer"]
        if "good" in answer:
            return {"status": "accepted", "answer": answer, "rounds": i + 1}
        trace("bad", {"round": i + 1})
    return {"status": "exhausted", "answer": answer, "warning": "never good"}
`;
const shell = `
def run(input):
    done = command(input["argv"])
    return {"answer": done["result"], "ok": done["ok"]}
`;

let world: World;
beforeEach(() => {
  world = createWorld({
    ...skill('loop', loop, 'inputs:\n  - task|required\n'),
    ...skill('shell', shell),
    'work/good.yaml': 'answers:\n  - bad\n  - {answer: good enough, tokens: {input: 1200, output: 34}}\n',
  });
  configure({ trust: { folders: [world.workspace] }, commands: { allow: ['echo ...'] } });
});
afterEach(() => world.remove());

function configure(config: object): void {
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      ...config,
    }),
  });
}

function skill(name: string, program: string, more = ''): { readonly [path: string]: string } {
  return {
    [`work/.techne/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\nmetaskill: SKILL.star\n${more}---\n\nDo it.\n`,
    [`work/.techne/skills/${name}/SKILL.star`]: program,
  };
}

const run = (argv: readonly string[], options: RunOptions = {}): Promise<Ran> => world.run(argv, options);

async function json(
  argv: readonly string[],
  options: RunOptions = {},
): Promise<{ readonly code: number; readonly value: PrintedRun }> {
  const { code, out } = await run([...argv, '--json'], options);
  return { code, value: parsePrinted(out) };
}

/** Ids and times differ from run to run. */
function steady(text: string): string {
  return text
    .replaceAll(/\b01[0-9A-Z]{24}\b/g, 'RUN')
    .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, 'TIME')
    .replaceAll(/\[\d+\.\ds\]/g, '[TIME]')
    .replaceAll(/ +TIME/g, ' TIME');
}

describe('techne run', () => {
  it('prints the answer, then status, fields, trace, and where the run is', async () => {
    const { code, out, err } = await run(['run', 'loop', 'task=it', '--answer', 'script:good.yaml']);
    expect([code, steady(out), steady(err)]).toEqual([
      0,
      `good enough

status    accepted
rounds    2

  1  ask  draft TIME  ok
  ·  bad  {"round":1}
  2  ask  draft TIME  ok, 1,234 tokens

run       RUN  2 asks, 0 commands, 1,234 tokens, cost unknown, TIME
journal   ~/.techne/runs/RUN
`,
      `[TIME] run RUN of loop
[TIME] 1  ask draft
[TIME] 1  ask draft: done in TIME
[TIME] 2  ask draft
[TIME] 2  ask draft: done in TIME
`,
    ]);
    expect(readdirSync(join(world.home, '.techne/runs')).length).toBe(1);
  });

  it('prints the answer alone with --quiet, the whole result with --json, and what a model would get with --raw', async () => {
    const argv = ['run', 'loop', 'task=it', '--answer', 'script:good.yaml'];
    expect(await run([...argv, '-q'])).toEqual({ code: 0, out: 'good enough\n', err: '' });
    const { value } = await json(argv);
    expect(value).toMatchObject({
      status: 'completed',
      skill: 'loop',
      run: expect.stringMatching(/^01/),
      error: null,
      questions: [],
      undecided: [],
      usage: { asks: 2, commands: 0 },
    });
    expect(value.envelope).toMatchObject({ status: 'accepted', answer: 'good enough', rounds: 2 });
    const raw = await run([...argv, '--raw', '-q']);
    expect(raw.out).toMatch(
      /^\[Metaskill: loop completed\]\n\{"status":"accepted","answer":"good enough","rounds":2,"trace":\[.*\]\}\n$/,
    );
  });

  it('has an exit code for each end', async () => {
    world.write({ 'work/bad.yaml': 'answers: [bad, bad]\n', ...skill('untrusted', loop) });
    const codes = [];
    for (const argv of [
      ['task=it', '--answer', 'script:good.yaml'],
      ['task=it', '--answer', 'script:bad.yaml'],
      ['task=it', '--answer', 'caller'],
      ['--answer', 'caller'],
      ['task=it', '--answer', 'script:none.yaml'],
      ['task=it', '--answer', 'nobody'],
      ['task=it', '--max-asks', 'x'],
    ]) {
      codes.push((await run(['run', 'loop', ...argv, '-q'])).code);
    }
    expect(codes).toEqual([0, 1, 5, 4, 3, 3, 2]);
    expect((await run(['run', 'nothing'])).code).toBe(4);
  });

  it('says what failed, where to look, and keeps the run', async () => {
    world.write({ 'work/bad.yaml': 'answers: [bad, {error: the model is away}]\n' });
    const { code, out, err } = await run(['run', 'loop', 'task=it', '--answer', 'script:bad.yaml']);
    expect([code, out, steady(err).split('\n').slice(5)]).toEqual([
      1,
      '',
      [
        'techne: loop failed: ask failed: the model is away (SKILL.star:4:18) (ASK_FAILED)',
        '  hint: techne runs show RUN',
        '',
        'run       RUN  2 asks, 0 commands, TIME',
        'journal   ~/.techne/runs/RUN',
        '',
      ],
    ]);
    const { value } = await json(['runs', 'show', 'last']);
    expect([value.status, value.error.code, value.trace]).toMatchObject([
      'failed',
      'ASK_FAILED',
      [{ kind: 'bad', data: { round: 1 } }],
    ]);
  });

  it('answers a missing input with the command to type, and a program with the instructions', async () => {
    const { code, err } = await run(['run', 'loop']);
    expect([code, err]).toEqual([
      4,
      'techne: skill \'loop\' needs "task" (INPUT_REQUIRED)\n  hint: keys: task (required)\n        techne run loop task="…"\n',
    ]);
    expect(((await json(['run', 'loop'])).value as unknown as { text: string }).text).toMatch(
      /^error: input is required: [^]*\n\nDo it\.\n/,
    );
    expect((await run(['run', 'loop', 'tsak=x'])).err).toContain('"task" is missing (is it "tsak"?)');
    expect((await run(['run', 'lop', 'task=x'])).err).toContain(
      "there is no skill 'lop' (SKILL_UNKNOWN)\n  hint: did you mean 'loop'?",
    );
    expect(existsSync(join(world.home, '.techne/runs'))).toBe(false);
  });

  it('keeps to budgets, and says which were cut', async () => {
    expect(
      (await json(['run', 'loop', 'task=it', '--max-asks', '1', '--answer', 'script:good.yaml'])).value.error
        .code,
    ).toBe('ASK_BUDGET');
    const { out } = await run([
      'run',
      'loop',
      'task=it',
      '--max-asks',
      '1000',
      '--timeout',
      '999999',
      '--answer',
      'script:good.yaml',
    ]);
    expect(out).toContain('reduced to what this host allows: asks (cut to 50), time (cut to 3600 s)');
    for (const amount of ['0', '1e3', '-1', '.5', '0.0000001', 'x'])
      expect((await run(['run', 'loop', 'task=it', `--max-cost=${amount}`])).err).toContain(
        '--max-cost must be an amount of dollars',
      );
    await run([
      'run',
      'loop',
      'task=it',
      '--max-tokens',
      '5',
      '--max-cost',
      '0.50',
      '--max-runs',
      '0',
      '--answer',
      'script:good.yaml',
    ]);
    expect((await json(['runs', 'show', 'last'])).value).toMatchObject({
      limits: { tokens: 5, costMicros: 500_000, runs: 0 },
    });
  });

  it('carries out commands under the policy of the host', async () => {
    const { value } = await json(['run', 'shell', 'argv:=["echo", "hello"]']);
    expect([value.status, value.envelope['answer'], value.envelope['ok']]).toEqual([
      'completed',
      'hello\n',
      true,
    ]);
  });

  it('takes the results of commands from a script, and says so', async () => {
    world.write({ 'work/made-up.yaml': 'commands: [{argv: [rm, "..."], stdout: nothing was removed}]\n' });
    const { out, err } = await run([
      'run',
      'shell',
      'argv:=["rm", "-rf", "/"]',
      '--answer',
      'script:made-up.yaml',
    ]);
    expect([out.split('\n')[0], err.split('\n')[0]]).toEqual([
      'nothing was removed',
      'techne: no command is executed; the script supplies the results',
    ]);
  });

  it('records what is answered, and gives it again', async () => {
    await run(['run', 'loop', 'task=it', '--answer', 'script:good.yaml', '--record', 'kept.jsonl']);
    expect(
      (await json(['run', 'loop', 'task=it', '--answer', 'replay:kept.jsonl'])).value.envelope,
    ).toMatchObject({ answer: 'good enough', rounds: 2 });
  });

  it('writes events as they happen', async () => {
    await run(['run', 'loop', 'task=it', '--answer', 'script:good.yaml', '--events', 'events.jsonl']);
    const events = readFileSync(join(world.workspace, 'events.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect([events[0]?.type, events.at(-1)?.type, events.some(({ type }) => type === 'trace.added')]).toEqual(
      ['run.started', 'run.ended', true],
    );
  });

  it('shows nothing raw that a skill, a model or a command wrote', async () => {
    world.write({
      ...skill(
        'loud',
        'def run(input):\n    trace("t\\u001b[2J", {"k": "\\u001b[31m"})\n    a = ask("p\\u001b[1A", {"purpose": "x\\u001b[2K"})\n    return {"answer": a["answer"], "f\\u001b]0;x\\u0007": "\\u202e"}\n',
      ),
      'work/loud.yaml': 'answers: ["\\e[2Jred\\u202e"]\n',
    });
    for (const argv of [
      ['run', 'loud', 'a=1', '--answer', 'script:loud.yaml'],
      ['run', 'loud', 'a=1', '--answer', 'caller'],
      ['runs', 'show', 'last', '--effects'],
      ['runs', 'tail', 'last'],
      ['runs', 'show', 'last', '--json'],
    ]) {
      const { out, err } = await run(argv);
      // eslint-disable-next-line no-control-regex
      expect([argv, /[\u001b\u0007\u202e]/.exec(out + err)]).toEqual([argv, null]);
    }
  });

  it('interrupts the run at Ctrl-C, and says how to continue it', async () => {
    configure({ trust: { folders: [world.workspace] }, commands: { allow: ['sleep ...'] } });
    const { code, out, err } = await run(['run', 'shell', 'argv:=["sleep", "30"]'], { interrupt: 1 });
    expect([code, out]).toEqual([130, '']);
    expect(err).toMatch(/interrupting the run, which can be resumed; Ctrl-C again cancels it/);
    const { value } = await json(['runs', 'list']);
    // Whether it had begun when Ctrl-C came is a matter of microseconds.
    expect(value.runs.every(({ status }) => status === 'interrupted')).toBe(true);
  });

  it('cancels the run at the second Ctrl-C, and says which', async () => {
    configure({ trust: { folders: [world.workspace] }, commands: { allow: ['sleep ...'] } });
    const { code, out, err } = await run(['run', 'shell', 'argv:=["sleep", "30"]'], { interrupt: 2 });
    expect([code, out]).toEqual([130, '']);
    const { value } = await json(['runs', 'list']);
    expect(value.runs.every(({ status }) => status === 'cancelled')).toBe(true);
    expect(err).toMatch(value.runs.length === 0 ? /before the run started/ : /was cancelled/);
  });

  it('keeps an answer that was given before Ctrl-C', async () => {
    let press = (): void => undefined;
    const pressed = new Promise<void>((resolve) => (press = resolve));
    const { code } = await run(['run', 'loop', 'task=it'], {
      talk: [
        ['run):\n', 'still bad\n.\n'],
        ['run):\n', async () => (press(), '')],
      ],
      interrupt: pressed,
    });
    expect(code).toBe(130);
    const { value } = await json(['runs', 'show', 'last']);
    expect([value.status, value.usage.asks]).toEqual(['paused', 2]);
    const done = await run(['runs', 'resume', 'last', '-q'], { talk: [['run):\n', 'this is good\n.\n']] });
    expect([done.code, done.out]).toEqual([0, 'this is good\n']);
  });
});

describe('techne run with a text', () => {
  it('takes it as the one text that the skill requires', async () => {
    const { value } = await json(['run', 'loop', 'good as it is', '--answer', 'script:good.yaml']);
    expect([value.status, value.envelope?.['rounds']]).toEqual(['completed', 2]);
    expect((await run(['runs', 'show', 'last'])).out).toContain('good as it is');
  });
  it('names the forms of an input where it could mean several', async () => {
    const { code, err } = await run(['run', 'shell', 'a text']);
    expect([code, err]).toEqual([2, expect.stringContaining('"a text" is not an input: it has no key')]);
  });
  it('is no name: without one, and without a terminal, it is wrong usage', async () => {
    expect(await run(['run'])).toMatchObject({ code: 2, err: expect.stringContaining('NAME is missing') });
  });
});

describe('techne run without a name, at a terminal', () => {
  it('shows what can be run, asks which, and asks for what it requires', async () => {
    const { code, out, err } = await run(['run'], {
      talk: [
        ['nothing: ', 'lop\n'],
        ['nothing: ', '1\n'],
        ['task > ', 'it\n'],
        ['run):\n', 'this is good\n.\n'],
      ],
    });
    expect([code, out.startsWith('this is good\n')]).toEqual([0, true]);
    expect(err).toMatch(/1 {2}loop {3}Does loop\./);
    expect(err).toContain('There is no "lop" in this list; did you mean "loop"?');
  });
  it('runs nothing when nothing is picked', async () => {
    for (const typed of ['\n', 'q\n'])
      expect(await run(['run'], { talk: [['nothing: ', typed]] })).toMatchObject({ code: 0, out: '' });
  });
});

describe('techne run NAME without the input it needs', () => {
  beforeEach(() => {
    world.write({
      'work/.techne/skills/typed/SKILL.md':
        '---\nname: typed\ndescription: Adds. Use in tests.\nmetaskill: SKILL.star\ninputs:\n  - {name: task, type: string, required: true, description: What to do.}\n  - {name: list, type: array, items: {type: integer}, required: true}\n  - {name: loud, type: boolean, default: false}\n---\n\nAdd.\n',
      'work/.techne/skills/typed/SKILL.star':
        'def run(input):\n    total = 0\n    for n in input["list"]:\n        total += n\n    return input["task"] + " " + str(total)\n',
      'work/.techne/skills/comp/SKILL.md':
        '---\nname: comp\ndescription: Says. Use in tests.\nkind: meta\ncomposition:\n  steps:\n    - {id: say, kind: llm_chat, with: {prompt: "Say {{ inputs.user_message }}"}}\n---\n\nSay it.\n',
    });
  });

  it('asks for it at a terminal, and again for what does not fit', async () => {
    const { code, out, err } = await run(['run', 'typed', '-q'], {
      talk: [
        ['task: What to do. > ', '\n'],
        ['task: What to do. > ', 'sum\n'],
        ['list > ', '[1, "x"]\n'],
        ['list > ', '[1, 2]\n'],
      ],
    });
    expect([code, out]).toEqual([0, 'sum 3\n']);
    expect(err).toContain('"typed" needs input');
    expect(err).toContain('task is required');
  });

  it('asks only for what is missing, and runs nothing after Ctrl-D', async () => {
    expect((await run(['run', 'typed', 'task=sum', '-q'], { talk: [['list > ', '[4]\n']] })).out).toBe(
      'sum 4\n',
    );
    expect(await run(['run', 'typed', 'task=sum'], { talk: [['list > ', '\u0004']] })).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('Nothing was run.') as string,
    });
  });

  it('asks for the message of a composition', async () => {
    const { code, out } = await run(['run', 'comp', '-q', '--answer', 'script:good.yaml'], {
      talk: [['user_message > ', 'hello\n']],
    });
    expect([code, out === '']).toEqual([0, false]);
  });

  it('is refused elsewhere, with the command to type', async () => {
    const refused = await run(['run', 'typed']);
    expect([refused.code, refused.err]).toEqual([
      4,
      'techne: skill \'typed\' needs "task" and "list" (INPUT_REQUIRED)\n  hint: keys: task (required string), list (required array), loud (boolean)\n        techne run typed task="…" list:=…\n',
    ]);
    expect((await run(['run', 'typed', 'task=sum'])).err).toContain('techne run typed … list:=…\n');
    expect((await run(['run', 'comp'])).err).toContain('techne run comp user_message="…"\n');
  });

  it('takes no blank text for it, and no key twice', async () => {
    for (const words of [
      ['task= ', 'list:=[]'],
      ['', 'list:=[]'],
    ])
      expect(await run(['run', 'typed', ...words])).toMatchObject({
        code: words[0] === '' ? 2 : 4,
      });
    expect((await run(['run', 'loop', ''])).err).toContain('"task" is empty');
    expect((await run(['run', 'comp', ''])).err).toContain('"user_message" is empty');
    expect(await run(['run', 'loop', 'task=a', 'task=b'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('"task" is given twice') as string,
    });
  });
});

describe('techne run at a terminal', () => {
  it('asks a person, shows what is done, and goes on', async () => {
    const { code, out, err } = await run(['run', 'loop', 'task=it'], {
      talk: [
        ['run):\n', 'still bad\n.\n'],
        ['run):\n', 'this is\n\ngood\n.\n'],
      ],
    });
    expect([code, out.startsWith('this is\n\ngood\n\nstatus    accepted\n')]).toEqual([0, true]);
    expect(err).toContain('An answer is needed from the person (draft):\n\n  Try 0: it\n');
    expect(err).toMatch(/\r\u001B\[K. running · asks 1\/5 · commands 0\/10 · /);
  });

  it('asks the operator for an approval, remembers it, and lets it be decided later', async () => {
    const argv = ['run', 'shell', 'argv:=["uname"]'];
    const later = await run(argv, { talk: [['later: ', '\n']] });
    expect([
      later.code,
      later.err.includes('A command needs an approval:\n\n  uname\n'),
      later.out.startsWith('paused: the run waits for an answer\n'),
    ]).toEqual([5, true, true]);
    const denied = await run(argv, {
      talk: [
        ['later: ', 'maybe\n'],
        ['later: ', 'd\n'],
      ],
    });
    expect([denied.code, denied.out.startsWith('error: ')]).toEqual([0, true]);
    const always = await run(argv, { talk: [['later: ', 'always\n']] });
    expect([always.code, always.out.split('\n')[0]]).toEqual([0, systemName()]);
    expect((await run(argv)).out.split('\n')[0]).toBe(systemName());
  });

  it('asks for trust with --trust, and runs then', async () => {
    configure({});
    expect(await run(['run', 'loop', 'task=it'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('(NOT_TRUSTED)') as string,
    });
    expect(await run(['run', 'loop', 'task=it', '--trust'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('granting trust needs a person at a terminal') as string,
    });
    const no = await run(['run', 'loop', 'task=it', '--trust'], { talk: [['[y/N] ', 'n\n']] });
    expect([
      no.code,
      no.err.includes('SKILL.star'),
      no.err.includes('The skill was not trusted, so it was not run.'),
    ]).toEqual([4, true, true]);
    const yes = await run(['run', 'loop', 'task=it', '--trust', '--answer', 'script:good.yaml'], {
      talk: [['[y/N] ', 'y\n']],
    });
    expect([yes.code, yes.out.split('\n')[0]]).toEqual([0, 'good enough']);
    expect((await run(['run', 'loop', 'task=it', '--answer', 'script:good.yaml'])).code).toBe(0);
  });
});

describe('techne answer', () => {
  it('answers the caller and goes on, until the run has ended', async () => {
    const paused = await run(['run', 'loop', 'task=it', '--answer', 'caller', '-q']);
    expect([paused.code, paused.out, paused.err]).toEqual([
      5,
      '',
      expect.stringMatching(
        /^paused: the run waits for an answer\n\nAn answer is needed from the caller \(draft\):\n\n {2}Try 0: it\n\nTo answer and resume:\n {2}techne answer 01\w+ --text="…"\n$/,
      ),
    ]);
    const id = /techne answer (\w+)/.exec(paused.err)?.[1] ?? '';
    expect((await json(['answer', id.slice(-6), '--text', 'bad'])).value).toMatchObject({
      status: 'paused',
      run: id,
      questions: [{ audience: 'caller' }],
    });
    expect(await run(['answer', 'last', '--text', '-', '-q'], { input: 'good\n' })).toMatchObject({
      code: 0,
      out: 'good\n',
    });
    expect(await run(['answer', id, '--text', 'more'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not wait for an answer') as string,
    });
  });

  it('lets nobody approve a command who is not the operator', async () => {
    const { value } = await json(['run', 'shell', 'argv:=["uname"]']);
    const caller = await run(['answer', value.run, '--text', 'once']);
    expect([caller.code, caller.err]).toEqual([
      2,
      expect.stringContaining('is for the operator, and the answer comes from the caller'),
    ]);
    for (const as of [[], ['--as', 'person'], ['--as', 'operator']]) {
      expect(await run(['answer', value.run, '--approve', 'once', ...as])).toMatchObject({
        code: 3,
        err: expect.stringContaining('approving a command needs a person at a terminal') as string,
      });
    }
    expect((await run(['answer', value.run, '--text', 'once', '--as', 'operator'])).code).toBe(3);
    expect(await run(['answer', value.run, '--text', 'sure'], { talk: [] })).toMatchObject({
      code: 2,
      err: expect.stringContaining('must be one of once, always, deny, never') as string,
    });
    expect(await run(['answer', value.run, '--approve', 'once', '-q'], { talk: [] })).toMatchObject({
      code: 0,
      out: `${systemName()}\n`,
    });
  });

  it('asks at a terminal when no answer is given', async () => {
    await run(['run', 'shell', 'argv:=["uname"]']);
    expect(await run(['answer', 'last'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('the answer is missing') as string,
    });
    expect((await run(['answer', 'last'], { talk: [['later: ', '\u0004']] })).code).toBe(5);
    expect(await run(['answer', 'last', '-q'], { talk: [['later: ', 'o\n']] })).toMatchObject({
      code: 0,
      out: `${systemName()}\n`,
    });
  });

  it('takes structured answers, and says what does not fit', async () => {
    world.write(
      skill(
        'typed',
        'def run(input):\n    return {"answer": str(ask("n?", {"schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}})["value"]["n"] + 1)}\n',
      ),
    );
    await run(['run', 'typed', 'a=1', '--answer', 'caller']);
    expect(await run(['answer', 'last', '--value', '{"n": "x"}'])).toMatchObject({ code: 2 });
    expect(await run(['answer', 'last', '--value', '{n'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('the answer is not JSON') as string,
    });
    const { code, out } = await run(['answer', 'last', '--json', '{"n": 41}']);
    expect([code, (JSON.parse(out) as { envelope: { answer: string } }).envelope.answer]).toEqual([0, '42']);
  });

  it('only writes the answer down with --no-resume', async () => {
    await run(['run', 'loop', 'task=it', '--answer', 'caller']);
    expect(await run(['answer', 'last', '--text', 'good', '--no-resume'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Recorded\. To resume: techne runs resume 01/) as string,
    });
    expect(await run(['runs', 'resume', 'last', '-q'])).toMatchObject({ code: 0, out: 'good\n' });
  });

  it('says which question is meant when there are several', async () => {
    world.write(
      skill(
        'two',
        'def run(input):\n    a, b = ask_all(["first?", "second?"])\n    return a["answer"] + " " + b["answer"]\n',
      ),
    );
    const { value } = await json(['run', 'two', 'a=1', '--answer', 'caller']);
    const [first, second] = value.questions.map(({ id }) => id);
    expect(await run(['answer', 'last', '--text', 'x'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('waits for 2 answers: --question is missing') as string,
    });
    expect((await run(['answer', 'last', '--question', second as string, '--text', 'two'])).code).toBe(5);
    expect(
      await run(['answer', 'last', '--question', (first as string).slice(-8), '--text', 'one', '-q']),
    ).toMatchObject({ code: 0, out: 'one two\n' });
  });
});
