// A run moves between stores as one file, and is replayed there byte for byte.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../support/postgres.ts';
import { createDatabase, noPostgres } from '../support/postgres.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';

const files = {
  'work/.techne/skills/steps/SKILL.md':
    '---\nname: steps\ndescription: Does steps. Use in tests.\nmetaskill: SKILL.star\n---\n\nDo it.\n',
  'work/.techne/skills/steps/SKILL.star': `
def run(input):
    first = ask("First: " + input["task"])["answer"]
    done = command(["tool", first])
    trace("large", {"text": "é" * 9000})
    return {"answer": first + " " + done["result"]}
`,
  'work/.techne/skills/outer/SKILL.md':
    '---\nname: outer\ndescription: Runs steps. Use in tests.\nchain: [{skill: steps, inputs: {task: it}}]\nmetadata: {techne: {risk: high}}\n---\n',
  'work/a.yaml': 'answers: [one]\ncommands: [{argv: [tool, "*"], stdout: done}]\n',
};

let world: World;
beforeEach(() => {
  world = createWorld(files);
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
    }),
  });
});
afterEach(() => world.remove());

const at = (name: string): string => join(world.workspace, name);

async function start(skill = 'outer'): Promise<string> {
  const { out } = await world.run([
    'run',
    skill,
    ...(skill === 'outer' ? [] : ['task=it']),
    '--answer',
    'script:a.yaml',
    '--json',
    '-q',
  ]);
  return (JSON.parse(out) as { run: string }).run;
}

describe('techne runs export and import', () => {
  it('writes a file of the user alone, which replaces no other', async () => {
    const run = await start('steps');
    expect(await world.run(['runs', 'export', run, '--out', 'one.run'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(`^one.run: run ${run}, 0 nested runs, \\d+ blobs, \\d+ bytes\n$`) as string,
    });
    expect(statSync(at('one.run')).mode & 0o777).toBe(0o600);
    expect(await world.run(['runs', 'export', run, '--out', 'one.run'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('"one.run" exists already') as string,
    });
    expect((await world.run(['runs', 'export', run])).out).toBe(readFileSync(at('one.run'), 'utf8'));
    expect(await world.run(['runs', 'export', run], { columns: 80, typed: '' })).toMatchObject({ code: 2 });
    expect(await world.run(['runs', 'import', 'one.run'])).toMatchObject({
      out: `Run ${run} is there already.\n`,
    });
  });

  it('refuses what is no such file, and adds nothing of it', async () => {
    const run = await start('steps');
    await world.run(['runs', 'export', run, '--out', 'one.run']);
    await world.run(['runs', 'prune', '--older-than', '0s']);
    const text = readFileSync(at('one.run'), 'utf8');
    writeFileSync(at('edited.run'), text.replace('one', 'two'));
    writeFileSync(at('torn.run'), text.slice(0, -20));
    writeFileSync(at('other.run'), '{}\n');
    for (const [name, code, message] of [
      ['edited.run', 1, 'the file was changed after it was made'],
      ['torn.run', 1, 'the end of the file is missing'],
      ['other.run', 1, 'this is not a file that "techne runs export" made'],
      ['none.run', 2, 'there is no file "none.run"'],
    ] as const)
      expect(await world.run(['runs', 'import', name])).toMatchObject({
        code,
        out: '',
        err: expect.stringContaining(message) as string,
      });
    expect((await world.run(['runs', 'list'])).out).toContain('There is no run yet');
  });

  it('lets an imported run be looked into, and continued only where a person vouched for it', async () => {
    const run = await start('steps');
    await world.run(['runs', 'export', run, '--out', 'one.run']);
    await world.run(['runs', 'prune', '--older-than', '0s']);
    expect((await world.run(['runs', 'import', 'one.run'])).out).toContain(
      `Run ${run} of steps (completed) was added.`,
    );
    expect((await world.run(['runs', 'replay', run])).code).toBe(0);
    expect((await world.run(['runs', 'to-test', run])).code).toBe(0);
    const fork = ['runs', 'fork', run, '--from', '1', '--answer', 'script:a.yaml'];
    expect(await world.run(fork)).toMatchObject({
      code: 4,
      err: expect.stringContaining('was imported from a file, so it is shown and replayed only') as string,
    });
    await world.run(['runs', 'prune', '--older-than', '0s']);
    expect(await world.run(['runs', 'import', 'one.run', '--trust'])).toMatchObject({ code: 3 });
    expect(
      (await world.run(['runs', 'import', 'one.run', '--trust'], { talk: [['[y/N] ', 'n\n']] })).code,
    ).toBe(4);
    expect(
      (await world.run(['runs', 'import', 'one.run', '--trust'], { talk: [['[y/N] ', 'y\n']] })).code,
    ).toBe(0);
    expect((await world.run(fork)).code).toBe(0);
  });
});

describe.skipIf(noPostgres)('a run that moves to Postgres and back', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  it('is the same file, and the same replay, in each store', async () => {
    const run = await start();
    const replayed = (await world.run(['runs', 'replay', run, '--json'])).out;
    const shown = (await world.run(['runs', 'show', run, '--json'])).out;
    await world.run(['runs', 'export', run, '--out', 'a.run']);
    const store = ['--store', database.url];
    const added = JSON.parse((await world.run(['runs', 'import', 'a.run', '--json', ...store])).out) as {
      added: readonly string[];
    };
    expect(added.added.length).toBe(2);
    expect((await world.run(['runs', 'replay', run, '--json', ...store])).out).toBe(replayed);
    expect(
      (await world.run(['runs', 'export', added.added[1] as string, '--out', 'b.run', ...store])).err,
    ).toContain(`is inside of ${run}`);
    expect(readFileSync(at('b.run'))).toEqual(readFileSync(at('a.run')));
    await world.run(['runs', 'prune', '--older-than', '0s']);
    expect(existsSync(join(world.home, '.techne/runs', run))).toBe(false);
    expect((await world.run(['runs', 'import', 'b.run'])).code).toBe(0);
    expect((await world.run(['runs', 'replay', run, '--json'])).out).toBe(replayed);
    await world.run(['runs', 'export', run, '--out', 'c.run']);
    expect(readFileSync(at('c.run'))).toEqual(readFileSync(at('a.run')));
    // The import is a claim of its own.
    expect((await world.run(['runs', 'show', run, '--json'])).out).toBe(
      shown.replace('"owners": 1', '"owners": 2'),
    );
  });
});
