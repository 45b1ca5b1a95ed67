// Detects whether commands can be confined on this machine, by confining one.
//
// bubblewrap is looked for in system folders only: PATH may lead into a workspace. It is tried once per process, on
// demand, with the arguments that are used later; if it fails, its own message is the reason.
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../files/file-fault.ts';
import { emptyPlan, sandboxArguments } from './arguments.ts';
import { sandboxFilter } from './filter.ts';

export type SandboxFact =
  | {
      readonly available: true;
      readonly detail: string;
      readonly file: string;
      readonly canDisableUserNamespaces: boolean;
    }
  | { readonly available: false; readonly detail: string };

const usualPlaces = [
  '/usr/bin/bwrap',
  '/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
];
const trialMs = 10_000;
const facts = new Map<string | null, SandboxFact>();

/** `file`: where bubblewrap is; `undefined` looks in the usual places, `null` means none. */
export function detectSandbox(file: string | null | undefined): SandboxFact {
  const place = file === undefined ? (usualPlaces.find((path) => fs.existsSync(path)) ?? null) : file;
  const fact = facts.get(place) ?? trySandbox(place, process);
  facts.set(place, fact);
  return fact;
}

/** What `detectSandbox` remembers. */
export function trySandbox(
  file: string | null,
  { platform, arch }: { readonly platform: string; readonly arch: string },
): SandboxFact {
  if (platform !== 'linux')
    return { available: false, detail: `bubblewrap exists only for Linux; this is ${platform}` };
  if (file === null)
    return {
      available: false,
      detail: 'bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)',
    };
  if (sandboxFilter(arch) === null)
    return {
      available: false,
      detail: `the system calls of ${arch} are not known here, so they cannot be filtered`,
    };
  const fault = tried(file, true);
  if (fault === null)
    return { available: true, detail: `bubblewrap (${file})`, file, canDisableUserNamespaces: true };
  if (/userns|unknown option/i.test(fault) && tried(file, false) === null)
    return { available: true, detail: `bubblewrap (${file})`, file, canDisableUserNamespaces: false };
  return {
    available: false,
    detail: `bubblewrap is installed but does not work here: ${fault}${hintFor(fault)}`,
  };
}

/** `null` when a command could be confined. */
function tried(file: string, canDisableUserNamespaces: boolean): string | null {
  const { args, inputs } = sandboxArguments(emptyPlan(canDisableUserNamespaces));
  const folder = fs.mkdtempSync(join(tmpdir(), 'techne-sandbox-'));
  const descriptors: number[] = [];
  try {
    // A synchronous child cannot be fed through further pipes, so the data lies in files for a moment.
    const open = [...inputs].map(([number, bytes]) => {
      const path = join(folder, String(number));
      fs.writeFileSync(path, bytes, { mode: 0o600 });
      const descriptor = fs.openSync(path, 'r');
      descriptors.push(descriptor);
      return descriptor;
    });
    const { error, status, stderr } = spawnSync(file, [...args, '--', 'true'], {
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', ...open],
      timeout: trialMs,
      killSignal: 'SIGKILL',
    });
    if (error !== undefined) return codeOf(error) === '' ? error.message : codeOf(error);
    return status === 0
      ? null
      : stderr
          .toString('utf8')
          .trim()
          .split('\n')
          .at(-1)
          ?.replace(/^bwrap: /, '') || `it ended with ${status}`;
  } finally {
    for (const descriptor of descriptors) fs.closeSync(descriptor);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function hintFor(fault: string): string {
  if (!/permi|user ?namespace|uid map|clone|unshare/i.test(fault)) return '';
  return ' (user namespaces are forbidden: see kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns, user.max_user_namespaces, or the rules of the container this runs in)';
}
