// Keeps one watch on every folder below the roots.
//
//   notifications -> dirty folders;   sync() -> the folders touched since, and watches that fit the disk again
//
// W5. A watch belongs to an inode, and a path may come to mean another one. While the folder above is watched and
//     silent it cannot; otherwise `sync` compares the two.
// W6. Watch first, then list: what appears in between is a notification, not a gap.
// W7. A missing root is waited for at the nearest folder above it that exists. What else happens in that folder
//     is not a change.
// W8. When the system has no watches left, those there are stay; the next `sync` tries again.
// W13. A system that has more to say than it can hold drops the rest, and Node does not tell. So after a storm of
//      notifications nothing is believed: a thorough `sync` looks at every folder.
import type { FileStat, Files } from '../host/ports/files.ts';
import { FileFault } from '../host/ports/files.ts';
import type { FolderWatch, Watching } from '../host/ports/watching.ts';

export interface WatchFoldersOptions {
  /** Absolute; they need not exist. */
  readonly roots: readonly string[];
  readonly files: Pick<Files, 'stat' | 'list'>;
  readonly watching: Pick<Watching, 'watchFolder'>;
  /** Folders below a root that are watched. */
  readonly depth: number;
  /** Something may have changed. Called often, must be cheap. */
  readonly onNotice: () => void;
}

export interface Touched {
  /** Folders with a notification since the last call, or that came or went. */
  readonly folders: ReadonlySet<string>;
  /** Why not every folder is watched; `null` when all are. */
  readonly shortage: string | null;
  /** So many notifications that some may have been dropped: a thorough `sync` is due. */
  readonly storm: boolean;
}

interface WatchedFolder {
  readonly watch: FolderWatch | null;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly children: readonly string[];
}

/** Linux holds 16,384 notifications by default. */
const stormNotices = 4096;

const unwatched: ReadonlySet<string> = new Set(['node_modules', '__pycache__']);

export class FolderWatcher {
  readonly #options: WatchFoldersOptions;
  readonly #folders = new Map<string, WatchedFolder>();
  /** Folders above the roots -> their watch. */
  readonly #guards = new Map<string, FolderWatch | null>();
  /** Root -> the inode it was, so that a guard's notification can be told from noise. */
  readonly #rootWas = new Map<string, string>();
  readonly #dirty = new Set<string>();
  readonly #visited = new Set<string>();
  #guardNoticed = false;
  #notices = 0;
  #thorough = false;
  #shortage: string | null = null;

  constructor(options: WatchFoldersOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#folders.size;
  }

  /** Whether there is anything for `sync` to find: cheap, asked before a reload. */
  isDirty(): boolean {
    if (this.#dirty.size > 0) return true;
    if (!this.#guardNoticed) return false;
    this.#guardNoticed = false;
    return this.#options.roots.some((root) => this.#identity(root) !== this.#rootWas.get(root));
  }

  sync(thorough: boolean): Touched {
    const touched = new Set(this.#dirty);
    const storm = this.#notices >= stormNotices;
    this.#notices = 0;
    this.#thorough = thorough;
    this.#dirty.clear();
    this.#visited.clear();
    this.#guardNoticed = false;
    this.#shortage = null;
    const guards = new Set<string>();
    for (const root of this.#options.roots) {
      const guard = this.#guard(root);
      if (guard !== null) guards.add(guard);
      this.#rootWas.set(root, this.#identity(root));
      this.#visit(root, 0, touched, false);
    }
    for (const [path, watch] of this.#guards) {
      if (guards.has(path)) continue;
      watch?.close();
      this.#guards.delete(path);
    }
    for (const [path, { watch }] of this.#folders) {
      if (this.#visited.has(path)) continue;
      watch?.close();
      this.#folders.delete(path);
      touched.add(path);
    }
    return { folders: touched, shortage: this.#shortage, storm };
  }

  close(): void {
    for (const { watch } of this.#folders.values()) watch?.close();
    for (const watch of this.#guards.values()) watch?.close();
    this.#folders.clear();
    this.#guards.clear();
  }

  /** `settled`: nothing happened in the folder above, so this path means what it meant. */
  #visit(path: string, depth: number, touched: Set<string>, settled: boolean): void {
    if (this.#visited.has(path)) return;
    const known = this.#folders.get(path);
    const silent = known !== undefined && known.watch !== null && !touched.has(path) && !this.#thorough;
    if (silent && settled) {
      this.#visited.add(path);
      for (const child of known.children) this.#visit(child, depth + 1, touched, true);
      return;
    }
    const stat = this.#stat(path);
    if (stat?.isDirectory() !== true) return;
    this.#visited.add(path);
    const same = known !== undefined && known.dev === stat.dev && known.ino === stat.ino;
    let children = known?.children ?? [];
    if (!same || !silent) {
      if (!same) touched.add(path);
      const watch = same && known.watch !== null ? known.watch : this.#rewatch(path, known);
      children = depth < this.#options.depth ? this.#subfolders(path) : [];
      this.#folders.set(path, { watch, dev: stat.dev, ino: stat.ino, children });
    }
    for (const child of children) this.#visit(child, depth + 1, touched, same && silent);
  }

  #rewatch(path: string, known: WatchedFolder | undefined): FolderWatch | null {
    known?.watch?.close();
    return this.#watch(path, () => this.#dirty.add(path), () => {
      const lost = this.#folders.get(path);
      if (lost !== undefined) this.#folders.set(path, { ...lost, watch: null });
      this.#dirty.add(path);
    });
  }

  #watch(path: string, note: () => void, lost: () => void): FolderWatch | null {
    // One refusal is enough: the others would be refused, too, and asking 10,000 times takes its time.
    if (this.#shortage !== null) return null;
    const { watching, onNotice } = this.#options;
    const then = (first: () => void) => () => {
      this.#notices += 1;
      first();
      onNotice();
    };
    try {
      return watching.watchFolder(path, then(note), then(lost));
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      if (error.kind === 'busy') this.#shortage = error.message;
      // Otherwise it went away or may not be read: the folder above says so when that changes.
      return null;
    }
  }

  /** Watches the nearest existing folder above `root`, for the root to come, go, or be replaced. */
  #guard(root: string): string | null {
    let path = parentOf(root);
    while (path !== null && this.#stat(path)?.isDirectory() !== true) path = parentOf(path);
    if (path === null) return null;
    const there = this.#guards.get(path);
    if (there === undefined || there === null) {
      const guard = path;
      const note = (): void => {
        this.#guardNoticed = true;
      };
      this.#guards.set(guard, this.#watch(guard, note, () => {
        this.#guards.set(guard, null);
        note();
      }));
    }
    return path;
  }

  #identity(root: string): string {
    const stat = this.#stat(root);
    if (stat !== null) return `${stat.dev}:${stat.ino}`;
    // While it is missing, a nearer folder to wait at is a change, too.
    let path = parentOf(root);
    while (path !== null && this.#stat(path) === null) path = parentOf(path);
    return `missing below ${path}`;
  }

  #subfolders(path: string): readonly string[] {
    try {
      const entries = this.#options.files.list(path) ?? [];
      const names = entries.filter(({ name, kind }) => kind === 'folder' && !name.startsWith('.') && !unwatched.has(name));
      return names.map(({ name }) => (path.endsWith('/') ? path + name : `${path}/${name}`));
    } catch (error) {
      if (error instanceof FileFault) return []; // loading says why
      throw error;
    }
  }

  #stat(path: string): FileStat | null {
    try {
      return this.#options.files.stat(path);
    } catch (error) {
      if (error instanceof FileFault) return null; // loading says why
      throw error;
    }
  }
}

function parentOf(path: string): string | null {
  const trimmed = path.replace(/[\\/]+$/, '');
  const at = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\'));
  if (at < 0) return null;
  return at === 0 ? (trimmed.length > 1 ? '/' : null) : trimmed.slice(0, at);
}
