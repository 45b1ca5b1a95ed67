// A path with all links resolved.
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Also for a file that does not exist yet. `null` if the path cannot be resolved. */
export function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist: resolve its folder.
    const parent = dirname(path);
    if (parent === path) return null;
    const real = realOf(parent);
    return real === null ? null : join(real, basename(path));
  }
}
