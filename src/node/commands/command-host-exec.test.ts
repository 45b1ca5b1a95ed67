import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../config/merge-config.ts';
import { createFileApprovals } from './approvals.ts';
import { createCommandHost } from './command-host.ts';
import { createNodeFiles } from '../files/files.ts';
import { createNodeShell } from '../shell/shell.ts';
import type { CommandCall, CommandCaller, CommandHost } from '../../ports/command-host.ts';

let top = '';
let workspace = '';
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'techne-exec-')));
  workspace = join(top, 'work');
  for (const folder of ['work', 'home', 'skill']) mkdirSync(join(top, folder));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

/** Real processes, without a sandbox: where there is none these tests run, too. */
function host(content: string | null = 'sha256:c'): CommandHost {
  const config = defaultConfig();
  return createCommandHost({
    shell: createNodeShell(),
    workspace,
    homeFolder: join(top, 'home'),
    variables: { PATH: process.env['PATH'], API_KEY: 'very-secret-value', OTHER_KEY: 'not for you' },
    config: { commands: config.commands, sandbox: { ...config.sandbox, mode: 'off' } },
    approvals: createFileApprovals({ file: join(top, 'home/approvals.json'), files: createNodeFiles() }),
    contentOf: async () => content,
  });
}

const caller = (more: Partial<CommandCaller> = {}): CommandCaller => ({
  run: 'r',
  key: 's',
  skill: 'pdf',
  digest: 'sha256:1',
  trusted: true,
  skillFolder: join(top, 'skill'),
  ...more,
});
const entry = (argv: readonly string[], more: Partial<CommandCall> = {}): CommandCall => ({
  argv,
  cwd: null,
  timeoutMs: 10_000,
  stdin: null,
  maxOutputBytes: 100_000,
  environment: { set: {}, pass: [] },
  files: [],
  ...more,
});
const context = { signal: new AbortController().signal, onOutput: () => undefined };

describe('the entry point of a skill', () => {
  it('gets its variables, those it declares, and no others; what was passed is not printed', async () => {
    const outcome = await host().run(
      entry(['sh', '-c', 'echo "$MODE $API_KEY $OTHER_KEY"; echo "$API_KEY" >&2'], {
        environment: { set: { MODE: 'fast' }, pass: ['API_KEY'] },
      }),
      caller(),
      context,
    );
    expect([outcome.stdout, outcome.stderr]).toEqual(['fast [API_KEY] \n', '[API_KEY]\n']);
    expect(
      await host().judge(
        entry(['true'], { environment: { set: { LD_PRELOAD: '/x.so' }, pass: [] } }),
        caller(),
        'once',
      ),
    ).toEqual({
      kind: 'deny',
      reason:
        'a skill may not set the variable LD_PRELOAD: it changes what the dynamic linker loads or starts',
    });
  });

  it('finds its files written, below the workspace and nowhere else', async () => {
    const files = [
      { path: 'build/in.md', content: '# one\n' },
      { path: 'build/deep/two.md', content: 'two' },
    ];
    expect(
      (await host().run(entry(['cat', 'build/in.md', 'build/deep/two.md'], { files }), caller(), context))
        .stdout,
    ).toBe('# one\ntwo');
    // The same again writes the same.
    expect((await host().run(entry(['cat', 'build/in.md'], { files }), caller(), context)).stdout).toBe(
      '# one\n',
    );
    symlinkSync(top, join(workspace, 'out'));
    for (const path of [
      '../x.md',
      '/etc/x.md',
      'out/x.md',
      '.git/hooks/pre-commit',
      join(top, 'skill/x.md'),
    ]) {
      const outcome = await host().run(
        entry(['touch', 'ran'], { files: [{ path, content: 'x' }] }),
        caller(),
        context,
      );
      expect([outcome.started, outcome.fault]).toMatchObject([
        false,
        expect.stringContaining('a file could not be written') as string,
      ]);
    }
    expect([existsSync(join(workspace, 'ran')), existsSync(join(top, 'x.md'))]).toEqual([false, false]);
    expect(await host().judge(entry(['true'], { files }), caller({ trusted: false }), 'once')).toMatchObject({
      kind: 'deny',
    });
  });

  it('does not run when its folder is not what was checked', async () => {
    expect(
      await host('sha256:other').run(
        entry(['touch', 'ran'], { content: 'sha256:c', files: [{ path: 'a', content: 'b' }] }),
        caller(),
        context,
      ),
    ).toMatchObject({
      started: false,
      fault: 'the folder of "pdf" does not hold what was checked when the run began; start it anew',
    });
    expect([existsSync(join(workspace, 'ran')), existsSync(join(workspace, 'a'))]).toEqual([false, false]);
    expect(await host().run(entry(['true'], { content: 'sha256:c' }), caller(), context)).toMatchObject({
      started: true,
      exitCode: 0,
    });
  });

  it('is approved for good with everything it is given, and no other way', async () => {
    const one = entry(['run'], {
      content: 'sha256:c',
      environment: { set: { A: '1' }, pass: [] },
      files: [{ path: 'a', content: 'b' }],
      stdin: 'x',
    });
    expect(await host().judge(one, caller(), 'always')).toEqual({ kind: 'allow' });
    expect(await host().judge(one, caller(), null)).toEqual({ kind: 'allow' });
    for (const other of [
      { ...one, stdin: 'y' },
      { ...one, files: [{ path: 'a', content: 'c' }] },
      { ...one, environment: { set: { A: '2' }, pass: [] } },
      { ...one, environment: { set: { A: '1' }, pass: ['API_KEY'] } },
    ]) {
      expect(await host().judge(other, caller(), null)).toMatchObject({ kind: 'approve' });
    }
    writeFileSync(join(top, 'home/x'), readFileSync(join(top, 'home/approvals.json')));
  });
});
