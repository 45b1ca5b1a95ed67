// The Files port over a tree in memory, for skills in memory and for tests.
//
// It behaves as the real one (files.contract.ts), links, denied folders and locks included. Time moves only here: each
// change takes `tickNs`, and `advance` adds to it. With `tickNs` 0 two changes fall into one tick, as on a file system
// with a coarse clock. `failAt(n)` makes the Nth call of the port fail; `calls` counts them.
import { encodeUtf8 } from '../base/utf8.ts';
import { TechneError } from '../base/error.ts';
import type { Clock } from './environment.ts';
import type { EntryKind, FaultKind, FileStat, Files } from './files.ts';
import { FileFault } from './files.ts';

export interface MemoryControls {
  readonly clock: Clock;
  readonly calls: number;
  /** Nanoseconds that each change takes. Default: one millisecond. */
  tickNs: bigint;
  /** Writes into the file that is there (same inode) or makes a new one; makes missing folders. */
  write(path: string, content: string | Uint8Array): void;
  folder(path: string): void;
  /** A symbolic link at `path` to `target`, absolute or relative. */
  link(path: string, target: string): void;
  /** Neither a file nor a folder: a FIFO, a device. */
  special(path: string): void;
  rename(from: string, to: string): void;
  /** Removes a file, a link or a whole folder. */
  erase(path: string): void;
  /** Reading, listing or passing through `path` is denied from now on; writing, too. */
  deny(path: string): void;
  allow(path: string): void;
  /** As `touch -d`: sets the modification time; the change time is now. */
  touch(path: string, mtimeNs: bigint): void;
  chmod(path: string, mode: number): void;
  /** Everything else is root's. */
  chown(path: string, uid: bigint): void;
  /** Another process holds the lock until the function returned is called. */
  holdLock(path: string): () => void;
  advance(ns: bigint): void;
  /** The `n`th call from now on (1 is the next) throws a fault of this kind. Default kind: `io`. */
  failAt(n: number, kind?: FaultKind): void;
}

interface Inode {
  readonly kind: EntryKind;
  readonly ino: bigint;
  bytes: Uint8Array;
  readonly target: string;
  readonly children: Map<string, Inode>;
  mode: number;
  uid: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  denied: boolean;
}

interface Found {
  readonly inode: Inode;
  readonly path: string;
}

const maxLinks = 40;
const typeBits = { file: 0o100000, folder: 0o040000, link: 0o120000, other: 0o010000 } as const;

/** `initial` is path -> content, paths absolute with `/`. */
export function createMemoryFiles(
  initial: { readonly [path: string]: string | Uint8Array } = {},
): Files & MemoryControls {
  let nowNs = 1_700_000_000_000_000_000n;
  let lastIno = 1n;
  let failing: { at: number; kind: FaultKind } | null = null;
  const locks = new Map<string, Promise<void>>();
  const heldElsewhere = new Set<string>();
  const root = inode('folder', 0o755);

  function inode(kind: EntryKind, mode: number, target = ''): Inode {
    lastIno += 1n;
    return {
      kind,
      ino: lastIno,
      bytes: new Uint8Array(0),
      target,
      children: new Map(),
      mode,
      uid: 0n,
      mtimeNs: nowNs,
      ctimeNs: nowNs,
      denied: false,
    };
  }

  /** `null` when the path leads nowhere. Denied folders stop the walk below them. */
  function find(path: string, follow: boolean): Found | null {
    if (!path.startsWith('/')) throw new Error(`memory files need absolute paths, not "${path}"`);
    const ahead = segmentsOf(path).reverse();
    const trail: Found[] = [{ inode: root, path: '/' }];
    let links = 0;
    while (ahead.length > 0) {
      const name = ahead.pop() as string;
      if (name === '..') {
        if (trail.length > 1) trail.pop();
        continue;
      }
      const here = trail.at(-1) as Found;
      if (here.inode.kind !== 'folder') return null;
      if (here.inode.denied) throw new FileFault('denied', path, `"${here.path}" may not be searched`);
      const next = here.inode.children.get(name);
      if (next === undefined) return null;
      if (next.kind === 'link' && (follow || ahead.length > 0)) {
        links += 1;
        if (links > maxLinks) throw new FileFault('loop', path, `"${path}" goes through too many links`);
        if (next.target.startsWith('/')) trail.length = 1;
        ahead.push(...segmentsOf(next.target).reverse());
        continue;
      }
      trail.push({ inode: next, path: here.path === '/' ? `/${name}` : `${here.path}/${name}` });
    }
    return trail.at(-1) as Found;
  }

  function makeFolder(path: string, mode: number): Inode {
    let here = root;
    let at = '';
    for (const name of segmentsOf(path)) {
      at += `/${name}`;
      const found = find(at, true)?.inode;
      if (found !== undefined) {
        if (found.kind !== 'folder') throw new FileFault('not-a-folder', path, `"${at}" is not a folder`);
        here = found;
        continue;
      }
      const made = inode('folder', mode);
      here.children.set(name, made);
      changed(here);
      here = made;
    }
    return here;
  }

  function changed(node: Inode): void {
    node.mtimeNs = nowNs;
    node.ctimeNs = nowNs;
  }

  function tick(): void {
    nowNs += controls.tickNs;
  }

  function place(path: string, node: Inode): void {
    const { folder, name } = splitPath(path);
    const parent = makeFolder(folder, 0o755);
    if (parent.children.get(name)?.kind === 'folder')
      throw new FileFault('not-a-file', path, `"${path}" is a folder`);
    parent.children.set(name, node);
    changed(parent);
  }

  function mustFind(path: string): Inode {
    const found = find(path, false);
    if (found === null) throw new Error(`there is no "${path}"`);
    return found.inode;
  }

  function enter(path: string): void {
    controls.calls += 1;
    if (failing === null) return;
    failing.at -= 1;
    if (failing.at > 0) return;
    const { kind } = failing;
    failing = null;
    throw new FileFault(kind, path, `the call on "${path}" was made to fail`);
  }

  function open(path: string): Inode | null {
    const found = find(path, true)?.inode;
    if (found === undefined) return null;
    if (found.kind !== 'file') throw new FileFault('not-a-file', path, `"${path}" is not a file`);
    if (found.denied) throw new FileFault('denied', path, `"${path}" may not be read`);
    return found;
  }

  const controls = {
    calls: 0,
    tickNs: 1_000_000n,
    clock: { nowNs: () => nowNs },

    write(path: string, content: string | Uint8Array): void {
      tick();
      const bytes = typeof content === 'string' ? encodeUtf8(content) : new Uint8Array(content);
      const there = find(path, true)?.inode;
      if (there?.kind === 'file') {
        there.bytes = bytes;
        changed(there);
        return;
      }
      const node = inode('file', 0o644);
      node.bytes = bytes;
      place(path, node);
    },
    folder(path: string): void {
      tick();
      makeFolder(path, 0o755);
    },
    link(path: string, target: string): void {
      tick();
      place(path, inode('link', 0o777, target));
    },
    special(path: string): void {
      tick();
      place(path, inode('other', 0o644));
    },
    rename(from: string, to: string): void {
      tick();
      const node = mustFind(from);
      detach(from);
      const { folder, name } = splitPath(to);
      const parent = makeFolder(folder, 0o755);
      parent.children.set(name, node);
      node.ctimeNs = nowNs;
      changed(parent);
    },
    erase(path: string): void {
      tick();
      mustFind(path);
      detach(path);
    },
    deny(path: string): void {
      mustFind(path).denied = true;
    },
    allow(path: string): void {
      mustFind(path).denied = false;
    },
    touch(path: string, mtimeNs: bigint): void {
      tick();
      const node = mustFind(path);
      node.mtimeNs = mtimeNs;
      node.ctimeNs = nowNs;
    },
    chmod(path: string, mode: number): void {
      tick();
      const node = mustFind(path);
      node.mode = mode;
      node.ctimeNs = nowNs;
    },
    chown(path: string, uid: bigint): void {
      tick();
      const node = mustFind(path);
      node.uid = uid;
      node.ctimeNs = nowNs;
    },
    holdLock(path: string): () => void {
      heldElsewhere.add(path);
      return () => heldElsewhere.delete(path);
    },
    advance(ns: bigint): void {
      nowNs += ns;
    },
    failAt(n: number, kind: FaultKind = 'io'): void {
      failing = { at: n, kind };
    },
  };

  function detach(path: string): void {
    const { folder, name } = splitPath(path);
    const parent = find(folder, true)?.inode;
    parent?.children.delete(name);
    if (parent !== undefined) changed(parent);
  }

  const files: Files = {
    userId: 1000n,
    stat(path) {
      enter(path);
      const found = find(path, true);
      return found === null ? null : statOf(found.inode);
    },
    lstat(path) {
      enter(path);
      const found = find(path, false);
      return found === null ? null : statOf(found.inode);
    },
    realPath(path) {
      enter(path);
      return find(path, true)?.path ?? null;
    },
    list(path) {
      enter(path);
      const found = find(path, true)?.inode;
      if (found === undefined) return null;
      if (found.kind !== 'folder') throw new FileFault('not-a-folder', path, `"${path}" is not a folder`);
      if (found.denied) throw new FileFault('denied', path, `"${path}" may not be listed`);
      const names = [...found.children.keys()].sort();
      return names.map((name) => ({ name, kind: (found.children.get(name) as Inode).kind }));
    },
    readHead(path, maxBytes) {
      enter(path);
      const file = open(path);
      return file === null ? null : { bytes: file.bytes.slice(0, maxBytes), stat: statOf(file) };
    },
    async read(path, maxBytes) {
      enter(path);
      const file = open(path);
      if (file === null) return null;
      if (file.bytes.length > maxBytes) {
        throw new FileFault(
          'too-large',
          path,
          `"${path}" has ${file.bytes.length} bytes, over the limit of ${maxBytes}`,
        );
      }
      return { bytes: new Uint8Array(file.bytes), stat: statOf(file) };
    },
    async writeAtomic(path, bytes, mode) {
      enter(path);
      tick();
      const { folder } = splitPath(path);
      const parent = makeFolder(folder, (mode & 0o077) === 0 ? 0o700 : 0o755);
      if (parent.denied) throw new FileFault('denied', path, `"${folder}" may not be written to`);
      const node = inode('file', mode);
      node.bytes = new Uint8Array(bytes);
      place(path, node);
    },
    async syncUpTo(path) {
      enter(path);
      return find(path, true) !== null;
    },
    async remove(path) {
      enter(path);
      tick();
      const found = find(path, false)?.inode;
      if (found === undefined) return;
      if (found.kind === 'folder') throw new FileFault('not-a-file', path, `"${path}" is a folder`);
      if (find(splitPath(path).folder, true)?.inode.denied === true)
        throw new FileFault('denied', path, `"${path}" may not be removed`);
      detach(path);
    },
    async withLock(path, work) {
      enter(path);
      if (heldElsewhere.has(path)) {
        throw new TechneError('LOCKED', `"${path}" is held by another process`, {
          hint: `wait for it to end, or remove the file "${path}"`,
        });
      }
      const before = locks.get(path) ?? Promise.resolve();
      const result = before.then(work);
      const settled = result.then(
        () => undefined,
        () => undefined,
      );
      locks.set(path, settled);
      return result;
    },
  };

  for (const [path, content] of Object.entries(initial)) controls.write(path, content);
  return Object.assign(controls, files);
}

function statOf(node: Inode): FileStat {
  const { kind } = node;
  return {
    dev: 1n,
    ino: node.ino,
    size: BigInt(kind === 'link' ? encodeUtf8(node.target).length : node.bytes.length),
    mtimeNs: node.mtimeNs,
    ctimeNs: node.ctimeNs,
    mode: BigInt(typeBits[kind] | node.mode),
    uid: node.uid,
    isFile: () => kind === 'file',
    isDirectory: () => kind === 'folder',
    isSymbolicLink: () => kind === 'link',
  };
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

function splitPath(path: string): { folder: string; name: string } {
  const segments = segmentsOf(path);
  const name = segments.pop();
  if (name === undefined || name === '..') throw new Error(`"${path}" names no file`);
  return { folder: `/${segments.join('/')}`, name };
}
