// techne learn and techne skills with the built command: a conversation is held, what was done is found, proposed, reviewed at a terminal and used.
import { spawnSync } from 'node:child_process';
import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';
import { skipUnless } from '../support/skip-unless.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const typist = fileURLToPath(new URL('../fixtures/type-at-terminal.py', import.meta.url));
const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

let world: World;
beforeAll(() => {
  world = createWorld({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false, hosts: false },
      tools: { allow: ['write_file'] },
    }),
  });
});
afterAll(() => world.remove());

const environment = () => ({ PATH: process.env['PATH'], HOME: world.home, TERM: 'xterm' });
function techne(...argv: readonly string[]): { readonly code: number | null; readonly out: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], {
    cwd: world.workspace,
    env: environment(),
    encoding: 'utf8',
  });
  return { code: status, out: stdout + stderr };
}

describe('techne learn', () => {
  it.skipIf(skipUnless(hasPython, 'python3 with pty is not installed'))(
    'turns what three conversations did into a skill that is reviewed, accepted, used and rolled back',
    () => {
      for (const name of ['ebb', 'flood', 'spring']) {
        const call = (path: string, content: string): string =>
          `  - calls: [{tool: write_file, args: {path: ${path}, content: ${content}}}, {tool: list_files, args: {path: log}}]\n`;
        world.write({
          'work/talk.yaml': `chat:\n${call(`log/${name}.md`, name)}  - {answer: written}\n`,
        });
        const held = techne('chat', '-p', `log the ${name} tide`, '--answer', 'script:talk.yaml');
        expect([held.code, held.out]).toEqual([0, expect.stringContaining('written')]);
      }
      const found = techne('learn', '--dry-run', '--json');
      expect(JSON.parse(found.out)).toMatchObject({
        chats: 3,
        calls: 6,
        learned: [
          {
            name: 'write-file-list-files',
            count: 3,
            steps: [{ call: 'write_file(content, path)' }, { call: 'list_files(path)' }],
            inputs: [
              { name: 'content', type: 'string', secret: false },
              { name: 'path', type: 'string', secret: false },
            ],
            outcome: { what: 'would-propose' },
          },
        ],
      });
      const proposed = techne('learn', '--no-model');
      const [, id = ''] =
        /Proposed as ([0-9a-f]{16}) \(a scaffold\); no check failed/.exec(proposed.out) ?? [];
      expect([proposed.code, id.length]).toEqual([0, 16]);
      expect(techne('learn', '--no-model').out).toContain(`(proposal ${id}, pending)`);
      const typed = spawnSync('python3', [typist, process.execPath, bin, 'proposals', 'accept', id], {
        cwd: world.workspace,
        env: environment(),
        encoding: 'utf8',
        input: JSON.stringify([
          ['[y/N] ', 'y\r'],
          ['[y/N] ', 'n\r'],
        ]),
      });
      expect(JSON.parse(typed.stdout)).toMatchObject({ screen: expect.stringContaining('Accepted: create') });
      const folder = join(world.workspace, '.techne/skills/write-file-list-files');
      expect(existsSync(join(folder, 'SKILL.md'))).toBe(true);
      expect(techne('match', 'please do write file and list files').out).toContain('write-file-list-files');
      expect(techne('learn', '--no-model').out).toContain(`(proposal ${id}, accepted)`);
      const back = spawnSync('python3', [typist, process.execPath, bin, 'proposals', 'rollback', id], {
        cwd: world.workspace,
        env: environment(),
        encoding: 'utf8',
        input: '[]',
      });
      expect([back.status, existsSync(folder)]).toEqual([0, false]);
    },
    120_000,
  );
});

describe('techne skills', () => {
  it('counts what was used, and proposes to retire the rest only when it is told to', () => {
    const skill = (name: string, about: string): string =>
      `---\nname: ${name}\ndescription: ${about}\n---\n\nDo it.\n`;
    const year = new Date(Date.now() - 365 * 86_400_000);
    world.write({
      'work/.techne/skills/sails/SKILL.md': skill('sails', 'Mends sails. Use when a sail is torn.'),
      'work/.techne/skills/ropes/SKILL.md': skill('ropes', 'Splices ropes. Use when a rope is worn.'),
      [`home/.techne/uses/${year.toISOString().slice(0, 7)}.jsonl`]: `${JSON.stringify({ at: year.getTime(), skill: 'ropes', reason: 'on_demand', tokens: 9 })}\n`,
      'work/load.yaml': 'chat:\n  - calls: [{tool: skill_load, args: {name: sails}}]\n  - {answer: mended}\n',
    });
    for (const name of ['sails', 'ropes'])
      utimesSync(join(world.workspace, '.techne/skills', name, 'SKILL.md'), year, year);
    expect(techne('chat', '-p', 'the jib has a hole', '--answer', 'script:load.yaml').out).toContain(
      'mended',
    );
    expect(JSON.parse(techne('skills', 'stats', 'sails', '--json').out)).toMatchObject({
      skill: 'sails',
      present: true,
      uses: 1,
      activations: 1,
      suggested: 0,
      misses: 1,
      missed: ['the jib has a hole'],
    });
    expect(techne('skills', 'curate').out).toBe(
      'retire ropes: not used in 90 days\n\nNothing changed. To propose to merge and retire them: techne skills curate --propose\n',
    );
    const { code, out } = techne('skills', 'curate', '--propose');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^retire ropes: not used in 90 days\n {2}proposal [0-9a-f]{16}: delete ropes \(pending\)\n/,
      ),
    ]);
    expect(existsSync(join(world.workspace, '.techne/skills/ropes/SKILL.md'))).toBe(true);
  }, 60_000);
});
