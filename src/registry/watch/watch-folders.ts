// Keeps one watch on every folder below the roots.
//
//   notifications -> dirty folders;   sync() -> the folders touched since, and watches that fit the disk again
//
// A watch belongs to an inode, and a path may come to mean another one. While the folder above is watched and silent it
// cannot; otherwise `sync` compares the two. A folder is watched first and listed then, so that what appears in between
// is a notification. The folders above a root, as written and with its links resolved, are watched for the root to
// appear, disappear or be replaced; other events in them are not changes. When the system has no watches left, the
// existing ones stay and the next `sync` tries again. A system with too many notifications drops the rest, and Node does
// not report it, so after a storm a thorough `sync` looks at every folder. A link is followed where discovery follows it,
// into a root, and its target is watched wherever it is, also below a dot folder; of a link to a file the signature of
// the target counts. No watch sees every way in which a path comes to mean something else (a link of a link, a mount), so
// `doubt` makes `isDirty` compare what each root and link leads to with the last `sync`.
import type { FileStat, Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import { isInside } from '../../base/is-inside.ts';
import type { FolderWatch, Watching } from '../../ports/watching.ts';

interface WatchFoldersOptions {
  /** Absolute; they need not exist. */
  readonly roots: readonly string[];
  readonly files: Pick<Files, 'stat' | 'list' | 'realPath'>;
  readonly watching: Pick<Watching, 'watchFolder'>;
  /** Folders below a root that are watched. */
  readonly depth: number;
  /** Something may have changed. Called often, must be cheap. */
  readonly onNotice: () => void;
}

interface Touched {
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
  /** Links in it, to folders and files. */
  readonly links: readonly string[];
}

interface LinkSeen {
  readonly path: string;
  /** The folder that holds it, and how deep that is. */
  readonly folder: string;
  readonly depth: number;
}

/** Why a folder above is watched: for the roots below it, or for what links lead to. */
type GuardFor = 'roots' | 'links';
type Guards = Map<string, Set<GuardFor>>;

/** Linux holds 16,384 notifications by default. */
const stormNotices = 4096;

const unwatched: ReadonlySet<string> = new Set(['node_modules', '__pycache__']);

export class FolderWatcher {
  readonly #options: WatchFoldersOptions;
  readonly #folders = new Map<string, WatchedFolder>();
  /** Folders above the roots and above what links lead to -> their watch. */
  readonly #guards = new Map<string, Pick<WatchedFolder, 'watch' | 'dev' | 'ino'>>();
  #guardsFor: Guards = new Map();
  /** Root, link -> what it led to, so that a guard's notification can be told from noise. */
  readonly #rootWas = new Map<string, string>();
  #linkWas = new Map<string, string>();
  readonly #inDoubt = new Set<GuardFor>();
  /** Links that this `sync` came across and has not looked at. */
  readonly #ahead: LinkSeen[] = [];
  /** Inodes that this `sync` visited; kept once there is a link to a folder, which may lead to one of them. */
  #claimed: Set<string> | null = null;
  readonly #dirty = new Set<string>();
  readonly #visited = new Set<string>();
  #notices = 0;
  #thorough = false;
  #shortage: string | null = null;

  constructor(options: WatchFoldersOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#folders.size;
  }

  /** Believe nothing about where roots and links lead: the next `isDirty` looks. */
  doubt(): void {
    this.#inDoubt.add('roots').add('links');
  }

  /** Whether there is anything for `sync` to find: cheap, asked before a reload. */
  isDirty(): boolean {
    if (this.#dirty.size > 0) return true;
    const roots = this.#inDoubt.has('roots');
    const links = this.#inDoubt.has('links');
    this.#inDoubt.clear();
    if (roots && this.#options.roots.some((root) => this.#rootIdentity(root) !== this.#rootWas.get(root)))
      return true;
    return links && [...this.#linkWas].some(([path, was]) => this.#linkIdentity(path) !== was);
  }

  sync(thorough: boolean): Touched {
    const touched = new Set(this.#dirty);
    const storm = this.#notices >= stormNotices;
    this.#notices = 0;
    this.#thorough = thorough;
    this.#dirty.clear();
    this.#inDoubt.clear();
    this.#visited.clear();
    this.#claimed = null;
    this.#shortage = null;
    const guards: Guards = new Map();
    this.#guardsFor = guards;
    for (const root of this.#options.roots) {
      // Watched before it is looked at.
      this.#guardAbove(root, 'roots', guards);
      const real = this.#real(root);
      if (real !== null && real !== root) this.#guardAbove(real, 'roots', guards);
      const identity = this.#rootIdentity(root);
      const was = this.#rootWas.get(root);
      if (real !== null && was !== undefined && was !== identity) touched.add(root);
      this.#rootWas.set(root, identity);
      this.#visit(root, 0, touched, false);
    }
    this.#followLinks(touched, guards);
    for (const [path, { watch }] of this.#guards) {
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
    for (const { watch } of this.#guards.values()) watch?.close();
    this.#folders.clear();
    this.#guards.clear();
  }

  /** `settled`: nothing happened in the folder above, so this path means what it meant. */
  #visit(path: string, depth: number, touched: Set<string>, settled: boolean): void {
    if (this.#visited.has(path)) return;
    const known = this.#folders.get(path);
    const silent = known !== undefined && known.watch !== null && !touched.has(path) && !this.#thorough;
    if (silent && settled) {
      if (!this.#claim(known)) return;
      this.#visited.add(path);
      for (const link of known.links) this.#ahead.push({ path: link, folder: path, depth });
      for (const child of known.children) this.#visit(child, depth + 1, touched, true);
      return;
    }
    const stat = this.#stat(path);
    if (stat?.isDirectory() !== true) return;
    if (!this.#claim(stat)) return;
    this.#visited.add(path);
    const same = known !== undefined && known.dev === stat.dev && known.ino === stat.ino;
    let children = known?.children ?? [];
    let links = known?.links ?? [];
    if (!same || !silent) {
      if (!same) touched.add(path);
      const watch = same && known.watch !== null ? known.watch : this.#rewatch(path, known);
      ({ children, links } = this.#entries(path, depth));
      this.#folders.set(path, { watch, dev: stat.dev, ino: stat.ino, children, links });
    }
    for (const link of links) this.#ahead.push({ path: link, folder: path, depth });
    for (const child of children) this.#visit(child, depth + 1, touched, same && silent);
  }

  #rewatch(path: string, known: WatchedFolder | undefined): FolderWatch | null {
    known?.watch?.close();
    return this.#watch(
      path,
      () => this.#dirty.add(path),
      () => {
        const lost = this.#folders.get(path);
        if (lost !== undefined) this.#folders.set(path, { ...lost, watch: null });
        this.#dirty.add(path);
      },
    );
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

  /** False for a folder that was reached by another path. */
  #claim({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): boolean {
    if (this.#claimed === null) return true;
    const key = `${dev}:${ino}`;
    if (this.#claimed.has(key)) return false;
    this.#claimed.add(key);
    return true;
  }

  /** After the folders, so that a folder is watched in its real place where that is reached, too. */
  #followLinks(touched: Set<string>, guards: Guards): void {
    const linkWas = new Map<string, string>();
    let realRoots: readonly string[] | null = null;
    for (let link = this.#ahead.shift(); link !== undefined; link = this.#ahead.shift()) {
      const { path, folder, depth } = link;
      if (linkWas.has(path)) continue;
      realRoots ??= this.#options.roots.map((root) => this.#real(root)).filter((root) => root !== null);
      const real = this.#real(path);
      const within = real === null ? undefined : realRoots.find((root) => isInside(real, root));
      if (real !== null && within !== undefined) this.#guardAbove(real, 'links', guards, within);
      const identity = this.#linkIdentity(path);
      const was = this.#linkWas.get(path);
      if (was !== undefined && was !== identity) touched.add(folder);
      linkWas.set(path, identity);
      if (within === undefined || depth >= this.#options.depth || this.#stat(path)?.isDirectory() !== true)
        continue;
      this.#claimed ??= this.#claimVisited();
      this.#visit(path, depth + 1, touched, false);
    }
    this.#linkWas = linkWas;
  }

  #claimVisited(): Set<string> {
    const claimed = new Set<string>();
    for (const path of this.#visited) {
      const folder = this.#folders.get(path);
      if (folder !== undefined) claimed.add(`${folder.dev}:${folder.ino}`);
    }
    return claimed;
  }

  /** Watches every existing folder above `path`, up to `top` if that is given. */
  #guardAbove(path: string, reason: GuardFor, guards: Guards, top: string | null = null): void {
    for (let above = parentOf(path); above !== null; above = above === top ? null : parentOf(above)) {
      const reasons = guards.get(above);
      if (reasons !== undefined) {
        reasons.add(reason);
        continue;
      }
      // Inside a root most folders are watched anyway, and a notification there is a reason to look at everything.
      if (reason === 'links' && this.#visited.has(above)) continue;
      const stat = this.#stat(above);
      if (stat?.isDirectory() !== true) continue;
      guards.set(above, new Set([reason]));
      this.#guard(above, stat);
    }
  }

  #guard(path: string, { dev, ino }: FileStat): void {
    const there = this.#guards.get(path);
    if (there !== undefined && there.watch !== null && there.dev === dev && there.ino === ino) return;
    there?.watch?.close();
    const note = (): void => {
      for (const reason of this.#guardsFor.get(path) ?? []) this.#inDoubt.add(reason);
    };
    const watch = this.#watch(path, note, () => {
      this.#guards.set(path, { watch: null, dev, ino });
      note();
    });
    this.#guards.set(path, { watch, dev, ino });
  }

  #rootIdentity(root: string): string {
    const stat = this.#stat(root);
    if (stat !== null) return `${stat.dev}:${stat.ino} ${this.#real(root)}`;
    // While it is missing, a nearer folder to wait at is a change, too.
    let path = parentOf(root);
    while (path !== null && this.#stat(path) === null) path = parentOf(path);
    return `missing below ${path}`;
  }

  #linkIdentity(path: string): string {
    const stat = this.#stat(path);
    if (stat === null) return 'broken';
    const { dev, ino, size, mtimeNs, ctimeNs } = stat;
    // Of a folder only which one it is: what happens in it, its own watch says.
    const version = stat.isDirectory() ? '' : ` ${size} ${mtimeNs} ${ctimeNs}`;
    return `${dev}:${ino}${version} ${this.#real(path)}`;
  }

  #entries(
    path: string,
    depth: number,
  ): { readonly children: readonly string[]; readonly links: readonly string[] } {
    const children: string[] = [];
    const links: string[] = [];
    try {
      for (const { name, kind } of this.#options.files.list(path) ?? []) {
        if ((kind !== 'folder' && kind !== 'link') || name.startsWith('.') || unwatched.has(name)) continue;
        const entry = path.endsWith('/') ? path + name : `${path}/${name}`;
        if (kind === 'link') links.push(entry);
        else if (depth < this.#options.depth) children.push(entry);
      }
    } catch (error) {
      if (!(error instanceof FileFault)) throw error; // loading says why
    }
    return { children, links };
  }

  #real(path: string): string | null {
    try {
      return this.#options.files.realPath(path);
    } catch (error) {
      if (error instanceof FileFault) return null; // loading says why
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
