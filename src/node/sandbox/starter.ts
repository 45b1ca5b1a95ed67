// What runs first in a sandbox: it limits the command, starts it, and reports how it ended.
//
//   program and arguments × limits -> argv inside the sandbox; the report it writes -> exit code or signal
//
// A shell sets the limits, because Node cannot: memory of each process (private and writable: RLIMIT_DATA), and processes
// of the sandbox (RLIMIT_NPROC, counted for each user namespace since Linux 5.14). Linux does not hold root to the latter;
// a control group does, where there is one (control-group.ts).
//
// bubblewrap has one number for an exit code and a signal. So Perl, where there is one, waits for the command and writes
// the status as the kernel gave it. It does not end on a signal that means the command; if it is killed together with the
// command there is no report, and what bubblewrap saw is the signal. The command does not inherit the report.
import * as fs from 'node:fs';
import { constants, totalmem } from 'node:os';
import type { SandboxSpec } from '../../ports/shell.ts';

/** Parts of the memory of this machine that one process may have, whatever the limit is. */
export const largestShare = 0.75;
const perl = ['/usr/bin/perl', '/bin/perl'].find((path) => fs.existsSync(path)) ?? null;

// Its words: kibibytes, processes, what is started. A shell that does not know -u knows -p; a lower limit that is there
// already stays.
const limiter = `ulimit -d "$1" 2>/dev/null
if (ulimit -u "$2") 2>/dev/null; then ulimit -u "$2"; else ulimit -p "$2" 2>/dev/null; fi
shift 2
exec "$@"`;

// Perl complains about a language that is not installed, unless it is told not to. Some shells add variables of their own.
const quiet = { PERL_BADLANG: '0' };
const reporter = `delete @ENV{qw(PERL_BADLANG SHLVL OLDPWD _)}; my $to = shift; open(my $report, ">&=", $to) or exit 125; fcntl($report, 2, 1);
my @sent = qw(TERM INT HUP QUIT USR1 USR2); $SIG{$_} = sub {} for @sent;
my $command = fork; exit 125 unless defined $command;
unless ($command) { $SIG{$_} = "DEFAULT" for @sent; exec { $ARGV[0] } @ARGV; syswrite $report, "fault $!\\n"; exit 127 }
1 until waitpid($command, 0) == $command;
my $status = $?; syswrite $report, "ended $status\\n";
exit($status & 127 ? 128 + ($status & 127) : $status >> 8)`;

/** Variables for what runs first; the command does not get them. */
export const starterVariables: { readonly [name: string]: string } = perl === null ? {} : quiet;

/** What bubblewrap starts in the place of `argv`. `report`: the descriptor for how it ended. */
export function startInside(
  argv: readonly string[],
  limits: SandboxSpec['limits'],
  report: number,
): readonly string[] {
  const reported = perl === null ? argv : [perl, '-e', reporter, '--', String(report), ...argv];
  if (limits === undefined) return reported;
  const kibibytes = Math.floor(Math.min(limits.memoryBytes, totalmem() * largestShare) / 1024);
  const words = [String(kibibytes), String(Math.max(1, limits.processes))];
  return ['/bin/sh', '-c', limiter, 'techne-starter', ...words, ...reported];
}

export type Ending =
  | { readonly kind: 'fault'; readonly message: string }
  | { readonly kind: 'ended'; readonly exitCode: number | null; readonly signal: string | null };

/** `null`: there is no report that could be read. */
export function readReport(text: string): Ending | null {
  const [, kind, rest = ''] = /^(fault|ended) ([^\n]+)\n/.exec(text) ?? [];
  if (kind === 'fault') return { kind, message: rest };
  const status = Number(rest);
  if (kind !== 'ended' || !Number.isInteger(status)) return null;
  const signal = status & 127;
  return signal === 0
    ? { kind: 'ended', exitCode: status >> 8, signal: null }
    : { kind: 'ended', exitCode: null, signal: signalName(signal) };
}

/** The ending that the exit code of bubblewrap means, if the process that reports was killed. */
export function endingOfKilled(exitCode: number | null): Ending | null {
  const isSignal = perl !== null && exitCode !== null && exitCode > 128 && exitCode < 128 + 65;
  return isSignal ? { kind: 'ended', exitCode: null, signal: signalName(exitCode - 128) } : null;
}

function signalName(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;
}
