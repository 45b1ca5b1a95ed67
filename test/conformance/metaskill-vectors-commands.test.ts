// The vectors about commands once more, with real processes under the real policy of the host (sandbox off: it has tests of its own).
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/types.ts';
import { createFileApprovals } from '../../src/node/commands/approvals.ts';
import { createCommandHost } from '../../src/node/commands/command-host.ts';
import { createNodeFiles } from '../../src/node/files/files.ts';
import { nodeRunClock } from '../../src/node/environment.ts';
import { createNodeShell } from '../../src/node/shell/shell.ts';
import type { OnRunEvent } from '../../src/run/events.ts';
import type { RunResult } from '../../src/run/result/result.ts';
import type { StartRequest } from '../../src/run/runner.ts';
import { fakeRunHost } from '../support/fake-run-host.ts';
import { configWith } from '../support/library.ts';
import { runOf } from '../support/metaskills.ts';

describe('real commands', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-vectors-')));
    mkdirSync(join(folder, 'work'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  interface More extends Partial<Pick<StartRequest, 'signal'>> {
    readonly policy?: Partial<Config['commands']>;
    readonly onEvent?: OnRunEvent;
  }

  /** Runs a program whose `sh(script, opts)` calls the shell. */
  function play(
    lines: readonly string[],
    { policy = { allow: ['...'] }, onEvent = () => {}, ...request }: More = {},
  ): Promise<RunResult> {
    const { commands, sandbox } = configWith({ commands: policy, sandbox: { mode: 'off' } });
    const host = createCommandHost({
      shell: createNodeShell(),
      workspace: join(folder, 'work'),
      homeFolder: folder,
      variables: { PATH: '/usr/bin:/bin' },
      config: { commands, sandbox },
      approvals: createFileApprovals({ file: join(folder, 'approvals.json'), files: createNodeFiles() }),
    });
    const program = `def sh(script, opts = {}):\n    return command(["sh", "-c", script], opts)\n\n${runOf(...lines)}`;
    return fakeRunHost({
      commands: host,
      clock: nodeRunClock,
      onEvent,
      programs: { ms: program },
    }).runner.start({ skill: 'ms', input: { go: true }, ...request });
  }

  it('V19 in a real shell: exit code 3, and what went to both streams', async () => {
    const { envelope } = await play(['c = sh("echo out; echo err >&2; exit 3")', 'return {"c": c}']);
    expect(envelope?.['c']).toMatchObject({
      ok: false,
      exit_code: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: false,
      timed_out: false,
      signal: null,
    });
  });

  it('V20 in a real shell: stopped after its timeout, with what it had printed', async () => {
    const { envelope } = await play(['c = sh("echo begun; sleep 60", {"timeout": 1})', 'return {"c": c}']);
    expect(envelope?.['c']).toMatchObject({
      ok: false,
      timed_out: true,
      result: expect.stringMatching(/^error: command timed out after 1 s/) as string,
    });
  });

  it('D1 in a real shell: "Exit code:" is only text', async () => {
    expect((await play(['return sh("echo Exit code: 7")'])).envelope).toMatchObject({
      ok: true,
      exit_code: 0,
      result: 'Exit code: 7\n',
    });
  });

  it('D2 in a real shell: "error:" is only text', async () => {
    expect((await play(['return sh("echo error: none")'])).envelope).toMatchObject({
      ok: true,
      exit_code: 0,
      result: 'error: none\n',
    });
  });

  it('D3 in a real shell: much output and a timeout are a failure', async () => {
    const { envelope } = await play([
      'c = sh("yes | head -c 50000; sleep 60", {"timeout": 1})',
      'return {"ok": c["ok"], "head": c["result"][:24]}',
    ]);
    expect(envelope).toMatchObject({ ok: false, head: 'error: command timed out' });
  });

  it('D4 in a real shell: killed by a signal', async () => {
    expect((await play(['return sh("kill -9 $$")'])).envelope).toMatchObject({
      ok: false,
      exit_code: -1,
      signal: 'SIGKILL',
      result: 'error: command was ended by SIGKILL',
    });
  });

  it('D5 in a real shell: 15,000 characters arrive whole, 50,000 are cut and said to be', async () => {
    const { envelope } = await play([
      'a = sh("head -c 15000 /dev/zero | tr \'\\\\\\\\0\' x")',
      'b = sh("head -c 50000 /dev/zero | tr \'\\\\\\\\0\' x")',
      'return {"a": [len(a["result"]), a["truncated"]], "b": [len(b["result"]), b["truncated"]]}',
    ]);
    expect(envelope).toMatchObject({ a: [15_000, false], b: [20_000, true] });
  });

  it('D13 in a real shell: when a cancelled run gives its result, nothing of the command is alive', async () => {
    const source = new AbortController();
    const seen: number[] = [];
    const onEvent: OnRunEvent = (event) => {
      const pid = event.type === 'effect.text' ? Number(/^pid (\d+)$/m.exec(event.text)?.[1]) : NaN;
      if (Number.isNaN(pid)) return;
      seen.push(pid);
      source.abort(new Error('enough'));
    };
    const result = await play(['sh("echo pid $$; sleep 60; touch late")'], {
      onEvent,
      signal: source.signal,
    });
    expect([result.status, seen.length, seen.map(isAlive), existsSync(join(folder, 'work', 'late'))]).toEqual(
      ['cancelled', 1, [false], false],
    );
  });

  it('T36 in a real process: false', async () => {
    expect((await play(['c = command(["false"])', 'return {"c": c}'])).envelope?.['c']).toMatchObject({
      ok: false,
      exit_code: 1,
      result: '',
    });
  });

  it('T41 in a real process: a command on the deny list leaves nothing behind', async () => {
    const result = await play(['return {"c": command(["touch", "made"])}'], {
      policy: { allow: ['...'], deny: ['touch ...'] },
    });
    expect(result.envelope?.['c']).toMatchObject({
      ok: false,
      denied: true,
      result: expect.stringMatching(/^error: /) as string,
    });
    expect(existsSync(join(folder, 'work', 'made'))).toBe(false);
  });

  it('T41 in a real process: a command on no list waits for the operator, and leaves nothing behind', async () => {
    const result = await play(['return {"c": command(["touch", "made"])}'], { policy: {} });
    expect([
      result.status,
      result.questions.map(({ audience }) => audience),
      existsSync(join(folder, 'work', 'made')),
    ]).toEqual(['paused', ['operator'], false]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
