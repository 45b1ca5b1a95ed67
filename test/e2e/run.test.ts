// Runs through the built command: processes, signals, crashes, and a person at a terminal.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePrinted } from '../support/printed-run.ts';
import type { PrintedRun } from '../support/printed-run.ts';
import { skipUnless } from '../support/skip-unless.ts';
import { createWorld } from '../support/run-cli.ts';
import type { World } from '../support/run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const typist = fileURLToPath(new URL('../fixtures/type-at-terminal.py', import.meta.url));
const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;
let world: World;

beforeAll(() => {
  world = createWorld({
    ...skill(
      'loop',
      'def run(input):\n    for i in range(3):\n        a = ask("Draft %d" % i, {"purpose": "draft"})["answer"]\n        if "good" in a:\n            return {"status": "accepted", "answer": a, "rounds": i + 1}\n        trace("bad", {"round": i + 1})\n    return {"status": "exhausted", "answer": a}\n',
    ),
    ...skill(
      'wait',
      'def run(input):\n    first = ask("Why?", {"purpose": "why"})["answer"]\n    done = command(["sleep", str(input["seconds"])], {"timeout": 60})\n    return {"answer": first + ": " + done["result"], "ok": done["ok"]}\n',
    ),
    'work/.techne/skills/retry/SKILL.md':
      '---\nname: retry\ndescription: Looks again and again. Use in tests.\nkind: meta\nfinal_text_mode: raw\ncomposition:\n  steps:\n    - {id: a, kind: tool_call, tool: read_file, tool_args: {path: x}, retry: {max_attempts: 2, backoff_ms: 600000}}\n---\n\nLook.\n',
    'work/.techne/skills/retry/tests/soon.yaml':
      'input: {user_message: go}\ntools: [{tool: read_file, error: slow}, {tool: read_file, result: here}]\nexpect: {answer: here}\n',
    'work/good.yaml': 'answers: [bad, good]\n',
    'work/why.yaml': 'answers: [because]\n',
  });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
      commands: { allow: ['sleep *'] },
    }),
  });
});
afterAll(() => world.remove());

function skill(name: string, program: string): { readonly [path: string]: string } {
  return {
    [`work/.techne/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\nmetaskill: SKILL.star\n---\n\nDo it.\n`,
    [`work/.techne/skills/${name}/SKILL.star`]: program,
  };
}

const options = () => ({
  cwd: world.workspace,
  env: { PATH: process.env['PATH'], HOME: world.home, TERM: 'xterm' },
});

function techne(...argv: readonly string[]): {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
} {
  const done = spawnSync(process.execPath, [bin, ...argv], {
    ...options(),
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

function json(...argv: readonly string[]): PrintedRun {
  return parsePrinted(techne(...argv, '--json').out);
}

interface Started {
  readonly child: ChildProcess;
  readonly err: () => string;
  readonly ended: Promise<readonly [code: number | null, signal: string | null]>;
}

/** Nobody else sleeps for so long: a process with this among its arguments is one of ours. */
function seconds(whole: number): string {
  return `${whole}.${process.pid}`;
}

function sleepers(of: string): readonly number[] {
  return (existsSync('/proc/self') ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [program = '', ...rest] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return program.endsWith('sleep') && rest[0] === of;
      } catch (error) {
        // It has ended meanwhile.
        if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
        throw error;
      }
    });
}

/** Starts it and waits until a line of its progress says that it is where the test wants it. */
async function startUntil(seen: RegExp, ...argv: readonly string[]): Promise<Started> {
  const child = spawn(process.execPath, [bin, ...argv], options());
  let err = '';
  const ended = new Promise<readonly [number | null, string | null]>((resolve) =>
    child.on('close', (code, signal) => resolve([code, signal])),
  );
  child.stdout.resume();
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
      if (seen.test(err)) resolve();
    });
    void ended.then(() => reject(new Error(`it ended before ${seen}: ${err}`)));
  });
  return { child, err: () => err, ended };
}

describe('techne test', () => {
  it('waits for no retry, and lives until it has said what came', () => {
    expect(techne('test', 'retry')).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 passed, 0 failed in 1 skill') as string,
    });
  });
});

describe('techne run', () => {
  it('runs a skill offline, whole result and exit code', () => {
    const { code, out, err } = techne('run', 'loop', 'a=1', '--answer', 'script:good.yaml', '--json', '-q');
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({
      status: 'completed',
      skill: 'loop',
      envelope: {
        status: 'accepted',
        answer: 'good',
        rounds: 2,
        trace: [{ kind: 'ask', id: '1' }, { kind: 'bad' }, { kind: 'ask', id: '2' }],
      },
      error: null,
      usage: { asks: 2 },
    });
    expect([
      techne('run', 'loop', '--answer', 'script:missing.yaml', 'a=1').code,
      techne('run', 'nothing').code,
      techne('run').code,
    ]).toEqual([3, 4, 2]);
  });

  it('pauses, and goes on in another process with the answer', () => {
    const paused = techne('run', 'loop', 'a=1');
    expect([paused.code, /techne answer (\w+) --text/.exec(paused.out)?.[1]]).toEqual([
      5,
      json('runs', 'show', 'last').run,
    ]);
    expect(techne('answer', 'last', '--text', 'bad').code).toBe(5);
    expect(techne('answer', 'last', '--text', 'good', '-q')).toEqual({ code: 0, out: 'good\n', err: '' });
    expect(techne('runs', 'replay', 'last')).toMatchObject({
      code: 0,
      out: 'the same: replaying 2 recorded calls gives a byte-identical result\n',
    });
  });

  it('is interrupted by Ctrl-C, keeps what was answered, and nothing of it is left running', async () => {
    const { child, err, ended } = await startUntil(
      /command sleep 3600/,
      'run',
      'wait',
      `seconds=${seconds(3600)}`,
      '--answer',
      'script:why.yaml',
    );
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    const { status, run, usage } = json('runs', 'show', 'last');
    expect([
      status,
      usage.asks,
      err().endsWith(`at a terminal: techne runs resume ${run}\n`),
      sleepers(seconds(3600)),
    ]).toEqual(['interrupted', 1, true, []]);
  });

  it('is cancelled from another process, which others can follow', async () => {
    const { ended } = await startUntil(
      /command sleep 3601/,
      'run',
      'wait',
      `seconds=${seconds(3601)}`,
      '--answer',
      'script:why.yaml',
    );
    const follower = await startTail();
    expect(json('runs', 'list', '--limit', '1').runs[0]?.status).toBe('running');
    expect(json('runs', 'cancel', 'last')).toMatchObject({ delivery: 'posted' });
    expect([await ended, await follower.ended]).toEqual([[130, null], 130]);
  });

  it('is left to be resumed by SIGTERM, and nothing of it runs on', async () => {
    const { child, err, ended } = await startUntil(
      /command sleep 3604/,
      'run',
      'wait',
      `seconds=${seconds(3604)}`,
      '--answer',
      'script:why.yaml',
    );
    child.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    const { status, run } = json('runs', 'show', 'last');
    expect([
      status,
      err().endsWith(`at a terminal: techne runs resume ${run}\n`),
      sleepers(seconds(3604)),
    ]).toEqual(['interrupted', true, []]);
  });

  it('is taken up after a crash: what is known is not done again, what is not needs a decision', async () => {
    const { child, ended } = await startUntil(
      /command sleep 3602/,
      'run',
      'wait',
      `seconds=${seconds(3602)}`,
      '--answer',
      'script:why.yaml',
    );
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    // A sandbox dies with the process that made it; without one the command is left behind.
    for (const pid of sleepers(seconds(3602))) process.kill(pid, 'SIGKILL');
    expect([
      json('runs', 'list', '--limit', '1').runs[0]?.status,
      json('runs', 'show', 'last').status,
    ]).toEqual(['interrupted', 'interrupted']);
    expect(techne('runs', 'show', 'last').out).toMatch(
      /command sleep 3602\.\d+ {2}needs a decision[^]*techne runs resolve \w+ 2 --as done\|retry\|fail/,
    );
    const resumed = techne('runs', 'resume', 'last');
    expect([resumed.code, resumed.out]).toEqual([
      6,
      expect.stringMatching(
        /needs a decision: the outcome of this call is unknown\n\n {2}2 {2}command sleep 3602\.\d+\n[^]*techne runs resolve \w+ 2 --as done\|retry\|fail/,
      ),
    ]);
    expect(techne('runs', 'resolve', 'last', '--as', 'done').code).toBe(3);
    if (!hasPython) return;
    expect(
      atTerminal([], 'runs', 'resolve', 'last', '--as', 'done', '--value', '"slept"', '-q'),
    ).toMatchObject({ code: 0, screen: 'because: slept\r\n' });
    expect(json('runs', 'show', 'last').effects.map(({ key, state }) => [key, state])).toEqual([
      ['1', 'ok'],
      ['2', 'decided'],
    ]);
  });
});

/** A `runs tail` that has begun to print. */
async function startTail(): Promise<{ readonly ended: Promise<number | null> }> {
  const child = spawn(process.execPath, [bin, 'runs', 'tail', 'last'], options());
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.stdout.resume();
  return { ended };
}

/** Each step is what is waited for on the screen, and what is typed then. */
function atTerminal(
  steps: readonly (readonly [string, string])[],
  ...argv: readonly string[]
): { readonly code: number; readonly screen: string } {
  const typed = spawnSync('python3', [typist, process.execPath, bin, ...argv], {
    ...options(),
    encoding: 'utf8',
    input: JSON.stringify(steps),
    timeout: 60_000,
  });
  if (typed.stderr !== '') throw new Error(typed.stderr);
  return JSON.parse(typed.stdout) as { code: number; screen: string };
}

describe.skipIf(skipUnless(hasPython, 'python3 with pty is not installed'))(
  'techne run at a terminal',
  () => {
    it('asks a person and the operator right there', () => {
      world.write(
        skill('say', 'def run(input):\n    return command(["echo", ask("What?")["answer"]])["result"]\n'),
      );
      const { code, screen } = atTerminal(
        [
          ['run):', 'hello\n.\n'],
          ['later: ', 'o\n'],
        ],
        'run',
        'say',
        'a=1',
      );
      expect([
        code,
        screen.includes('A command needs an approval:\r\n\r\n  echo hello\r\n'),
        /hello\r\n\r\nstatus/.test(screen),
      ]).toEqual([0, true, true]);
    });

    it('ends an answer with Ctrl-D, and can be asked more after it', () => {
      const { code, screen } = atTerminal(
        [
          ['run):', 'two\n\nlines\n\u0004'],
          ['later: ', 'o\n'],
        ],
        'run',
        'say',
        'a=1',
        '-q',
      );
      expect([code, screen.endsWith('two\r\n\r\nlines\r\n')]).toEqual([0, true]);
      const left = atTerminal([['run):', '\u0004']], 'run', 'say', 'a=1');
      expect([left.code, left.screen.split('An answer is needed').length - 1]).toEqual([5, 1]);
    });

    it('takes nothing for an approval that was begun before the question was there', () => {
      world.write(
        skill(
          'slow',
          'def run(input):\n    command(["sleep", "0.7"])\n    return command(["echo", "approved"])["result"]\n',
        ),
      );
      // The "o" waits in the terminal until the Enter that means "later".
      const { code, screen } = atTerminal(
        [
          ['sleep', 'o'],
          ['later: ', '\n'],
        ],
        'run',
        'slow',
        'a=1',
      );
      expect([code, screen.includes('techne answer ')]).toEqual([5, true]);
      expect(
        atTerminal(
          [
            ['later: ', '\u001B[200~o\n\u001B[201~'],
            ['later: ', '\n'],
          ],
          'runs',
          'resume',
          'last',
        ).screen,
      ).toContain('Pasted text and several lines');
      expect(json('runs', 'show', 'last').usage.commands).toBe(1);
    });

    it('stays paused after Ctrl-C at a question', () => {
      expect([
        atTerminal([['run):', 'half\u0003']], 'run', 'say', 'a=1').code,
        json('runs', 'show', 'last').status,
      ]).toEqual([130, 'paused']);
    });
  },
);

describe('npm start', () => {
  it('runs a shipped skill end to end, and shows result, trace and journal', () => {
    const start = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
    world.write({ 'other/.keep': '' });
    const done = spawnSync(process.execPath, [start], {
      cwd: world.folder,
      env: { PATH: process.env['PATH'], HOME: `${world.folder}/other` },
      encoding: 'utf8',
      timeout: 110_000,
    });
    expect([done.status, done.stdout]).toEqual([
      0,
      expect.stringMatching(
        /## Rollback plan[^]*status {4}accepted\n[^]*heading-missing[^]*journal {3}~\/\.techne\/runs\/\w+\n[^]*Try next[^]*npm start -- studio /,
      ),
    ]);
    // It builds first where something has changed.
  }, 120_000);
});
