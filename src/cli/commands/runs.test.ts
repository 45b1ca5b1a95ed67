import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parsePrinted } from '../../../test/support/printed-run.ts';
import type { PrintedRun } from '../../../test/support/printed-run.ts';
import { createWorld } from '../../../test/support/run-cli.ts';
import type { World } from '../../../test/support/run-cli.ts';
import { parseAge } from './runs-prune.ts';

const program = `
def run(input):
    first = ask("First: " + input["task"], {"purpose": "first"})["answer"]
    done = command(["tool", first])
    trace("tool", {"ok": done["ok"]})
    second = ask("Second: " + done["result"], {"purpose": "second"})["answer"]
    return {"status": "accepted", "answer": first + " " + second}
`;

let world: World;
beforeEach(() => {
  world = createWorld({
    'work/.techne/skills/steps/SKILL.md':
      '---\nname: steps\ndescription: Does steps. Use in tests.\nmetaskill: SKILL.star\n---\n\nDo it.\n',
    'work/.techne/skills/steps/SKILL.star': program,
    'work/a.yaml':
      'answers: [one, {answer: two, tokens: {input: 5, output: 6}}]\ncommands: [{argv: [tool, "*"], stdout: done}]\n',
    'work/short.yaml': 'answers: [one]\ncommands: [{argv: [tool, "*"], stdout: done}]\n',
  });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
    }),
  });
});
afterEach(() => world.remove());

async function start(answers = 'a.yaml', ...more: readonly string[]): Promise<string> {
  const { out } = await world.run([
    'run',
    'steps',
    'task=it',
    '--answer',
    `script:${answers}`,
    '--json',
    '-q',
    ...more,
  ]);
  return (JSON.parse(out) as { run: string }).run;
}

async function json(...argv: readonly string[]): Promise<PrintedRun> {
  return parsePrinted((await world.run([...argv, '--json'])).out);
}

describe('techne runs', () => {
  it('says what a resume of an ended run is, and what a replay of a cancelled one is', async () => {
    const run = await start();
    expect(await world.run(['runs', 'resume', run])).toMatchObject({
      code: 0,
      out: expect.stringContaining('one two\n') as string,
      err: `techne: run ${run} has ended, and this is its result; to start a new run from it: techne runs fork ${run}\n`,
    });
    expect((await world.run(['runs', 'resume', run, '-q'])).err).toBe('');
    const paused = await start('a.yaml', '--answer', 'caller');
    expect((await world.run(['runs', 'replay', paused])).out).toBe(
      'the same: replaying 0 recorded calls leads to where the run is now\n',
    );
    await world.run(['runs', 'cancel', paused]);
    expect((await world.run(['runs', 'replay', paused])).out).toBe(
      'the same: replaying 0 recorded calls leads to where the run was cancelled\n',
    );
  });

  it('marks nested runs, and says that the cost is unknown where a model has no price', async () => {
    world.write({
      'work/.techne/skills/outer/SKILL.md':
        '---\nname: outer\ndescription: Runs steps. Use in tests.\nchain: [{skill: steps, inputs: {task: it}}]\nmetadata: {techne: {risk: high}}\n---\n',
    });
    const { out } = await world.run(['run', 'outer', '--answer', 'script:a.yaml']);
    const run = /^run +(\w+)/m.exec(out)?.[1] ?? '';
    expect(out).toContain('11 tokens, cost unknown, ');
    const rows = (await world.run(['runs', 'list'])).out.split('\n');
    expect([
      rows.some((row) => row.includes(`  steps (nested in ${run.slice(-8)})  `)),
      rows.some((row) => row.startsWith(run) && row.includes('  outer  ')),
      rows.some((row) => row.includes('11 tokens, cost unknown')),
    ]).toEqual([true, true, true]);
  });

  it('lists and removes runs by workspace, skill and age, and "last" is the last of this workspace', async () => {
    const here = await start();
    world.write({ 'other/.git/HEAD': '', 'other/.techne/skills/steps/SKILL.md': 'x' });
    const other = join(world.folder, 'other');
    const listed = async (...argv: readonly string[]): Promise<readonly string[]> =>
      (
        JSON.parse((await world.run(['runs', 'list', ...argv, '--json'])).out) as { runs: { run: string }[] }
      ).runs.map(({ run }) => run);
    expect(await listed('--workspace', '.')).toEqual([here]);
    expect(await listed('--workspace', '../other')).toEqual([]);
    expect([await listed('--since', '1h'), await listed('--skill', 'nope')]).toEqual([[here], []]);
    expect((await json('runs', 'show', 'last')).run).toBe(here);
    expect(await world.run(['runs', 'show', 'last'], { cwd: other })).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /there is no run in the workspace .*other" yet\n {2}hint: "techne runs" shows/,
      ),
    });
    expect((await world.run(['runs', 'show', here], { cwd: other })).code).toBe(0);
    await world.run(['runs', 'prune', '--older-than', '0s', '--workspace', '../other']);
    expect(await listed()).toEqual([here]);
    await world.run(['runs', 'prune', '--older-than', '0s', '--workspace', '.', '--skill', 'steps']);
    expect(await listed()).toEqual([]);
    expect((await world.run(['runs', 'list', '--since', 'soon'])).err).toContain('--since must be a number');
  });

  it('lists runs, newest first, by page, status and skill', async () => {
    expect((await world.run(['runs'])).out).toBe('There is no run yet. "techne run NAME" starts one.\n');
    const runs = [await start(), await start('short.yaml'), await start()];
    const { out } = await world.run(['runs']);
    expect(
      out
        .split('\n')
        .slice(0, 4)
        .map((line) => line.trimEnd().split(/ {2,}/)),
    ).toEqual([
      ['RUN', 'STATUS', 'SKILL', 'AGE', 'USED'],
      [runs[2], 'completed', 'steps', 'now', '2 asks, 1 command, 11 tokens, cost unknown'],
      [runs[1], 'failed', 'steps', 'now', '2 asks, 1 command'],
      [runs[0], 'completed', 'steps', 'now', '2 asks, 1 command, 11 tokens, cost unknown'],
    ]);
    expect((await json('runs', 'list', '--status', 'failed')).runs).toMatchObject([
      { run: runs[1], skill: 'steps', status: 'failed', usage: { asks: 2 } },
    ]);
    expect((await json('runs', '--skill', 'other')).runs).toEqual([]);
    const page = await json('runs', 'list', '--limit', '2');
    expect([page.runs.length, page.cursor]).toEqual([2, runs[1]]);
    expect((await json('runs', 'list', '--cursor', page.cursor)).runs.map(({ run }) => run)).toEqual([
      runs[0],
    ]);
  });

  it('knows runs by their id, its beginning or end, and the last one', async () => {
    const runs = [await start(), await start()];
    const shown = async (given: string): Promise<string> => (await json('runs', 'show', given)).run;
    expect([
      await shown('last'),
      await shown((runs[0] as string).toLowerCase()),
      await shown((runs[0] as string).slice(-7)),
    ]).toEqual([runs[1], runs[0], runs[0]]);
    expect(await world.run(['runs', 'show', '01'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no run "01"') as string,
    });
    expect(await world.run(['runs', 'show', (runs[0] as string).slice(0, 5)])).toMatchObject({
      code: 2,
      err: expect.stringContaining('fits 2 runs') as string,
    });
    expect(await world.run(['runs', 'show', '../../x'])).toMatchObject({ code: 2 });
  });

  it('shows a run: calls with what they gave, trace, usage, result', async () => {
    await start();
    const { out } = await world.run(['runs', 'show', 'last']);
    for (const part of [
      'completed',
      'script:',
      '{"task":"it"}',
      '1  ask first  ok',
      '2  command tool one  ok',
      '·  tool  {"ok":true}',
      '3  ask second  ok',
      '11 tokens',
      '\none two\n\nstatus    accepted\n',
      '~/.techne/runs/',
    ])
      expect(out).toContain(part);
    expect(out).not.toContain('First: it');
    const full = (await world.run(['runs', 'show', 'last', '--effects'])).out;
    for (const part of ['prompt: First: it', 'result: done', 'answer: two']) expect(full).toContain(part);
    const view = await json('runs', 'show', 'last');
    expect(view.effects.map(({ key, kind, state }) => [key, kind, state])).toEqual([
      ['1', 'ask', 'ok'],
      ['2', 'command', 'ok'],
      ['3', 'ask', 'ok'],
    ]);
  });

  it('replays a run without doing anything, and tells where it is not what it was', async () => {
    const run = await start();
    expect(await world.run(['runs', 'replay', run])).toMatchObject({
      code: 0,
      out: 'the same: replaying 3 recorded calls gives a byte-identical result\n',
    });
    expect(await json('runs', 'replay', run)).toMatchObject({ run, same: true, divergences: [], effects: 3 });
    // Another program under the digest that the run has pinned is not read at all.
    const blobs = join(world.home, '.techne/blobs');
    for (const name of readdirSync(blobs, { recursive: true, encoding: 'utf8' })) {
      const path = join(blobs, name);
      if (
        !readdirSync(join(path, '..'), { withFileTypes: true }).some(
          (entry) => entry.name === name.split('/').at(-1) && entry.isFile(),
        )
      )
        continue;
      if (readFileSync(path, 'utf8') === program) {
        rmSync(path);
        writeFileSync(path, program.replace('First', 'Last'));
      }
    }
    const { code, out } = await world.run(['runs', 'replay', run]);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^not the same: .*\n {2}program: .*does not match its digest/),
    ]);
  });

  it('forks a run from a call, with edits, and leaves the old one alone', async () => {
    const run = await start();
    const before = (await world.run(['runs', 'show', run])).out;
    const other = await json('runs', 'fork', run, '--edit', '3=other');
    expect([other.envelope['answer'], other.run !== run, other.usage.asks]).toEqual(['one other', true, 2]);
    world.write({
      'work/b.yaml': 'answers: [eins, zwei]\ncommands: [{argv: [tool, "..."], stdout: getan}]\n',
    });
    expect(
      (await json('runs', 'fork', run, '--from', '2', '--answer', 'script:b.yaml')).envelope['answer'],
    ).toBe('one zwei');
    expect((await json('runs', 'replay', run, '--from', '1', '-q')).envelope['answer']).toBe('one two');
    expect(
      (await json('runs', 'fork', run, '--input', 'task=that', '--answer', 'script:b.yaml')).envelope[
        'answer'
      ],
    ).toBe('eins zwei');
    world.write({ 'work/new.star': program.replace('"status": "accepted"', '"status": "edited"') });
    expect((await json('runs', 'fork', run, '--program', 'new.star')).envelope).toMatchObject({
      status: 'edited',
      answer: 'one two',
    });
    expect((await world.run(['runs', 'show', run])).out).toBe(before);
    expect(await world.run(['runs', 'fork', run, '--from', '9'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('made no call "9"') as string,
    });
    expect(await world.run(['runs', 'fork', run, '--edit', 'x'])).toMatchObject({ code: 2 });
  });

  it('checks the input of a fork as that of a run, before anything is made', async () => {
    const inputs =
      'inputs:\n  task: {type: string, required: true}\n  heading: {type: string}\n  n: {type: integer, default: 1}\n';
    world.write({
      'work/.techne/skills/steps/SKILL.md': `---\nname: steps\ndescription: Does steps. Use in tests.\nmetaskill: SKILL.star\n${inputs}---\n\nDo it.\n`,
    });
    const run = await start();
    const fork = (...edits: readonly string[]): ReturnType<World['run']> =>
      world.run(['runs', 'fork', run, ...edits.flatMap((edit) => ['--input', edit])]);
    expect(await fork('headng=Plan')).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining(
        '"headng" is not one of its keys; did you mean "heading"? (INPUT_INVALID)',
      ) as string,
    });
    expect(await fork('n=3')).toMatchObject({
      code: 4,
      err: expect.stringContaining('KEY=TEXT is a text; write n:=3') as string,
    });
    expect((await json('runs', 'list')).runs).toHaveLength(1);
    // By the inputs that the run was started with, whatever is there now.
    world.write({
      'work/.techne/skills/steps/SKILL.md':
        '---\nname: steps\ndescription: Does steps. Use in tests.\nmetaskill: SKILL.star\ninputs: {other: {type: string}}\n---\n\nDo it.\n',
    });
    expect((await fork('n:=3')).code).toBe(0);
    expect((await json('runs', 'show', 'last')).input).toEqual({ task: 'it', n: 3 });
  });

  it('checks the input of a fork of a plan', async () => {
    world.write({
      'work/.techne/skills/flow/SKILL.md':
        '---\nname: flow\ndescription: Flows. Use in tests.\ninputs: {topic: {type: string}}\nsteps:\n  - {id: one, tool: chat, params: {prompt: "{{ inputs.topic }}"}}\n---\n\nDo it.\n',
    });
    expect((await world.run(['run', 'flow', 'topic=tides', '--answer', 'script:a.yaml', '-q'])).code).toBe(0);
    expect(await world.run(['runs', 'fork', 'last', '--input', 'bogus=1'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('"bogus" is not one of its keys') as string,
    });
    expect(await world.run(['runs', 'fork', 'last', '--input', 'topic:=5'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('"topic" must be a string') as string,
    });
    expect((await world.run(['runs', 'fork', 'last', '--input', 'topic=wind', '-q'])).code).toBe(0);
  });

  it('lets a fork go on where a budget was used up', async () => {
    const run = await start('a.yaml', '--max-asks', '1');
    expect((await json('runs', 'show', run)).error.code).toBe('ASK_BUDGET');
    expect((await json('runs', 'fork', run, '--max-asks', '5')).envelope['answer']).toBe('one two');
  });

  it('tells where two runs differ', async () => {
    const [left, right] = [await start(), await start()];
    expect(await world.run(['runs', 'diff', left, right])).toMatchObject({
      code: 0,
      out: expect.stringContaining('The runs do not differ.') as string,
    });
    const other = await json('runs', 'fork', left, '--edit', '3=other');
    const { code, out } = await world.run(['runs', 'diff', left, other.run]);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/result of effect 3\n[^]*- {5}"answer": "two",\n {2}\+ {5}"answer": "other",/),
    ]);
    expect(
      (
        JSON.parse((await world.run(['runs', 'diff', left, other.run, '--json'])).out) as { what: string }[]
      ).map(({ what }) => what),
    ).toEqual(['result of effect 3', 'result']);
  });

  it('shows the result of a run that has ended again, and resumes what has not', async () => {
    const run = await start();
    expect(await world.run(['runs', 'resume', run, '-q'])).toEqual({ code: 0, out: 'one two\n', err: '' });
    await world.run(['run', 'steps', 'task=it', '--answer', 'caller']);
    expect((await world.run(['runs', 'resume', 'last'])).code).toBe(5);
    // Someone else can take it from here, and results of commands go on where they were.
    await world.run(['answer', 'last', '--text', 'mine', '--no-resume']);
    world.write({
      'work/rest.yaml':
        'answers: [{answer: first}, {answer: rest}]\ncommands: [{argv: [tool, mine], stdout: ok}]\n',
    });
    expect(await world.run(['runs', 'resume', 'last', '--answer', 'script:rest.yaml', '-q'])).toMatchObject({
      code: 0,
      out: 'mine rest\n',
    });
  });

  it('cancels a run that waits', async () => {
    await world.run(['run', 'steps', 'task=it', '--answer', 'caller']);
    expect(await world.run(['runs', 'cancel', 'last', '--reason', 'no need'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/is cancelled\.\n$/) as string,
    });
    expect((await json('runs', 'show', 'last')).status).toBe('cancelled');
    expect((await world.run(['runs', 'cancel', 'last'])).code).toBe(1);
    expect((await world.run(['runs', 'tail', 'last'])).out).toContain('cancelled by operator: no need');
  });

  it('follows a run to its end, or to its pause', async () => {
    await start();
    const { code, out } = await world.run(['runs', 'tail', 'last']);
    expect([
      code,
      out.split('\n').map((line) => line.replace(/^\[.*?\] /, '').replace(/ in \d+ ms| 01\w+/g, '')),
    ]).toEqual([
      0,
      [
        'run of steps',
        '1  ask first',
        '1  done',
        '2  command tool one',
        '2  done',
        '·  tool  {"ok":true}',
        '3  ask second',
        '3  done',
        'completed',
        '',
      ],
    ]);
    await world.run(['run', 'steps', 'task=it', '--answer', 'caller']);
    expect((await world.run(['runs', 'tail', 'last'])).code).toBe(5);
    const lines = (await world.run(['runs', 'tail', 'last', '--json'])).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; entry: { type: string } });
    expect([lines[0]?.entry.type, lines.at(-1)?.entry.type]).toEqual(['run.started', 'run.paused']);
  });

  it('removes old runs, keeps what is asked for, and says what went', async () => {
    const runs = [await start(), await start(), await start()];
    await world.run(['run', 'steps', 'task=it', '--answer', 'caller']);
    const freed = { freed: { blobs: 0, bytes: 0 }, damaged: [] };
    expect(await json('runs', 'prune')).toEqual({ removed: [], inUse: [], dryRun: false, ...freed });
    expect(await json('runs', 'prune', '--older-than', '0s', '--keep', '1', '--dry-run')).toEqual({
      removed: [runs[1], runs[0]],
      inUse: [],
      dryRun: true,
      ...freed,
    });
    const { out } = await world.run(['runs', 'prune', '--older-than', '0s', '--keep', '1']);
    expect([out.startsWith('2 runs were removed:\n'), out.includes(runs[0] as string)]).toEqual([true, true]);
    expect((await json('runs', 'list')).runs.map(({ status }) => status)).toEqual(['paused', 'completed']);
    expect((await json('runs', 'prune', '--older-than', '0s', '--status', 'paused')).removed.length).toBe(1);
    expect(await world.run(['runs', 'prune', '--older-than', '3 weeks'])).toMatchObject({ code: 2 });
  });

  it('frees the stored content of runs that are gone, once it is old', async () => {
    const stored = (): readonly string[] =>
      readdirSync(join(world.home, '.techne', 'blobs', 'sha256'), { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => join(one.parentPath, one.name));
    const age = (): void => {
      const yesterday = new Date(Date.now() - 86_400_000);
      for (const path of stored()) utimesSync(path, yesterday, yesterday);
    };
    await start();
    const before = stored();
    expect(before.length).toBeGreaterThan(0);
    age();
    expect((await world.run(['runs', 'prune'])).out).toBe('0 runs were removed.\n');
    expect(stored()).toEqual(before);
    await world.run(['runs', 'prune', '--older-than', '0s', '--dry-run']);
    expect(stored()).toEqual(before);
    expect((await world.run(['runs', 'prune', '--older-than', '0s'])).out).toMatch(
      /[\d.]+ (bytes|kB) of stored content that no run needs were freed\.\n$/,
    );
    expect(stored()).toEqual([]);
  });

  it('shows and cancels a run whose stored content is gone', async () => {
    await world.run(['run', 'steps', `task=${'long '.repeat(4_000)}`, '--answer', 'caller']);
    rmSync(join(world.home, '.techne', 'blobs'), { recursive: true });
    const shown = await world.run(['runs', 'show', 'last', '--effects']);
    expect([shown.code, shown.err]).toEqual([0, '']);
    expect((await json('runs', 'show', 'last')).status).toBe('paused');
    expect(await world.run(['runs', 'resume', 'last', '--answer', 'caller'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        /cannot continue, since a part of it is lost[^]*techne runs cancel/,
      ) as string,
    });
    expect((await world.run(['runs', 'cancel', 'last'])).code).toBe(0);
    expect((await json('runs', 'show', 'last')).status).toBe('cancelled');
  });

  it('waits for no decision where everything is known', async () => {
    await start();
    expect(await world.run(['runs', 'resolve', 'last'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--as is missing') as string,
    });
    expect(await world.run(['runs', 'resolve', 'last', '--as', 'retry'], { talk: [] })).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not wait for a decision') as string,
    });
    expect(
      await world.run(['runs', 'resolve', 'last', '2', '--as', 'done', '--value', '"x"'], { talk: [] }),
    ).toMatchObject({ code: 2 });
    expect(await world.run(['runs', 'resolve', 'last', '--as', 'retry'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('needs a person at a terminal') as string,
    });
  });

  it('offers the ids of runs to a shell', async () => {
    const run = await start();
    expect((await world.run(['__complete', 'run'])).out).toBe(`last\n${run}\n`);
    expect((await world.run(['__complete', 'waiting'])).out).toBe('');
    await world.run(['run', 'steps', 'task=it', '--answer', 'caller']);
    const { run: waiting } = await json('runs', 'show', 'last');
    expect([
      (await world.run(['__complete', 'waiting'])).out,
      (await world.run(['__complete', 'executable'])).out,
      (await world.run(['__complete', 'input', 'none'])).out,
    ]).toEqual([`last\n${waiting}\n`, 'steps\n', '']);
  });
});

describe('parseAge', () => {
  it('reads a number and a unit', () => {
    expect([parseAge('90s'), parseAge('2m'), parseAge('12h'), parseAge('30d'), parseAge('1w')]).toEqual([
      90_000, 120_000, 43_200_000, 2_592_000_000, 604_800_000,
    ]);
    for (const wrong of ['', '30', 'd', '-1d', '1y', '1.5d'])
      expect(() => parseAge(wrong)).toThrow('--older-than must be');
  });
});
