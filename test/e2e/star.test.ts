// `techne star` as a process: standard input, pipes, signals, and the prompt at a terminal.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipUnless } from '../support/skip-unless.ts';
import { createWorld } from '../support/run-cli.ts';
import type { World } from '../support/run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const typist = fileURLToPath(new URL('../fixtures/type-at-terminal.py', import.meta.url));
let world: World;
beforeAll(() => {
  world = createWorld({
    'work/spin.star': 'def f():\n    for i in range(1000000000000): pass\nprint("on")\nf()\n',
    'work/many.star': 'def f():\n    for i in range(20000): print(i)\nf()\n',
  });
});
afterAll(() => world.remove());

const options = () => ({
  cwd: world.workspace,
  env: { PATH: process.env['PATH'], HOME: world.home, TERM: 'xterm' },
});

function techne(argv: readonly string[], input = '') {
  const done = spawnSync(process.execPath, [bin, ...argv], { ...options(), encoding: 'utf8', input });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

describe('techne star', () => {
  it('reads the program from standard input', () => {
    expect(techne(['star'], 'print(1 + 2)\n')).toEqual({ code: 0, out: '3\n', err: '' });
    expect(techne(['star', '-'], 'print("é😀")')).toEqual({ code: 0, out: 'é😀\n', err: '' });
    expect(techne(['star', '--check'], 'x = )')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^<stdin>:1:5: error STAR_/) as string,
    });
    expect(techne(['star'], '')).toEqual({ code: 0, out: '', err: '' });
  });

  it('reads pipes, and refuses devices', () => {
    const bash = (script: string) => {
      const done = spawnSync('bash', ['-c', script.replaceAll('techne', `"${process.execPath}" "${bin}"`)], {
        ...options(),
        encoding: 'utf8',
        input: 'print("in")',
      });
      return { code: done.status, out: done.stdout, err: done.stderr };
    };
    expect(bash('techne star <(echo "print(1)")')).toEqual({ code: 0, out: '1\n', err: '' });
    expect(bash('techne star /dev/stdin')).toEqual({ code: 0, out: 'in\n', err: '' });
    expect(bash('mkfifo f.star; echo "print(2)" > f.star & techne star f.star')).toEqual({
      code: 0,
      out: '2\n',
      err: '',
    });
    expect(bash("echo '[1]' | techne star -c 'def f(x): return x + [2]' --entry f --input -")).toMatchObject({
      code: 0,
      out: '[\n  1,\n  2\n]\n',
    });
    expect(bash('techne star /dev/null')).toMatchObject({ code: 3, out: '' });
    expect(bash('techne star --entry f --input -')).toMatchObject({ code: 2, out: '' });
  });

  it('is ended at once by Ctrl-C in a pure loop', async () => {
    const child = spawn(process.execPath, [bin, 'star', 'spin.star', '--steps', '9000000000000'], options());
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    await new Promise((done) => child.stdout.once('data', done));
    child.kill('SIGINT');
    const ended = await new Promise((done) => child.on('close', (...how) => done(how)));
    expect([ended, err]).toEqual([
      [130, null],
      expect.stringMatching(
        /^spin\.star:2:\d+: error INTERRUPTED: stopped by Ctrl-C after \d+ steps\n[^]*called from, outermost first:\n {2}spin\.star:4:/,
      ),
    ]);
  });

  it('ends quietly when its reader has enough', () => {
    const done = spawnSync(
      'bash',
      ['-c', `set -o pipefail; "${process.execPath}" "${bin}" star many.star | head -2`],
      { ...options(), encoding: 'utf8' },
    );
    expect([done.status, done.stdout, done.stderr]).toEqual([0, '0\n1\n', '']);
  });
});

const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

/**
 * A session at a pseudo terminal. Each step waits until the text is on the screen, then types.
 * Gives the exit code and the screen, without the codes that move the cursor.
 */
function session(steps: readonly (readonly [await_: string, type: string])[]) {
  const done = spawnSync('python3', [typist, process.execPath, bin, 'star'], {
    ...options(),
    encoding: 'utf8',
    input: JSON.stringify(steps),
    timeout: 60_000,
  });
  if (done.status !== 0) throw new Error(`${done.stderr}\n${done.stdout}`);
  const { code, screen } = JSON.parse(done.stdout) as { code: number; screen: string };
  return { code, screen: screen.replace(/\u001B\[[0-9;?]*[A-Za-z]/g, '').replaceAll('\r', '') };
}

const controlC = '\u0003';
const controlD = '\u0004';
const up = '\u001B[A';

describe.skipIf(skipUnless(hasPython, 'python3 with pty is not installed'))(
  'techne star at a terminal',
  () => {
    it('shows values, binds names again, and goes on after errors', () => {
      const { code, screen } = session([
        ['>>> ', 'x = [1, "a"]\r'],
        ['>>> ', 'x\r'],
        ['[1, "a"]\n>>> ', 'x.append(None)\r'],
        ['>>> ', 'x = len(x)\r'],
        ['>>> ', 'x\r'],
        ['3\n>>> ', 'x // 0\r'],
        ['EVAL_ZERO_DIVISION', 'y = )\r'],
        ['STAR_', 'x + 4\r'],
        ['7\n>>> ', controlD],
      ]);
      expect(code).toBe(0);
      expect(screen).toContain('<input 6>:1:');
    });

    it('takes blocks and open brackets over several lines', () => {
      const { screen } = session([
        ['>>> ', 'def f(n):\r'],
        ['... ', '    for i in range(n):\r'],
        ['... ', '        print("at", i)\r'],
        ['... ', '\r'],
        ['>>> ', 'f(\r'],
        ['... ', '2)\r'],
        ['at 1\n>>> ', 'for k in [7]: print(k * 2)\r'],
        ['... ', '\r'],
        ['14\n>>> ', 'f\r'],
        ['function f', controlD],
      ]);
      expect(screen).toContain('at 0\nat 1\n');
    });

    it('lets a function see what a name is bound to later', () => {
      const { code } = session([
        ['>>> ', 'n = 1\r'],
        ['>>> ', 'def g(): return n * 100\r'],
        ['... ', '\r'],
        ['>>> ', 'n = 5\r'],
        ['>>> ', 'g()\r'],
        ['500\n>>> ', controlD],
      ]);
      expect(code).toBe(0);
    });

    it('stops a running program with Ctrl-C, and drops a line with it', () => {
      const { code, screen } = session([
        ['>>> ', 'v = 41\r'],
        ['>>> ', 'for i in range(100000000000): pass\r'],
        ['... ', '\r'],
        ['\n', controlC],
        ['stopped\n>>> ', 'print("never'],
        ['never', controlC],
        ['>>> ', 'def f(\r'],
        ['... ', controlC],
        ['>>> ', 'v + 1\r'],
        ['42\n>>> ', controlD],
      ]);
      expect([code, screen.includes('STEP_LIMIT')]).toEqual([0, false]);
    });

    it('indents and completes with Tab', () => {
      const { screen } = session([
        ['>>> ', 'longish_name = 21\r'],
        ['>>> ', 'def f():\r'],
        ['... ', '\t'],
        ['    ', 'return longi\t'],
        ['return longish_name', ' * 2\r'],
        ['... ', '\r'],
        ['>>> ', 'f()\r'],
        ['42\n>>> ', 'enumer\t'],
        ['enumerate', '([7])\r'],
        ['[(0, 7)]\n>>> ', controlD],
      ]);
      expect(screen).not.toContain('STAR_');
    });

    it.each(['exit', 'exit()', 'quit', 'quit()'])('ends with %s', (word) => {
      expect(
        session([
          ['>>> ', 'help\r'],
          ['Ctrl-D, exit or quit ends.\n>>> ', `${word}\r`],
        ]).code,
      ).toBe(0);
    });

    it('drops an open block with the first Ctrl-D, and says so', () => {
      const { code } = session([
        ['>>> ', 'def f():\r'],
        ['... ', controlD],
        ['input dropped; Ctrl-D again exits\n>>> ', '1 + 1\r'],
        ['2\n>>> ', up],
        ['1 + 1', '\r'],
        ['2\n>>> ', controlD],
      ]);
      expect(code).toBe(0);
    });

    it('keeps its history for the owner alone', () => {
      const file = join(world.home, '.techne/star_history');
      session([
        ['>>> ', '"first" + "ly"\r'],
        ['firstly"\n>>> ', controlD],
      ]);
      expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8').endsWith('"first" + "ly"\n')]).toEqual([
        0o600,
        true,
      ]);
      const { screen } = session([
        ['>>> ', up],
        ['"first" + "ly"', '\r'],
        ['firstly"\n>>> ', controlD],
      ]);
      expect([screen.includes('firstly'), existsSync(file)]).toEqual([true, true]);
    });
  },
);
