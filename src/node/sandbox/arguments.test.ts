// The arguments of bubblewrap by themselves; what they keep out is in test/sandbox/.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyPlan, sandboxArguments, sandboxHome } from './arguments.ts';
import { sandboxFilter } from './filter.ts';
import { identityFiles, networkFiles, systemFiles } from './view.ts';

type Plan = Parameters<typeof sandboxArguments>[0];

let top: string;
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'techne-arguments-')));
  mkdirSync(join(top, 'secret'));
  writeFileSync(join(top, 'key'), '');
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const plan = (more: Partial<Plan> = {}): Plan => ({
  readRoots: [],
  writeRoots: ['/work'],
  network: false,
  cwd: '/work',
  toolchains: [],
  heldNames: [],
  isGated: false,
  canDisableUserNamespaces: true,
  ...more,
});
const argsOf = (more: Partial<Plan> = {}): readonly string[] => sandboxArguments(plan(more)).args;
/** What is mounted after the memory, in order: `rw /a`, `ro /b`. */
function bindsOf(more: Partial<Plan>): readonly string[] {
  const args = argsOf(more);
  const from = args.indexOf('/var/tmp');
  const words = args.slice(from + 1, args.lastIndexOf('--chdir'));
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (words[at] === '--bind') found.push(`rw ${words[at + 1] as string}`);
    if (words[at]?.startsWith('--ro-bind') === true)
      found.push(
        words[at + 1] === '/dev/null' ? `no ${words[at + 2] as string}` : `ro ${words[at + 1] as string}`,
      );
    if (words[at] === '--tmpfs') found.push(`no ${words[at + 1] as string}`);
  }
  return found;
}

describe('sandboxArguments', () => {
  it('shares nothing, and the network only when it is asked for', () => {
    const args = argsOf();
    for (const word of [
      '--unshare-all',
      '--unshare-user',
      '--disable-userns',
      '--die-with-parent',
      '--new-session',
    ])
      expect(args).toContain(word);
    expect(args.join(' ')).toContain('--cap-drop ALL');
    expect(args).not.toContain('--share-net');
    expect(argsOf({ network: true })).toContain('--share-net');
    expect(argsOf({ canDisableUserNamespaces: false })).not.toContain('--disable-userns');
    expect(args.slice(-4)).toEqual(['--remount-ro', '/', '--chdir', '/work']);
  });

  /** What follows `word`, up to `count` words, each time. */
  const after = (args: readonly string[], word: string, count: number): readonly string[] =>
    args.flatMap((each, at) => (each === word ? [args.slice(at + 1, at + 1 + count).join(' ')] : []));

  it('filters system calls, where they are known', () => {
    const { args, inputs } = sandboxArguments(plan());
    const filter = sandboxFilter(process.arch);
    expect(after(args, '--seccomp', 1).map((number) => inputs.get(Number(number)))).toEqual(
      filter === null ? [] : [filter],
    );
  });

  it('has the folders of the system as they are: read-only, or as links', () => {
    const args = argsOf();
    const there = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].filter((path) =>
      existsSync(path),
    );
    const isLinked = (path: string): boolean => lstatSync(path).isSymbolicLink();
    expect(after(args, '--symlink', 2)).toEqual(
      there.filter(isLinked).map((path) => `${readlinkSync(path)} ${path}`),
    );
    const bound = after(args, '--ro-bind', 2);
    expect(there.map((path) => bound.includes(`${path} ${path}`))).toEqual(
      there.map((path) => !isLinked(path)),
    );
  });

  it('shows files of /etc by name, and has its own in place of those that name users and hosts', () => {
    const textsOf = (network: boolean): readonly (readonly [string, string | undefined])[] => {
      const { args, inputs } = sandboxArguments(plan({ network }));
      return after(args, '--ro-bind-data', 2).map((words) => {
        const [number, path] = words.split(' ') as [string, string];
        return [path, inputs.get(Number(number))?.toString()];
      });
    };
    const own = identityFiles(sandboxHome).map(({ path, text }) => [path, text]);
    expect(textsOf(false)).toEqual(own);
    // With the network, the hosts are those of the machine.
    expect(textsOf(true)).toEqual(own.filter(([path]) => path !== '/etc/hosts'));
    const twice = (paths: readonly string[]): readonly string[] => paths.map((path) => `${path} ${path}`);
    expect(after(argsOf(), '--ro-bind-try', 2)).toEqual(twice(systemFiles));
    expect(after(argsOf({ network: true }), '--ro-bind-try', 2)).toEqual(
      twice([...systemFiles, ...networkFiles]),
    );
  });

  it('hides files of the kernel that are there', () => {
    const hidden = after(argsOf(), '--ro-bind', 2).filter((words) => words.startsWith('/dev/null /proc/'));
    expect(hidden.map((words) => words.split(' ')[1]).filter((path) => !existsSync(path as string))).toEqual(
      [],
    );
    expect(hidden.includes('/dev/null /proc/kcore')).toBe(existsSync('/proc/kcore'));
  });

  it('bounds the memory of what can be written besides', () => {
    const args = argsOf();
    const sizeOf = (path: string): readonly string[] =>
      args.slice(args.indexOf(path) - 5, args.indexOf(path));
    expect(['/tmp', sandboxHome, '/dev/shm', '/var/tmp'].map((path) => sizeOf(path).join(' '))).toEqual([
      '--perms 1777 --size 1073741824 --tmpfs',
      '--perms 0700 --size 268435456 --tmpfs',
      '--perms 1777 --size 268435456 --tmpfs',
      '--perms 1777 --size 268435456 --tmpfs',
    ]);
    for (const path of ['/proc', '/dev']) expect(args[args.lastIndexOf(path) - 1]).toBe('--remount-ro');
  });

  it('binds roots from the shortest on, so that the nearest decides', () => {
    expect(
      bindsOf({
        readRoots: ['/work/a/b', '/other'],
        writeRoots: ['/work', '/work/a/b/c'],
        toolchains: ['/opt/node'],
      }),
    ).toEqual(['rw /work', 'ro /other', 'ro /work/a/b', 'ro /opt/node', 'rw /work/a/b/c']);
    // What is both can be written to.
    expect(bindsOf({ readRoots: ['/work'] })).toEqual(['ro /work', 'rw /work']);
  });

  it('keeps protected places read-only, and the folders on the way to them where they are', () => {
    expect(bindsOf({ heldNames: ['/work/a/b/.git', '/work/.git'] })).toEqual([
      'rw /work',
      'rw /work/a',
      'rw /work/a/b',
      'ro /work/.git',
      'ro /work/a/b/.git',
    ]);
    expect(bindsOf({ writeRoots: ['/work', '/out'], protect: ['/work/skills', '/elsewhere'] })).toEqual([
      'rw /out',
      'rw /work',
      'ro /elsewhere',
      'ro /work/skills',
      'ro /work/skills',
    ]);
    // A root inside a protected place, or that place itself, is not writable.
    expect(bindsOf({ writeRoots: ['/kept/in', '/kept', '/work'], protect: ['/kept'] })).toEqual([
      'ro /kept',
      'rw /work',
    ]);
    expect(bindsOf({ heldNames: ['/work', '/not/in/it'] })).toEqual(['rw /work']);
  });

  it('hides folders and files, and nothing that is not there', () => {
    const [folder, file] = [join(top, 'secret'), join(top, 'key')];
    expect(bindsOf({ writeRoots: [top], hide: [folder, file, join(top, 'gone')] })).toEqual([
      `rw ${top}`,
      `no ${folder}`,
      `no ${file}`,
    ]);
    const args = argsOf({ writeRoots: [top], hide: [folder, file] });
    expect(
      args.slice(args.indexOf('--perms', args.indexOf(top)), args.lastIndexOf('--remount-ro')).join(' '),
    ).toBe(`--perms 0555 --tmpfs ${folder} --remount-ro ${folder} --ro-bind /dev/null ${file}`);
  });

  it('has nothing but the system for a trial', () => {
    expect(emptyPlan(true)).toEqual({
      readRoots: [],
      writeRoots: [],
      network: false,
      cwd: '/',
      toolchains: [],
      heldNames: [],
      isGated: false,
      canDisableUserNamespaces: true,
    });
  });

  it('numbers the descriptors behind each other, and the gate last', () => {
    const open = sandboxArguments(plan());
    const numbers = [...open.inputs.keys()];
    expect(open.statusDescriptor).toBe(3);
    expect(numbers).toEqual(numbers.map((_, at) => 4 + at));
    expect([open.reportDescriptor, open.gateDescriptor]).toEqual([4 + numbers.length, null]);
    for (const number of numbers) expect(open.args).toContain(String(number));
    const gated = sandboxArguments(plan({ isGated: true }));
    expect(gated.gateDescriptor).toBe(gated.reportDescriptor + 1);
    expect(gated.args.slice(-2)).toEqual(['--block-fd', String(gated.gateDescriptor)]);
  });
});
