// What `techne run` and its relatives say when something is not as it should be, and the exit codes that go with it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ran, RunOptions, World } from '../../../test/support/run-cli.ts';
import { createWorld } from '../../../test/support/run-cli.ts';

let world: World;
beforeEach(() => {
  world = createWorld({
    ...skill(
      'typed',
      'def run(input):\n    return {"answer": str(input["n"])}\n',
      'inputs:\n  - {name: n, type: integer, required: true, description: How many.}\n  - {name: tone, type: string, default: plain}\n',
    ),
    ...skill(
      'listed',
      'def run(input):\n    return {"answer": "x"}\n',
      '',
      'Input keys:\n\n- `task`: What.\n',
    ),
    ...skill('asks', 'def run(input):\n    return {"answer": ask("a")["answer"] + ask("b")["answer"]}\n'),
    ...skill(
      'shell',
      'def run(input):\n    command(["false"])\n    command(["rm", "x"])\n    return {"answer": command(["no-such-program-here"])["result"]}\n',
    ),
    'work/.techne/skills/plain/SKILL.md':
      '---\nname: plain\ndescription: Explains. Use when reading.\n---\n\nRead it.\n',
    'work/two.yaml': 'answers: [one, two]\n',
  });
  configure({});
});
afterEach(() => world.remove());

function configure(more: object): void {
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
      commands: { allow: ['...'], deny: ['rm ...'] },
      ...more,
    }),
  });
}

function skill(
  name: string,
  program: string,
  more = '',
  body = 'Do it.\n',
): { readonly [path: string]: string } {
  return {
    [`work/.techne/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\nmetaskill: SKILL.star\n${more}---\n\n${body}`,
    [`work/.techne/skills/${name}/SKILL.star`]: program,
  };
}

const run = (argv: readonly string[], options: RunOptions = {}): Promise<Ran> => world.run(argv, options);

describe('techne run', () => {
  it('says which key was meant, and how a number is written', async () => {
    expect(await run(['run', 'typed', 'n:=1', 'tne=x'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('"tne" is not one of its keys; did you mean "tone"?') as string,
    });
    expect((await run(['run', 'typed', 'n=3'])).err).toContain('KEY=TEXT is a text; write n:=3');
    expect((await run(['run', 'typed', 'n=three'])).err).not.toContain('KEY=TEXT is a text');
    expect(await run(['run', 'listed', 'tsak=x'])).toMatchObject({
      code: 0,
      err: expect.stringMatching(
        /^techne: note: "listed" lists no input "tsak"; did you mean "task"\?\n/,
      ) as string,
    });
    expect((await run(['run', 'listed', 'tsak=x', '-q'])).err).toBe('');
  });

  it('says what can be done with a skill that it does not run', async () => {
    expect(await run(['run', 'plain', 'a=1'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('techne show plain --body prints its instructions') as string,
    });
    configure({ trust: { folders: [] } });
    expect(await run(['run', 'typed', 'n:=1'])).toMatchObject({
      code: 4,
      err: expect.stringContaining(
        '--trust shows the skill, asks whether you trust it, and runs it',
      ) as string,
    });
    mkdirSync(join(world.folder, 'empty'));
    expect((await run(['run', 'x'], { cwd: join(world.folder, 'empty') })).err).toContain(
      'there are no skills here; "techne new NAME" creates one',
    );
  });

  it('says how a run goes on whose budget is used up', async () => {
    const { code, err } = await run(['run', 'asks', 'a=1', '--max-asks', '1', '--answer', 'script:two.yaml']);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /hint: to continue from there with a higher limit: techne runs fork 01\w+ --max-asks N\n/,
      ),
    ]);
  });

  it('tells denied, failed and impossible commands from those that went well', async () => {
    const { err } = await run(['run', 'shell', 'a=1']);
    expect(
      err
        .split('\n')
        .filter((line) => line.includes(': '))
        .map((line) => line.replace(/^\[.*?\] | in \d.*$/g, '')),
    ).toEqual([
      '1  command false: exit 1',
      '2  command rm x: denied',
      '3  command no-such-program-here: not carried out',
    ]);
  });

  it('says why a model that is configured is not asked', async () => {
    const { err } = await run(['run', 'asks', 'a=1'], {
      env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://models.example/v1' },
    });
    expect(err.split('\n')[0]).toBe(
      'techne: model:openai is not asked: gpt-5 (openai-compatible at models.example), the key would be sent over plain http (use https)',
    );
    expect((await run(['run', 'asks', 'a=1', '--answer', 'model:fast'])).err).toContain(
      'name it in ~/.techne/config.json: "models": { "fast":',
    );
  });

  it('says that --max-cost limits nothing where no price is known', async () => {
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
    const note = 'techne: note: no price is configured for model:openai, so --max-cost has no effect';
    expect((await run(['run', 'asks', 'a=1', '--max-cost', '0.50'], { env })).err).toContain(note);
    expect((await run(['run', 'asks', 'a=1'], { env })).err).not.toContain('no price');
  });

  it('tells wrong usage from files with errors', async () => {
    world.write({ 'work/broken.yaml': 'answers: [\n' });
    expect([
      (await run(['run', 'asks', 'a=1', '--answer', 'script:broken.yaml'])).code,
      (await run(['run', 'asks', 'a=@.techne'])).code,
    ]).toEqual([1, 2]);
  });
});

describe('techne runs', () => {
  it('refuses to go on with an untrusted skill as techne run does', async () => {
    await run(['run', 'asks', 'a=1', '--answer', 'caller']);
    configure({ trust: { folders: [] } });
    expect((await run(['answer', 'last', '--text', 'x'])).code).toBe(4);
  });

  it('shows what was answered and not resumed, and why a run was cancelled', async () => {
    await run(['run', 'asks', 'a=1', '--answer', 'caller']);
    await run(['answer', 'last', '--text', 'x', '--no-resume']);
    expect([
      (await run(['runs'])).out.includes('paused, answered: resume it'),
      (await run(['runs', 'show', 'last'])).out,
    ]).toEqual([true, expect.stringMatching(/It was answered\. To resume:\n {2}techne runs resume 01/)]);
    await run(['runs', 'cancel', 'last', '--reason', 'wrong branch']);
    expect((await run(['runs', 'show', 'last'])).out).toContain('cancelled by the operator: wrong branch');
  });

  it('says that the skill comes first', async () => {
    expect(await run(['run', 'a=1', 'asks'])).toMatchObject({
      code: 2,
      err: 'techne: "a=1" is an input, but the name of the skill comes first\n  hint: techne run asks a=1 …\n',
    });
  });

  it('says where an edited program is wrong, and what an outcome must be', async () => {
    await run(['run', 'asks', 'a=1', '--answer', 'script:two.yaml']);
    world.write({ 'work/bad.star': 'def run(input):\n    return ghost\n' });
    expect(await run(['runs', 'fork', 'last', '--program', 'bad.star'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('bad.star:2:12: undefined: ghost\n') as string,
    });
    expect(await run(['runs', 'fork', 'last', '--edit', '1:={"anser": "x"}'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--edit 1 does not fit an ask: "answer" must be a string') as string,
    });
  });
});

describe('techne show', () => {
  it('shows the types and defaults of inputs', async () => {
    expect((await run(['show', 'typed'])).out).toMatch(
      /input +n \(required integer\): How many\.\ninput +tone \(string, default "plain"\)\n/,
    );
  });
});
