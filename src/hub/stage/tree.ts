// The files of a skill on the disk, written and read without following a link.
//
//   files in memory -> folder on the disk -> read back: exactly the bytes that are there, hashed
//
// A tree that was read holds everything in the folder: what is no file (a link, a device), what is too large, and what
// manifests leave out are entries of their own, so that nothing is overlooked.
import { join } from 'node:path';
import type { FetchedFile } from '../source/source.ts';
import { nodeSha256 } from '../../node/environment.ts';
import type { FileManifest, ManifestFile } from '../../skill/resources.ts';
import { isExcluded, manifestOf } from '../../skill/resources.ts';
import type { HeldFolder, HubCalls } from './held-folder.ts';
import { inChild, inFolder, readFileIn, writeNew } from './held-folder.ts';

export interface TreeLimits {
  readonly files: number;
  readonly bytes: number;
}

export interface TreeFile extends ManifestFile {
  readonly bytes: Uint8Array;
}

export interface Tree {
  /** By path, in code units. */
  readonly files: readonly TreeFile[];
  /** Neither a file nor a folder, or a file that cannot be taken in. */
  readonly strange: readonly string[];
  /** What manifests leave out; folders with a `/` at the end. */
  readonly excluded: readonly string[];
  readonly manifest: FileManifest;
}

interface Branch {
  readonly files: Map<string, FetchedFile>;
  readonly folders: Map<string, Branch>;
}

/** Writes `files` as the new folder `name`; all of it is on the disk when this returns. */
export async function writeTree(
  calls: HubCalls,
  parent: HeldFolder,
  name: string,
  files: ReadonlyMap<string, FetchedFile>,
): Promise<void> {
  const root: Branch = { files: new Map(), folders: new Map() };
  for (const [path, file] of files) {
    const segments = path.split('/');
    let branch = root;
    for (const segment of segments.slice(0, -1)) {
      const next = branch.folders.get(segment) ?? { files: new Map(), folders: new Map() };
      branch.folders.set(segment, next);
      branch = next;
    }
    branch.files.set(segments.at(-1) as string, file);
  }
  await calls.mkdir(parent.at(name), { mode: 0o755 });
  await writeBranch(calls, parent, name, root);
}

async function writeBranch(calls: HubCalls, parent: HeldFolder, name: string, branch: Branch): Promise<void> {
  await inChild(calls, parent, name, 0o755, async (folder) => {
    for (const [file, { bytes, executable }] of branch.files)
      await writeNew(calls, folder, file, bytes, executable ? 0o755 : 0o644);
    for (const [child, inner] of branch.folders) await writeBranch(calls, folder, child, inner);
    await folder.sync();
  });
}

/** `null`: there is no such folder. Throws PATH_UNSAFE where it is a link. */
export async function readTree(calls: HubCalls, path: string, limits: TreeLimits): Promise<Tree | null> {
  const found: { files: TreeFile[]; strange: string[]; excluded: string[]; bytes: number } = {
    files: [],
    strange: [],
    excluded: [],
    bytes: 0,
  };
  const read = async (folder: HeldFolder, prefix: string): Promise<void> => {
    const entries = await calls.readdir(folder.at('.'), { withFileTypes: true });
    for (const entry of entries) {
      const inner = prefix + entry.name;
      if (isExcluded(inner)) found.excluded.push(entry.isDirectory() ? `${inner}/` : inner);
      else if (entry.isDirectory()) {
        const done = await inFolder(
          calls,
          folder.at(entry.name),
          async (child) => {
            await read(child, `${inner}/`);
            return true;
          },
          join(folder.shown, entry.name),
        );
        if (done === null) found.strange.push(inner);
      } else {
        const file =
          entry.isFile() && found.files.length < limits.files
            ? await readFileIn(calls, folder, entry.name, limits.bytes - found.bytes)
            : null;
        if (file === null) {
          found.strange.push(inner);
          continue;
        }
        found.bytes += file.bytes.length;
        found.files.push({ path: inner, size: file.bytes.length, sha256: nodeSha256(file.bytes), ...file });
      }
    }
  };
  return inFolder(calls, path, async (folder) => {
    await read(folder, '');
    const { strange, excluded } = found;
    const files = found.files.sort((a, b) => (a.path < b.path ? -1 : 1));
    const plain = files.map(({ path: at, size, executable, sha256 }): ManifestFile => ({
      path: at,
      size,
      executable,
      sha256,
    }));
    return {
      files,
      strange: strange.sort(),
      excluded: excluded.sort(),
      manifest: manifestOf(plain, nodeSha256),
    };
  });
}

/** The manifest that these files give when they are written. */
export function manifestOfFiles(files: ReadonlyMap<string, FetchedFile>): FileManifest {
  const list = [...files].map(([path, { bytes, executable }]): ManifestFile => ({
    path,
    size: bytes.length,
    executable,
    sha256: nodeSha256(bytes),
  }));
  return manifestOf(list, nodeSha256);
}

/** Whether the folder holds exactly the files of the manifest, and nothing else. */
export function isExactly(tree: Tree, digest: string): boolean {
  return tree.strange.length === 0 && tree.excluded.length === 0 && tree.manifest.digest === digest;
}
