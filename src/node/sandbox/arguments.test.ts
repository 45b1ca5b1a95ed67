// The arguments of bubblewrap by themselves; what they keep out is in test/sandbox/.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxArguments, sandboxHome } from './arguments.ts';

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
