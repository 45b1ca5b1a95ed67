// A command looks at the disk once: whatever it does with skills, it does with one snapshot.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const counter = pathToFileURL(
  fileURLToPath(new URL('../fixtures/preload/count-listings.mjs', import.meta.url)),
).href;
const skill = (name: string, rest: string): string =>
  `---\nname: ${name}\ndescription: Says ${name}. Use to say ${name}.\n${rest}---\nSays it.\n`;

let world: World;
afterEach(() => world.remove());

/** How often the folder of the skills was listed. */
function listings(...argv: readonly string[]): { readonly status: number | null; readonly listed: number } {
  const file = join(world.folder, 'counts.json');
  const { status, stderr } = spawnSync(process.execPath, ['--import', counter, bin, ...argv], {
    cwd: world.workspace,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: world.home, COUNT_READS_TO: file },
  });
  const counts = JSON.parse(readFileSync(file, 'utf8')) as { readonly [path: string]: number };
  if (status !== 0) throw new Error(stderr);
  return { status, listed: counts[join(world.workspace, '.techne', 'skills')] ?? 0 };
}

describe('a command', () => {
  it.each([
    [['run', 'echo', 'task=x', '--answer', 'script:answers.yaml']],
    [['run', 'echo', 'task=x', 'odd=y', '--answer', 'script:answers.yaml']],
    [['list']],
    [['match', 'say echo']],
    [['search', 'echo']],
    [['index']],
    [['doctor', 'echo']],
  ])('looks for skills once: techne %j', (argv) => {
    world = createWorld({
      'work/.techne/skills/echo/SKILL.md': skill('echo', 'metaskill: SKILL.star\n').replace(
        'Says it.\n',
        'Input keys:\n- task\n',
      ),
      'work/.techne/skills/echo/SKILL.star': 'def run(input):\n  return ask(input["task"])["answer"]\n',
      'work/answers.yaml': 'answers:\n  - hello\n',
      'home/.techne/config.json':
        '{"roots": {"builtin": false}, "cache": {"enabled": false}, "trust": {"folders": ["WORK"]}}\n',
    });
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        cache: { enabled: false },
        trust: { folders: [world.workspace] },
      }),
    });
    expect(listings(...argv)).toEqual({ status: 0, listed: 1 });
  });
});
