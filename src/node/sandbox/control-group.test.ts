// Control groups in a folder that looks like theirs; that the kernel keeps to the limits is tested with the shell.
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { controlGroupsIn } from './control-group.ts';

const limits = { processes: 7, memoryBytes: 4096 };
const memory = String(Math.floor(totalmem() * 0.75));
const mine = `techne-${process.pid}-`;

describe.skipIf(process.platform !== 'linux')('controlGroupsIn', () => {
  let mount: string;
  beforeEach(() => {
    mount = fs.mkdtempSync(join(tmpdir(), 'techne-groups-'));
  });
  afterEach(() => fs.rmSync(mount, { recursive: true, force: true }));

  /** `own`: the groups of this process; `folders`: those that are there. */
  const groups = (own: string, folders: readonly string[]): ReturnType<typeof controlGroupsIn> => {
    for (const folder of folders) fs.mkdirSync(join(mount, folder), { recursive: true });
    fs.writeFileSync(join(mount, 'own'), own);
    return controlGroupsIn({ mount, own: join(mount, 'own') });
  };
  const textOf = (...names: readonly string[]): string => fs.readFileSync(join(mount, ...names), 'utf8');
  const namesIn = (folder: string): readonly string[] => fs.readdirSync(join(mount, folder)).toSorted();

  it('makes a group below the own one for processes and one for memory, with version 1', () => {
    const create = groups('9:cpu,pids:/a\n4:memory:/b/c\n0::/\n', ['pids/a', 'memory/b/c']);
    const group = create(limits);
    expect([namesIn('pids/a'), namesIn('memory/b/c')]).toEqual([[`${mine}1`], [`${mine}1`]]);
    expect([
      textOf('pids/a', `${mine}1`, 'pids.max'),
      textOf('memory/b/c', `${mine}1`, 'memory.limit_in_bytes'),
    ]).toEqual(['7', memory]);
    group?.add(42);
    expect([
      textOf('pids/a', `${mine}1`, 'cgroup.procs'),
      textOf('memory/b/c', `${mine}1`, 'cgroup.procs'),
    ]).toEqual(['42', '42']);
    create(limits);
    expect(namesIn('pids/a')).toEqual([`${mine}1`, `${mine}2`]);
  });

  it('makes one of the two where the other cannot be made', () => {
    groups('9:pids:/a\n4:memory:/b\n', ['pids/a'])(limits);
    expect(namesIn('pids/a')).toEqual([`${mine}1`]);
    expect(fs.existsSync(join(mount, 'memory'))).toBe(false);
  });

  it('makes one group with version 2, where controllers are handed down', () => {
    const create = groups('0::/x\n', ['x']);
    fs.writeFileSync(join(mount, 'x', 'cgroup.subtree_control'), 'cpu memory pids\n');
    expect(create(limits)).not.toBeNull();
    expect([textOf('x', `${mine}1`, 'pids.max'), textOf('x', `${mine}1`, 'memory.max')]).toEqual([
      '7',
      memory,
    ]);
  });

  it('makes one at the top when there is no other', () => {
    const create = groups('', []);
    fs.writeFileSync(join(mount, 'cgroup.subtree_control'), 'pids');
    expect(create(limits)).not.toBeNull();
    expect(fs.existsSync(join(mount, `${mine}1`, 'pids.max'))).toBe(true);
  });

  it.each([
    ['there is no group of its own', '9:pids:/gone\n'],
    ['controllers are not handed down', '0::/x\n'],
  ])('makes none where %s', (_what, own) => {
    const create = groups(own, ['x']);
    fs.writeFileSync(join(mount, 'x', 'cgroup.subtree_control'), 'cpu memory\n');
    expect(create(limits)).toBeNull();
    expect(namesIn('x')).toEqual(['cgroup.subtree_control']);
  });

  it('makes none where the own groups cannot be read', () => {
    expect(controlGroupsIn({ mount, own: join(mount, 'gone') })(limits)).toBeNull();
  });

  it('makes none without limits', () => {
    const create = groups('9:pids:/a\n', ['pids/a']);
    expect([create(undefined), namesIn('pids/a')]).toEqual([null, []]);
  });

  it('is not tried again where it failed', () => {
    const create = groups('9:pids:/a\n', ['pids']);
    fs.writeFileSync(join(mount, 'pids/a'), '');
    expect(create(limits)).toBeNull();
    fs.rmSync(join(mount, 'pids/a'));
    fs.mkdirSync(join(mount, 'pids/a'));
    expect([create(limits), namesIn('pids/a')]).toEqual([null, []]);
  });

  it('is removed as soon as that is possible', async () => {
    const group = groups('9:pids:/a\n4:memory:/a\n', ['pids/a', 'memory/a'])(limits);
    fs.rmSync(join(mount, 'pids/a', `${mine}1`, 'pids.max'));
    // The kernel may need a moment, as here the second one does.
    setTimeout(() => fs.rmSync(join(mount, 'memory/a', `${mine}1`, 'memory.limit_in_bytes')), 30);
    await group?.remove();
    expect([namesIn('pids/a'), namesIn('memory/a')]).toEqual([[], []]);
  });

  it('is left when it cannot be removed', async () => {
    const group = groups('9:pids:/a\n', ['pids/a'])(limits);
    await group?.remove();
    expect(namesIn('pids/a')).toEqual([`${mine}1`]);
  });

  it('takes away what dead processes have left, and nothing else', () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const kept = [
      `techne-${process.ppid}-1`,
      `${mine}9`,
      'techne-x',
      `other-${dead}-1`,
      `${dead}`,
      `xtechne-${dead}-1`,
    ];
    const create = groups(
      '9:pids:/a\n',
      [...kept, `techne-${dead}-1`].map((name) => `pids/a/${name}`),
    );
    create(limits);
    expect(namesIn('pids/a')).toEqual([...kept, `${mine}1`].toSorted());
  });
});
