// techne untrust
//
// JSON: {folders, digests}: what is no longer trusted. Taking trust back needs no person.
import { resolve } from 'node:path';
import { printableLine } from '../../base/printable.ts';
import type { CommandContext } from '../context.ts';
import { openLibrary } from '../open-library.ts';

export async function runUntrust(context: CommandContext): Promise<number> {
  const { args, io, out } = context;
  const library = await openLibrary(context);
  const store = await library.openTrust();
  const [given] = args.positionals;
  // A skill may be gone, so its name is looked for in the records, not among the skills.
  const byName = given === undefined || /[\\/]|^\.{1,2}$/.test(given) ? null : await store.untrust(given);
  const path = given === undefined ? library.loaded.workspace : resolve(io.cwd, given.startsWith('~/') ? io.homeFolder + given.slice(1) : given);
  const removed = byName !== null && byName.folders.length + byName.digests.length > 0 ? byName : await store.untrust(path);
  if (context.json) {
    out.json(removed);
    return 0;
  }
  for (const folder of removed.folders) out.line(`No longer trusted: ${printableLine(folder.path)}`);
  for (const { name, path: at } of removed.digests) out.line(`No longer trusted: ${printableLine(name)} at ${printableLine(at)}`);
  if (removed.folders.length + removed.digests.length === 0) {
    out.line(`${printableLine(given ?? path)} was not trusted.`);
    if (library.loaded.config.trust.folders.length > 0) context.err.line('  hint: "trust.folders" in ~/.techne/config.json grants trust too');
  }
  return 0;
}
