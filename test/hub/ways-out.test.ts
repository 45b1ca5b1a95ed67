// Every state of an installed skill that is not right has a way out: the commands that messages name are run in that state,
// and those that the messages of these name. No command may fail without a way, and none may lead around in a circle.
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { noGit } from '../support/hub/craft.ts';
import type { Ran, World } from '../support/run-cli.ts';
import { createWorld, skillText } from '../support/run-cli.ts';

let world: World;
afterEach(() => world.remove());

const yes = { typed: 'y\n' };
const at = (path = ''): string => join(world.workspace, '.techne/skills/tides', path);
const change = (): void => appendFileSync(at('SKILL.md'), '\nMine.\n');
const dropFolder = (): void => rmSync(at(), { recursive: true });
const dropLock = (): void => rmSync(join(world.workspace, 'techne-lock.json'));
const dropSource = (): void => {
  for (const name of ['repo', 'team']) rmSync(join(world.folder, name), { recursive: true });
};
const changeSource = (): void =>
  world.write({ 'team/tides/SKILL.md': skillText('tides', 'Tells other tides.') });
const adopt = async (): Promise<void> => {
  change();
  expect((await world.run(['adopt', 'tides'], yes)).code).toBe(0);
};

interface State {
  readonly source: 'git' | 'folder';
  readonly make: () => void | Promise<void>;
}

const states: { readonly [name: string]: State } = {
  'was changed': { source: 'git', make: change },
  'lost its folder': { source: 'git', make: dropFolder },
  'lost its SKILL.md': { source: 'git', make: () => rmSync(at('SKILL.md')) },
  'has a link': { source: 'git', make: () => symlinkSync('/etc/hosts', at('hosts')) },
  'was adopted and lost its folder': {
    source: 'git',
    make: async () => {
      await adopt();
      dropFolder();
    },
  },
  'was adopted and changed again': {
    source: 'git',
    make: async () => {
      await adopt();
      change();
    },
  },
  'was adopted and lost its SKILL.md': {
    source: 'git',
    make: async () => {
      await adopt();
      rmSync(at('SKILL.md'));
    },
  },
  'was adopted from a folder and lost its own': {
    source: 'folder',
    make: async () => {
      await adopt();
      dropFolder();
    },
  },
  'was adopted, pinned and lost its folder': {
    source: 'git',
    make: async () => {
      await adopt();
      await world.run(['pin', 'tides']);
      dropFolder();
    },
  },
  'lost its folder and has another source now': {
    source: 'folder',
    make: () => {
      dropFolder();
      changeSource();
    },
  },
  'was changed and has another source now': {
    source: 'folder',
    make: () => {
      change();
      changeSource();
    },
  },
  'lost its folder and its source': {
    source: 'git',
    make: () => {
      dropFolder();
      dropSource();
    },
  },
  'was changed and lost its source': {
    source: 'folder',
    make: () => {
      change();
      dropSource();
    },
  },
  'lost its folder, and its source no longer has it': {
    source: 'folder',
    make: () => {
      dropFolder();
      rmSync(join(world.folder, 'team/tides'), { recursive: true });
    },
  },
  'lost its lock': { source: 'git', make: dropLock },
  'was changed and lost its lock': {
    source: 'git',
    make: () => {
      change();
      dropLock();
    },
  },
  'lost its lock and its SKILL.md': {
    source: 'git',
    make: () => {
      rmSync(at('SKILL.md'));
      dropLock();
    },
  },
};

async function build({ source, make }: State): Promise<void> {
  world = createWorld({
    'repo/tides/SKILL.md': skillText('tides', 'Tells the tides.'),
    'team/tides/SKILL.md': skillText('tides', 'Tells the tides.'),
    'team/winds/SKILL.md': skillText('winds', 'Tells the winds.'),
  });
  const text = source === 'git' ? '../repo#main' : '../team';
  const repo = join(world.folder, 'repo');
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false'];
  for (const words of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...identity, 'commit', '-qm', 'a'],
  ])
    execFileSync('git', words, { cwd: repo });
  expect((await world.run(['add', text, '--skill', 'tides'], yes)).code).toBe(0);
  await make();
}

/** The ways that a text names, each a list of commands to run one after the other. */
function waysIn(text: string): readonly string[] {
  const ways: string[] = [];
  for (const found of text.matchAll(/techne (restore|adopt|remove|update|add|unpin)((?: [\w./#:@-]+)*)/g)) {
    const words = (found[2] ?? '').trim().split(' ');
    const end = words.findIndex((word) => /^(?:[a-z]+s|for)$/.test(word) && word !== 'tides');
    const command = [found[1], ...(end === -1 ? words : words.slice(0, end))].join(' ');
    if (text.slice(0, found.index).endsWith('and then ')) ways.push(`${ways.pop()} && ${command}`);
    else if (!command.includes('SOURCE')) ways.push(command);
  }
  return ways;
}

const first = [
  ['restore', '--frozen'],
  ['restore', 'tides'],
  ['adopt', 'tides'],
  ['remove', 'tides'],
  ['update', 'tides'],
];

describe.skipIf(noGit)('a skill that', () => {
  it.each(Object.entries(states))('%s has only ways out that work', async (_name, state) => {
    await build(state);
    const saved = `${world.folder}-saved`;
    cpSync(world.folder, saved, { recursive: true, verbatimSymlinks: true });
    try {
      /** In the state, from anew. */
      const run = async (commands: readonly (readonly string[])[]): Promise<Ran> => {
        rmSync(world.folder, { recursive: true });
        cpSync(saved, world.folder, { recursive: true, verbatimSymlinks: true });
        let ran: Ran = { code: 0, out: '', err: '' };
        for (const words of commands) ran = await world.run(words, yes);
        return ran;
      };
      const tried = new Map<string, { readonly works: boolean; readonly next: readonly string[] }>();
      const follow = async (way: string): Promise<void> => {
        if (tried.has(way)) return;
        const { code, err } = await run(way.split(' && ').map((words) => words.split(' ')));
        const frozen = code === 0 ? await world.run(['restore', '--frozen']) : null;
        const works = frozen !== null && (frozen.code === 0 || frozen.err.includes('there is no lock'));
        const next = works ? [] : waysIn(err);
        // The source may be back in a moment; restore and remove say what to do without it.
        if (way === 'update tides' && (code === 2 || code === 3)) return;
        tried.set(way, { works, next });
        for (const each of next) await follow(each);
      };
      for (const words of first) await follow(words.join(' '));
      const stuck = [...tried].filter(([, { works, next }]) => !works && next.length === 0);
      // What a command names works, or it says itself, knowing more, what works instead.
      const circles = [...tried].filter(
        ([, { works, next }]) =>
          !works &&
          !next.some((way) => tried.get(way)?.works === true) &&
          !next.some((way) => tried.get(way)?.next.some((further) => tried.get(further)?.works === true)),
      );
      expect({ stuck, circles }).toEqual({ stuck: [], circles: [] });
    } finally {
      rmSync(saved, { recursive: true });
    }
  });
});
