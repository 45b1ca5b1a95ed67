// Takes placeholders away when this process can no longer do it, since it was killed.
//
//   paths -> a shell that waits for the end of its input -> the sandbox ended, rmdir of each
//
// X1. The kernel closes the input of the cleaner whatever ends this process, `kill -9` included. It has a session of its own,
//     so that what is sent to a terminal or to a process group does not reach it.
// X2. It is started before the first folder is made, and ended after the last one was taken away: there is no moment at which
//     a kill leaves anything behind.
// X3. The sandbox dies with whoever started it (sandbox-arguments.ts, A1), once it has asked the kernel for that; bubblewrap does
//     so in its first process when everything is mounted, some 10 ms after its start. One that had not come that far is
//     ended: it has a mark in place of its name. Until it has ended, its folders stay (P2). What another process has on record, or uses, is left to that process, which has a cleaner of its own. So that two that end
//     at once do not leave it to each other, each first removes its own record.
// X4. Where both are killed, or the machine stops, the record is left, and the next start cleans up (sandbox-leftovers.ts).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { inheritedDescriptors, nothingDescriptor } from './node-shell-inherited.ts';
import { asMounted } from './sandbox-placeholder.ts';

// Its words: the mark; the record, or nothing; then of each folder the path, as a mount table has it, and as a record has it.
const script = `
read -r _
mark=$1; record=$2; shift 2; rounds=0
[ -z "$record" ] || rm -f -- "$record"
takeAway() {
  if [ -n "$record" ] && grep -qF -e "$2" "\${record%/*}"/*.json; then return; fi
  case $(stat -c %a -- "$1") in '' | *[2367]*) ;; *) rmdir -- "$1" ;; esac
}
while [ $rounds -lt 100 ]; do
  sleep 0.2 || sleep 1
  mounts= path= mounted= used=
  for process in /proc/[0-9]*; do
    read -r name <"$process/comm" && [ "$name" = bwrap ] || continue
    read -r words <"$process/cmdline"
    case $words in "$mark"*) kill -9 "\${process#/proc/}" ;; esac
    mounts="$mounts $(cat "$process/mountinfo") "
  done
  for word; do
    if [ -z "$path" ]; then path=$word; continue; fi
    if [ -z "$mounted" ]; then mounted=$word; continue; fi
    case $mounts in *" $mounted "*) used=1 ;; *) takeAway "$path" "$word" ;; esac
    path= mounted=
  done
  [ -n "$used" ] || exit
  rounds=$((rounds + 1))
done 2>/dev/null`;

export interface Cleaner {
  /** It has nothing left to do; resolves when it is gone. */
  dismiss(): Promise<void>;
}

/** `mark`: what the sandbox is called, and nothing else is. `record`: the file; `null` for none. */
export function startCleaner(mark: string, paths: readonly string[], record: string | null): Cleaner {
  const stdio: ('pipe' | 'ignore' | number)[] = ['pipe', 'ignore', 'ignore'];
  for (const descriptor of inheritedDescriptors()) {
    while (stdio.length < descriptor) stdio.push('ignore');
    stdio[descriptor] = nothingDescriptor();
  }
  const child = spawn('/bin/sh', ['-c', script, 'techne-cleaner', mark, record ?? '', ...paths.flatMap((path) => [path, Buffer.from(asMounted(path), 'latin1').toString(), JSON.stringify(path)])], {
    cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, detached: true, stdio,
  });
  // Without a shell there is no cleaner; the next start cleans up (X4).
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  child.unref();
  (child.stdin as Socket | null)?.unref();
  return {
    async dismiss() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.ref();
      child.kill('SIGKILL');
      await gone;
      child.stdin?.destroy();
    },
  };
}
