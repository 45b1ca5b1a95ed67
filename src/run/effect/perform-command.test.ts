// What a program gets of a command, whatever becomes of it, and what the host gets to judge and run.
import { describe, expect, it } from 'vitest';
import { effectScene, openQuestion, startedEffect, valueOf } from '../../../test/support/effect-scene.ts';
import { printed, succeeded } from '../../../test/support/fake-run-host.ts';
import type { JsonObject } from '../../base/json.ts';
import type { CommandVerdict } from '../../ports/command-host.ts';
import { commandValue, decidedCommand, deniedCommand } from './perform-command.ts';

const request = { argv: ['ls'], timeout_ms: 5_000 };

describe('commandValue', () => {
  const limits = { commandUnits: 100 };
  const valueFor = (outcome: Partial<typeof succeeded>): JsonObject =>
    commandValue({ ...succeeded, ...outcome }, { timeoutMs: 2_500 }, limits);

  it('is the whole of a command that did well', () => {
    expect(valueFor({ ...printed('out\n'), stderr: 'err\n', combined: 'out\nerr\n' })).toEqual({
      ok: true,
      exit_code: 0,
      result: 'out\nerr\n',
      truncated: false,
      stdout: 'out\n',
      stderr: 'err\n',
      signal: null,
      timed_out: false,
      denied: false,
    });
  });

  it.each([
    ['it was not started', { started: false, exitCode: null }, -1, 'error: the command could not be started'],
    [
      'the host says why not',
      { started: false, exitCode: null, fault: 'no such file' },
      -1,
      'error: no such file',
    ],
    ['it took too long', { timedOut: true, exitCode: null }, -1, 'error: command timed out after 2.5 s'],
    ['it was stopped', { aborted: true, exitCode: null }, -1, 'error: command was stopped'],
    ['a signal ended it', { signal: 'SIGSEGV', exitCode: null }, -1, 'error: command was ended by SIGSEGV'],
    ['it failed', { exitCode: 3 }, 3, ''],
  ])('is not ok when %s', (_what, outcome, exitCode, result) => {
    expect(valueFor(outcome)).toMatchObject({ ok: false, exit_code: exitCode, result, denied: false });
  });

  it.each([{ started: false }, { timedOut: true }, { aborted: true }, { signal: 'SIGTERM' }])(
    'is not ok for %o alone, although the exit code is 0',
    (outcome) => {
      expect(valueFor(outcome)).toMatchObject({ ok: false, exit_code: 0 });
    },
  );

  it('has what was printed before the fault below it', () => {
    expect(valueFor({ timedOut: true, combined: 'half' })).toMatchObject({
      result: 'error: command timed out after 2.5 s\nhalf',
    });
  });
});

describe('deniedCommand', () => {
  it('is a command that did not run', () => {
    expect(deniedCommand('not here')).toEqual({
      ok: false,
      exit_code: -1,
      result: 'error: not here',
      truncated: false,
      stdout: '',
      stderr: '',
      signal: null,
      timed_out: false,
      denied: true,
    });
  });
});

describe('decidedCommand', () => {
  const plain = {
    ok: true,
    exit_code: 0,
    result: '',
    truncated: false,
    stdout: '',
    stderr: '',
    signal: null,
    timed_out: false,
    denied: false,
  };

  it.each([
    ['nothing', null, plain],
    ['words, which it printed', 'done', { ...plain, result: 'done', stdout: 'done' }],
    ['keys of the result', { exit_code: 3, ok: false }, { ...plain, exit_code: 3, ok: false }],
    ['something else, which says nothing', [1], plain],
    ['a number, which says nothing', 7, plain],
  ])('may be %s', (_what, value, result) => {
    expect(decidedCommand(value)).toEqual(result);
  });
});

describe('a command', () => {
  it('is judged and run as it is asked for, by the skill that asks', async () => {
    const scene = effectScene();
    await scene.perform('command', { ...request, cwd: '/a', stdin: 'text' });
    expect(scene.calls).toEqual([
      { argv: ['ls'], timeoutMs: 5_000, cwd: '/a', stdin: 'text', maxOutputBytes: 400 },
    ]);
    expect(scene.commands.callers).toEqual([
      { run: 'R', key: '1', skill: 'one', digest: 'd', trusted: true, skillFolder: null },
    ]);
    expect([scene.log, scene.commands.attempts]).toEqual([['begun'], [1]]);
  });

  it('takes as long as it takes', async () => {
    const scene = effectScene();
    scene.clock.ms = 5_000;
    scene.commands.onCommand = () => {
      scene.clock.pass(70);
      return {};
    };
    expect(await scene.perform('command', request)).toMatchObject({ ms: 70 });
  });

  it('counts its attempts', async () => {
    const scene = effectScene();
    scene.known.set('1', startedEffect('1', { attempt: 2 }));
    await scene.perform('command', request);
    expect([scene.log, scene.commands.attempts]).toEqual([['begun 1 as 3'], [3]]);
  });

  it('that the policy cannot judge, or the host cannot run, fails', async () => {
    const judged = effectScene();
    judged.commands.onJudge = () => {
      throw new Error('no policy');
    };
    expect(await judged.perform('command', request)).toMatchObject({
      outcome: { ok: false, code: 'COMMAND_FAULT', message: 'command could not be judged: no policy' },
    });
    expect([judged.log, judged.commands.done]).toEqual([['begun'], []]);
    const ran = effectScene();
    ran.commands.onCommand = () => {
      throw 'words';
    };
    expect(await ran.perform('command', request)).toMatchObject({
      outcome: { ok: false, code: 'COMMAND_FAULT', message: 'command could not be executed: words' },
    });
  });

  it('that is stopped with its run was cancelled; one that was ended alone gives what it printed', async () => {
    const stopped = effectScene();
    stopped.commands.onCommand = () => {
      stopped.abort.abort(new Error('stop'));
      return { aborted: true };
    };
    expect(await stopped.perform('command', request)).toMatchObject({
      outcome: { ok: false, code: 'CANCELLED', message: 'command was stopped' },
    });
    const alone = effectScene();
    alone.commands.onCommand = () => ({ aborted: true });
    expect(valueOf(await alone.perform('command', request))).toMatchObject({
      result: 'error: command was stopped',
    });
    const finished = effectScene();
    finished.commands.onCommand = () => {
      finished.abort.abort(new Error('stop'));
      return printed('whole');
    };
    expect(valueOf(await finished.perform('command', request))).toMatchObject({ ok: true, result: 'whole' });
  });

  it('is outside the tools of its run', async () => {
    const scene = effectScene({ scopes: [{ allowed: ['Bash(git:*)'], disallowed: [] }] });
    expect(valueOf(await scene.perform('command', request))).toMatchObject({ ok: false, denied: true });
    expect([scene.calls, scene.commands.done, scene.log]).toEqual([[], [], ['begun']]);
  });

  it('has no time left when its question has expired', async () => {
    const scene = effectScene({ hasExpired: () => true });
    expect(valueOf(await scene.perform('command', request))).toBe('QUESTION_EXPIRED');
    expect(scene.calls).toEqual([]);
  });

  it('that failed at once is begun only if it was not begun before', async () => {
    const scene = effectScene({ hasExpired: () => true });
    scene.known.set('1', startedEffect('1'));
    await scene.perform('command', request);
    expect(scene.log).toEqual([]);
  });
});

describe('an approval of a command', () => {
  const asks: CommandVerdict = { kind: 'approve', reason: 'it writes', terms: 'in /w' };
  const asking = () => {
    const scene = effectScene();
    scene.commands.onJudge = (_call, _caller, approval) =>
      approval === 'once' ? { kind: 'allow' } : approval === null ? asks : { kind: 'deny', reason: 'no' };
    return scene;
  };

  it('is asked of the operator, and not twice while it waits', async () => {
    const scene = asking();
    expect(await scene.perform('command', request)).toBe('waiting');
    expect(scene.put).toEqual([
      {
        key: '1',
        audience: 'operator',
        body: {
          ...request,
          type: 'approval',
          kind: 'command',
          skill: 'one',
          reason: 'it writes',
          choices: ['once', 'always', 'deny', 'never'],
          terms: 'in /w',
          hash: scene.attempted('command', request).hash,
        },
        expiry: undefined,
      },
    ]);
    scene.questions.push(openQuestion(scene.put[0]?.body as JsonObject));
    expect(await scene.perform('command', request)).toBe('waiting');
    expect([scene.put.length, scene.log, scene.commands.done]).toEqual([1, [], []]);
  });

  it('counts with its terms, which the host gets', async () => {
    const scene = asking();
    const body = { type: 'approval', hash: scene.attempted('command', request).hash, terms: 'in /w' };
    scene.questions.push(openQuestion(body, 'once'));
    expect(valueOf(await scene.perform('command', request))).toMatchObject({ ok: true });
    expect([scene.commands.terms, scene.log]).toEqual([['in /w'], ['begun']]);
  });

  it('has no terms where none were shown', async () => {
    const scene = effectScene();
    await scene.perform('command', request);
    expect([scene.commands.done, scene.commands.terms]).toEqual([['ls'], []]);
  });
});

describe('an entry point', () => {
  const entry = { ...request, parse: 'json' };
  const base = { skill: 'two', digest: 'e', folder: '/skills/two', trusted: true };

  it('is a command of its skill, with its environment and files', async () => {
    const scene = effectScene();
    scene.commands.onCommand = () => printed('{"a":1}');
    const files = [{ path: 'a', content: 'b' }];
    expect(
      valueOf(
        await scene.perform('command', {
          ...entry,
          env: { A: '1' },
          pass_env: ['HOME'],
          files,
          base: { ...base, content: 'c' },
        }),
      ),
    ).toMatchObject({ value: { a: 1 } });
    expect(scene.calls).toEqual([
      {
        argv: ['ls'],
        timeoutMs: 5_000,
        cwd: null,
        stdin: null,
        maxOutputBytes: 1024 * 1024,
        environment: { set: { A: '1' }, pass: ['HOME'] },
        files,
        content: 'c',
      },
    ]);
    expect(scene.commands.callers).toEqual([
      { run: 'R', key: '1', skill: 'two', digest: 'e', trusted: true, skillFolder: '/skills/two' },
    ]);
  });

  it('has neither when it declares none', async () => {
    const scene = effectScene();
    scene.commands.onCommand = () => printed('words');
    await scene.perform('command', { ...entry, parse: 'text', base: { ...base, folder: null } });
    expect(scene.calls).toEqual([
      {
        argv: ['ls'],
        timeoutMs: 5_000,
        cwd: null,
        stdin: null,
        maxOutputBytes: 400,
        environment: { set: {}, pass: [] },
        files: [],
      },
    ]);
    expect(scene.commands.callers[0]?.skillFolder).toBeNull();
  });

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])('is trusted only when its caller (%s) and itself (%s) are: %s', async (caller, itself, trusted) => {
    const scene = effectScene();
    const context = { ...scene.context.caller, trusted: caller };
    const own = effectScene({ caller: context });
    own.commands.onCommand = () => printed('{}');
    await own.perform('command', { ...entry, base: { ...base, trusted: itself } });
    expect(own.commands.callers[0]?.trusted).toBe(trusted);
  });

  it('is held to the tools of its skill as well', async () => {
    const scene = effectScene();
    const scopes = [{ allowed: ['Read'], disallowed: [] }];
    expect(await scene.perform('command', { ...entry, base: { ...base, scopes } })).toMatchObject({
      outcome: { ok: false, code: 'EXEC_DENIED' },
      ms: 0,
    });
    expect(scene.commands.done).toEqual([]);
  });
});
