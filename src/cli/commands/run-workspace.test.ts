// A run goes on where it was started, and an approval is for what was shown, wherever the command is typed.
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ran, RunOptions, World } from '../../../test/support/run-cli.ts';
import { createWorld } from '../../../test/support/run-cli.ts';
import type { PrintedRun } from '../../../test/support/printed-run.ts';
import { parsePrinted } from '../../../test/support/printed-run.ts';

let world: World;
let other: string;
beforeEach(() => {
  world = createWorld({
    'work/.techne/skills/where/SKILL.md':
      '---\nname: where\ndescription: Says where. Use in tests.\nmetaskill: SKILL.star\n---\n\nDo it.\n',
    'work/.techne/skills/where/SKILL.star':
      'def run(input):\n    return {"answer": command(["pwd"])["result"].strip()}\n',
    'other/.git/HEAD': '',
  });
  other = join(world.folder, 'other');
  configure({});
});
afterEach(() => world.remove());

function configure(more: object): void {
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace, join(world.folder, 'other')] },
      ...more,
    }),
  });
}

const run = (argv: readonly string[], options: RunOptions = {}): Promise<Ran> => world.run(argv, options);
/** As a person at a terminal in another folder, where "last" would be a run of that folder. */
const elsewhere = (...argv: readonly string[]): Promise<Ran> =>
  run([...argv.map((word) => (word === 'last' ? newest() : word)), '-q'], { cwd: other, talk: [] });
const newest = (): string => readdirSync(join(world.home, '.techne/runs')).sort().at(-1) ?? '';

async function shown(): Promise<PrintedRun> {
  return parsePrinted((await run(['runs', 'show', 'last', '--json'])).out);
}

describe('a run that is taken up in another folder', () => {
  it('goes on in its own, after an answer, a resume and a fork', async () => {
    expect((await run(['run', 'where', 'a=1'])).code).toBe(5);
    expect(await elsewhere('answer', 'last', '--approve', 'once')).toMatchObject({
      code: 0,
      out: `${world.workspace}\n`,
    });
    await run(['run', 'where', 'a=1']);
    await elsewhere('answer', 'last', '--approve', 'once', '--no-resume');
    expect(await elsewhere('runs', 'resume', 'last')).toMatchObject({ code: 0, out: `${world.workspace}\n` });
    configure({ commands: { allow: ['pwd'] } });
    expect(await elsewhere('runs', 'fork', 'last', '--from', '1')).toMatchObject({
      code: 0,
      out: `${world.workspace}\n`,
    });
  });

  it('is under the configuration of its own folder, not of the current one', async () => {
    await run(['run', 'where', 'a=1']);
    writeFileSync(join(other, 'techne.json'), JSON.stringify({ commands: { deny: ['pwd'] } }));
    expect(await elsewhere('answer', 'last', '--approve', 'once')).toMatchObject({
      code: 0,
      out: `${world.workspace}\n`,
    });
  });

  it('is refused where that folder is gone, or another one is named', async () => {
    await run(['run', 'where', 'a=1']);
    expect(await elsewhere('runs', 'resume', 'last', '--workspace', other)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`works in "${world.workspace}", not in "${other}"`) as string,
    });
    rmSync(world.workspace, { recursive: true });
    expect(await elsewhere('runs', 'resume', 'last')).toMatchObject({
      code: 3,
      err: expect.stringContaining('which no longer exists') as string,
    });
    expect((await elsewhere('runs', 'cancel', 'last')).code).toBe(0);
  });
});

describe('an approval', () => {
  it('counts under the terms that were shown, and is asked for again under others', async () => {
    configure({ sandbox: { mode: 'off' } });
    mkdirSync(join(world.folder, 'moved'));
    await run(['run', 'where', 'a=1']);
    const [before] = (await shown()).questions;
    await elsewhere('answer', 'last', '--approve', 'once', '--no-resume');
    // The same name, and another folder.
    renameSync(world.workspace, join(world.folder, 'moved/work'));
    symlinkSync(join(world.folder, 'moved/work'), world.workspace);
    const again = await run(['runs', 'resume', 'last']);
    expect([again.code, again.out]).toEqual([
      5,
      expect.stringContaining(
        `It would run in "${join(world.folder, 'moved/work')}" WITHOUT a sandbox (sandbox.mode is "off"). It is asked again, since the answer before was to run it in "${world.workspace}" WITHOUT a sandbox`,
      ),
    ]);
    const { questions, effects } = await shown();
    expect([questions.map(({ id }) => id === before?.id), effects]).toEqual([[true, false], []]);
    expect(await elsewhere('answer', 'last', '--approve', 'once')).toMatchObject({
      code: 0,
      out: `${join(world.folder, 'moved/work')}\n`,
    });
  });
});
