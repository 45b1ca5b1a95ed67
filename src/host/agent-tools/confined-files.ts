// Files inside given folders, and nowhere else.
//
//   path from a model -> a folder that is held open, and a name in it
//
// C1. A path is resolved through every link first, and what it really is must lie in a root. The folder it lies in is
//     then opened and looked at again by where it really is; files are opened, made and renamed through that open folder
//     and never through a link. So a link that is put in the way later leads nowhere. Where the system cannot name a
//     file through an open folder (no /proc), the place is looked at before and after, which leaves a moment open.
// C2. Regular files only, opened without waiting; devices, pipes and sockets are refused. Sizes are bounded.
// C3. Not written to: names that make another program run code later (protected-names.ts), also behind a link of such a
//     name, and what is named as guarded, such as folders of skills, also where they are not there yet. A guarded folder
//     that holds a whole root leaves it open, but for a SKILL.md: that would make a skill of what lies around it.
// C4. Written whole or not at all: a temporary file beside it, synced, then renamed.
import type { Stats } from 'node:fs';
import { constants, promises as fs } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../../registry/is-inside.ts';
import { codeOf, leadsNowhere } from '../file-fault.ts';
import { nodeCrypto } from '../node-crypto.ts';
import { nodeDecodeUtf8 } from '../node-environment.ts';
import { protectedNames, protectedPart } from '../protected-names.ts';
import { ToolFault } from './tool.ts';

/** Absolute; the first of `read` is where relative paths start. */
export interface FileRoots {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Why nothing may be touched. Default: it may. */
  readonly refusal?: string;
  /** Folders and files that are not written to, such as those of skills, also where they are not there yet. Default: none. */
  readonly guarded?: readonly string[];
}

export interface ConfinedFilesOptions {
  readonly roots: FileRoots;
  /** Besides those of the roots. Default: none. */
  readonly guarded?: readonly string[];
  /** Of one file that is read or written. Default: 2 MiB. */
  readonly maxBytes?: number;
}

export interface FoundEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/** What a path really is. */
interface Target {
  /** As the model is told. */
  readonly shown: string;
  /** Every link resolved; the last part may not exist. */
  readonly real: string;
  readonly root: string;
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY, O_DIRECTORY } = constants;
const hasProc = process.platform === 'linux';
const maxHops = 40;

export class ConfinedFiles {
  readonly #roots: FileRoots;
  readonly #guarded: readonly string[];
  readonly maxBytes: number;

  constructor({ roots, guarded = [], maxBytes = 2 * 1024 * 1024 }: ConfinedFilesOptions) {
    this.#roots = roots;
    this.#guarded = [...new Set([...(roots.guarded ?? []), ...guarded])];
    this.maxBytes = maxBytes;
  }

  /** The text of a file. Throws ToolFault, also for what is no text. */
  async readText(path: string, mayTouch: (path: string) => boolean): Promise<string> {
    const text = await this.readTextOrNull(path, 'read', mayTouch);
    if (text === null) throw new ToolFault(`there is no file ${JSON.stringify(path)}`);
    return text;
  }

  /** null when there is no file; `for write` judges the place as one that is written to. */
  async readTextOrNull(path: string, use: 'read' | 'write', mayTouch: (path: string) => boolean): Promise<string | null> {
    const target = await this.#locate(path, use, mayTouch);
    const bytes = await this.#withFolder(target, false, (folder) => readRegular(folder, basename(target.real), target.shown, this.maxBytes));
    if (bytes === null) return null;
    if (bytes.subarray(0, 8192).includes(0)) throw new ToolFault(`${JSON.stringify(target.shown)} is a binary file`);
    const { text, valid } = nodeDecodeUtf8(bytes);
    if (!valid) throw new ToolFault(`${JSON.stringify(target.shown)} is not a text in UTF-8`);
    return text;
  }

  /** How long a file is, whatever it holds. Throws ToolFault. */
  async sizeOf(path: string, mayTouch: (path: string) => boolean): Promise<number> {
    const target = await this.#locate(path, 'read', mayTouch);
    const bytes = await this.#withFolder(target, false, (folder) => sizeOfRegular(folder, basename(target.real), target.shown));
    if (bytes === null) throw new ToolFault(`there is no file ${JSON.stringify(path)}`);
    return bytes;
  }

  /** Makes missing folders; keeps the permissions of a file that is there. */
  async writeText(path: string, text: string, mayTouch: (path: string) => boolean): Promise<void> {
    const bytes = Buffer.from(text, 'utf8');
    if (bytes.length > this.maxBytes) throw new ToolFault(`the text has ${bytes.length} bytes, over the limit of ${this.maxBytes}`);
    const target = await this.#locate(path, 'write', mayTouch);
    await this.#withFolder(target, true, (folder) => replaceFile(folder, basename(target.real), bytes, target.shown));
  }

  /** The entries of a folder by name, or null when it is a file or nothing. */
  async list(path: string): Promise<readonly FoundEntry[] | null> {
    const target = await this.#locate(path, 'read', () => true);
    const folder = await openFolder(target.real, target);
    if (folder === null) return null;
    try {
      const entries = await fs.readdir(folder.path, { withFileTypes: true });
      return entries
        .map((entry): FoundEntry => ({ name: entry.name, kind: entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other' }))
        .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    } catch (error) {
      throw faultFor(error, target.shown);
    } finally {
      await folder.close();
    }
  }

  async #locate(path: string, use: 'read' | 'write', mayTouch: (path: string) => boolean): Promise<Target> {
    if (path.includes('\0')) throw new ToolFault('a path cannot hold a NUL character');
    if (path.split(/[\\/]/).includes('..')) throw new ToolFault(`${JSON.stringify(path)} holds ".."; write the path from the working folder`);
    if (this.#roots.refusal !== undefined) throw new ToolFault(`files cannot be used here: ${this.#roots.refusal}`);
    const [base = ''] = this.#roots.read;
    const wanted = isAbsolute(path) ? resolve(path) : resolve(base, path);
    const real = await realPlace(wanted, path);
    const roots = await Promise.all(this.#roots[use].map((root) => realPlace(root, root)));
    const root = roots.find((each) => isInside(real, each));
    if (root === undefined) throw new ToolFault(`${JSON.stringify(path)} lies outside the folders that may be ${use === 'read' ? 'read' : 'written to'}`);
    const workFolder = await realPlace(base, base);
    const inside = relative(workFolder, real).split(sep).join('/');
    if (!mayTouch(inside === '' ? '.' : inside)) throw new ToolFault(`${JSON.stringify(path)} is not among the paths that this ask may use`);
    if (use === 'write') await this.#refuseGuarded(real, isInside(real, workFolder) && workFolder !== root ? [root, workFolder] : [root], path);
    return { shown: path, real, root };
  }

  /** `tops`: the root, and the working folder around the file. */
  async #refuseGuarded(real: string, tops: readonly string[], shown: string): Promise<void> {
    const refuse = (why: string): never => {
      throw new ToolFault(`${JSON.stringify(shown)} may not be written to: ${why}`);
    };
    for (const top of tops) {
      const part = protectedPart(relative(top, real).split(sep));
      if (part !== null) refuse(`it is part of ${part}`);
      for (const name of protectedNames) {
        if ((await targetOf(join(top, name))) === null) continue;
        const behind = await placeOf(join(top, name));
        if (!isInside(top, behind) && isWithin(real, behind)) refuse(`it is part of ${name}`);
      }
    }
    for (const guarded of this.#guarded) {
      const place = await placeOf(guarded);
      const isWhole = isInside(tops[0] as string, place);
      if (isWhole ? basename(real).toLowerCase() === 'skill.md' : isWithin(real, place)) refuse('it belongs to a skill');
    }
  }

  /** Calls `work` with the folder that holds the target; null when it is not there and is not to be made. */
  async #withFolder<T>(target: Target, make: boolean, work: (folder: HeldFolder) => Promise<T>): Promise<T | null> {
    if (target.real === target.root) throw new ToolFault(`${JSON.stringify(target.shown)} is a folder`);
    const parent = dirname(target.real);
    let folder = await openFolder(parent, target);
    if (folder === null && make) {
      await makeFolders(parent, target);
      folder = await openFolder(parent, target);
    }
    if (folder === null) {
      if (make) throw new ToolFault(`the folder of ${JSON.stringify(target.shown)} cannot be made`);
      return null;
    }
    try {
      return await work(folder);
    } catch (error) {
      throw faultFor(error, target.shown);
    } finally {
      await folder.close();
    }
  }
}

/** The path with every link resolved; parts that do not exist stay as they are. */
async function realPlace(path: string, shown: string): Promise<string> {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(await fs.realpath(at), ...rest);
    } catch (error) {
      if (!leadsNowhere(error) || dirname(at) === at) throw faultFor(error, shown);
      // A link that leads nowhere would be followed once its target is there.
      if (await isLink(at)) throw new ToolFault(`${JSON.stringify(shown)} goes through a link that leads nowhere`);
      rest.unshift(basename(at));
    }
  }
}

/** Where `path` leads, or would lead if it were there: links that lead nowhere yet are followed, too. */
async function placeOf(path: string, hops = 0): Promise<string> {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(await fs.realpath(at), ...rest);
    } catch (error) {
      if (codeOf(error) === '') throw error;
      const target = hops < maxHops ? await targetOf(at) : null;
      if (target !== null) return placeOf(resolve(dirname(at), target, ...rest), hops + 1);
      if (dirname(at) === at) return path;
      rest.unshift(basename(at));
    }
  }
}

/** Of a link; `null` for everything else, and for what may not be looked at. */
async function targetOf(path: string): Promise<string | null> {
  try {
    return await fs.readlink(path);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return null;
  }
}

/** Some file systems do not tell the cases apart. */
function isWithin(path: string, folder: string): boolean {
  return isInside(path.toLowerCase(), folder.toLowerCase());
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await fs.lstat(path)).isSymbolicLink();
  } catch (error) {
    if (leadsNowhere(error)) return false;
    throw error;
  }
}

interface HeldFolder {
  /** Names this very folder, whatever is renamed meanwhile. */
  readonly path: string;
  close(): Promise<void>;
}

/** Opens the folder and checks that what was opened really lies there (C1). null when there is no such folder. */
async function openFolder(real: string, { root, shown }: Target): Promise<HeldFolder | null> {
  let handle: fs.FileHandle;
  try {
    handle = await fs.open(real, O_RDONLY | (O_DIRECTORY ?? 0) | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  } catch (error) {
    if (leadsNowhere(error)) return null;
    throw faultFor(error, shown);
  }
  try {
    const place = hasProc ? await fs.readlink(`/proc/self/fd/${handle.fd}`) : await fs.realpath(real);
    if (place !== real || !isInside(place, root)) throw new ToolFault(`${JSON.stringify(shown)} was moved while it was looked at`);
    return { path: hasProc ? `/proc/self/fd/${handle.fd}` : real, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw faultFor(error, shown);
  }
}

/** One after the other from the root, each through the one before it. */
async function makeFolders(folder: string, target: Target): Promise<void> {
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

async function readRegular(folder: HeldFolder, name: string, shown: string, maxBytes: number): Promise<Uint8Array | null> {
  let handle: fs.FileHandle;
  try {
    handle = await fs.open(join(folder.path, name), O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0) | (O_NOCTTY ?? 0));
  } catch (error) {
    if (leadsNowhere(error)) return null;
    throw error;
  }
  try {
    const stat = await handle.stat();
    mustBeRegular(stat, shown);
    if (stat.size > maxBytes) throw new ToolFault(`${JSON.stringify(shown)} has ${stat.size} bytes, over the limit of ${maxBytes}`);
    // One byte more than allowed, so that a file that grows is noticed.
    const bytes = new Uint8Array(Math.min(stat.size, maxBytes) + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (length > stat.size) throw new ToolFault(`${JSON.stringify(shown)} was written to while it was read`);
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

async function sizeOfRegular(folder: HeldFolder, name: string, shown: string): Promise<number | null> {
  try {
    const stat = await fs.lstat(join(folder.path, name));
    mustBeRegular(stat, shown);
    return stat.size;
  } catch (error) {
    if (leadsNowhere(error)) return null;
    throw error;
  }
}

function mustBeRegular(stat: Stats, shown: string): void {
  if (!stat.isFile()) throw new ToolFault(`${JSON.stringify(shown)} is ${stat.isDirectory() ? 'a folder' : 'a special file'}, not a file`);
}

async function replaceFile(folder: HeldFolder, name: string, bytes: Uint8Array, shown: string): Promise<void> {
  const path = join(folder.path, name);
  const before = await fs.lstat(path).catch((error: unknown) => {
    if (leadsNowhere(error)) return null;
    throw error;
  });
  if (before !== null) mustBeRegular(before, shown);
  const temporary = join(folder.path, `.${name.slice(0, 100)}.${nodeCrypto().randomBytes(6).toString('hex')}.tmp`);
  const handle = await fs.open(temporary, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), before === null ? 0o666 : 0o600);
  try {
    try {
      await handle.writeFile(bytes);
      if (before !== null) await handle.chmod(before.mode & 0o777);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await fs.rename(temporary, path);
  } catch (error) {
    // What made it useless is the fault worth telling.
    await fs.unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** A fault of the system as the model is told: without the place where the folder is held. */
function faultFor(error: unknown, shown: string): unknown {
  if (error instanceof ToolFault) return error;
  const code = codeOf(error);
  if (code === '') return error;
  const known: { readonly [code: string]: string } = {
    EACCES: 'may not be used', EPERM: 'may not be used', ELOOP: 'is a link, or goes round in a circle', ENOTDIR: 'is not a folder', EISDIR: 'is a folder', ENAMETOOLONG: 'is too long a name', ENXIO: 'is a special file, not a file', ENOSPC: 'cannot be written: the disk is full', EROFS: 'cannot be written: the disk is read-only',
  };
  return new ToolFault(`${JSON.stringify(shown)} ${Object.hasOwn(known, code) ? known[code] : `cannot be used (${code})`}`);
}
