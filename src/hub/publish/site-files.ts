// Writes files of a hub, and clears away what a killed publication left.
import { join } from 'node:path';
import type { Files } from '../../ports/files.ts';

export const mostFileBytes = 64 * 1024 * 1024;
/** As `writeAtomic` names its temporary files. */
const temporary = /^\..+\.\d+\.[0-9a-f]{12}\.tmp$/;

/** Unchanged files keep their times, for tools that copy what is new. */
export async function writeUnlessSame(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  const read = await files.read(path, mostFileBytes);
  if (read === null || Buffer.compare(read.bytes, bytes) !== 0) await files.writeAtomic(path, bytes, 0o644);
}

/** Only while the lock of the hub is held: no other process writes then. */
export async function clearTemporaries(files: Files, folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    for (const { name, kind } of files.list(folder) ?? [])
      if (kind === 'file' && temporary.test(name)) await files.remove(join(folder, name));
}
