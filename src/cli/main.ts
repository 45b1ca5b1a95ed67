// The command line.
//
//   argv -> a command of the table -> output and an exit code
//
// Only the code of the given command is imported. Every path returns an exit code after the output is written; nothing calls
// process.exit. A known error is a message and a hint; any other error is reported as a bug.
import { homedir } from 'node:os';
import type { Io } from './io.ts';
import { Output } from './io.ts';
import { packageVersion } from '../node/package-info.ts';

/** Runs the command line of this process and sets its exit code. */
export async function runProcess(): Promise<void> {
  const { stdout, stderr, env, platform } = process;
  process.exitCode = await run(process.argv.slice(2), {
    // Accessing `process.stdin` opens it, so nothing does before it is read.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    homeFolder: homedir(),
    platform,
    onInterrupt: (heard) => {
      process.once('SIGINT', heard);
      return () => process.off('SIGINT', heard);
    },
    onTerminate: (heard) => {
      const [term, hang] = [() => heard(143), () => heard(129)];
      process.once('SIGTERM', term).once('SIGHUP', hang);
      return () => process.off('SIGTERM', term).off('SIGHUP', hang);
    },
  });
}

/** Runs one command line and resolves to the exit code. Does not throw. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const out = new Output(io.stdout);
  const err = new Output(io.stderr);
  let code = await runCommand(argv, io, out, err);
  try {
    await out.flush();
    await err.flush();
  } catch (error) {
    code = await fail(error, [], io, out, err);
  }
  // The reader of a pipe may close it early.
  return out.left ? 0 : code;
}

async function runCommand(argv: readonly string[], io: Io, out: Output, err: Output): Promise<number> {
  try {
    if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
      out.line(packageVersion());
      return 0;
    }
    const [{ dispatch }] = await Promise.all([import('./dispatch.ts'), loadAhead(argv[0])]);
    return await dispatch(argv, io, out, err);
  } catch (error) {
    return await fail(error, argv, io, out, err);
  }
}

/** Nearly every command reads skills: that code is read from the disk while the table of commands is. */
function loadAhead(command: string | undefined): Promise<unknown> | null {
  const readsNone = command === undefined || command.startsWith('-') || readNoSkills.includes(command);
  return readsNone ? null : import('../techne/open-skills.ts');
}

const readNoSkills: readonly string[] = ['completion', 'help', 'schema', 'star'];

/** The command line may be invalid, so the flags are looked up in its words. */
async function fail(
  error: unknown,
  argv: readonly string[],
  io: Io,
  out: Output,
  err: Output,
): Promise<number> {
  const { renderFailure } = await import('./render-failure.ts');
  const { inStore, storeAmong } = await import('./in-store.ts');
  const ended = argv.indexOf('--');
  const options = ended === -1 ? argv : argv.slice(0, ended);
  const json = options.includes('--json');
  const quiet = options.some((word) => word === '--quiet' || /^-[A-Za-z]*q/.test(word));
  const store = storeAmong(options);
  const hintFor = (hint: string): string => inStore(hint, store);
  const failure = renderFailure(error, { json, quiet, debug: io.env.TECHNE_DEBUG === '1', hintFor });
  if (json) out.write(failure.text);
  else for (const line of failure.text.trimEnd().split('\n')) err.line(line);
  return failure.exitCode;
}
