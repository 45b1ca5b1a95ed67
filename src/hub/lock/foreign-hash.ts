// The hashes of other installers, computed exactly as they do.
//
//   files of a skill -> computedHash of skills-lock.json;   -> the id of its tree in git, for .skill-lock.json
//
// computedHash: every file outside `.git` and `node_modules`, sorted as `localeCompare` sorts, one SHA-256 over path and
// bytes after path and bytes. Nothing separates them, so two trees can have one hash: it says that a content is probably the
// same, and pins nothing. The tree id is git's own.
import { createHash } from 'node:crypto';
import type { FetchedFile } from '../source/source.ts';

const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules']);
// The order must not depend on where it runs. For the names that skills have it is the same in every usual language.
const collator = new Intl.Collator('en');

export function computedHash(files: ReadonlyMap<string, Pick<FetchedFile, 'bytes'>>): string {
  const hash = createHash('sha256');
  const paths = [...files.keys()].filter(
    (path) =>
      !path
        .split('/')
        .slice(0, -1)
        .some((part) => skipped.has(part)),
  );
  for (const path of paths.sort((a, b) => collator.compare(a, b))) {
    hash.update(path);
    hash.update((files.get(path) as FetchedFile).bytes);
  }
  return hash.digest('hex');
}

interface GitTree {
  readonly files: Map<string, FetchedFile>;
  readonly folders: Map<string, GitTree>;
}

/** The 40 hex digits that git gives the folder. */
export function gitTreeId(files: ReadonlyMap<string, FetchedFile>): string {
  const root: GitTree = { files: new Map(), folders: new Map() };
  for (const [path, file] of files) {
    const parts = path.split('/');
    let at = root;
    for (const part of parts.slice(0, -1)) {
      const next = at.folders.get(part) ?? { files: new Map(), folders: new Map() };
      at.folders.set(part, next);
      at = next;
    }
    at.files.set(parts.at(-1) as string, file);
  }
  return treeId(root).toString('hex');
}

function treeId({ files, folders }: GitTree): Buffer {
  // Git compares bytes, and a folder as if its name ended in a slash.
  const rows = [
    ...[...files].map(([name, { bytes, executable }]) => ({
      key: Buffer.from(name),
      mode: executable ? '100755' : '100644',
      name,
      id: objectId('blob', bytes),
    })),
    ...[...folders].map(([name, tree]) => ({
      key: Buffer.from(`${name}/`),
      mode: '40000',
      name,
      id: treeId(tree),
    })),
  ].sort((a, b) => Buffer.compare(a.key, b.key));
  return objectId(
    'tree',
    Buffer.concat(rows.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`), id])),
  );
}

function objectId(kind: 'blob' | 'tree', bytes: Uint8Array): Buffer {
  return createHash('sha1').update(`${kind} ${bytes.length}\0`).update(bytes).digest();
}
