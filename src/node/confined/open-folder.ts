// A folder that is held open, so that links added later have no effect.
//
//   Target, resolved through every link -> its folder, opened and looked at again by where it really is
//
// The opened folder must be the one that was looked for, inside the root, and not opened through a link. Files in it
// are named through the open folder. On systems without /proc the place is checked before and after instead, which
// leaves a short race.
import { constants, promises as fs } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import { codeOf, leadsNowhere } from '../files/file-fault.ts';
import { faultFor } from './translate-fault.ts';
import { ToolFault } from '../../ports/tool.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants;
const hasProc = process.platform === 'linux';

/** Where a path really leads. */
export interface Target {
  /** As the model sees it. */
  readonly shown: string;
  /** Every link resolved; the last part may not exist. */
  readonly real: string;
  readonly root: string;
}

export interface OpenFolder {
  /** Names this very folder, whatever is renamed meanwhile. */
  readonly path: string;
  close(): Promise<void>;
}

/** Opens the folder and checks that it really lies there. null when there is no such folder. */
export async function openFolder(real: string, { root, shown }: Target): Promise<OpenFolder | null> {
  let handle: fs.FileHandle;
  try {
    handle = await fs.open(real, O_RDONLY | (O_DIRECTORY ?? 0) | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  } catch (error) {
    if (leadsNowhere(error)) return null;
    throw faultFor(error, shown);
  }
  try {
    const place = hasProc ? await fs.readlink(`/proc/self/fd/${handle.fd}`) : await fs.realpath(real);
    if (place !== real || !isInside(place, root))
      throw new ToolFault(`${JSON.stringify(shown)} was moved while it was looked at`);
    return { path: hasProc ? `/proc/self/fd/${handle.fd}` : real, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw faultFor(error, shown);
  }
}

/** One after the other from the root, each through the one before it. */
export async function makeFoldersInside(folder: string, target: Target): Promise<void> {
  let at = target.root;
  for (const name of relative(target.root, folder).split(sep)) {
    const held = await openFolder(at, target);
    if (held === null) throw new ToolFault(`the folder of ${JSON.stringify(target.shown)} cannot be made`);
    try {
      await fs.mkdir(join(held.path, name));
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw faultFor(error, target.shown);
    } finally {
      await held.close();
    }
    at = join(at, name);
  }
}
