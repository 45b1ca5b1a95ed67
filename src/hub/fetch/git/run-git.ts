// One command of git, as confined as git can be.
//
// G1. Nothing of the person's git is used: no variables GIT_*, no configuration, no credentials, no prompts, no hooks, filters,
//     submodules or checkouts. The home is an empty folder.
// G2. One protocol is allowed, that of the source. Redirects are not followed, and a host is asked at its checked address.
// G3. Output, time, files and memory are bounded; the whole process group ends with the command, an abort or this process.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { TechneError } from '../../../base/error.ts';
import { createNodeEnvironment } from '../../../node/environment.ts';
import { codeOf, looked } from '../../../node/files/file-fault.ts';
import { overLimit } from '../../archive/limited.ts';
import { show } from '../../source/git-words.ts';
import type { FetchContext } from '../context.ts';
import { stopIfAborted } from '../context.ts';
import { cleanedUp } from './temp-folder.ts';

export interface GitPlace {
  /** The private folder: the repository, the empty home, an empty configuration. */
  readonly folder: string;
  readonly repository: string;
  readonly protocol: 'https' | 'http' | 'ssh' | 'git' | 'file';
  /** `host:port:address`: where curl connects to for the host. */
  readonly pinned: string | null;
}

/** Of address space; git with curl needs about 100 MiB of it. */
const gitMemoryMiB = 640;

const settings: readonly string[] = [
  'protocol.allow=never',
  'protocol.version=2',
  'core.hooksPath=/dev/null',
  'core.symlinks=false',
  'core.fsmonitor=false',
  'core.askPass=',
  'core.gitProxy=',
  'core.alternateRefsCommand=',
  'credential.helper=',
  'transfer.fsckObjects=true',
  'fetch.fsckObjects=true',
  // Old repositories have these, and they change nothing that we read.
  'fetch.fsck.zeroPaddedFilemode=ignore',
  'fetch.fsck.badTimezone=ignore',
  'fetch.fsck.missingSpaceBeforeDate=ignore',
  'fetch.fsck.missingEmail=ignore',
  'fetch.fsck.missingNameBeforeEmail=ignore',
  'fetch.recurseSubmodules=false',
  'submodule.recurse=false',
  'fetch.unpackLimit=1',
  'fetch.writeCommitGraph=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'http.followRedirects=false',
  'http.sslVerify=true',
  'http.proxy=',
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=30',
  // Large blobs are streamed, and caches are small.
  'core.bigFileThreshold=1m',
  'core.packedGitWindowSize=8m',
  'core.packedGitLimit=64m',
  'core.deltaBaseCacheLimit=16m',
  'pack.threads=1',
];

export interface GitProcess {
  readonly child: ChildProcess;
  readonly stdout: Readable;
  /** Resolves with the exit code after both streams ended; throws for a limit or an abort. */
  readonly ended: Promise<number | null>;
  /** The end of what it wrote to stderr. */
  words(): string;
  kill(reason: Error): void;
}

/** `args` begin with the command; user texts in them stand behind `--`. */
export function startGit(place: GitPlace, args: readonly string[], context: FetchContext): GitProcess {
  const { limits, signal, options } = context;
  stopIfAborted(signal);
  const git = createNodeEnvironment({ variables: options.variables }).findProgram('git');
  if (git === null)
    throw new TechneError('ENVIRONMENT', 'git is not installed, and this source needs it', {
      hint: 'install git, or use an archive (.tar.gz or .zip) of the repository',
    });
  const configured = [
    ...settings,
    `protocol.${place.protocol}.allow=always`,
    ...(place.pinned === null ? [] : [`http.curloptResolve=${place.pinned}`]),
  ].flatMap((setting) => ['-c', setting]);
  const argv = [git, '--no-pager', '--git-dir', place.repository, ...configured, ...args];
  const [file, ...rest] = process.platform === 'win32' ? argv : limited(argv, limits.gitBytes);
  const child = spawn(file as string, rest, {
    cwd: place.folder,
    env: environment(place, options.variables),
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString('utf8')).slice(-8192)));
  child.stdin.on('error', (error) => {
    if (codeOf(error) === '') throw error;
  });
  let reason: Error | null = null;
  const kill = (why: Error): void => {
    reason ??= why;
    killGroup(child);
  };
  const stop = (): void => kill(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
  const timer = setTimeout(
    () => kill(overLimit(`git took longer than ${limits.totalMs / 1000} s`, 'try again later')),
    limits.totalMs,
  );
  signal.addEventListener('abort', stop);
  const forget = cleanedUp(() => killGroup(child));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', (error) => reject(error));
    child.on('close', (code) => (reason === null ? resolve(code) : reject(reason)));
  }).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    killGroup(child);
    forget();
  });
  ended.catch(() => undefined);
  return { child, stdout: child.stdout, ended, words: () => words, kill };
}

/** Runs to the end; gives what it printed. Throws what `fault` makes of another exit code than 0. */
export async function runGit(
  place: GitPlace,
  args: readonly string[],
  context: FetchContext,
  fault: (words: string) => Error,
): Promise<Buffer> {
  const git = startGit(place, args, context);
  git.child.stdin?.end();
  const chunks: Buffer[] = [];
  let have = 0;
  git.stdout.on('data', (chunk: Buffer) => {
    have += chunk.length;
    if (have > context.limits.documentBytes)
      git.kill(overLimit(`git answered more than ${context.limits.documentBytes} bytes`));
    else chunks.push(chunk);
  });
  if ((await git.ended) !== 0) throw fault(git.words());
  return Buffer.concat(chunks);
}

/** Files within the limit of the disk, and a bound on memory, which Node cannot set for a child. */
function limited(argv: readonly string[], bytes: number): readonly string[] {
  const script = 'ulimit -f "$1" 2>/dev/null; ulimit -v "$2" 2>/dev/null; ulimit -c 0; shift 2; exec "$@"';
  return [
    '/bin/sh',
    '-c',
    script,
    'sh',
    String(Math.ceil(bytes / 512)),
    String(gitMemoryMiB * 1024),
    ...argv,
  ];
}

function environment(place: GitPlace, variables: FetchContext['options']['variables']): NodeJS.ProcessEnv {
  const kept = [
    'PATH',
    'SystemRoot',
    ...(place.protocol === 'ssh' ? ['SSH_AUTH_SOCK', 'USER', 'LOGNAME'] : []),
  ];
  return {
    ...Object.fromEntries(
      kept.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]])),
    ),
    HOME: `${place.folder}/home`,
    XDG_CONFIG_HOME: `${place.folder}/home`,
    TMPDIR: place.folder,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: `${place.folder}/config`,
    GIT_CONFIG_GLOBAL: `${place.folder}/config`,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_ALLOW_PROTOCOL: place.protocol,
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_SSH_COMMAND:
      place.protocol === 'ssh'
        ? 'ssh -oBatchMode=yes -oStrictHostKeyChecking=yes -oPermitLocalCommand=no -oForwardAgent=no'
        : 'false',
  };
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    if (exitCode === null && signalCode === null) looked(() => process.kill(pid, 'SIGKILL'));
  } else looked(() => process.kill(-pid, 'SIGKILL'));
}

/** What git says -> what happened and what to do. */
export function gitFault(source: string, words: string): TechneError {
  const said = show(
    words
      .split('\n')
      .map((line) => line.replace(/^(?:fatal|error|remote): /, '').trim())
      .filter((line) => line !== '' && !line.startsWith('warning:'))
      .at(0) ?? 'git gave no reason',
  );
  const [code, hint] = judge(words);
  return new TechneError(code, `"${show(source)}" cannot be fetched: ${said}`, { hint });
}

function judge(
  words: string,
): readonly ['SOURCE_UNREACHABLE' | 'SOURCE_DAMAGED' | 'SOURCE_LIMIT' | 'SOURCE_REFUSED', string] {
  if (/File size limit|file too large|signal 25|out of memory|malloc failed|mmap failed/i.test(words))
    return [
      'SOURCE_LIMIT',
      `the repository is too large; the limit is the size of one fetch. Use an archive of the skills`,
    ];
  if (/fsck error|bad object|index-pack (?:failed|died)|unpack-objects/i.test(words))
    return [
      'SOURCE_DAMAGED',
      'the repository holds objects that git finds dangerous or broken; do not use it',
    ];
  if (/transport '.*' not allowed|redirect/i.test(words))
    return ['SOURCE_REFUSED', 'use the https address of the repository'];
  if (
    /terminal prompts disabled|could not read Username|Authentication failed|Permission denied|returned error: 403/i.test(
      words,
    )
  )
    return [
      'SOURCE_UNREACHABLE',
      'it does not exist or is not public; for a private one set hub.ssh and use ssh',
    ];
  if (
    /SSL certificate problem|server certificate verification failed|SSL: no alternative certificate/i.test(
      words,
    )
  )
    return [
      'SOURCE_REFUSED',
      'nothing was fetched. Check the address; git asks the authorities of the system, so an authority of your own must be installed there',
    ];
  if (/dubious ownership/i.test(words))
    return ['SOURCE_UNREACHABLE', 'the repository belongs to another user of this machine; copy it first'];
  return ['SOURCE_UNREACHABLE', 'check the address, the ref and the network'];
}
