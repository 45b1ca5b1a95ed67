// Files of the workspace that output contracts name (ports/artifacts.ts).
import { promises as fs } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import { leadsNowhere } from './file-fault.ts';
import type { ArtifactFact, Artifacts } from '../../ports/artifacts.ts';

export function createArtifacts(workspace: string): Artifacts {
  return {
    async look(path): Promise<ArtifactFact> {
      if (path.trim() === '' || path.includes('\0')) return missing('has no path');
      try {
        const real = await fs.realpath(isAbsolute(path) ? path : join(workspace, path));
        if (!isInside(real, await fs.realpath(workspace))) return missing('lies outside the workspace');
        const stats = await fs.stat(real);
        if (stats.isDirectory()) return { exists: true, bytes: null, reason: null };
        if (!stats.isFile()) return missing('is not a file');
        return stats.size === 0 ? missing('is empty') : { exists: true, bytes: stats.size, reason: null };
      } catch (error) {
        return missing(
          leadsNowhere(error)
            ? 'does not exist'
            : `cannot be looked at (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
        );
      }
    },
  };
}

function missing(reason: string): ArtifactFact {
  return { exists: false, bytes: null, reason };
}
