// What starts a command inside, and how its report is read; that it limits and reports is tested with the shell.
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { describe, expect, it } from 'vitest';
import { endingOfKilled, largestShare, readReport, startInside, starterVariables } from './starter.ts';

const hasPerl = existsSync('/usr/bin/perl') || existsSync('/bin/perl');

describe('startInside', () => {
  const argv = ['/bin/echo', 'a b'];

  it('ends with the command as it is', () => {
    expect(startInside(argv, undefined, 7).slice(-2)).toEqual(argv);
    expect(startInside(argv, { memoryBytes: 4096, processes: 3 }, 7).slice(-2)).toEqual(argv);
  });

  it.skipIf(!hasPerl)('reports through the descriptor, by a process of its own', () => {
    const [program, option, , end, report, ...rest] = startInside(argv, undefined, 7);
    expect([program?.endsWith('/bin/perl'), option, end, report, rest]).toEqual([
      true,
      '-e',
      '--',
      '7',
      argv,
    ]);
    expect(starterVariables).toEqual({ PERL_BADLANG: '0' });
  });

  const wordsFor = (memoryBytes: number, processes: number): readonly string[] =>
    startInside(argv, { memoryBytes, processes }, 7).slice(3, 6);

  it('limits memory in kibibytes, rounded down, and processes', () => {
    expect(startInside(argv, { memoryBytes: 1, processes: 1 }, 7).slice(0, 2)).toEqual(['/bin/sh', '-c']);
    expect(wordsFor(10 * 1024 + 1023, 3)).toEqual(['techne-starter', '10', '3']);
  });

  it('leaves a quarter of the memory to others, and one process to the command', () => {
    expect(largestShare).toBe(0.75);
    expect(wordsFor(totalmem() * 2, 0)).toEqual([
      'techne-starter',
      String(Math.floor((totalmem() * 0.75) / 1024)),
      '1',
    ]);
  });
});

describe('readReport', () => {
  it.each([
    ['ended 0\n', { kind: 'ended', exitCode: 0, signal: null }],
    ['ended 768\n', { kind: 'ended', exitCode: 3, signal: null }],
    ['ended 32512\n', { kind: 'ended', exitCode: 127, signal: null }],
    ['ended 9\n', { kind: 'ended', exitCode: null, signal: 'SIGKILL' }],
    // With a core dump.
    ['ended 139\n', { kind: 'ended', exitCode: null, signal: 'SIGSEGV' }],
    ['ended 64\n', { kind: 'ended', exitCode: null, signal: 'signal 64' }],
    ['ended 127\n', { kind: 'ended', exitCode: null, signal: 'signal 127' }],
    ['fault Permission denied\n', { kind: 'fault', message: 'Permission denied' }],
    ['fault no\nended 0\n', { kind: 'fault', message: 'no' }],
  ])('of %j', (text, ending) => {
    expect(readReport(text)).toEqual(ending);
  });

  it.each(['', 'ended 0', 'ended \n', 'ended x\n', 'ended 1.5\n', 'begun 0\n', ' ended 0\n', '0\n'])(
    'of %j is none',
    (text) => {
      expect(readReport(text)).toBeNull();
    },
  );
});

describe('endingOfKilled', () => {
  it.skipIf(!hasPerl).each([
    [129, 'SIGHUP'],
    [137, 'SIGKILL'],
    [143, 'SIGTERM'],
    [192, 'signal 64'],
  ])('of exit code %i is %s', (exitCode, signal) => {
    expect(endingOfKilled(exitCode)).toEqual({ kind: 'ended', exitCode: null, signal });
  });

  it.each([null, 0, 1, 127, 128, 193, 255])('of exit code %s is none', (exitCode) => {
    expect(endingOfKilled(exitCode)).toBeNull();
  });
});
