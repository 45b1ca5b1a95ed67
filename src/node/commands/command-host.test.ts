import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TechneError } from '../../base/error.ts';
import { defaultConfig } from '../../config/merge-config.ts';
import type { Config } from '../../config/types.ts';
import { createFileApprovals } from './approvals.ts';
import { createCommandHost } from './command-host.ts';
import { createNodeFiles } from '../files/files.ts';
import { createNodeShell } from '../shell/shell.ts';
import type {
  Approval,
  CommandCall,
  CommandCaller,
  CommandHost,
  CommandVerdict,
} from '../../ports/command-host.ts';
import type { CommandOutcome, CommandRequest, Shell } from '../../ports/shell.ts';
import { fakeRunHost, succeeded } from '../../../test/support/fake-run-host.ts';

let top: string;
let workspace: string;
let asked: CommandRequest[];

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'techne-commands-')));
  workspace = join(top, 'work');
  for (const folder of [workspace, join(workspace, 'sub'), join(top, 'home')]) mkdirSync(folder);
  asked = [];
});
afterEach(() => rmSync(top, { recursive: true }));

function fakeShell(available: boolean): Shell {
  return {
    sandbox: { available, detail: available ? 'a sandbox' : 'nobody built one' },
    async run(request) {
      asked.push(request);
      return succeeded;
    },
  };
}

interface Given {
  readonly sandbox?: Partial<Config['sandbox']>;
  readonly commands?: Partial<Config['commands']>;
  readonly available?: boolean;
  readonly shell?: Shell;
  readonly contentOf?: (folder: string) => Promise<string | null>;
}

const file = (): string => join(top, 'home', '.techne', 'approvals.json');

function host({
  sandbox = {},
  commands = {},
  available = true,
  shell = fakeShell(available),
  ...more
}: Given = {}): CommandHost {
  const config = defaultConfig();
  return createCommandHost({
    shell,
    workspace,
    homeFolder: join(top, 'home'),
    variables: { PATH: '/usr/bin:/bin', SECRET: 'x', CI: '1' },
    config: { commands: { ...config.commands, ...commands }, sandbox: { ...config.sandbox, ...sandbox } },
    approvals: createFileApprovals({ file: file(), files: createNodeFiles() }),
    ...more,
  });
}

const call = (argv: readonly string[], more: Partial<CommandCall> = {}): CommandCall => ({
  argv,
  cwd: null,
  timeoutMs: 5000,
  stdin: null,
  maxOutputBytes: 1000,
  ...more,
});
const caller = (more: Partial<CommandCaller> = {}): CommandCaller => ({
  run: 'r',
  key: '1',
  skill: 'tides',
  digest: `sha256:${'0'.repeat(64)}`,
  trusted: true,
  skillFolder: null,
  ...more,
});
const untrusted = caller({ trusted: false });
const judge = (
  given: Given,
  argv: readonly string[],
  who = caller(),
  approval: Approval | null = null,
): Promise<CommandVerdict> => host(given).judge(call(argv), who, approval);
const markOf = (request: CommandRequest | undefined): unknown => [request?.mark, request?.isRetry];
const context = { signal: new AbortController().signal, onOutput: () => undefined };

describe('judge', () => {
  const everything: Given = { commands: { allow: ['...'] } };

  it.each<[string, Given, readonly string[], CommandCaller, string]>([
    ['no words', everything, [], caller(), 'the command is empty'],
    ['an empty program', everything, ['', 'x'], caller(), 'the command is empty'],
    [
      'a NUL',
      everything,
      ['a', '\0'],
      caller(),
      'the command contains a NUL character, which cannot be passed to a program',
    ],
    [
      'a deny pattern, over an allow pattern',
      { commands: { allow: ['...'], deny: ['rm ...'] } },
      ['/bin/rm', 'x'],
      caller(),
      'commands.deny has "rm ..."',
    ],
    [
      'an untrusted skill without a sandbox',
      { ...everything, available: false },
      ['ls'],
      untrusted,
      '"tides" is not trusted, so its commands run in a sandbox or not at all, and there is none: nobody built one',
    ],
    [
      'an untrusted skill with the sandbox off',
      { ...everything, sandbox: { mode: 'off' } },
      ['ls'],
      untrusted,
      '"tides" is not trusted, so its commands run in a sandbox or not at all, and sandbox.mode is "off"',
    ],
    [
      'a sandbox that is required and missing',
      { ...everything, sandbox: { mode: 'required' }, available: false },
      ['ls'],
      caller(),
      'sandbox.mode is "required", and there is no sandbox: nobody built one',
    ],
    [
      'a sandbox that cannot be made',
      { ...everything, sandbox: { network: ['example.org'] } },
      ['ls'],
      caller(),
      'sandbox.network names domains (example.org), and this sandbox cannot tell one domain from another; "*" opens the whole network, [] closes it',
    ],
  ])('denies %s, whatever the operator says', async (_name, given, argv, who, reason) => {
    for (const approval of [null, 'once', 'always'] as const)
      expect(await judge(given, argv, who, approval)).toEqual({ kind: 'deny', reason });
  });

  it('denies a folder outside before it looks at patterns', async () => {
    expect(await host(everything).judge(call(['ls'], { cwd: '..' }), caller(), null)).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('is outside the workspace') as string,
    });
  });

  it('allows what a pattern covers, and asks about the rest', async () => {
    const given = { commands: { allow: ['git diff ...'] } };
    expect(await judge(given, ['git', 'diff', 'x'])).toEqual({ kind: 'allow' });
    const terms = `in "${workspace}" in a sandbox that can write to "${workspace}" and has no network`;
    expect(await judge(given, ['git', 'push'])).toEqual({
      kind: 'approve',
      reason: `no pattern of commands.allow covers it. It would run ${terms}`,
      terms,
    });
    const bare = `in "${workspace}" WITHOUT a sandbox`;
    expect(await judge({ available: false }, ['git', 'push'])).toEqual({
      kind: 'approve',
      reason: `no pattern of commands.allow covers it. It would run ${bare} (nobody built one)`,
      terms: bare,
    });
    expect(await judge({ sandbox: { writeRoots: ['.'], network: ['*'] } }, ['git', 'push'])).toMatchObject({
      reason: expect.stringContaining(`can write to "${workspace}" and has the whole network`) as string,
    });
    expect(await judge({ sandbox: { mode: 'off' } }, ['git', 'push'])).toMatchObject({
      reason: expect.stringContaining('WITHOUT a sandbox (sandbox.mode is "off")') as string,
    });
  });

  it('allows by a pattern only a plain command: variables and files are shown to the operator', async () => {
    const commands = host({ commands: { allow: ['git status'] } });
    const status = (more: Partial<CommandCall>): Promise<CommandVerdict> =>
      commands.judge(call(['git', 'status'], more), caller(), null);
    const terms = `in "${workspace}" in a sandbox that can write to "${workspace}" and has no network`;
    const isAsked = (what: string): CommandVerdict => ({
      kind: 'approve',
      reason: `"git status" of commands.allow covers the plain command, and this one has ${what}. It would run ${terms}`,
      terms,
    });
    expect(await status({ environment: { set: { MODE: 'x' }, pass: ['TOKEN'] } })).toEqual(
      isAsked('the variable MODE, the variable TOKEN'),
    );
    expect(await status({ files: [{ path: 'a.cfg', content: 'x' }] })).toEqual(
      isAsked('the file "a.cfg" written first'),
    );
    expect(await status({ environment: { set: {}, pass: [] }, files: [] })).toEqual({ kind: 'allow' });
    // What was approved for good, as it was shown, is allowed.
    const more = { environment: { set: { MODE: 'x' }, pass: [] } };
    await commands.judge(call(['git', 'status'], more), caller(), 'always');
    expect([await status(more), await status({ environment: { set: { MODE: 'y' }, pass: [] } })]).toEqual([
      { kind: 'allow' },
      isAsked('the variable MODE'),
    ]);
  });

  it.each([
    'PATH',
    'Path',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'npm_config_script_shell',
    'PYTHONPATH',
    'PYTHONSTARTUP',
    'GIT_CONFIG_COUNT',
    'GIT_SSH_COMMAND',
    'BASH_ENV',
    'HOME',
    'XDG_CONFIG_HOME',
    'PERL5OPT',
    'RUBYOPT',
    'JAVA_TOOL_OPTIONS',
  ])('lets no skill set %s, whatever the operator says', async (name) => {
    for (const approval of [null, 'once', 'always'] as const)
      expect(
        await host(everything).judge(
          call(['git', 'status'], { environment: { set: { [name]: '1' }, pass: [] } }),
          caller(),
          approval,
        ),
      ).toEqual({
        kind: 'deny',
        reason: expect.stringMatching(
          new RegExp(`^a skill may not set the variable ${name}: it changes what .+ loads or starts$`),
        ) as string,
      });
  });

  it('lets a skill set other variables, also those that only look alike', async () => {
    const set = {
      GIT_AUTHOR_NAME: 'a',
      PYTHONUNBUFFERED: '1',
      NODE_ENV: 'test',
      LANGUAGE: 'de',
      PATHS: 'x',
      LDFLAG: 'y',
    };
    expect(await host().judge(call(['x'], { environment: { set, pass: [] } }), caller(), 'once')).toEqual({
      kind: 'allow',
    });
  });

  it('writes no files for an untrusted skill, whatever the operator says, and starts nothing', async () => {
    const given = call(['ls'], { files: [{ path: 'a.txt', content: 'x' }] });
    const reason = '"tides" is not trusted, so no files are written for it';
    for (const approval of [null, 'once', 'always'] as const)
      expect(await host(everything).judge(given, untrusted, approval)).toEqual({ kind: 'deny', reason });
    expect(await host(everything).run(given, untrusted, context)).toMatchObject({
      started: false,
      fault: reason,
    });
    expect([existsSync(join(workspace, 'a.txt')), asked]).toEqual([false, []]);
  });

  it('asks about the commands of an untrusted skill in a sandbox like about any other', async () => {
    expect(await judge({}, ['ls'], untrusted)).toMatchObject({ kind: 'approve' });
    expect(await judge({ commands: { allow: ['ls'] } }, ['ls'], untrusted)).toEqual({ kind: 'allow' });
  });

  it('does what the operator says, once', async () => {
    expect(await judge({}, ['ls'], caller(), 'once')).toEqual({ kind: 'allow' });
    expect(await judge({}, ['ls'], caller(), 'deny')).toEqual({
      kind: 'deny',
      reason: 'the operator said no to this command',
    });
    expect(await judge({}, ['ls'])).toMatchObject({ kind: 'approve' });
  });

  it('remembers "always" for this very command of this very skill', async () => {
    const given = call(['npm', 'test']);
    expect(await host().judge(given, caller(), 'always')).toEqual({ kind: 'allow' });
    expect(await host().judge(given, caller({ run: 'other', key: '7' }), null)).toEqual({ kind: 'allow' });
    const others: [CommandCall, CommandCaller][] = [
      [call(['npm', 'test', '-u']), caller()],
      [call(['npm', 'test'], { cwd: 'sub' }), caller()],
      [call(['npm', 'test'], { stdin: 'x' }), caller()],
      [given, caller({ skill: 'other' })],
      [given, caller({ digest: `sha256:${'1'.repeat(64)}` })],
    ];
    for (const [other, who] of others)
      expect(await host().judge(other, who, null)).toMatchObject({ kind: 'approve' });
    // Approved for a sandbox: not without one.
    expect(await host({ available: false }).judge(given, caller(), null)).toMatchObject({ kind: 'approve' });
  });

  it('does not hold "always" for a skill whose files have changed since the run began', async () => {
    const who = caller({ skillFolder: join(top, 'work') });
    expect(await judge({}, ['sh', 'go.sh'], who, 'always')).toEqual({ kind: 'allow' });
    const now = (content: string | null | Error): Promise<CommandVerdict> =>
      host({ contentOf: async () => (content instanceof Error ? Promise.reject(content) : content) }).judge(
        call(['sh', 'go.sh']),
        who,
        null,
      );
    expect([await now(who.digest), await now(null)]).toEqual([{ kind: 'allow' }, { kind: 'allow' }]);
    for (const changed of [`sha256:${'1'.repeat(64)}`, new TechneError('DIGEST_LIMIT', 'too much')])
      expect(await now(changed)).toMatchObject({
        kind: 'approve',
        reason: expect.stringContaining('has changed since the run began') as unknown,
      });
  });

  it('remembers "always" without a sandbox for a sandbox, too', async () => {
    await host({ available: false }).judge(call(['ls']), caller(), 'always');
    expect(await judge({}, ['ls'])).toEqual({ kind: 'allow' });
  });

  it('remembers "never", also for a changed skill and over an earlier "always"', async () => {
    await judge({}, ['ls'], caller(), 'always');
    expect(await judge({}, ['ls'], caller(), 'never')).toEqual({
      kind: 'deny',
      reason: 'the operator said "never" to this command',
    });
    const refused = {
      kind: 'deny',
      reason: `the operator said "never" to this command of "tides" (see "${file()}")`,
    };
    expect(await judge({}, ['ls'], caller({ digest: `sha256:${'2'.repeat(64)}` }))).toEqual(refused);
    expect(await judge({}, ['ls'], caller(), 'once')).toEqual(refused);
    expect(await judge({}, ['ls'], caller({ skill: 'other' }))).toMatchObject({ kind: 'approve' });
    // A denial wins, also over the configuration.
    expect(await judge({ commands: { allow: ['ls'] } }, ['ls'])).toEqual(refused);
  });

  it('is told by a broken file that nothing is approved, and leaves the file alone', async () => {
    await judge({}, ['ls'], caller(), 'always');
    writeFileSync(file(), '{"version": 1, "always": [');
    expect(await judge({}, ['ls'])).toMatchObject({
      kind: 'approve',
      reason: expect.stringContaining(
        `The approval cannot be saved: the approvals file "${file()}" cannot be used: it is not valid JSON`,
      ) as string,
    });
    expect(await judge({}, ['ls'], caller(), 'always')).toEqual({ kind: 'allow' });
    expect(await judge({}, ['ls'], caller(), 'never')).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('could not be remembered') as string,
    });
    expect(
      await createNodeFiles()
        .read(file(), 1000)
        .then((read) => Buffer.from(read?.bytes ?? []).toString()),
    ).toBe('{"version": 1, "always": [');
  });

  it('performs nothing', async () => {
    await judge({ commands: { allow: ['ls'] } }, ['ls']);
    await judge({}, ['ls'], caller(), 'once');
    expect(asked).toEqual([]);
  });
});

describe('run', () => {
  it('gives the shell a request with places, sandbox and environment', async () => {
    const skill = join(workspace, 'sub');
    await host({
      sandbox: { writeRoots: ['.'], processes: 50, memoryMiB: 64 },
      commands: { environment: ['CI'] },
    }).run(call(['ls'], { stdin: 'in', cwd: 'sub' }), caller({ skillFolder: skill }), context);
    expect(asked).toEqual([
      {
        mark: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        isRetry: false,
        argv: ['ls'],
        cwd: skill,
        timeoutMs: 5000,
        environment: {
          PATH: '/usr/bin:/bin',
          CI: '1',
          PYTHONDONTWRITEBYTECODE: '1',
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: 'safe.bareRepository',
          GIT_CONFIG_VALUE_0: 'explicit',
          GIT_CEILING_DIRECTORIES: workspace,
        },
        stdin: 'in',
        maxOutputBytes: 1000,
        sandbox: {
          readRoots: [workspace],
          writeRoots: [workspace],
          protect: [skill],
          network: false,
          limits: { processes: 50, memoryBytes: 64 * 1024 * 1024 },
        },
      },
    ]);
  });

  it('runs a trusted skill without a sandbox where there is none, and an untrusted one not at all', async () => {
    await host({ available: false }).run(call(['ls']), caller(), context);
    expect(asked).toMatchObject([{ sandbox: null }]);
    expect(await host({ available: false }).run(call(['ls']), untrusted, context)).toMatchObject({
      started: false,
      fault: expect.stringContaining('is not trusted') as string,
    });
    expect(asked).toHaveLength(1);
  });

  it('hides from a command what the digest of its skill does not cover, or does not run it', async () => {
    const skillFolder = join(top, 'skill');
    const cache = join(skillFolder, '__pycache__');
    mkdirSync(cache, { recursive: true });
    await host().run(call(['ls']), caller({ skillFolder }), context);
    expect(asked).toMatchObject([{ sandbox: { protect: [skillFolder], hide: [cache] } }]);
    const reason = `"${cache}": no part of the skill "tides", since its digest does not cover such files, and without a sandbox a command could execute it; remove it`;
    for (const given of [{ available: false }, { sandbox: { mode: 'off' } }] as const) {
      const commands = host({ ...given, commands: { allow: ['ls'] } });
      for (const approval of [null, 'once', 'always'] as const)
        expect(await commands.judge(call(['ls']), caller({ skillFolder }), approval)).toEqual({
          kind: 'deny',
          reason,
        });
      expect(await commands.run(call(['ls']), caller({ skillFolder }), context)).toMatchObject({
        started: false,
        fault: reason,
      });
    }
    expect(asked).toHaveLength(1);
  });

  it.each(['.git/tool.sh', 'tool.sh~'])(
    'executes nothing without a sandbox that the digest of a trusted skill does not cover: %s',
    async (path) => {
      const skillFolder = join(top, 'skill');
      mkdirSync(join(skillFolder, '.git'), { recursive: true });
      writeFileSync(join(skillFolder, path), 'touch ran\n');
      const commands = host({ shell: createNodeShell(), sandbox: { mode: 'off' } });
      const outcome = await commands.run(
        call(['sh', join(skillFolder, path)]),
        caller({ skillFolder }),
        context,
      );
      expect([outcome.started, existsSync(join(workspace, 'ran'))]).toEqual([false, false]);
    },
  );

  it('lets an untrusted skill write nowhere', async () => {
    await host({ sandbox: { writeRoots: ['.'] } }).run(call(['ls']), untrusted, context);
    expect(asked).toMatchObject([{ sandbox: { readRoots: [workspace], writeRoots: [] } }]);
  });

  it('marks every attempt of the same command of a run alike, and only the later ones as such', async () => {
    const commands = host({ commands: { allow: ['...'] } });
    await commands.run(call(['ls']), caller(), context);
    await commands.run(call(['ls']), caller(), { ...context, attempt: 2 });
    await commands.run(call(['ls']), caller({ key: '2' }), context);
    const [first, again, other] = asked.map(markOf) as [
      readonly [string, boolean],
      readonly [string, boolean],
      readonly [string, boolean],
    ];
    expect([first[1], again[1], other[1]]).toEqual([false, true, false]);
    expect(first[0]).toMatch(/^[0-9a-f]{24}$/);
    expect([again[0] === first[0], other[0] === first[0]]).toEqual([true, false]);
  });

  it('starts nothing under other terms than were approved', async () => {
    const terms = ((await host().judge(call(['ls']), caller(), null)) as { readonly terms: string }).terms;
    expect(await host({ available: false }).run(call(['ls']), caller(), { ...context, terms })).toMatchObject(
      {
        started: false,
        fault: `the operator approved that it runs ${terms}, and now it would run in "${workspace}" WITHOUT a sandbox`,
      },
    );
    expect(
      await host({ sandbox: { network: ['*'] } }).run(call(['ls']), caller(), { ...context, terms }),
    ).toMatchObject({ started: false });
    expect(asked).toEqual([]);
    await host().run(call(['ls']), caller(), { ...context, terms });
    expect(asked).toHaveLength(1);
  });

  it('starts a git that takes no planted folder for a repository, and none above the one it is in', async () => {
    const repository = join(workspace, 'sub');
    execFileSync('git', ['init', '-q', '--bare', join(repository, 'bare.git')]);
    renameSync(join(repository, 'bare.git'), join(top, 'bare'));
    for (const name of ['HEAD', 'config', 'objects', 'refs'])
      renameSync(join(top, 'bare', name), join(repository, name));
    writeFileSync(
      join(repository, 'config'),
      `[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\nfsmonitor = "touch ${join(top, 'ran')};false"\n`,
    );
    const status = (): Promise<CommandOutcome> =>
      host({ shell: createNodeShell({ bubblewrap: null }) }).run(
        call(['git', 'status'], { cwd: 'sub' }),
        caller(),
        context,
      );
    execFileSync('git', ['status'], { cwd: repository, stdio: 'ignore' });
    expect(existsSync(join(top, 'ran'))).toBe(true);
    rmSync(join(top, 'ran'));
    expect(await status()).toMatchObject({ exitCode: 128 });
    expect(existsSync(join(top, 'ran'))).toBe(false);
    // An ordinary repository is found from a folder in it.
    execFileSync('git', ['init', '-q', workspace]);
    mkdirSync(join(workspace, 'deep'));
    const fine = host({ shell: createNodeShell({ bubblewrap: null }) });
    expect(await fine.run(call(['git', 'status'], { cwd: 'deep' }), caller(), context)).toMatchObject({
      exitCode: 0,
    });
  });

  it('works with a real shell, and shows output as it comes', async () => {
    const seen: string[] = [];
    const real = host({ shell: createNodeShell({ bubblewrap: null }) });
    const outcome = await real.run(call(['sh', '-c', 'echo $CI:$SECRET:$PWD; exit 3']), caller(), {
      ...context,
      onOutput: (text) => seen.push(text),
    });
    expect(outcome).toMatchObject({ started: true, exitCode: 3, stdout: `::${workspace}\n` });
    expect(seen).toEqual([`::${workspace}\n`]);
  });
});

describe('a command of a run', () => {
  const program = `
def run(input):
    done = command(["sh", "-c", "echo out; echo err >&2; exit 3"])
    refused = command(["rm", "-rf", "x"])
    late = command(["sleep", "60"], {"timeout": 1})
    return {"answer": "fine", "done": [done["ok"], done["exit_code"], done["stdout"], done["stderr"], done["denied"]],
            "refused": [refused["ok"], refused["denied"], refused["result"]], "late": [late["timed_out"], late["result"]]}
`;

  it('gets what really happened', async () => {
    const world = fakeRunHost({
      commands: host({
        commands: { allow: ['sh ...', 'sleep *', 'rm ...'], deny: ['rm ...'] },
        shell: createNodeShell(),
      }),
    });
    const { text } = await world.run(program);
    expect(JSON.parse(text.slice(text.indexOf('\n')))).toMatchObject({
      done: [false, 3, 'out\n', 'err\n', false],
      refused: [false, true, 'error: commands.deny has "rm ..."'],
      late: [true, 'error: command timed out after 1 s'],
    });
  });
});
