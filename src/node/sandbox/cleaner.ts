// Takes placeholders away when this process can no longer do it, since it was killed.
//
//   places; which of them were made, as it happens -> a shell that waits for the end of its input -> the sandbox ended, rmdir of each
//
// X1. The kernel closes the input of the cleaner whatever ends this process, `kill -9` included. It has a session of its own,
//     so that what is sent to a terminal or to a process group does not reach it.
// X2. It is started before the first folder is made, and ended after the last one was taken away. It is told of each folder as
//     soon as that is made, and takes away no other (P3): a kill between these two system calls leaves a single empty folder.
// X3. The sandbox dies with whoever started it (sandbox-arguments.ts, A1), once it has asked the kernel for that; bubblewrap does
//     so in its first process when everything is mounted, some 10 ms after its start. One that had not come that far is
//     ended: it has a mark in place of its name. Until it has ended, its folders stay (P2). What another process has on record, or
//     uses, is left to that process, which has a cleaner of its own. So that two that end at once do not leave it to each other,
//     each first ends its own record (H1), and removes it when nothing of it is left.
// X4. Where both are killed, or the machine stops, the record is left, and the next start cleans up (sandbox-leftovers.ts).
// X5. It has the folders above the placeholders open, and reaches them by that alone: a workspace that is moved meanwhile is cleaned
//     up where it is now, and what is put in its place, such as a link, is not followed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { basename } from 'node:path';
import { inheritedDescriptors, nothingDescriptor } from '../shell/inherited.ts';
import { asMounted } from './placeholder.ts';

// Its words: the mark; the record, or nothing; then of each place where it is, and as a mount table has it.
// Its lines: NUMBER=ID of each place that was made, counted from 0.
const script = `
made=' '
while read -r line; do made="$made$line "; done
mark=$1; record=$2; shift 2; rounds=0
ended=\${record%.json}.ending
[ -z "$record" ] || mv -f -- "$record" "$ended"
isThere() {
  found=$(stat -c '%d:%i:%Y %a' -- "$1")
  case \${found##* } in *[2367] | *[2367]? | *[2367]??) return 1 ;; esac
  [ "\${found% *}" = "$2" ]
}
takeAway() {
  if [ -n "$record" ] && grep -qF -e "\\"$2\\"" "\${record%/*}"/*.json; then return; fi
  if isThere "$1" "$2"; then rmdir -- "$1" || ! isThere "$1" "$2"; fi
}
while [ $rounds -lt 100 ]; do
  sleep 0.2 || sleep 1
  mounts= place= left= number=0
  for process in /proc/[0-9]*; do
    read -r name <"$process/comm" && [ "$name" = bwrap ] || continue
    read -r words <"$process/cmdline"
    case $words in "$mark"*) kill -9 "\${process#/proc/}" ;; esac
    mounts="$mounts $(cat "$process/mountinfo") "
  done
  for word; do
    if [ -z "$place" ]; then place=$word; continue; fi
    case $made in *" $number="*)
      id=\${made#*" $number="}; id=\${id%% *}
      case $mounts in *" $word "*) left=1 ;; *) takeAway "$place" "$id" || left=1 ;; esac
    esac
    place= number=$((number + 1))
  done
  if [ -z "$left" ]; then [ -z "$record" ] || rm -f -- "$ended"; exit; fi
  rounds=$((rounds + 1))
done 2>/dev/null`;

/** Where a placeholder may be made. */
interface CleanerPlace {
  readonly path: string;
  /** The folder above it, open. */
  readonly parent: number;
}

interface Cleaner {
  /** The place of this number was made. Sent when it returns: the pipe has room for all of them. */
  tell(number: number, id: string): void;
  /** It has nothing left to do; resolves when it is gone. */
  dismiss(): Promise<void>;
  /** It takes away what is left as soon as no sandbox uses it. */
  leave(): void;
}

/** `mark`: what the sandbox is called, and nothing else is. `record`: the file; `null` for none. */
export function startCleaner(mark: string, places: readonly CleanerPlace[], record: string | null): Cleaner {
  const parents = [...new Set(places.map(({ parent }) => parent))];
  const stdio: ('pipe' | 'ignore' | number)[] = ['pipe', 'ignore', 'ignore', ...parents];
  for (const descriptor of inheritedDescriptors()) {
    if (descriptor < 3 + parents.length) continue;
    while (stdio.length < descriptor) stdio.push('ignore');
    stdio[descriptor] = nothingDescriptor();
  }
  const words = places.flatMap(({ path, parent }) => [
    `/proc/self/fd/${3 + parents.indexOf(parent)}/${basename(path)}`,
    Buffer.from(asMounted(path), 'latin1').toString(),
  ]);
  const child = spawn('/bin/sh', ['-c', script, 'techne-cleaner', mark, record ?? '', ...words], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    detached: true,
    stdio,
  });
  // Without a shell there is no cleaner; the next start cleans up (X4).
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  child.unref();
  (child.stdin as Socket | null)?.unref();
  return {
    tell: (number, id) => void child.stdin?.write(`${number}=${id}\n`),
    async dismiss() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.ref();
      child.kill('SIGKILL');
      await gone;
      child.stdin?.destroy();
    },
    leave: () => void child.stdin?.destroy(),
  };
}
