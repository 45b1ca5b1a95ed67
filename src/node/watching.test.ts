import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipUnless } from '../../test/support/skip-unless.ts';
import type { ChildProgram } from '../../test/support/child-program.ts';
import { childProgram } from '../../test/support/child-program.ts';
import { watchRoot } from '../../test/support/watch-root.ts';
import type { SkillWatch, WatchEvent } from '../registry/watch/watch.ts';
import { createNodeWatching } from './watching.ts';
import { FileFault } from '../ports/files.ts';

const skill = (name: string, body = 'Look at the moon.'): string =>
  `---\nname: ${name}\ndescription: Use when you need ${name}.\n---\n${body}\n`;

const until = async (state: () => unknown, expected: unknown): Promise<void> => {
  await expect.poll(state, { timeout: 5000, interval: 5 }).toEqual(expected);
};

/** Watches that this process holds, as the kernel counts them; 0 where it does not say. */
function openWatches(): number {
  if (process.platform !== 'linux') return 0;
  const infos = fs.readdirSync('/proc/self/fdinfo').map((fd) => {
    try {
      return fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8');
    } catch {
      return ''; // the descriptor that listed the folder is gone
    }
  });
  return infos.join('').split('inotify wd:').length - 1;
}

describe('watchSkills over real files', () => {
  let home: string;
  let root: string;
  let watch: SkillWatch;
  let events: WatchEvent[];
  const watchesBefore = openWatches();

  beforeEach(() => {
    home = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), 'techne-watch-'));
    root = join(home, 'deep', 'skills');
    events = [];
  });
  afterEach(async () => {
    await watch.close();
    fs.rmSync(home, { recursive: true, force: true });
    if (openWatches() !== watchesBefore) throw new Error(`${openWatches() - watchesBefore} watches are left`);
  });

  const write = (name: string, content = skill(name)): void => {
    fs.mkdirSync(join(root, name), { recursive: true });
    fs.writeFileSync(join(root, name, 'SKILL.md'), content);
  };
  const start = async (): Promise<void> => {
    watch = await watchRoot(root, { pollMs: 100 });
    watch.on((event) => events.push(event));
  };
  const names = (): string[] => watch.snapshot.skills.map(({ name }) => name);
  const body = async (name: string): Promise<string> =>
    watch.snapshot.has(name)
      ? (await watch.snapshot.readBody(name).catch(() => ({ text: 'stale' }))).text
      : 'none';

  it('sees a save, in place and by rename', async () => {
    write('tides');
    await start();
    write('tides', skill('tides', 'In place.'));
    await until(() => body('tides'), 'In place.\n');
    for (const text of ['Once.', 'Twice.', 'Thrice.']) {
      fs.writeFileSync(join(root, 'tides', '.SKILL.md.tmp'), skill('tides', text));
      fs.renameSync(join(root, 'tides', '.SKILL.md.tmp'), join(root, 'tides', 'SKILL.md'));
      await until(() => body('tides'), `${text}\n`);
    }
    expect(events.some(({ type }) => type === 'skill.removed')).toBe(false);
  });

  it('waits for a root that is missing at the start', async () => {
    await start();
    expect(names()).toEqual([]);
    write('tides');
    await until(names, ['tides']);
    write('tides', skill('tides', 'Seen.'));
    await until(() => body('tides'), 'Seen.\n');
  });

  it('survives its root being deleted and made again, moved away and replaced', async () => {
    write('tides');
    await start();
    fs.rmSync(join(home, 'deep'), { recursive: true });
    await until(names, []);
    write('winds');
    await until(names, ['winds']);
    fs.renameSync(root, `${root}-old`);
    write('maps');
    await until(names, ['maps']);
    write('maps', skill('maps', 'Seen.'));
    await until(() => body('maps'), 'Seen.\n');
    expect(watch.degraded).toBe(false);
  });

  it('follows a root that is a link to where it leads next', async () => {
    write('tides');
    const first = `${root}-1`;
    fs.renameSync(root, first);
    fs.mkdirSync(join(`${root}-2`, 'winds'), { recursive: true });
    fs.writeFileSync(join(`${root}-2`, 'winds', 'SKILL.md'), skill('winds'));
    fs.symlinkSync(first, root);
    await start();
    expect(names()).toEqual(['tides']);
    fs.symlinkSync(`${root}-2`, `${root}.new`);
    fs.renameSync(`${root}.new`, root);
    await until(names, ['winds']);
    fs.writeFileSync(join(`${root}-2`, 'winds', 'SKILL.md'), skill('winds', 'Seen.'));
    await until(() => body('winds'), 'Seen.\n');
  });

  it('follows folders above its root that are swapped, and links into folders that are not searched', async () => {
    write('.store/tides', skill('tides', 'One.'));
    fs.symlinkSync('.store/tides', join(root, 'tides'));
    await start();
    write('.store/tides', skill('tides', 'Two.'));
    await until(() => body('tides'), 'Two.\n');
    fs.cpSync(join(home, 'deep'), join(home, 'next'), { recursive: true, verbatimSymlinks: true });
    fs.writeFileSync(join(home, 'next', 'skills', '.store', 'tides', 'SKILL.md'), skill('tides', 'Three.'));
    fs.renameSync(join(home, 'deep'), join(home, 'last'));
    fs.renameSync(join(home, 'next'), join(home, 'deep'));
    await until(() => body('tides'), 'Three.\n');
    write('.store/tides', skill('tides', 'Four.'));
    await until(() => body('tides'), 'Four.\n');
    expect(watch.degraded).toBe(false);
  });

  it('takes a branch switch of hundreds of skills', async () => {
    for (let n = 0; n < 200; n += 1) write(`skill-${n}`);
    await start();
    const before = watch.snapshot;
    for (let n = 0; n < 200; n += 1) {
      if (n % 3 === 0) fs.rmSync(join(root, `skill-${n}`), { recursive: true });
      else write(`skill-${n}`, skill(`skill-${n}`, 'The other branch.'));
      write(`new-${n}`);
    }
    await until(() => watch.snapshot.skills.length, 333);
    await until(() => body('skill-199'), 'The other branch.\n');
    for (const each of watch.snapshot.skills) {
      expect(await body(each.name)).toBe(
        each.name.startsWith('new') ? 'Look at the moon.\n' : 'The other branch.\n',
      );
    }
    expect(before.skills.length).toBe(200);
    expect(events.filter(({ type }) => type === 'snapshot.replaced').length).toBeLessThan(30);
  });

  it('follows a skill folder that is renamed, and one that is made later inside another', async () => {
    write('tides');
    await start();
    fs.renameSync(join(root, 'tides'), join(root, 'ebb'));
    await until(names, ['ebb']);
    fs.mkdirSync(join(root, 'group'));
    await new Promise((resolve) => setTimeout(resolve, 60));
    write('group/winds', skill('winds'));
    await until(names, ['ebb', 'winds']);
    write('group/winds', skill('winds', 'Seen.'));
    await until(() => body('winds'), 'Seen.\n');
    expect(names()).toEqual(['ebb', 'winds']);
  });

  it('keeps the last good version while a file is broken', async () => {
    write('tides');
    await start();
    await until(async () => (await watch.snapshot.readBody('tides')).text, 'Look at the moon.\n');
    write('tides', '');
    await until(() => events.map(({ type }) => type), ['skill.kept', 'snapshot.replaced']);
    expect(await body('tides')).toBe('Look at the moon.\n');
    write('tides', skill('tides', 'Repaired.'));
    await until(() => body('tides'), 'Repaired.\n');
  });
});

describe('createNodeWatching', () => {
  let root: string;
  let child: ChildProgram;
  beforeEach(async () => {
    root = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), 'techne-watch-'));
    for (let n = 0; n < 60; n += 1) {
      fs.mkdirSync(join(root, `skill-${n}`));
      fs.writeFileSync(join(root, `skill-${n}`, 'SKILL.md'), skill(`skill-${n}`));
    }
    child = await childProgram('watch-skills');
  });
  afterEach(() => {
    child.close();
    fs.rmSync(root, { recursive: true, force: true });
  });

  it('does not keep a process alive', async () => {
    expect(await child.run(root, '100')).toBe('watching 60\n');
  });

  it('tells where it cannot watch', () => {
    const watching = createNodeWatching();
    expect(() =>
      watching.watchFolder(
        '/nothing/here',
        () => undefined,
        () => undefined,
      ),
    ).toThrow(FileFault);
  });

  it('polls when the system really has no watches left', async (context) => {
    // A user namespace has a limit of its own, which its root may lower.
    const limited = ['-Ur', 'sh', '-c', 'echo 20 > /proc/sys/user/max_inotify_watches && exec "$@"', 'sh'];
    if (
      skipUnless(
        spawnSync('unshare', [...limited, 'true']).status === 0,
        'unshare with user namespaces is not available',
      )
    )
      context.skip();
    const watcher = spawn('unshare', [...limited, process.execPath, child.path, root, '50', '60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let printed = '';
      watcher.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      await expect.poll(() => printed, { timeout: 5000 }).toBe('watch.degraded \nwatching 60\n');
      fs.writeFileSync(join(root, 'skill-59', 'SKILL.md'), skill('skill-59', 'Polled.'));
      await expect
        .poll(() => printed, { timeout: 5000 })
        .toBe('watch.degraded \nwatching 60\nskill.changed skill-59\nsnapshot.replaced \n');
    } finally {
      watcher.kill('SIGKILL');
    }
  });
});
