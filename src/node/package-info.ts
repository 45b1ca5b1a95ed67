// Where the package is, and its version.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with our package.json: above `dist/` when built, above `src/` in tests. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json of techne is missing');
    folder = parent;
  }
  return folder;
}

/** Set by the build, so that `--version` reads no file. */
declare const TECHNE_VERSION: string | undefined;

export function packageVersion(): string {
  if (typeof TECHNE_VERSION !== 'undefined') return TECHNE_VERSION;
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
