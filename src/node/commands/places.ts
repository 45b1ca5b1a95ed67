// Where a command may run, and what it can reach from there.
//
//   workspace × configuration × skill folder × wanted cwd -> real paths, or why not
//
// A command runs in the workspace or in a write root, by real path, so a link that leads out is refused. A workspace
// or root is refused if it would show the whole home folder, folders of the kernel or of running services; the
// folders of git and techne are refused as write roots. Folders of skills stay read-only: a skill that is put there
// could run as trusted. File tools of nested agents may write where commands may, and nowhere if the sandbox is
// refused. A missing root is left out, and one inside another is merged with it.
import { join, resolve } from 'node:path';
import type { Config } from '../../config/types.ts';
import { isInside } from '../../base/is-inside.ts';
import type { FileRoots } from '../confined/confined-files.ts';
import type { SandboxSpec } from '../../ports/shell.ts';
import { protectedNames } from '../sandbox/protected-names.ts';
import { protectionFault } from '../sandbox/protected.ts';
import { realPath } from '../sandbox/view.ts';

interface PlaceOptions {
  readonly workspace: string;
  readonly homeFolder: string;
  readonly sandbox: Config['sandbox'];
  /** Where skills are and are looked for, also where there are none yet. Default: none. */
  readonly skillPlaces?: readonly string[];
}

type CommandPlace<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

const mebibyte = 1024 * 1024;

const refuse = (reason: string): { readonly ok: false; readonly reason: string } => ({ ok: false, reason });

/** The real path of the folder to run in. */
export function placeToRun(options: PlaceOptions, cwd: string | null): CommandPlace<string> {
  const workspace = realPath(options.workspace);
  if (workspace === null) return refuse(`the working folder "${options.workspace}" does not exist`);
  if (cwd?.includes('\0') === true) return refuse('the working folder holds a NUL character');
  const folder = realPath(resolve(workspace, cwd ?? '.'));
  if (folder === null) return refuse(`the folder "${cwd}" does not exist`);
  const roots = writeRoots(options, workspace);
  if (!roots.ok) return roots;
  if ([workspace, ...roots.value].some((root) => isInside(folder, root))) return { ok: true, value: folder };
  return refuse(`the folder "${cwd}" is outside the workspace "${workspace}" and every write root`);
}

/** The sandbox for a command of the skill in `skillFolder`. */
export function placesToReach(options: PlaceOptions, skillFolder: string | null): CommandPlace<SandboxSpec> {
  const { network } = options.sandbox;
  if (network.length > 0 && !network.includes('*')) {
    return refuse(
      `sandbox.network names domains (${network.join(', ')}), and this sandbox cannot tell one domain from another; "*" opens the whole network, [] closes it`,
    );
  }
  const workspace = realPath(options.workspace);
  if (workspace === null) return refuse(`the working folder "${options.workspace}" does not exist`);
  const write = writeRoots(options, workspace);
  if (!write.ok) return write;
  const read = options.sandbox.readRoots.flatMap((root) =>
    existing(resolveRoot(root, workspace, options.homeFolder)),
  );
  const skill = skillFolder === null ? [] : existing(skillFolder);
  const wide = [workspace, ...read, ...skill, ...write.value]
    .map((root) => wideness(root, options.homeFolder))
    .find((fault) => fault !== null);
  if (wide !== undefined) return refuse(wide);
  const link = write.value.map(protectionFault).find((fault) => fault !== null);
  if (link !== undefined) return refuse(link);
  // Names at the top of the workspace are protected also where a write root begins above it.
  const inner = write.value.some((root) => root !== workspace && isInside(workspace, root))
    ? protectedNames.map((name) => join(workspace, name))
    : [];
  const hold = [...(options.skillPlaces ?? []), ...inner];
  return {
    ok: true,
    value: {
      readRoots: outermost([workspace, ...read]),
      writeRoots: write.value,
      protect: skill,
      ...(hold.length === 0 ? {} : { hold }),
      network: network.includes('*'),
      limits: { processes: options.sandbox.processes, memoryBytes: options.sandbox.memoryMiB * mebibyte },
    },
  };
}

/** What the file tools of a nested agent may touch. */
export function placesForFiles(options: PlaceOptions): FileRoots {
  const nothing = (reason: string): FileRoots => ({ read: [options.workspace], write: [], refusal: reason });
  const workspace = realPath(options.workspace);
  if (workspace === null) return nothing(`the working folder "${options.workspace}" does not exist`);
  const write = writeRoots(options, workspace);
  if (!write.ok) return nothing(write.reason);
  const wide = [workspace, ...write.value]
    .map((root) => wideness(root, options.homeFolder))
    .find((fault) => fault !== null);
  if (wide !== undefined) return nothing(wide);
  return {
    read: [workspace, ...write.value.filter((root) => !isInside(root, workspace))],
    write: write.value,
    ...(options.skillPlaces === undefined ? {} : { guarded: options.skillPlaces }),
  };
}

function writeRoots(
  { sandbox, homeFolder }: PlaceOptions,
  workspace: string,
): CommandPlace<readonly string[]> {
  const roots: string[] = [];
  for (const root of sandbox.writeRoots) {
    const [real] = existing(resolveRoot(root, workspace, homeFolder));
    if (real === undefined) continue;
    const isRelative = !root.startsWith('/') && !isHomePath(root);
    if (isRelative && !isInside(real, workspace))
      return refuse(`the write root "${root}" leads out of the workspace, to "${real}"`);
    if (real.split('/').includes('.git'))
      return refuse(`"${real}" cannot be a write root: what lies in it makes git run programs`);
    const own = realPath(join(homeFolder, '.techne'));
    if (own !== null && isInside(real, own))
      return refuse(`"${real}" cannot be a write root: it holds what you have trusted and approved`);
    roots.push(real);
  }
  return { ok: true, value: outermost(roots) };
}

const isHomePath = (root: string): boolean => root === '~' || root.startsWith('~/');

function resolveRoot(root: string, workspace: string, homeFolder: string): string {
  return isHomePath(root) ? join(homeFolder, root.slice(1)) : resolve(workspace, root);
}

function existing(path: string): readonly string[] {
  const real = realPath(path);
  return real === null ? [] : [real];
}

/** Why `root` must not be shown to a sandboxed command, or `null`. */
function wideness(root: string, homeFolder: string): string | null {
  const home = realPath(homeFolder) ?? homeFolder;
  if (isInside(home, root))
    return `"${root}" holds your whole home folder, which a sandboxed command must not see; work in the folder of a project`;
  const closed = ['/proc', '/sys', '/dev', '/run', '/boot', '/etc', '/var/run'].find((each) =>
    isInside(root, each),
  );
  return closed === undefined
    ? null
    : `"${root}" is part of the system, which a sandboxed command must not see`;
}

function outermost(roots: readonly string[]): readonly string[] {
  const all = [...new Set(roots)];
  return all.filter((root) => !all.some((other) => other !== root && isInside(root, other)));
}
