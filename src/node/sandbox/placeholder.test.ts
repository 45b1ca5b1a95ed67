import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asMounted, idOf, isPlaceholder, takeAway } from './placeholder.ts';

let top: string;
const at = (name: string): string => join(top, name);
beforeEach(() => {
  top = fs.mkdtempSync(join(tmpdir(), 'techne-placeholder-'));
});
afterEach(() => fs.rmSync(top, { recursive: true, force: true }));

function makeFolder(name: string, mode = 0o555): { path: string; at: string; id: string } {
  fs.mkdirSync(at(name));
  fs.chmodSync(at(name), mode);
  return { path: at(name), at: at(name), id: idOf(at(name)) as string };
}

describe('asMounted', () => {
  it.each([
    ['/plain', '/plain'],
    ['/a b', '/a\\040b'],
    ['/a\tb\nc', '/a\\011b\\012c'],
    ['/a\\b', '/a\\134b'],
    ['/é', '/\u00c3\u00a9'],
  ])('of %j is %j', (path, mounted) => {
    expect(asMounted(path)).toBe(mounted);
  });
});

describe('isPlaceholder', () => {
  it('is an empty folder that nobody may write to', () => {
    fs.writeFileSync(at('file'), '', { mode: 0o444 });
    fs.symlinkSync(top, at('link'));
    makeFolder('full', 0o755);
    fs.writeFileSync(at('full/x'), '');
    fs.chmodSync(at('full'), 0o555);
    makeFolder('held');
    makeFolder('masked', 0o500);
    for (const [name, mode] of [
      ['owner', 0o755],
      ['group', 0o575],
      ['others', 0o557],
    ] as const)
      makeFolder(name, mode);
    const names = ['held', 'masked', 'owner', 'group', 'others', 'full', 'file', 'link', 'gone'];
    expect(names.filter((name) => isPlaceholder(at(name)))).toEqual(['held', 'masked']);
    fs.chmodSync(at('full'), 0o755);
  });
});

describe.skipIf(process.platform !== 'linux')('idOf', () => {
  it('is what the cleaner compares it with', () => {
    makeFolder('one');
    expect(idOf(at('one'))).toBe(
      execFileSync('stat', ['-c', '%d:%i:%Y', at('one')], { encoding: 'utf8' }).trim(),
    );
    expect(idOf(at('gone'))).toBeNull();
  });
});

describe.skipIf(process.platform !== 'linux')('takeAway', () => {
  it('removes what was made and is as it was', () => {
    const mine = makeFolder('mine');
    const writable = makeFolder('writable', 0o755);
    const replaced = { ...makeFolder('replaced'), id: '0:0:0' };
    const gone = { ...mine, at: at('gone') };
    expect(takeAway([mine, writable, replaced, gone])).toEqual([]);
    expect(fs.readdirSync(top).toSorted()).toEqual(['replaced', 'writable']);
  });

  it('keeps what a sandbox has mounted', async () => {
    // A process with the name of the sandbox, which sees the mounts of this machine.
    fs.copyFileSync('/bin/sleep', at('bwrap'));
    fs.chmodSync(at('bwrap'), 0o755);
    const other = spawn(at('bwrap'), ['60'], { stdio: 'ignore' });
    await once(other, 'spawn');
    try {
      const mounted = { ...makeFolder('mounted'), path: '/proc' };
      const free = makeFolder('free');
      expect(takeAway([mounted, free])).toEqual([mounted]);
      expect([fs.existsSync(at('mounted')), fs.existsSync(at('free'))]).toEqual([true, false]);
    } finally {
      other.kill('SIGKILL');
      await once(other, 'exit');
    }
  });
});
