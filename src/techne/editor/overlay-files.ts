// Texts of an editor over the file system -> the Files port, as if they were saved.
//
// O1. A text that is set takes the place of the file at its path and at the real path behind it; everything else is as below.
// O2. Folders above a text exist, also where the disk has none: a file that was never saved is checked as any other.
// O3. Each text has a signature of its own; a changed text has another one.
// O4. Nothing is written: an editor saves its files itself.
import { dirname, join, basename, sep } from 'node:path';
import type { FileRead, FileStat, Files, FolderEntry } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';

export interface OverlayFiles extends Files {
  /** `null`: as on disk again. */
  setText(path: string, bytes: Uint8Array | null): void;
}

interface Text {
  readonly bytes: Uint8Array;
  readonly stat: FileStat;
}

const kinds = { file: 0o100_644n, folder: 0o040_755n } as const;

export function createOverlayFiles(below: Files): OverlayFiles {
  const texts = new Map<string, Text>();
  /** The path that was set -> the real one, where it is another. */
  const realPaths = new Map<string, string>();
  /** Folder -> names of the texts and folders in it that are only here. */
  let virtual: Map<string, Map<string, 'file' | 'folder'>> | null = null;
  let changes = 0n;

  const folders = (): Map<string, Map<string, 'file' | 'folder'>> => {
    if (virtual !== null) return virtual;
    virtual = new Map();
    for (const path of texts.keys()) {
      let kind: 'file' | 'folder' = 'file';
      for (let at = path; dirname(at) !== at; at = dirname(at)) {
        const folder = dirname(at);
        const names = virtual.get(folder) ?? new Map<string, 'file' | 'folder'>();
        virtual.set(folder, names.set(basename(at), kind));
        if (below.stat(folder) !== null) break;
        kind = 'folder';
      }
    }
    return virtual;
  };
  const textOf = (path: string): Text | undefined => (texts.size === 0 ? undefined : texts.get(clean(path)));
  const isVirtualFolder = (path: string): boolean =>
    texts.size > 0 && folders().has(clean(path)) && below.stat(path) === null;

  return {
    userId: below.userId,
    setText(path, bytes) {
      const at = clean(path);
      const real = realPaths.get(at);
      texts.delete(at);
      if (real !== undefined) texts.delete(real);
      realPaths.delete(at);
      virtual = null;
      if (bytes === null) return;
      changes += 1n;
      const text: Text = { bytes, stat: statOf('file', BigInt(bytes.length), changes) };
      texts.set(at, text);
      const found = realPathOf(below, at);
      if (found === null || found === at) return;
      texts.set(found, text);
      realPaths.set(at, found);
    },
    stat(path) {
      const text = textOf(path);
      if (text !== undefined) return text.stat;
      return below.stat(path) ?? (isVirtualFolder(path) ? folderStat : null);
    },
    lstat(path) {
      const text = textOf(path);
      if (text !== undefined && below.lstat(path)?.isSymbolicLink() !== true) return text.stat;
      return below.lstat(path) ?? (isVirtualFolder(path) ? folderStat : null);
    },
    realPath(path) {
      const found = below.realPath(path);
      if (found !== null) return found;
      const at = clean(path);
      if (!texts.has(at) && !isVirtualFolder(at)) return null;
      const parent = dirname(at) === at ? at : realPathOf(this, dirname(at));
      return parent === null ? at : join(parent, basename(at));
    },
    list(path) {
      const listed = below.list(path);
      const here = texts.size === 0 ? undefined : folders().get(clean(path));
      if (here === undefined) return listed;
      const entries = new Map<string, FolderEntry>((listed ?? []).map((entry) => [entry.name, entry]));
      for (const [name, kind] of here) if (!entries.has(name)) entries.set(name, { name, kind });
      return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    readHead(path, maxBytes, slot) {
      const text = textOf(path);
      if (text === undefined) return below.readHead(path, maxBytes, slot);
      return { bytes: text.bytes.slice(0, maxBytes), stat: text.stat };
    },
    async read(path, maxBytes) {
      const text = textOf(path);
      return text === undefined ? below.read(path, maxBytes) : readText(path, text, maxBytes);
    },
    writeAtomic: (path) =>
      Promise.reject(new FileFault('denied', path, 'nothing is written through an editor')),
    syncUpTo: () => Promise.resolve(false),
    remove: (path) => Promise.reject(new FileFault('denied', path, 'nothing is removed through an editor')),
    withLock: (_path, work) => work(),
  };
}

function readText(path: string, { bytes, stat }: Text, maxBytes: number): FileRead {
  if (bytes.length > maxBytes)
    throw new FileFault(
      'too-large',
      path,
      `"${path}" has ${bytes.length} bytes, over the limit of ${maxBytes}`,
    );
  return { bytes, stat };
}

function realPathOf(files: Pick<Files, 'realPath'>, path: string): string | null {
  try {
    return files.realPath(path);
  } catch (error) {
    // What cannot be followed is reported by whoever looks at the file.
    if (error instanceof FileFault) return null;
    throw error;
  }
}

function clean(path: string): string {
  return path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
}

/** Of no device that there is. */
function statOf(kind: keyof typeof kinds, size: bigint, version: bigint): FileStat {
  return {
    dev: -1n,
    ino: version,
    size,
    mtimeNs: version,
    ctimeNs: version,
    mode: kinds[kind],
    uid: 0n,
    isFile: () => kind === 'file',
    isDirectory: () => kind === 'folder',
    isSymbolicLink: () => false,
  };
}

const folderStat = statOf('folder', 0n, 0n);
