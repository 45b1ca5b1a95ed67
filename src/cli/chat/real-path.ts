// Where a path really leads.
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A file that is not there yet counts where it would be. `null`: nowhere. */
export function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // Not there: then it is where its folder is.
    const parent = dirname(path);
    if (parent === path) return null;
    const real = realOf(parent);
    return real === null ? null : join(real, basename(path));
  }
}
