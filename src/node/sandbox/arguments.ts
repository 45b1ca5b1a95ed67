// The sandbox of one command, as arguments of bubblewrap.
//
//   SandboxSpec × view of the machine -> bwrap arguments, the data it reads from descriptors
//
// Everything is unshared, including the network unless it is requested. The command has no capabilities, no new
// privileges, no further user namespaces and its own session, and it dies with the process that started it. The root,
// /dev and /proc are read-only: root could otherwise change the machine through /proc/sys. Writable are /tmp, the
// home folder and /dev/shm, each in bounded memory, and the write roots.
//
// Later binds override earlier ones: system, memory, roots from the shortest path on, then protected places, then what
// is hidden. A folder between a write root and a protected place is a mount of its own, so that it cannot be renamed.
// Arguments are visible from outside, so they carry no secrets.
import { dirname } from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import type { SandboxSpec } from '../../ports/shell.ts';
import { sandboxFilter } from './filter.ts';
import { identityFiles, lstat, networkFiles, systemFiles, systemFoldersHere } from './view.ts';

export const sandboxHome = '/home/techne';

const mebibyte = 1024 * 1024;
const memory = { temporary: 1024 * mebibyte, home: 256 * mebibyte, shared: 256 * mebibyte };

/** Not needed by programs, and some can be read by the machine's root: timings and addresses of the kernel. */
const hiddenInProc = [
  'kcore',
  'kmsg',
  'kallsyms',
  'keys',
  'key-users',
  'kpagecgroup',
  'kpagecount',
  'kpageflags',
  'slabinfo',
  'timer_list',
  'vmallocinfo',
  'iomem',
  'ioports',
  'mtrr',
];

interface SandboxArguments {
  readonly args: readonly string[];
  /** What bubblewrap reads from each descriptor. */
  readonly inputs: ReadonlyMap<number, Buffer>;
  /** Where it writes the number of the first process, and the exit code of a command that was started. */
  readonly statusDescriptor: number;
  /** Where the process that starts the command reports how that ended (starter.ts). */
  readonly reportDescriptor: number;
  /** Where it waits for a byte before the command is started; `null`: it does not wait. */
  readonly gateDescriptor: number | null;
}

interface SandboxPlan extends SandboxSpec {
  readonly cwd: string;
  /** Read-only, besides the read roots. */
  readonly toolchains: readonly string[];
  /** Bound read-only at the end: what `holdNames` gave. */
  readonly heldNames: readonly string[];
  /** Whether the command waits until it is let in. */
  readonly isGated: boolean;
  /** Whether this bubblewrap can forbid further user namespaces. The filter does it as well. */
  readonly canDisableUserNamespaces: boolean;
}

export function sandboxArguments(plan: SandboxPlan): SandboxArguments {
  const inputs = new Map<number, Buffer>();
  const statusDescriptor = 3;
  const input = (bytes: Buffer): string => {
    const descriptor = statusDescriptor + 1 + inputs.size;
    inputs.set(descriptor, bytes);
    return String(descriptor);
  };
  const filter = sandboxFilter(process.arch);
  const shared = plan.network ? networkFiles : [];
  const args = [
    '--unshare-all',
    '--unshare-user',
    ...(plan.network ? ['--share-net'] : []),
    ...(plan.canDisableUserNamespaces ? ['--disable-userns'] : []),
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--hostname',
    'techne',
    '--json-status-fd',
    String(statusDescriptor),
    ...(filter === null ? [] : ['--seccomp', input(filter)]),

    ...systemFoldersHere().flatMap(({ path, linksTo }) =>
      linksTo === null ? readOnly(path) : ['--symlink', linksTo, path],
    ),
    ...[...systemFiles, ...shared].flatMap((path) => ['--ro-bind-try', path, path]),
    ...identityFiles(sandboxHome)
      .filter(({ path }) => !shared.includes(path))
      .flatMap(({ path, text }) => ['--ro-bind-data', input(Buffer.from(text)), path]),

    '--proc',
    '/proc',
    ...hiddenInProc
      .map((name) => `/proc/${name}`)
      .filter((path) => lstat(path) !== null)
      .flatMap((path) => ['--ro-bind', '/dev/null', path]),
    '--remount-ro',
    '/proc',
    '--dev',
    '/dev',
    ...inMemory('/dev/shm', '1777', memory.shared),
    '--remount-ro',
    '/dev',
    ...inMemory('/tmp', '1777', memory.temporary),
    ...inMemory(sandboxHome, '0700', memory.home),
    ...inMemory('/var/tmp', '1777', memory.shared),

    ...binds(plan),
    '--remount-ro',
    '/',
    '--chdir',
    plan.cwd,
  ];
  const reportDescriptor = statusDescriptor + 1 + inputs.size;
  const gateDescriptor = plan.isGated ? reportDescriptor + 1 : null;
  return {
    args: gateDescriptor === null ? args : [...args, '--block-fd', String(gateDescriptor)],
    inputs,
    statusDescriptor,
    reportDescriptor,
    gateDescriptor,
  };
}

function binds({
  readRoots,
  writeRoots,
  protect = [],
  hide = [],
  toolchains,
  heldNames,
}: SandboxPlan): readonly string[] {
  const writable = writeRoots.filter((root) => !protect.some((kept) => isInside(root, kept)));
  const roots = [
    ...[...readRoots, ...toolchains, ...protect].map((path) => ({ path, args: readOnly(path) })),
    ...writable.map((path) => ({ path, args: ['--bind', path, path] })),
  ];
  // Sorting is stable: a folder that is both can be written to.
  const open = roots.toSorted((a, b) => a.path.length - b.path.length).flatMap(({ args }) => args);
  const kept = [...protect, ...heldNames].filter((path) =>
    writable.some((root) => path !== root && isInside(path, root)),
  );
  const between = new Set(kept.flatMap((path) => foldersBetween(path, writable)));
  return [
    ...open,
    ...[...between].toSorted((a, b) => a.length - b.length).flatMap((path) => ['--bind', path, path]),
    ...kept.toSorted((a, b) => a.length - b.length).flatMap(readOnly),
    ...hide.flatMap(hidden),
  ];
}

/** An empty folder, or a device that cannot be opened there. */
function hidden(path: string): readonly string[] {
  const stat = lstat(path);
  if (stat === null) return [];
  return stat.isDirectory()
    ? ['--perms', '0555', '--tmpfs', path, '--remount-ro', path]
    : ['--ro-bind', '/dev/null', path];
}

/** Strictly between a write root and something inside it. */
function foldersBetween(path: string, roots: readonly string[]): readonly string[] {
  const between: string[] = [];
  for (
    let folder = dirname(path);
    roots.some((root) => folder !== root && isInside(folder, root));
    folder = dirname(folder)
  )
    between.push(folder);
  return between;
}

function readOnly(path: string): readonly string[] {
  return ['--ro-bind', path, path];
}

function inMemory(path: string, mode: string, bytes: number): readonly string[] {
  return ['--perms', mode, '--size', String(bytes), '--tmpfs', path];
}

/** For the test whether the sandbox works at all. */
export const emptyPlan = (canDisableUserNamespaces: boolean): SandboxPlan => ({
  readRoots: [],
  writeRoots: [],
  network: false,
  cwd: '/',
  toolchains: [],
  heldNames: [],
  isGated: false,
  canDisableUserNamespaces,
});
