import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createControlGroup } from '../sandbox/control-group.ts';
import { inheritedFault } from './inherited.ts';
import { createNodeShell } from './shell.ts';
import type { CommandOutcome, CommandRequest } from '../../ports/shell.ts';
import { skipUnless, skipUnlessTool } from '../../../test/support/skip-unless.ts';

const shell = createNodeShell({ graceMs: 300 });
const unconfined = skipUnlessTool(
  shell.sandbox.available,
  `commands cannot be confined here: ${shell.sandbox.detail}`,
);
const group = createControlGroup({ processes: 1, memoryBytes: 1024 });
await group?.remove();
const noGroups = skipUnless(
  process.getuid?.() === 0 && group !== null,
  'no control group can be made here, so processes of root are not limited',
);
const noPerl = skipUnlessTool(existsSync('/usr/bin/perl'), 'without Perl a signal is an exit code');
const onLinux = process.platform === 'linux';
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-shell-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Given = Partial<Omit<CommandRequest, 'argv'>> & {
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
};

function run(argv: readonly string[], given: Given = {}): Promise<CommandOutcome> {
  const { signal = new AbortController().signal, onOutput, ...more } = given;
  return shell.run(
    {
      argv,
      cwd: folder,
      timeoutMs: 15_000,
      environment: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      stdin: null,
      maxOutputBytes: 10_000,
      sandbox: null,
      ...more,
    },
    signal,
    onOutput,
  );
}

const sh = (script: string, given: Given = {}): Promise<CommandOutcome> => run(['sh', '-c', script], given);
const inSandbox = (writeRoots: readonly string[] = []): Given => ({
  sandbox: { readRoots: [folder], writeRoots, network: false },
});

/** Aborts the command as soon as it has printed something. */
function stoppedWhenReady(script: string, given: Given): Promise<CommandOutcome> {
  const control = new AbortController();
  return sh(script, { ...given, signal: control.signal, onOutput: () => control.abort() });
}

async function exists(path: string): Promise<void> {
  for (let turn = 0; !existsSync(path); turn += 1) {
    if (turn > 2000) throw new Error(`${path} was never made`);
    await sleep(5);
  }
}

function alive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

const pidIn = (name: string): number => Number(readFileSync(join(folder, name), 'utf8'));

describe('inheritedFault', () => {
  it('starts nothing where an open file is too far up to be kept from the command', () => {
    expect([inheritedFault([3, 5000, 65_535]), inheritedFault([3, 65_536])]).toEqual([
      null,
      'this process was started with file descriptor 65536 open, which the command would inherit; start techne without it',
    ]);
  });
});

describe('createNodeShell', () => {
  it('says everything about a command that succeeds', async () => {
    const { durationMs, ...outcome } = await sh('echo out; echo err >&2');
    expect(outcome).toEqual({
      started: true,
      fault: null,
      exitCode: 0,
      signal: null,
      timedOut: false,
      aborted: false,
      stdout: 'out\n',
      stderr: 'err\n',
      combined: expect.stringMatching(/out\n|err\n/) as string,
      truncated: false,
    });
    expect(durationMs).toBeGreaterThan(0);
  });

  it('keeps the order in which the streams were written', async () => {
    const script =
      'for turn in 1 2 3; do echo "out $turn"; sleep 0.05; echo "err $turn" >&2; sleep 0.05; done';
    expect((await sh(script)).combined).toBe('out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n');
  });

  it('gives the real exit code and the real signal', async () => {
    expect(await sh('exit 3')).toMatchObject({ exitCode: 3, signal: null, started: true });
    expect(await sh('kill -9 $$')).toMatchObject({
      exitCode: null,
      signal: 'SIGKILL',
      timedOut: false,
      aborted: false,
    });
    // What a program says about itself is text.
    expect(await sh('echo "Exit code: 7"; echo "error: no"')).toMatchObject({ exitCode: 0, signal: null });
  });

  it('gives arguments to the program as they are', async () => {
    const odd = ['a b', '$HOME', '`id`', '*', '', '|', ';', '\n', '"', "'", '--', '-x', 'ü😀', '\\'];
    expect((await run(['printf', '[%s]', ...odd])).stdout).toBe(odd.map((text) => `[${text}]`).join(''));
  });

  it('gives exactly the environment that is asked for', async () => {
    const outcome = await run(['env'], { environment: { PATH: '/usr/bin:/bin', ONE: '1' } });
    expect(
      outcome.stdout
        .trim()
        .split('\n')
        .map((line) => line.split('=')[0])
        .toSorted((a = '', b = '') => a.localeCompare(b)),
    ).toEqual(['ONE', 'PATH', 'TECHNE_COMMAND']);
  });

  it('gives text to standard input, and closes it', async () => {
    expect((await run(['cat'], { stdin: 'grüße\n' })).stdout).toBe('grüße\n');
    expect((await run(['cat'])).stdout).toBe('');
    // Nobody reads it: a broken pipe, which is the command's own affair.
    expect(await run(['true'], { stdin: 'x'.repeat(1_000_000) })).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await sh('exec <&-; sleep 0.1; echo done', { stdin: 'x'.repeat(1_000_000) })).toMatchObject({
      exitCode: 0,
      stdout: 'done\n',
    });
  });

  it('keeps the beginning and the end of a long output', async () => {
    const outcome = await sh('echo first; seq 1 100000; echo last', { maxOutputBytes: 1000 });
    expect(outcome).toMatchObject({ truncated: true, exitCode: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^first\n1\n[^]*\[… \d+ bytes left out …\][^]*100000\nlast\n$/);
    expect(outcome.stdout.length).toBeLessThan(1100);
    expect(await sh('printf %1000s x', { maxOutputBytes: 1000 })).toMatchObject({ truncated: false });
    expect(await sh('printf %1001s x', { maxOutputBytes: 1000 })).toMatchObject({ truncated: true });
    expect(await sh('printf %1001s x >&2', { maxOutputBytes: 1000 })).toMatchObject({
      truncated: true,
      stdout: '',
    });
  });

  it('drains a flood without keeping it', async () => {
    const before = process.memoryUsage().rss;
    const outcome = await run(['head', '-c', '400000000', '/dev/zero'], { maxOutputBytes: 1000 });
    expect(outcome).toMatchObject({ exitCode: 0, truncated: true });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it('replaces invalid UTF-8 and leaves characters whole where streams mix', async () => {
    expect((await run(['printf', 'a\\377b'])).stdout).toBe('a\uFFFDb');
    const outcome = await sh("printf '\\303'; sleep 0.1; printf x >&2; sleep 0.1; printf '\\274'");
    expect(outcome).toMatchObject({ stdout: 'ü', stderr: 'x', combined: 'xü' });
  });

  it('shows output as it comes, and no more than is kept', async () => {
    const seen: string[] = [];
    await sh('echo one; sleep 0.1; echo two >&2', { onOutput: (text) => seen.push(text) });
    expect(seen).toEqual(['one\n', 'two\n']);
    seen.length = 0;
    await sh('seq 1 100000', { maxOutputBytes: 100, onOutput: (text) => seen.push(text) });
    expect(seen.join('').length).toBeLessThan(300);
    expect(seen.at(-1)).toContain('not shown while it comes');
  });

  it('waits for a process that closed its output', async () => {
    const outcome = await sh(`exec >&- 2>&-; sleep 0.3; echo x > ${folder}/closed`);
    expect(outcome).toMatchObject({ exitCode: 0, stdout: '' });
    expect(existsSync(join(folder, 'closed'))).toBe(true);
  });

  it('gives a command no terminal', async () => {
    expect(
      (await sh('[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || echo none; (: < /dev/tty) 2>/dev/null || echo no tty'))
        .stdout,
    ).toBe('none\nno tty\n');
  });
});

describe('a command that cannot be started', () => {
  it.each<[string, () => Promise<CommandOutcome>, string]>([
    ['no words', () => run([]), 'the command is empty'],
    ['an empty name', () => run(['']), 'the name of the program is empty'],
    [
      'a NUL',
      () => run(['echo', 'a\0b']),
      'the command contains a NUL character, which cannot be passed to a program',
    ],
    [
      'a NUL in the environment',
      () => run(['echo'], { environment: { PATH: '/usr/bin', A: '\0' } }),
      'the command contains a NUL character, which cannot be passed to a program',
    ],
    [
      'a program that is not there',
      () => run(['no-such-program']),
      'there is no program "no-such-program" on PATH',
    ],
    ['a path that is not there', () => run(['./no-such']), '"./no-such" does not exist'],
    ['a folder', () => run(['/usr']), '"/usr" is not a file'],
    ['a path below a file', () => run(['/bin/sh/x']), '"/bin/sh/x" does not exist'],
    [
      'a working folder that is not there',
      () => run(['true'], { cwd: '/no/such' }),
      'the working folder "/no/such" does not exist',
    ],
    [
      'a working folder that is a file',
      () => run(['true'], { cwd: '/bin/sh' }),
      'the working folder "/bin/sh" is not a folder',
    ],
    ['no PATH', () => run(['true'], { environment: {} }), 'there is no program "true" on PATH'],
    [
      'a relative PATH',
      () => run(['sh'], { environment: { PATH: 'bin::.' }, cwd: '/usr' }),
      'there is no program "sh" on PATH',
    ],
    [
      'too long arguments',
      () => run(['true', 'x'.repeat(5_000_000)]),
      '"true" could not be started: its arguments or its environment are too long (E2BIG)',
    ],
  ])('says why: %s', async (_name, start, fault) => {
    const outcome = await start();
    expect(outcome).toMatchObject({
      started: false,
      exitCode: null,
      signal: null,
      timedOut: false,
      aborted: false,
      stdout: '',
      stderr: '',
      combined: '',
      truncated: false,
    });
    expect(outcome.fault).toBe(fault);
  });

  it('says why: a file that may not be executed, and an interpreter that is not there', async () => {
    writeFileSync(join(folder, 'plain.sh'), '#!/bin/sh\necho hi\n');
    expect((await run(['./plain.sh'])).fault).toBe('"./plain.sh" cannot be executed: permission denied');
    writeFileSync(join(folder, 'lost.sh'), '#!/no/such/interpreter\n');
    chmodSync(join(folder, 'lost.sh'), 0o755);
    expect(await run(['./lost.sh'])).toMatchObject({
      started: false,
      fault: '"./lost.sh" could not be started: the program or its interpreter does not exist (ENOENT)',
    });
  });

  it('says so when it was stopped before', async () => {
    const stopped = AbortSignal.abort();
    expect(await sh(`echo x > ${folder}/never`, { signal: stopped })).toMatchObject({
      started: false,
      aborted: true,
      fault: 'it was stopped before it was started',
    });
    expect(existsSync(join(folder, 'never'))).toBe(false);
  });
});

describe.each([
  ['plain', false],
  ['in a sandbox', true],
])('stopping a command, %s', (_where, confined) => {
  const given = (): Given => (confined ? inSandbox([folder]) : {});
  const skip = confined && unconfined;

  it.skipIf(skip)('ends it after its time, with what it had printed', async () => {
    const outcome = await sh('echo before; sleep 60; echo after', { ...given(), timeoutMs: 1500 });
    expect(outcome).toMatchObject({ started: true, timedOut: true, aborted: false, stdout: 'before\n' });
    expect(outcome.durationMs).toBeLessThan(10_000);
  });

  it.skipIf(skip)('asks first, and ends what does not listen', async () => {
    const polite = await stoppedWhenReady(
      `trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.05; done`,
      given(),
    );
    expect(polite).toMatchObject({ aborted: true, stdout: 'ready\nbye\n', exitCode: 5 });
    const deaf = await stoppedWhenReady(`trap '' TERM; echo ready; while :; do sleep 0.05; done`, given());
    expect(deaf).toMatchObject({ aborted: true, stdout: 'ready\n' });
    expect(deaf.exitCode === 0).toBe(false);
  });

  it.skipIf(skip)('ends it when it is aborted, with everything it started', async () => {
    const control = new AbortController();
    const marks = [`aborted-a${confined}`, `aborted-b${confined}`];
    const script = `(while :; do echo x >> ${marks[0]}; sleep 0.02; done) & (exec >/dev/null 2>&1; trap '' TERM HUP; while :; do echo x >> ${marks[1]}; sleep 0.02; done) & wait`;
    const running = sh(script, { ...given(), signal: control.signal });
    for (const mark of marks) await exists(join(folder, mark));
    control.abort();
    expect(await running).toMatchObject({ started: true, aborted: true, timedOut: false });
    const sizes = marks.map((mark) => readFileSync(join(folder, mark)).length);
    await sleep(150);
    expect(marks.map((mark) => readFileSync(join(folder, mark)).length)).toEqual(sizes);
  });

  it.skipIf(skip || !onLinux)('leaves nothing alive that a finished command started', async () => {
    const ways = [
      'sleep 300 &',
      'sleep 300 >/dev/null 2>&1 </dev/null &',
      'setsid sleep 300 &',
      '(setsid setsid sleep 300 >/dev/null 2>&1 </dev/null &)',
      'nohup sleep 300 >/dev/null 2>&1 &',
    ];
    for (const [at, way] of ways.entries()) {
      const outcome = await sh(`${way}\nsleep 0.1; echo done`, {
        ...given(),
        environment: { PATH: '/usr/bin:/bin', CANARY: `canary-${process.pid}-${at}-${confined}` },
      });
      expect(outcome).toMatchObject({ exitCode: 0, stdout: 'done\n', timedOut: false });
      expect(processesWith(`CANARY=canary-${process.pid}-${at}-${confined}`)).toEqual([]);
    }
  });

  it.skipIf(skip || !onLinux)('ends stopped processes, and leaves no zombie', async () => {
    const outcome = await sh('kill -STOP $$', { ...given(), timeoutMs: 300 });
    expect(outcome).toMatchObject({ timedOut: true });
    const children = execFileSync('ps', ['-o', 'stat=', '--ppid', String(process.pid)], { encoding: 'utf8' });
    expect(children.split('\n').filter((line) => line.startsWith('Z'))).toEqual([]);
  });

  it.skipIf(skip)('keeps the exit code of a command that ends while others still print', async () => {
    const outcome = await sh('(sleep 0.05; while :; do echo noise; done) & echo main; sleep 0.2; exit 4', {
      ...given(),
      maxOutputBytes: 1000,
    });
    expect(outcome).toMatchObject({ exitCode: 4, timedOut: false });
    expect(outcome.stdout.startsWith('main\n')).toBe(true);
  });
});

describe.skipIf(!onLinux)('processes outside a sandbox', () => {
  it('are found in the group and the session, by their mark, and below one that is known', async () => {
    // Leaves the session and clears its environment, while its parent lives: found as a descendant.
    const outcome = await stoppedWhenReady(
      `env -i setsid sh -c 'echo $$ > ${folder}/cleared; echo ready; exec sleep 300' & wait`,
      {},
    );
    expect(outcome.aborted).toBe(true);
    expect(alive(pidIn('cleared'))).toBe(false);
  });

  it('are marked with the commands they are part of', async () => {
    const { stdout } = await sh('echo $TECHNE_COMMAND');
    expect(stdout).toMatch(/^[0-9a-f]{24}\n$/);
  });
});

describe.skipIf(!onLinux)('what an earlier attempt left alive', () => {
  it('is ended before the next one starts, and before that only', async () => {
    const mark = `a1${process.pid}b`;
    // As techne leaves it behind when it is killed: a command with the mark, its own session, and a child without one.
    const left = spawn(
      'sh',
      ['-c', `env -i sh -c 'echo $$ > ${folder}/left-child; sleep 300' & echo $$ > ${folder}/left; wait`],
      {
        detached: true,
        stdio: 'ignore',
        env: { PATH: '/usr/bin:/bin', TECHNE_COMMAND: `other,${mark},own` },
      },
    );
    const stranger = spawn('sleep', ['300'], {
      stdio: 'ignore',
      env: { PATH: '/usr/bin:/bin', TECHNE_COMMAND: `${mark}c` },
    });
    try {
      await exists(join(folder, 'left-child'));
      await exists(join(folder, 'left'));
      const pids = [left.pid as number, pidIn('left-child')];
      expect((await sh('echo $TECHNE_COMMAND', { mark })).stdout).toMatch(
        new RegExp(`^(?:.*,)?${mark},[0-9a-f]{24}\n$`),
      );
      expect(pids.map(alive)).toEqual([true, true]);
      const seen = await sh(
        `for pid in ${pids.join(' ')}; do kill -0 $pid 2>/dev/null && grep -qv '^State:.Z' /proc/$pid/status && grep State /proc/$pid/status; done; true`,
        { mark, isRetry: true },
      );
      expect(seen.stdout.split('\n').filter((line) => line !== '' && !line.includes('Z (zombie)'))).toEqual(
        [],
      );
      expect(pids.map(alive)).toEqual([false, false]);
      expect(alive(stranger.pid as number)).toBe(true);
    } finally {
      stranger.kill('SIGKILL');
      // All of its group, if the test has failed.
      if (alive(left.pid as number)) process.kill(-(left.pid as number), 'SIGKILL');
    }
  });
});

describe.skipIf(unconfined)('a sandbox', () => {
  it('gives exit code, streams, input and arguments like a plain command', async () => {
    expect(await sh('cat; echo err >&2; exit 3', { ...inSandbox(), stdin: 'in\n' })).toMatchObject({
      started: true,
      exitCode: 3,
      signal: null,
      stdout: 'in\n',
      stderr: 'err\n',
      truncated: false,
    });
    expect((await run(['printf', '[%s]', 'a b', '', '$HOME', '--'], inSandbox())).stdout).toBe(
      '[a b][][$HOME][--]',
    );
    expect((await sh('pwd; id -un; hostname; echo $HOME; ls -A $HOME', inSandbox())).stdout).toBe(
      `${folder}\ntechne\ntechne\n/home/techne\n`,
    );
  });

  it('says when a program is not there, is hidden, or cannot be started', async () => {
    expect(await run(['no-such'], inSandbox())).toMatchObject({
      started: false,
      fault: 'there is no program "no-such" on PATH',
    });
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'techne-tools-')));
    writeFileSync(join(elsewhere, 'tool'), '#!/bin/sh\necho tool\n');
    chmodSync(join(elsewhere, 'tool'), 0o755);
    const environment = { PATH: `${elsewhere}:/usr/bin:/bin` };
    expect(await run(['tool'], { ...inSandbox(), environment })).toMatchObject({
      started: false,
      fault: `"tool" is "${elsewhere}/tool", which the sandbox does not show; sandbox.readRoots can name its folder`,
    });
    const shown = {
      sandbox: { readRoots: [folder, elsewhere], writeRoots: [], network: false },
      environment,
    };
    expect(await run(['tool'], shown)).toMatchObject({ started: true, stdout: 'tool\n' });
    expect((await sh('echo $PATH', { ...inSandbox(), environment })).stdout).toBe('/usr/bin:/bin\n');
    rmSync(elsewhere, { recursive: true });
    writeFileSync(join(folder, 'lost2.sh'), '#!/no/such/interpreter\n');
    chmodSync(join(folder, 'lost2.sh'), 0o755);
    expect(await run(['./lost2.sh'], inSandbox())).toMatchObject({
      started: false,
      fault: '"./lost2.sh" could not be started in the sandbox: No such file or directory',
      stderr: '',
    });
  });

  it.skipIf(noPerl)('tells a signal from an exit code', async () => {
    const ended = async (script: string): Promise<unknown> => {
      const { started, exitCode, signal, stderr } = await sh(script, inSandbox());
      return [started, exitCode, signal, stderr];
    };
    expect([
      await ended('kill -9 $$'),
      await ended('kill -TERM $$'),
      await ended('kill -SEGV $$'),
      await ended('exit 137'),
      await ended('exit 143'),
      await ended('sh -c "kill -9 \\$\\$"; exit $?').then((got) => (got as unknown[]).slice(0, 3)),
      // What started the command dies with it.
      await ended('kill -9 0'),
    ]).toEqual([
      [true, null, 'SIGKILL', ''],
      [true, null, 'SIGTERM', ''],
      [true, null, 'SIGSEGV', ''],
      [true, 137, null, ''],
      [true, 143, null, ''],
      [true, 137, null],
      [true, null, 'SIGKILL', ''],
    ]);
  });

  it('starts a command with three open files, in any language, and with nothing else in its environment', async () => {
    const environment = { PATH: '/usr/bin:/bin', LANG: 'xx_XX.UTF-8', LC_ALL: 'xx_XX.UTF-8' };
    // In the place of what this process inherited there is the null device.
    const script = `for (0..999) { my $to = readlink "/proc/self/fd/$_"; print "$_ " if defined $to and $to ne "/dev/null" }`;
    expect(await run(['perl', '-e', script], { ...inSandbox(), environment })).toMatchObject({
      stdout: '1 2 ',
      exitCode: 0,
    });
    expect((await sh('echo fine', { ...inSandbox(), environment })).combined).toBe('fine\n');
    expect(
      (await run(['env'], { ...inSandbox(), environment })).stdout.split('\n').toSorted().slice(1),
    ).toEqual([
      'HOME=/home/techne',
      'LANG=xx_XX.UTF-8',
      'LC_ALL=xx_XX.UTF-8',
      'PATH=/usr/bin:/bin',
      `PWD=${folder}`,
      'TMPDIR=/tmp',
    ]);
  });

  it('limits the memory of each process of a command', async () => {
    const sandbox = {
      readRoots: [folder],
      writeRoots: [],
      network: false,
      limits: { processes: 100, memoryBytes: 64 * 1024 * 1024 },
    };
    const script = `my $text = "x" x (96 * 1024 * 1024); print "has it"`;
    expect(await run(['perl', '-e', script], inSandbox())).toMatchObject({ exitCode: 0, stdout: 'has it' });
    expect(await run(['perl', '-e', script], { sandbox })).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('Out of memory') as string,
    });
    expect((await sh('ulimit -d; ulimit -Hd', { sandbox })).stdout).toBe('65536\n65536\n');
    expect((await run(['bash', '-c', 'ulimit -u; ulimit -Hu'], { sandbox })).stdout).toBe('100\n100\n');
  });

  it.skipIf(noGroups)('limits the processes of root by a control group, and leaves none behind', async () => {
    const sandbox = {
      readRoots: [folder],
      writeRoots: [],
      network: false,
      limits: { processes: 40, memoryBytes: 1024 ** 3 },
    };
    const script =
      'my @all; for (1 .. 60) { my $one = fork; last unless defined $one; unless ($one) { sleep 20; exit } push @all, $one } print scalar @all; kill 9, @all';
    expect(Number((await run(['perl', '-e', script], inSandbox())).stdout)).toBe(60);
    const [first, second] = await Promise.all([1, 2].map(() => run(['perl', '-e', script], { sandbox })));
    for (const outcome of [first, second]) {
      expect(Number(outcome?.stdout)).toBeGreaterThan(20);
      expect(Number(outcome?.stdout)).toBeLessThan(40);
    }
    const left = readFileSync('/proc/self/cgroup', 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, names = '', path = ''] = line.split(':');
        const own = join('/sys/fs/cgroup', names, path);
        return existsSync(own) ? readdirSync(own) : [];
      });
    expect(left.filter((name) => name.startsWith(`techne-${process.pid}-`))).toEqual([]);
  });

  it('hides files and folders, also inside what is protected, and starts no program in them', async () => {
    const skill = join(folder, 'hiding');
    mkdirSync(join(skill, 'node_modules', 'a'), { recursive: true });
    for (const name of ['node_modules/a/tool', 'old.pyc', 'seen.py']) {
      writeFileSync(join(skill, name), '#!/bin/sh\necho loaded\n');
      chmodSync(join(skill, name), 0o755);
    }
    const hide = [join(skill, 'node_modules'), join(skill, 'old.pyc'), join(skill, 'gone.pyc')];
    const sandbox = { readRoots: [], writeRoots: [folder], protect: [skill], hide, network: false };
    expect(
      await sh(
        'cd hiding; ls node_modules; cat old.pyc; cat seen.py; mkdir node_modules/b; rm -r node_modules; echo x > old.pyc; ls',
        { sandbox },
      ),
    ).toMatchObject({
      exitCode: 0,
      stdout: '#!/bin/sh\necho loaded\nnode_modules\nold.pyc\nseen.py\n',
      stderr: expect.stringMatching(
        /^cat: old.pyc: Permission denied\nmkdir: .*Read-only file system\nrm: .*\n.*old.pyc: (?:Permission denied|Read-only file system)\n$/,
      ) as string,
    });
    expect(readFileSync(join(skill, 'node_modules/a/tool'), 'utf8')).toContain('loaded');
    expect(await run(['./hiding/node_modules/a/tool'], { sandbox })).toMatchObject({
      started: false,
      fault: `"./hiding/node_modules/a/tool" lies in "${join(skill, 'node_modules')}", which is no part of the skill: its digest does not cover it`,
    });
  });

  it('runs node, python and git where they are installed', async () => {
    expect(await run([process.execPath, '-p', '1+1'], inSandbox())).toMatchObject({
      stdout: '2\n',
      exitCode: 0,
    });
    const child = `const {execFileSync, spawn} = require('node:child_process'); console.log(execFileSync('echo', ['hi']).toString().trim()); spawn(process.execPath, ['-e', 'process.send(1)'], {stdio: ['inherit', 'inherit', 'inherit', 'ipc']}).on('message', (m) => console.log('ipc', m))`;
    expect(await run([process.execPath, '-e', child], inSandbox())).toMatchObject({
      stdout: 'hi\nipc 1\n',
      exitCode: 0,
      stderr: '',
    });
    for (const tool of ['/usr/bin/git', '/usr/bin/python3'].filter((path) => existsSync(path)))
      expect(await run([tool, '--version'], inSandbox())).toMatchObject({ exitCode: 0 });
  });

  it('has a loopback of its own for programs that test themselves', async () => {
    const script = `const s = require('node:net').createServer((c) => c.end('pong')).listen(0, '127.0.0.1', () => require('node:net').connect(s.address().port, '127.0.0.1').on('data', (d) => { console.log(String(d)); s.close(); }))`;
    expect(await run([process.execPath, '-e', script], inSandbox())).toMatchObject({
      stdout: 'pong\n',
      exitCode: 0,
    });
  });

  it('has the network of the machine when that is asked for, and no unix sockets even then', async () => {
    const server = createServer((socket) => socket.end('pong'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const script = `const s = require('node:net').connect(${port}, '127.0.0.1').on('data', (d) => { console.log(String(d)); require('node:net').connect('${folder}/x').on('error', (e) => console.log(e.code)) }).on('error', (e) => console.log(e.code))`;
    const connect = (network: boolean): Promise<CommandOutcome> =>
      run([process.execPath, '-e', script], { sandbox: { readRoots: [folder], writeRoots: [], network } });
    expect([(await connect(true)).stdout, (await connect(false)).stdout]).toEqual([
      'pong\nEPERM\n',
      'ECONNREFUSED\n',
    ]);
    server.close();
  });

  it('holds the names it protects only while a command runs', async () => {
    const root = join(folder, 'held');
    mkdirSync(root);
    const names = (): string[] =>
      execFileSync('ls', ['-A', root], { encoding: 'utf8' })
        .split('\n')
        .filter((name) => name !== '');
    const control = new AbortController();
    const spec = { sandbox: { readRoots: [root], writeRoots: [root], network: false }, cwd: root };
    const first = sh('echo x > started; sleep 60', { ...spec, signal: control.signal });
    await exists(join(root, 'started'));
    expect(names()).toContain('techne.json');
    // A second command ends while the first one runs: the names stay for the first.
    expect(await sh('mkdir .git/x .claude/x; echo x > new; cat new', spec)).toMatchObject({ stdout: 'x\n' });
    expect(names()).toContain('techne.json');
    control.abort();
    await first;
    expect(names()).toEqual(['new', 'started']);
  });

  it('holds places of skills, also those that are not there yet, and nothing else of their folders', async () => {
    const root = join(folder, 'places');
    mkdirSync(join(root, 'there/skills/tides'), { recursive: true });
    mkdirSync(join(root, 'linked'));
    symlinkSync('linked', join(root, 'link'));
    const hold = ['there/skills', 'there/none', 'away/deep/skills', 'link'].map((name) => join(root, name));
    const spec = {
      sandbox: {
        readRoots: [root],
        writeRoots: [root],
        hold: [...hold, root, '/etc/skills'],
        network: false,
      },
      cwd: root,
    };
    const script =
      'for f in there/skills/evil there/skills/tides/x there/none/evil away/deep/skills/evil linked/evil there/fine fine; do mkdir -p $f 2>/dev/null; done; mv there gone; mv away gone; true';
    expect(await sh(script, spec)).toMatchObject({ started: true, exitCode: 0 });
    expect(
      [
        'there/skills/evil',
        'there/skills/tides/x',
        'there/none',
        'away',
        'linked/evil',
        'gone',
        'there/fine',
        'fine',
      ].map((name) => existsSync(join(root, name))),
    ).toEqual([false, false, false, false, false, false, true, true]);
  });

  it('does not see its names in git, and cannot use a link as one', async () => {
    const root = join(folder, 'linked');
    mkdirSync(root);
    const spec = { sandbox: { readRoots: [root], writeRoots: [root], network: false }, cwd: root };
    execFileSync('git', ['init', '-q', root]);
    expect(await run(['git', '-c', 'safe.directory=*', 'status', '--porcelain'], spec)).toMatchObject({
      exitCode: 0,
      stdout: '',
    });
    symlinkSync('/etc', join(root, '.vscode'));
    expect(await run(['true'], spec)).toMatchObject({
      started: false,
      fault: `"${root}/.vscode" is a link, which cannot be kept from being replaced; so "${root}" cannot be a write root of the sandbox`,
    });
  });

  it('does not start without bubblewrap, and says why', async () => {
    const bare = createNodeShell({ bubblewrap: null });
    expect(bare.sandbox).toEqual({
      available: false,
      detail: 'bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)',
    });
    const request = {
      argv: ['true'],
      cwd: folder,
      timeoutMs: 1000,
      environment: { PATH: '/usr/bin' },
      stdin: null,
      maxOutputBytes: 10,
      sandbox: { readRoots: [folder], writeRoots: [], network: false },
    };
    expect(await bare.run(request, new AbortController().signal)).toMatchObject({
      started: false,
      fault: expect.stringMatching(/^there is no sandbox: bubblewrap is not installed/) as string,
    });
  });

  it('is not there where bubblewrap fails', () => {
    const broken = join(folder, 'bwrap');
    writeFileSync(broken, '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n');
    chmodSync(broken, 0o755);
    const { sandbox } = createNodeShell({ bubblewrap: broken });
    expect(sandbox.available).toBe(false);
    expect(sandbox.detail).toMatch(
      /^bubblewrap is installed but does not work here: No permissions to create new namespace \(user namespaces are forbidden/,
    );
  });
});

/** Numbers of living processes that have this in their environment. */
function processesWith(entry: string): readonly number[] {
  const pids = execFileSync('ls', ['/proc'], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => {
    try {
      return alive(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(entry);
    } catch {
      return false;
    }
  });
}
