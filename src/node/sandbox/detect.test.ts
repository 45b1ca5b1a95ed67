// What is made of the way in which bubblewrap ends, with programs in its place; that it confines is in test/sandbox/.
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { detectSandbox, trySandbox } from './detect.ts';

const here = { platform: 'linux', arch: 'x64' };

describe.skipIf(process.platform !== 'linux')('trySandbox', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(join(tmpdir(), 'techne-detect-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const program = (lines: string): string => {
    const file = join(folder, 'bwrap');
    fs.writeFileSync(file, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    return file;
  };

  it('takes one that confines a command', () => {
    const file = program('exit 0');
    expect(trySandbox(file, here)).toEqual({
      available: true,
      detail: `bubblewrap (${file})`,
      file,
      canDisableUserNamespaces: true,
    });
  });

  it('takes an older one, which cannot forbid user namespaces', () => {
    const file = program(
      `case "$*" in *--disable-userns*) echo "bwrap: Unknown option --disable-userns" >&2; exit 1;; esac`,
    );
    expect(trySandbox(file, here)).toEqual({
      available: true,
      detail: `bubblewrap (${file})`,
      file,
      canDisableUserNamespaces: false,
    });
  });

  it.each([
    ['says why', 'echo first >&2; echo "bwrap: No such thing" >&2; exit 1', 'No such thing'],
    ['only ends', 'exit 3', 'it ended with 3'],
    [
      'does not know the option, and fails without it',
      'echo "bwrap: Unknown option" >&2; exit 1',
      'Unknown option',
    ],
  ])('refuses one that %s', (_what, lines, reason) => {
    expect(trySandbox(program(lines), here)).toEqual({
      available: false,
      detail: `bubblewrap is installed but does not work here: ${reason}`,
    });
  });

  it('says where user namespaces may be forbidden', () => {
    const { detail } = trySandbox(
      program('echo "bwrap: No permissions to create new namespace" >&2; exit 1'),
      here,
    );
    expect(detail).toMatch(
      /No permissions to create new namespace \(user namespaces are forbidden: see kernel\./,
    );
  });

  it.each([
    [
      'there is none',
      null,
      here,
      'bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)',
    ],
    ['it cannot be started', '/no/bwrap', here, 'bubblewrap is installed but does not work here: ENOENT'],
    [
      'this is no Linux',
      '/usr/bin/bwrap',
      { platform: 'darwin', arch: 'x64' },
      'bubblewrap exists only for Linux; this is darwin',
    ],
    [
      'calls cannot be filtered',
      '/usr/bin/bwrap',
      { platform: 'linux', arch: 'mips' },
      'the system calls of mips are not known here, so they cannot be filtered',
    ],
  ])('refuses when %s', (_what, file, machine, detail) => {
    expect(trySandbox(file, machine)).toEqual({ available: false, detail });
  });

  it('gives it what it is to read, and leaves nothing behind', () => {
    const temporary = join(folder, 'tmp');
    fs.mkdirSync(temporary);
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = temporary;
    try {
      const open = fs.readdirSync('/proc/self/fd').length;
      // The first descriptor after that of the status is the filter.
      const file = program(`test "$(wc -c <&4)" -gt 100 || exit 9; echo "$*" > ${join(folder, 'words')}`);
      expect(trySandbox(file, here).available).toBe(true);
      expect(fs.readFileSync(join(folder, 'words'), 'utf8')).toMatch(/ --seccomp 4 .* -- true\n$/);
      expect([fs.readdirSync(temporary), fs.readdirSync('/proc/self/fd').length]).toEqual([[], open]);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });

  it('is asked once for each place', () => {
    const file = program('exit 3');
    const first = detectSandbox(file);
    program('exit 0');
    expect([detectSandbox(file), first.available]).toEqual([first, false]);
    expect(detectSandbox(null).available).toBe(false);
  });
});
