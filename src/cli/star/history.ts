// The lines typed at the prompt, kept between sessions in ~/.techne/star_history.
//
// Only its owner can read the file. It has at most `maxLines` lines, the newest last. A history that cannot be read or written never
// ends a session: the reason is returned for a message.
import { join } from 'node:path';
import { createNodeFiles } from '../../node/files/files.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';

export const maxLines = 1000;
/** A longer line is not kept. */
const maxLineUnits = 1000;
const maxBytes = 4 * maxLines * (maxLineUnits + 1);

export function historyFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'star_history');
}

/** Newest first, as in readline. */
export async function readHistory(
  path: string,
  files: Files = createNodeFiles(),
): Promise<{ readonly lines: readonly string[]; readonly fault: string | null }> {
  try {
    const read = await files.read(path, maxBytes);
    const lines =
      read === null
        ? []
        : new TextDecoder()
            .decode(read.bytes)
            .split('\n')
            .filter((line) => line !== '');
    return { lines: lines.slice(-maxLines).reverse(), fault: null };
  } catch (error) {
    if (error instanceof FileFault) return { lines: [], fault: error.message };
    throw error;
  }
}

/** `lines`: newest first. If several sessions write, the last one wins. */
export async function writeHistory(
  path: string,
  lines: readonly string[],
  files: Files = createNodeFiles(),
): Promise<string | null> {
  const kept = lines
    .filter((line) => line.trim() !== '' && line.length <= maxLineUnits && !/[\r\n]/.test(line))
    .slice(0, maxLines)
    .reverse();
  try {
    await files.writeAtomic(path, new TextEncoder().encode(kept.map((line) => `${line}\n`).join('')), 0o600);
    return null;
  } catch (error) {
    if (error instanceof FileFault) return error.message;
    throw error;
  }
}
