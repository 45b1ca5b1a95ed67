// A piece of the world around a sandbox, with canaries: files, sockets, a process, a variable, an open file.
//
// What a probe did is looked at from here, outside: a file that is there now, a message that came in, a process that
// died. Only what a probe may read is judged by what it printed.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createControlGroup } from '../../src/node/sandbox/control-group.ts';
import { uncoveredFiles } from '../../src/node/commands/uncovered-files.ts';
import type { CommandJob, CommandReport } from '../fixtures/children/run-commands.ts';

export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface Scene {
  readonly user: User;
  readonly token: string;
  readonly confined: boolean;
  /** Whether this machine can hold the user to a number of processes: root only by a control group. */
  readonly limitsProcesses: boolean;
  /** The variables that scripts know the places by. */
  readonly variables: { readonly [name: string]: string };
  /** `a/b` below the top folder. */
  path(name: string): string;
  exists(name: string): boolean;
  /** Not by the empty folder that holds the name of what is not there. */
  isPlanted(name: string): boolean;
  text(name: string): string;
  mode(name: string): number;
  received(text: string): boolean;
  victimLives(): boolean;
  readonly secret: string;
  run(argv: readonly string[], timeoutMs: number): Promise<CommandReport>;
  close(): void;
}

/** Descriptors that are open in the process that starts commands, above and below what fits into a short table. */
const inheritedNumbers = [50, 4096, 5001];

const files: { readonly [path: string]: string } = {
  'outside/victim.txt': 'as it was',
  'outside/linked.txt': 'as it was',
  'outside/folder/file': 'as it was',
  'home/.bashrc': 'as it was',
  'shown/victim.txt': 'as it was',
  'shown/descriptor.txt': 'as it was',
  'shown/remove.txt': 'as it was',
  'work/.git/hooks/sample': 'as it was',
  'work/.git/config': 'as it was',
  'moved/.git/hooks/sample': 'as it was',
  'moved/.git/config': 'as it was',
  'work/skills/tides/SKILL.md': 'as it was',
  'replaced/skills/tides/SKILL.md': 'as it was',
  'work/AGENTS.md': 'as it was',
  // Beside a skill, and no part of it.
  'work/skills/tides/node_modules/evil/index.js': 'console.log("THROUGH")',
  'work/skills/tides/helper.py': 'print("as it was")',
  'replaced/AGENTS.md': 'as it was',
};

/** `confined`: whether commands run in the sandbox. `program`: the bundled run-commands.ts. */
export async function openScene(user: User, confined: boolean, program: string): Promise<Scene> {
  const closers: (() => void)[] = [];
  try {
    return await buildScene(user, confined, program, closers);
  } catch (error) {
    for (const close of closers.toReversed()) close();
    throw error;
  }
}

async function buildScene(
  user: User,
  confined: boolean,
  program: string,
  closers: (() => void)[],
): Promise<Scene> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'techne-escape-')));
  closers.push(() => rmSync(top, { recursive: true, force: true }));
  const path = (name: string): string => join(top, name);
  const token = top.slice(-6);
  const secret = `secret-${token}`;
  for (const [name, text] of Object.entries({
    ...files,
    'home/.ssh/id_canary': secret,
    'work/skills/tides/.git/config': secret,
    'work/skills/tides/.helper.py.swp': secret,
    'home/.techne/trust.json': secret,
  })) {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  }
  for (const name of ['fresh', 'mount']) mkdirSync(path(name));
  compileModules(path('work/skills/tides'));
  symlinkSync('AGENTS.md', path('replaced/CLAUDE.md'));
  writeFileSync(path('outside/inherited.txt'), '');

  const heard: string[] = [];
  const listen = async (
    where: { readonly path: string } | { readonly port: number; readonly host: string },
  ): Promise<Server> => {
    const server = createServer((socket) =>
      socket.on('data', (data) => heard.push(data.toString('latin1'))).on('error', () => socket.destroy()),
    );
    server.listen(where);
    await once(server, 'listening');
    closers.push(() => server.close());
    return server;
  };
  const tcp = await listen({ port: 0, host: '127.0.0.1' });
  for (const name of ['outside/socket', 'work/socket', 'shown/socket']) await listen({ path: path(name) });
  const sockets = ['outside/socket', 'work/socket', 'shown/socket', 'work/datagrams', 'shown/datagrams'];
  for (const [type, address] of [
    ['SOCK_STREAM', `\0techne-${token}`],
    ['SOCK_DGRAM', path('work/datagrams')],
    ['SOCK_DGRAM', path('shown/datagrams')],
  ] as const) {
    const listener = listenUnix(type, address, (text) => heard.push(text));
    closers.push(() => end(listener));
    await once(listener.stdout, 'data');
  }
  const udp: Socket = createSocket('udp4', (message) => heard.push(message.toString('latin1')));
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  closers.push(() => udp.close());

  const asRoot = process.getuid?.() === 0;
  if (asRoot) {
    // A program of root that gives its rights to whoever starts it.
    copyFileSync('/usr/bin/id', path('work/suid-id'));
    giveTo(top, user);
    chownSync(path('work/suid-id'), 0, 0);
    chmodSync(path('work/suid-id'), 0o4755);
    for (const name of sockets) chmodSync(path(name), 0o777);
  }
  chmodSync(top, 0o755);

  const as = asRoot ? { uid: user.uid, gid: user.gid } : {};
  const victim = spawn('sleep', [`3600.${victimNumber(token)}`], { stdio: 'ignore', ...as });
  closers.push(() => end(victim));
  const inherited = openSync(path('outside/inherited.txt'), 'a');
  const stdio: ('ignore' | 'inherit' | 'ipc' | number)[] = ['ignore', 'ignore', 'inherit', 'ipc'];
  for (const number of inheritedNumbers) {
    while (stdio.length < number) stdio.push('ignore');
    stdio.push(inherited);
  }
  const child = spawn(process.execPath, [program], {
    // An agent's socket, a key, and a library that is to be loaded into everything (there is none of this name).
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      CANARY_SECRET: secret,
      SSH_AUTH_SOCK: path('outside/socket'),
      CANARY_PRELOAD: path('outside/none.so'),
    },
    stdio,
    cwd: '/',
    ...as,
  });
  closers.push(() => end(child));
  closeSync(inherited);
  const [ready] = (await once(child, 'message')) as [CommandReport];
  if (confined && ready.fault !== null)
    throw new Error(`there is no sandbox for ${user.name}: ${ready.fault}`);

  const waiting = new Map<number, (report: CommandReport) => void>();
  child.on('message', (report: CommandReport) => waiting.get(report.id)?.(report));
  let jobs = 0;

  const variables = {
    PATH: '/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin',
    TOP: top,
    W: path('work'),
    FRESH: path('fresh'),
    MOVED: path('moved'),
    REPLACED: path('replaced'),
    SHOWN: path('shown'),
    OUT: path('outside'),
    HOMES: path('home'),
    TCP: String((tcp.address() as AddressInfo).port),
    UDP: String(udp.address().port),
    VICTIM: String(victim.pid),
    PARENT: String(child.pid),
    TOKEN: token,
    NUMBER: victimNumber(token),
  };
  const group = createControlGroup({ processes: 1, memoryBytes: 1 });
  await group?.remove();
  const hidden = uncoveredFiles('tides', path('work/skills/tides'), true);
  if (!hidden.ok) throw new Error(hidden.reason);
  const writeRoots = ['work', 'fresh', 'moved', 'replaced'].map(path);
  const sandbox = confined
    ? {
        readRoots: [path('shown')],
        writeRoots,
        protect: [path('work/skills/tides'), path('replaced/skills/tides')],
        hide: hidden.hide,
        hold: [path('fresh/.github/skills'), path('work/plugins/skills'), path('work/plugins')],
        network: false,
        limits: { processes: 400, memoryBytes: 640 * 1024 * 1024 },
      }
    : null;

  return {
    user,
    token,
    confined,
    limitsProcesses: user.uid !== 0 || group !== null,
    variables,
    path,
    secret,
    exists: (name) => existsSync(path(name)),
    isPlanted(name) {
      const stat = lstatSync(path(name), { throwIfNoEntry: false });
      return stat !== undefined && !(stat.isDirectory() && readdirSync(path(name)).length === 0);
    },
    text: (name) => readFileSync(path(name), 'latin1'),
    mode: (name) => lstatSync(path(name)).mode & 0o7777,
    received: (text) => heard.some((message) => message.includes(text)),
    victimLives: () => victim.exitCode === null && victim.signalCode === null,
    run(argv, timeoutMs) {
      const id = (jobs += 1);
      const answered = new Promise<CommandReport>((resolve) => waiting.set(id, resolve));
      child.send({
        id,
        argv,
        cwd: path('work'),
        environment: variables,
        timeoutMs,
        sandbox,
      } satisfies CommandJob);
      return answered;
    },
    close() {
      for (const close of closers.toReversed()) close();
    },
  };
}

/** The numbers of living processes that have this in their arguments or their environment. */
export function processesNamed(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        if (/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) return false;
        return ['cmdline', 'environ'].some((name) =>
          readFileSync(`/proc/${pid}/${name}`, 'latin1').includes(text),
        );
      } catch (error) {
        // It has ended meanwhile, or is somebody else's.
        if (!(error instanceof Error)) throw error;
        return false;
      }
    });
}

/** So that a list of processes shows whose it is. */
export const victimNumber = (token: string): string =>
  token.replace(/./g, (letter) => String(letter.charCodeAt(0)).padStart(3, '0'));

function end(child: ChildProcess): void {
  child.removeAllListeners();
  child.kill('SIGKILL');
}

/** Unix sockets that Node 20 cannot listen on: without a file, or for datagrams. It prints something as soon as it listens. */
function listenUnix(
  type: 'SOCK_STREAM' | 'SOCK_DGRAM',
  address: string,
  onText: (text: string) => void,
): ChildProcessByStdio<null, Readable, null> {
  const read =
    type === 'SOCK_STREAM'
      ? 'listen($l, 5); print "ready\n"; while (accept(my $c, $l)) { while (sysread($c, my $t, 99)) { print $t } close $c }'
      : 'print "ready\n"; while (defined recv($l, my $t, 99, 0)) { print $t }';
  const script = `use Socket; $| = 1; socket(my $l, AF_UNIX, ${type}, 0) or die; bind($l, pack_sockaddr_un($ARGV[0] =~ s/^@/\\0/r)) or die $!; ${read}`;
  const child = spawn('perl', ['-e', script, address.replace('\0', '@')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.on('data', (chunk: Buffer) => onText(chunk.toString('latin1')));
  return child;
}

/** Compiled modules of Python, one in the place of a source and one without; none where there is no Python. */
function compileModules(folder: string): void {
  const script = `
import sys, py_compile, importlib.util as u, pathlib
top = pathlib.Path(sys.argv[1])
evil = top / 'evil.txt'
evil.write_text('print("THROUGH")')
mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
for to in [u.cache_from_source(str(top / 'helper.py')), str(top / 'lone.pyc')]:
    py_compile.compile(str(evil), cfile=to, doraise=True, invalidation_mode=mode)
evil.unlink()
`;
  spawnSync('python3', ['-c', script, folder], { env: { PATH: '/usr/bin:/bin' } });
}

function giveTo(folder: string, { uid, gid }: User): void {
  const { status } = spawnSync('chown', ['-R', `${uid}:${gid}`, folder]);
  if (status !== 0) throw new Error(`${folder} could not be given to another user`);
}
