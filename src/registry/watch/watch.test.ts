import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countListed } from '../../prompt/index-layout.ts';
import type { FakeWatching } from '../../../test/support/fake-watching.ts';
import { createFakeWatching } from '../../../test/support/fake-watching.ts';
import { defaultConfig } from '../../config/merge-config.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import { FileFault } from '../../ports/files.ts';
import type { Files } from '../../ports/files.ts';
import { loadSnapshot } from '../snapshot.ts';
import type { MemoryControls } from '../../ports/memory-files.ts';
import { createMemoryFiles } from '../../ports/memory-files.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Root, Source } from '../types.ts';
import type { SkillWatch, WatchEvent, WatchOptions } from './watch.ts';
import { watchSkills } from './watch.ts';

const skill = (name: string, body = 'Look at the moon.'): string =>
  `---\nname: ${name}\ndescription: Use when you need ${name}.\n---\n${body}\n`;
const nothing = (): void => undefined;
const root = (path: string, source: Source): Root => ({
  path,
  source,
  host: 'option',
  origin: { kind: 'local', from: null },
});

describe('watchSkills', () => {
  let files: Files & MemoryControls;
  let watching: FakeWatching;
  let watch: SkillWatch;
  let events: string[];
  let loads: number;
  let atLoad: () => Promise<void>;
  let paths: readonly string[];

  // So that no test waits for it in the middle of a load.
  beforeEach(() => {
    files = createMemoryFiles({
      '/user/tides/SKILL.md': skill('tides'),
      '/user/maps/SKILL.md': skill('maps'),
      '/user/maps/scripts/draw.py': '1',
    });
    files.advance(10_000_000_000n);
    files.tickNs = 10_000_000n;
    watching = createFakeWatching();
    events = [];
    loads = 0;
    atLoad = async () => undefined;
    paths = ['/user', '/workspace/skills'];
  });
  afterEach(async () => {
    await watch.close();
    const left = [...watching.watched, ...watching.timers];
    if (left.length > 0) throw new Error(`left open: ${left.join(', ')}`);
  });

  const load = async (): Promise<Snapshot> => {
    loads += 1;
    await atLoad();
    files.advance(1_000_000n);
    return loadSnapshot({
      roots: paths.map((path) => root(path, path.startsWith('/workspace') ? 'workspace' : 'user')),
      files,
      environment: { platform: 'linux', homeFolder: '/home/me', variables: {}, findProgram: () => null },
      clock: files.clock,
      sha256: nodeSha256,
      parseFull: nodeParseFull,
      countListed,
      config: defaultConfig(),
    });
  };
  const start = async (options: Partial<WatchOptions> = {}): Promise<void> => {
    watch = await watchSkills({
      load,
      roots: paths,
      files,
      watching,
      clock: files.clock,
      debounceMs: 100,
      pollMs: 2000,
      ...options,
    });
    watch.on((event) => events.push(named(event)));
    await watching.run();
    loads = 0;
  };
  const startAt = async (path: string): Promise<void> => {
    files.advance(10_000_000_000n);
    paths = [path];
    await start({ roots: [path] });
  };
  const seen = async (): Promise<string> =>
    watch.snapshot.has('tides') ? (await watch.snapshot.readBody('tides')).text.trim() : 'none';
  const names = (): string[] => watch.snapshot.skills.map(({ name }) => name);
  const edit = async (path: string, content: string): Promise<void> => {
    const isNew = files.stat(path) === null;
    files.write(path, content);
    const folder = path.slice(0, path.lastIndexOf('/'));
    watching.notify(folder);
    if (isNew) watching.notify(folder.slice(0, folder.lastIndexOf('/')));
    await watching.run();
  };

  it('watches every folder, and the nearest one above a root that is missing', async () => {
    await start();
    expect(watching.watched).toEqual(['/', '/user', '/user/maps', '/user/maps/scripts', '/user/tides']);
    expect(names()).toEqual(['maps', 'tides']);
    expect(events).toEqual([]);
  });

  it('says what came, changed and went, each time with a new snapshot', async () => {
    await start();
    const first = watch.snapshot;
    await edit('/user/winds/SKILL.md', skill('winds'));
    expect(events).toEqual(['skill.added winds', 'snapshot.replaced +1 ~0 -0 =0']);
    const second = watch.snapshot;
    await edit('/user/tides/SKILL.md', skill('tides', 'Look at the sun.'));
    files.erase('/user/maps');
    watching.notify('/user');
    await watching.run();
    expect(events.slice(2)).toEqual([
      'skill.changed tides',
      'snapshot.replaced +0 ~1 -0 =0',
      'skill.removed maps',
      'snapshot.replaced +0 ~0 -1 =0',
    ]);
    expect(names()).toEqual(['tides', 'winds']);
    expect((await watch.snapshot.readBody('tides')).text).toBe('Look at the sun.\n');
    expect(first.skills.map(({ name }) => name)).toEqual(['maps', 'tides']);
    expect(second.skills.map(({ name }) => name)).toEqual(['maps', 'tides', 'winds']);
    expect((await second.readBody('tides')).text).toBe('Look at the moon.\n');
    expect(watching.watched).toEqual(['/', '/user', '/user/tides', '/user/winds']);
  });

  it('says that a skill changed when only a script did, and reads the new one', async () => {
    await start();
    files.write('/user/maps/scripts/draw.py', '2');
    watching.notify('/user/maps/scripts');
    await expect(watch.snapshot.readFile('maps', 'scripts/draw.py')).rejects.toMatchObject({ code: 'STALE' });
    await watching.run();
    expect(events).toEqual(['skill.changed maps', 'snapshot.replaced +0 ~1 -0 =0']);
    expect(Buffer.from(await watch.snapshot.readFile('maps', 'scripts/draw.py')).toString()).toBe('2');
  });

  it('follows a skill folder that is renamed', async () => {
    await start();
    files.rename('/user/tides', '/user/ebb');
    watching.notify('/user');
    await watching.run();
    expect(events).toEqual(['skill.removed tides', 'skill.added ebb', 'snapshot.replaced +1 ~0 -1 =0']);
    expect(watching.watched).toContain('/user/ebb');
    expect(watching.watched).not.toContain('/user/tides');
  });

  it('watches a folder again that was replaced under its name', async () => {
    await start();
    files.erase('/user/tides');
    files.write('/user/tides/SKILL.md', skill('tides', 'New folder.'));
    watching.notify('/user');
    await watching.run();
    expect(events).toEqual(['skill.changed tides', 'snapshot.replaced +0 ~1 -0 =0']);
    await edit('/user/tides/SKILL.md', skill('tides', 'Seen.'));
    expect((await watch.snapshot.readBody('tides')).text).toBe('Seen.\n');
  });

  describe('last known good', () => {
    const broken = '---\nname: tides\ndescription: [never closed\n  : :\n';

    it('keeps a skill whose file no longer parses, body included', async () => {
      await start();
      await edit('/user/tides/SKILL.md', broken);
      expect(events).toEqual(['skill.kept tides', 'snapshot.replaced +0 ~0 -0 =1']);
      expect(watch.snapshot.get('tides')?.description).toBe('Use when you need tides.');
      expect((await watch.snapshot.readBody('tides')).text).toBe('Look at the moon.\n');
      const said = watch.snapshot.diagnostics
        .filter(({ path }) => path === '/user/tides/SKILL.md')
        .map(({ code }) => code);
      expect(said).toContain('SKILL_STALE_KEPT');
      expect(said.length).toBeGreaterThan(1);
    });

    it.each([
      ['an empty file', ''],
      ['a file without frontmatter', 'Just text.\n'],
      ['a fence that is not closed', '---\nname: tides\n'],
      ['a file that is too large', skill('tides', 'x'.repeat(12_000_000))],
    ])('keeps it for %s', async (_, content) => {
      await start();
      await edit('/user/tides/SKILL.md', content);
      expect(events).toEqual(['skill.kept tides', 'snapshot.replaced +0 ~0 -0 =1']);
      expect((await watch.snapshot.readBody('tides')).text).toBe('Look at the moon.\n');
    });

    it('keeps it for a file that may not be read, and for a folder in its place', async () => {
      await start();
      files.deny('/user/tides/SKILL.md');
      files.touch('/user/tides/SKILL.md', 5n);
      watching.notify('/user/tides');
      await watching.run();
      expect(events).toEqual(['skill.kept tides', 'snapshot.replaced +0 ~0 -0 =1']);
      files.erase('/user/tides/SKILL.md');
      files.folder('/user/tides/SKILL.md');
      watching.notify('/user/tides');
      await watching.run();
      expect(events.slice(2)).toEqual(['skill.kept tides', 'snapshot.replaced +0 ~0 -0 =1']);
      expect((await watch.snapshot.readBody('tides')).text).toBe('Look at the moon.\n');
    });

    it('goes on keeping it through other changes, and says so once', async () => {
      await start();
      await edit('/user/tides/SKILL.md', broken);
      await edit('/user/winds/SKILL.md', skill('winds'));
      await edit('/user/winds/SKILL.md', skill('winds', 'Again.'));
      expect(events.filter((event) => event.startsWith('skill.kept'))).toEqual(['skill.kept tides']);
      expect((await watch.snapshot.readBody('tides')).text).toBe('Look at the moon.\n');
      expect(names()).toEqual(['maps', 'tides', 'winds']);
    });

    it('takes the file again once it is repaired, and lets it go once it is removed', async () => {
      await start();
      await edit('/user/tides/SKILL.md', broken);
      await edit('/user/maps/SKILL.md', '');
      events.length = 0;
      await edit('/user/tides/SKILL.md', skill('tides', 'Repaired.'));
      expect(events).toEqual(['skill.changed tides', 'snapshot.replaced +0 ~1 -0 =1']);
      expect((await watch.snapshot.readBody('tides')).text).toBe('Repaired.\n');
      files.erase('/user/maps/SKILL.md');
      watching.notify('/user/maps');
      await watching.run();
      expect(events.slice(2)).toEqual(['skill.removed maps', 'snapshot.replaced +0 ~0 -1 =0']);
      expect(watch.snapshot.diagnostics.map(({ code }) => code)).not.toContain('SKILL_STALE_KEPT');
    });

    it('keeps the winner rather than falling back to a skill it hides', async () => {
      files.write('/workspace/skills/tides/SKILL.md', skill('tides', 'The workspace.'));
      files.advance(10_000_000_000n);
      await start();
      await edit('/workspace/skills/tides/SKILL.md', '');
      expect(events).toEqual(['skill.kept tides', 'snapshot.replaced +0 ~0 -0 =1']);
      expect(watch.snapshot.get('tides')?.source).toBe('workspace');
      expect((await watch.snapshot.readBody('tides')).text).toBe('The workspace.\n');
      expect(watch.snapshot.shadowed.map((each) => each.skill.source)).toEqual(['user']);
    });

    it('does not keep what was as bad before', async () => {
      files.write('/user/tides/SKILL.md', 'No frontmatter, ever.\n');
      files.advance(10_000_000_000n);
      await start();
      await edit('/user/tides/SKILL.md', 'Still none.\n');
      expect(events).toEqual(['skill.changed tides', 'snapshot.replaced +0 ~1 -0 =0']);
    });

    it('reads ahead no more than it may', async () => {
      await start({ pinBytes: 0 });
      await edit('/user/tides/SKILL.md', broken);
      expect(watch.snapshot.get('tides')?.description).toBe('Use when you need tides.');
      await expect(watch.snapshot.readBody('tides')).rejects.toMatchObject({ code: 'STALE' });
    });
  });

  describe('roots', () => {
    it('waits for a root that is missing, step by step, and does not mind its neighbours', async () => {
      await start();
      files.write('/noise', 'x');
      watching.notify('/');
      await watching.run();
      expect(loads).toBe(0);
      files.folder('/workspace');
      watching.notify('/');
      await watching.run();
      expect(watching.watched).toContain('/workspace');
      files.write('/workspace/skills/winds/SKILL.md', skill('winds'));
      watching.notify('/workspace');
      await watching.run();
      expect(names()).toEqual(['maps', 'tides', 'winds']);
      expect(watching.watched).toContain('/workspace/skills/winds');
    });

    it('survives a root that is deleted and made again', async () => {
      await start();
      files.erase('/user');
      watching.lose('/user');
      watching.lose('/user/tides');
      watching.notify('/');
      await watching.run();
      expect(names()).toEqual([]);
      files.write('/user/tides/SKILL.md', skill('tides', 'Back.'));
      watching.notify('/');
      await watching.run();
      expect(events).toEqual([
        'skill.removed maps',
        'skill.removed tides',
        'snapshot.replaced +0 ~0 -2 =0',
        'skill.added tides',
        'snapshot.replaced +1 ~0 -0 =0',
      ]);
      await edit('/user/tides/SKILL.md', skill('tides', 'And seen.'));
      expect((await watch.snapshot.readBody('tides')).text).toBe('And seen.\n');
    });
  });

  describe('paths that come to mean something else', () => {
    it('sees that a folder far above a root is renamed, by its notification', async () => {
      files.write('/a/b/c/skills/tides/SKILL.md', skill('tides', 'One.'));
      await startAt('/a/b/c/skills');
      expect(watching.watched).toEqual(['/', '/a', '/a/b', '/a/b/c', '/a/b/c/skills', '/a/b/c/skills/tides']);
      files.rename('/a', '/z');
      watching.notify('/');
      await watching.run();
      expect([await seen(), watching.watched]).toEqual(['none', ['/']]);
      files.write('/a/b/c/skills/tides/SKILL.md', skill('tides', 'Two.'));
      watching.notify('/');
      await watching.run();
      expect(await seen()).toBe('Two.');
    });

    it('sees it without any notification each `pollMs`, and the folders above are watched anew', async () => {
      files.write('/a/b/skills/tides/SKILL.md', skill('tides', 'One.'));
      files.write('/z/b/skills/tides/SKILL.md', skill('tides', 'Two.'));
      await startAt('/a/b/skills');
      await watching.run(2000);
      expect([loads, events]).toEqual([0, []]);
      files.rename('/a', '/old');
      files.rename('/z', '/a');
      await watching.run(2000);
      expect([await seen(), events, watch.degraded]).toEqual([
        'Two.',
        ['skill.changed tides', 'snapshot.replaced +0 ~1 -0 =0'],
        false,
      ]);
    });

    it('sees that a link on the way to a root leads elsewhere, also one that another link leads to', async () => {
      files.write('/v1/skills/tides/SKILL.md', skill('tides', 'One.'));
      files.write('/v2/skills/tides/SKILL.md', skill('tides', 'Two.'));
      files.link('/far/current', '/v1');
      files.link('/near', '/far/current');
      await startAt('/near/skills');
      expect(await seen()).toBe('One.');
      files.erase('/far/current');
      files.link('/far/current', '/v2');
      await watching.run(2000);
      expect(await seen()).toBe('Two.');
    });

    it('watches a skill that is linked from a dot folder, its parts and its replacement', async () => {
      files.write('/r/.store/tides/SKILL.md', skill('tides', 'One.'));
      files.write('/r/.store/tides/scripts/a.py', '1');
      files.link('/r/tides', '.store/tides');
      await startAt('/r');
      expect(watching.watched).toEqual(['/', '/r', '/r/.store', '/r/tides', '/r/tides/scripts']);
      files.write('/r/.store/tides/SKILL.md', skill('tides', 'Two.'));
      watching.notify('/r/tides');
      await watching.run();
      expect(await seen()).toBe('Two.');
      files.write('/r/.store/tides/scripts/a.py', '2');
      watching.notify('/r/tides/scripts');
      await watching.run();
      expect(events.filter((event) => event.startsWith('skill.'))).toEqual([
        'skill.changed tides',
        'skill.changed tides',
      ]);
      files.rename('/r/.store/tides', '/r/.store/old');
      files.write('/r/.store/tides/SKILL.md', skill('tides', 'Three.'));
      watching.notify('/r/.store');
      await watching.run();
      expect(await seen()).toBe('Three.');
    });

    it('sees a change of what SKILL.md links to', async () => {
      files.write('/r/.store/text.md', skill('tides', 'One.'));
      files.link('/r/tides/SKILL.md', '../.store/text.md');
      await startAt('/r');
      files.write('/r/.store/text.md', skill('tides', 'Two.'));
      watching.notify('/r/.store');
      await watching.run();
      expect(await seen()).toBe('Two.');
      files.write('/r/.store/text.md', skill('tides', 'Three.'));
      await watching.run(2000);
      expect(await seen()).toBe('Three.');
      expect(events.filter((event) => event.startsWith('skill.'))).toEqual([
        'skill.changed tides',
        'skill.changed tides',
      ]);
    });

    it('does not follow a link out of the roots, nor one that leads back', async () => {
      files.write('/out/winds/SKILL.md', skill('winds'));
      files.write('/r/tides/SKILL.md', skill('tides'));
      files.link('/r/away', '/out');
      files.link('/r/tides/back', '..');
      files.link('/r/round', 'round');
      await startAt('/r');
      expect(watching.watched).toEqual(['/', '/r', '/r/tides']);
    });

    it('checks by the clock however often it is disturbed', async () => {
      files.write('/a/b/skills/tides/SKILL.md', skill('tides', 'One.'));
      await startAt('/a/b/skills');
      watching.notify('/');
      await watching.run();
      expect(watching.timers).toEqual([2000]);
    });
  });

  describe('loads', () => {
    it('are one at a time, and one more for all that happens during one', async () => {
      await start();
      let inside = 0;
      let release = nothing;
      atLoad = async () => {
        inside += 1;
        expect(inside).toBe(1);
        await new Promise<void>((resolve) => (release = resolve));
        inside -= 1;
      };
      await edit('/user/tides/SKILL.md', skill('tides', 'One.'));
      expect(loads).toBe(1);
      for (const body of ['Two.', 'Three.']) await edit('/user/tides/SKILL.md', skill('tides', body));
      await edit('/user/winds/SKILL.md', skill('winds'));
      expect(loads).toBe(1);
      release();
      await watching.run();
      expect(loads).toBe(2);
      release();
      await watching.run();
      expect(loads).toBe(2);
      expect((await watch.snapshot.readBody('tides')).text).toBe('Three.\n');
    });

    it('wait for quiet, but not for ever', async () => {
      await start();
      files.write('/user/tides/SKILL.md', skill('tides', 'x'));
      for (let n = 0; n < 5; n += 1) watching.notify('/user/tides');
      await watching.run();
      expect(loads).toBe(1);
      let notices = 0;
      const original = watching.after.bind(watching);
      watching.after = (ms, task) =>
        original(ms, () => {
          notices += 1;
          if (notices < 40) watching.notify('/user/tides');
          task();
        });
      watching.notify('/user/tides');
      await watching.run();
      expect(loads).toBeGreaterThan(1);
    });

    it('that fail leave the last snapshot and are tried again', async () => {
      await start();
      const before = watch.snapshot;
      atLoad = async () => {
        throw new FileFault('io', '/user', 'the disk is on fire');
      };
      await edit('/user/tides/SKILL.md', skill('tides', 'New.'));
      expect(events).toEqual(['snapshot.failed']);
      expect(watch.snapshot).toBe(before);
      await expect(watch.refresh()).rejects.toThrow('the disk is on fire');
      atLoad = async () => undefined;
      await watching.run(2000);
      expect((await watch.snapshot.readBody('tides')).text).toBe('New.\n');
      loads = 0;
      await watching.run(2000);
      expect(loads).toBe(0);
    });
  });

  it('believes no watch after a storm of notifications, since some may have been dropped', async () => {
    await start();
    for (let n = 0; n < 5000; n += 1) watching.notify('/user/tides');
    files.write('/user/maps/deep/winds/SKILL.md', skill('winds'));
    files.erase('/user/tides');
    await watching.run();
    expect(names()).toEqual(['maps', 'winds']);
    expect(watching.watched).toEqual([
      '/',
      '/user',
      '/user/maps',
      '/user/maps/deep',
      '/user/maps/deep/winds',
      '/user/maps/scripts',
    ]);
    expect(loads).toBe(2);
  });

  it('looks at folders only where something happened', async () => {
    await start();
    const before = files.calls;
    let atFirst: number | undefined;
    atLoad = async () => {
      atFirst ??= files.calls - before;
    };
    await edit('/user/tides/SKILL.md', skill('tides', 'New.'));
    // The two roots, what is above them, and the folder itself.
    expect(atFirst).toBeLessThan(20);
  });

  it('refresh looks at once and always gives a new snapshot', async () => {
    await start();
    files.write('/user/winds/SKILL.md', skill('winds'));
    const fresh = await watch.refresh();
    expect(fresh).toBe(watch.snapshot);
    expect(names()).toEqual(['maps', 'tides', 'winds']);
    expect(await watch.refresh()).not.toBe(fresh);
  });

  describe('without enough watches', () => {
    it('announces that it polls, sees changes all the same, and announces the end', async () => {
      watching.limit = 2;
      await start();
      expect(watch.degraded).toBe(true);
      expect(events).toEqual(['watch.degraded no watches left']);
      expect(watching.timers).toEqual([2000]);
      const before = watch.snapshot;
      await watching.run(2000);
      expect(loads).toBe(1);
      expect(watch.snapshot).toBe(before);
      files.write('/user/tides/SKILL.md', skill('tides', 'Polled.'));
      await watching.run(2000);
      expect(events.slice(1)).toEqual(['skill.changed tides', 'snapshot.replaced +0 ~1 -0 =0']);
      watching.limit = 100;
      await watching.run(2000);
      expect(events.at(-1)).toBe('watch.restored');
      expect(watch.degraded).toBe(false);
      loads = 0;
      await watching.run(2000);
      expect(loads).toBe(0);
      await edit('/user/tides/SKILL.md', skill('tides', 'Noticed.'));
      expect((await watch.snapshot.readBody('tides')).text).toBe('Noticed.\n');
    });

    it('polls less often where looking takes long', async () => {
      watching.limit = 2;
      atLoad = async () => files.advance(1_000_000_000n);
      await start();
      expect(watching.timers).toEqual([2000]);
      await watching.run(2000);
      expect(watching.timers).toEqual([9009]);
    });

    it('starts to poll when they run out later', async () => {
      watching.limit = 5;
      await start();
      expect(watch.degraded).toBe(false);
      await edit('/user/winds/SKILL.md', skill('winds'));
      expect(events).toEqual([
        'watch.degraded no watches left',
        'skill.added winds',
        'snapshot.replaced +1 ~0 -0 =0',
      ]);
      expect(watching.timers).toEqual([2000]);
    });
  });

  it('says nothing after it is closed, not even about a load under way', async () => {
    await start();
    let release = nothing;
    atLoad = () => new Promise<void>((resolve) => (release = resolve));
    await edit('/user/tides/SKILL.md', skill('tides', 'Late.'));
    const closing = watch.close();
    release();
    await closing;
    await watch.close();
    watching.notify('/user/tides');
    expect(events).toEqual([]);
    await expect(watch.refresh()).rejects.toMatchObject({ code: 'USAGE' });
  });
});

function named(event: WatchEvent): string {
  switch (event.type) {
    case 'skill.added':
    case 'skill.changed':
    case 'skill.removed':
    case 'skill.kept':
      return `${event.type} ${event.skill.name}`;
    case 'snapshot.replaced': {
      const { added, changed, removed, kept } = event.changes;
      return `${event.type} +${added.length} ~${changed.length} -${removed.length} =${kept.length}`;
    }
    case 'watch.degraded':
      return `${event.type} ${event.reason}`;
    case 'snapshot.failed':
    case 'watch.restored':
      return event.type;
  }
}
