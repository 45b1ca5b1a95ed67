// A process that removes placeholders if this process is killed.
//
//   places; which of them were made, as it happens -> a shell that waits for the end of its input -> the sandbox ended, rmdir of each
//
// The kernel closes the input of the cleaner whatever ends this process, `kill -9` included; it has a session of its
// own, so signals to a terminal or a process group do not reach it. The sandbox dies with its parent once bubblewrap
// has asked the kernel for that, about 10 ms after its start; an earlier one is found by its mark and killed. Folders
// stay while a sandbox uses them. What another process has on record or uses is left to the cleaner of that process;
// each ends its own record first, so that two that end together do not leave a folder to each other. If the cleaner
// is killed too, the next start cleans up (leftovers.ts).
//
// cleaner#X2. It starts before the first folder is made and ends after the last one is removed. It hears of each
//     folder as soon as that is made and removes no other: a kill between these two system calls leaves a single
//     empty folder.
// cleaner#X5. It holds the folders above the placeholders open and reaches placeholders only through them: a
//     workspace that is moved is cleaned up where it is now, and a link in its place is not followed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { basename } from 'node:path';
import { withoutInherited } from '../shell/inherited.ts';
import { asMounted } from './placeholder.ts';

// Few processes are started, since there are many places: all are looked at at once, and records are read by the shell.
// Its words: the mark; the record, or nothing; then of each place where it is, and as a mount table has it.
// Its lines: NUMBER=ID of each place that was made, counted from 0.
const script = `
made=' '
while read -r line; do made="$made$line "; done
mark=$1; record=$2; shift 2; rounds=0
newline='
'
ended=\${record%.json}.ending
[ -z "$record" ] || mv -f -- "$record" "$ended"
isThere() {
  case $newline$facts$newline in *"$newline$1|$2|"*) ;; *) return 1 ;; esac
  mode=\${facts#*"$1|$2|"}
  case \${mode%%"$newline"*} in *[2367] | *[2367]? | *[2367]??) return 1 ;; esac
}
isOnRecord() {
  for file in "\${record%/*}"/*.json; do
    text=; read -r text <"$file"
    # Not what \`read\` gave: a record has no end of line.
    case $text in *"\\"$1\\""*) return 0 ;; esac
  done
  return 1
}
takeAway() {
  if [ -n "$record" ] && isOnRecord "$2"; then return; fi
  if isThere "$1" "$2"; then rmdir -- "$1" || { look "$1"; ! isThere "$1" "$2"; }; fi
}
look() { facts=$(stat -c '%n|%d:%i:%Y|%a' -- "$@"); }
while [ $rounds -lt 100 ]; do
  sleep 0.2 || sleep 1
  mounts= place= left= number=0
  for process in /proc/[0-9]*; do
    read -r name <"$process/comm" && [ "$name" = bwrap ] || continue
    read -r words <"$process/cmdline"
    case $words in "$mark"*) kill -9 "\${process#/proc/}" ;; esac
    mounts="$mounts $(cat "$process/mountinfo") "
  done
  look "$@"
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
  const stdio = withoutInherited<'pipe' | 'ignore' | number>(['pipe', 'ignore', 'ignore', ...parents]);
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
  // Without a shell there is no cleaner; the next start cleans up (leftovers.ts).
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
