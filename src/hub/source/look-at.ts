// The file system, as the parser of sources asks it.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { looked } from '../../node/files/file-fault.ts';
import type { LookAt } from './parse-local.ts';

export function nodeLook(homeFolder: string): LookAt {
  return {
    homeFolder,
    resolve,
    kindOf(path) {
      const facts = looked(() => statSync(path));
      return facts === null ? null : facts.isDirectory() ? 'folder' : facts.isFile() ? 'file' : 'other';
    },
    fileUrl: (path) => pathToFileURL(path).href,
  };
}
