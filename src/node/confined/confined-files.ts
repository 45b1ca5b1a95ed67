// Files inside given folders, and nowhere else.
//
//   path from a model -> a folder that is held open, and a name in it
//
// A path is resolved through every link first (real-place.ts), and its real place must lie in a root. Its folder is
// then opened and checked again (open-folder.ts), and files are opened, created and renamed through that open folder,
// never through a link: a link that is added later has no effect. Only regular files of a bounded size are read
// (regular-file.ts), and some places inside the roots are not writable (refuse-guarded.ts).
import { promises as fs } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { decodeUtf8 } from '../../base/utf8.ts';
import { isInside } from '../../base/is-inside.ts';
import type { AsyncCalls } from '../files/durable.ts';
import { faultFor } from './translate-fault.ts';
import type { OpenFolder, Target } from './open-folder.ts';
import { makeFoldersInside, openFolder } from './open-folder.ts';
import { realPlace } from './real-place.ts';
import { refuseGuarded } from './refuse-guarded.ts';
import { readRegular, replaceRegular, writeRegular, sizeOfRegular } from './regular-file.ts';
import { ToolFault } from '../../ports/tool.ts';

/** Absolute; the first of `read` is where relative paths start. */
export interface FileRoots {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Why nothing may be touched. Default: it may. */
  readonly refusal?: string;
  /** Folders and files that are not written to, such as those of skills, also where they are not there yet. Default: none. */
  readonly guarded?: readonly string[];
}

interface ConfinedFilesOptions {
  readonly roots: FileRoots;
  /** Besides those of the roots. Default: none. */
  readonly guarded?: readonly string[];
  /** Of one file that is read or written. Default: 2 MiB. */
  readonly maxBytes?: number;
  /** What changes files in `replaceText`; tests fail one of them. Default: those of Node. */
  readonly calls?: AsyncCalls;
}

interface FoundEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/** Where no fence limits paths. */
const anyPath = (_path: string): boolean => true;

export class ConfinedFiles {
  readonly #roots: FileRoots;
  readonly #guarded: readonly string[];
  readonly #calls: AsyncCalls;
  readonly maxBytes: number;

  constructor({ roots, guarded = [], maxBytes = 2 * 1024 * 1024, calls = fs }: ConfinedFilesOptions) {
    this.#calls = calls;
    this.#roots = roots;
    this.#guarded = [...new Set([...(roots.guarded ?? []), ...guarded])];
    this.maxBytes = maxBytes;
  }

  /** The text of a file. Throws ToolFault, also if it is not text. */
  async readText(path: string, mayTouch = anyPath): Promise<string> {
    const text = await this.readTextOrNull(path, 'read', mayTouch);
    if (text === null) throw new ToolFault(`there is no file ${JSON.stringify(path)}`);
    return text;
  }

  /** null when there is no file; `for write` judges the place as one that is written to. */
  async readTextOrNull(path: string, use: 'read' | 'write', mayTouch = anyPath): Promise<string | null> {
    const target = await this.#locate(path, use, mayTouch);
    const bytes = await this.#withFolder(target, false, (folder) =>
      readRegular(folder, basename(target.real), target.shown, this.maxBytes),
    );
    if (bytes === null) return null;
    if (bytes.subarray(0, 8192).includes(0))
      throw new ToolFault(`${JSON.stringify(target.shown)} is a binary file`);
    const { text, valid } = decodeUtf8(bytes);
    if (!valid) throw new ToolFault(`${JSON.stringify(target.shown)} is not a text in UTF-8`);
    return text;
  }

  /** How long a file is, whatever it holds. Throws ToolFault. */
  async sizeOf(path: string, mayTouch = anyPath): Promise<number> {
    const target = await this.#locate(path, 'read', mayTouch);
    const bytes = await this.#withFolder(target, false, (folder) =>
      sizeOfRegular(folder, basename(target.real), target.shown),
    );
    if (bytes === null) throw new ToolFault(`there is no file ${JSON.stringify(path)}`);
    return bytes;
  }

  /** Makes missing folders; keeps the permissions of a file that is there. */
  async writeText(path: string, text: string, mayTouch = anyPath): Promise<void> {
    const bytes = Buffer.from(text, 'utf8');
    if (bytes.length > this.maxBytes)
      throw new ToolFault(`the text has ${bytes.length} bytes, over the limit of ${this.maxBytes}`);
    const target = await this.#locate(path, 'write', mayTouch);
    await this.#withFolder(target, true, (folder) =>
      writeRegular(folder, basename(target.real), bytes, target.shown),
    );
  }

  /** From exactly `before` to exactly `after`, durably; null is no file. `false`: it is something else, and is left alone. */
  async replaceText(
    path: string,
    before: string | null,
    after: string | null,
    mayTouch = anyPath,
  ): Promise<boolean> {
    const [old, bytes] = [before, after].map((text) => (text === null ? null : Buffer.from(text, 'utf8')));
    if ((bytes?.length ?? 0) > this.maxBytes)
      throw new ToolFault(`the text has ${bytes?.length ?? 0} bytes, over the limit of ${this.maxBytes}`);
    const target = await this.#locate(path, 'write', mayTouch);
    const replaced = await this.#withFolder(target, after !== null, (folder) =>
      replaceRegular(folder, basename(target.real), old ?? null, bytes ?? null, target.shown, {
        maxBytes: this.maxBytes,
        calls: this.#calls,
      }),
    );
    // Without its folder there is no file either.
    return replaced ?? before === null;
  }

  /** Throws what `writeText` would throw about the place. */
  async checkWrite(path: string, mayTouch = anyPath): Promise<void> {
    await this.#locate(path, 'write', mayTouch);
  }

  /** The entries of a folder by name, or null when it is a file or nothing. */
  async list(path: string): Promise<readonly FoundEntry[] | null> {
    const target = await this.#locate(path, 'read', anyPath);
    const folder = await openFolder(target.real, target);
    if (folder === null) return null;
    try {
      const entries = await fs.readdir(folder.path, { withFileTypes: true });
      return entries
        .map((entry): FoundEntry => ({
          name: entry.name,
          kind: entry.isDirectory()
            ? 'folder'
            : entry.isFile()
              ? 'file'
              : entry.isSymbolicLink()
                ? 'link'
                : 'other',
        }))
        .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    } catch (error) {
      throw faultFor(error, target.shown);
    } finally {
      await folder.close();
    }
  }

  async #locate(path: string, use: 'read' | 'write', mayTouch: (path: string) => boolean): Promise<Target> {
    if (path.includes('\0')) throw new ToolFault('a path cannot hold a NUL character');
    if (path.split(/[\\/]/).includes('..'))
      throw new ToolFault(`${JSON.stringify(path)} holds ".."; write the path from the working folder`);
    if (this.#roots.refusal !== undefined)
      throw new ToolFault(`files cannot be used here: ${this.#roots.refusal}`);
    const [base = ''] = this.#roots.read;
    const wanted = isAbsolute(path) ? resolve(path) : resolve(base, path);
    const real = await realPlace(wanted, path);
    const roots = await Promise.all(this.#roots[use].map((root) => realPlace(root, root)));
    const root = roots.find((each) => isInside(real, each));
    if (root === undefined)
      throw new ToolFault(
        `${JSON.stringify(path)} lies outside the folders that may be ${use === 'read' ? 'read' : 'written to'}`,
      );
    const workFolder = await realPlace(base, base);
    const inside = relative(workFolder, real).split(sep).join('/');
    if (!mayTouch(inside === '' ? '.' : inside))
      throw new ToolFault(`${JSON.stringify(path)} is not among the paths that may be used here`);
    if (use === 'write')
      await refuseGuarded(
        real,
        isInside(real, workFolder) && workFolder !== root ? [root, workFolder] : [root],
        this.#guarded,
        path,
      );
    return { shown: path, real, root };
  }

  /** Calls `work` with the folder that holds the target; null when it is not there and is not to be made. */
  async #withFolder<T>(
    target: Target,
    make: boolean,
    work: (folder: OpenFolder) => Promise<T>,
  ): Promise<T | null> {
    if (target.real === target.root) throw new ToolFault(`${JSON.stringify(target.shown)} is a folder`);
    const parent = dirname(target.real);
    let folder = await openFolder(parent, target);
    if (folder === null && make) {
      await makeFoldersInside(parent, target);
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
