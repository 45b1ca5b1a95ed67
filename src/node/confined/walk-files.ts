// The files below a folder, in order of their names, within bounds.
//
// Links are listed and not followed; `.git` and `node_modules` are not entered. At most `maxEntries` entries and
// `maxDepth` levels are visited, and the result reports whether anything was left out.
import type { Abort } from '../../base/abort.ts';
import type { ConfinedFiles } from './confined-files.ts';
import { ToolFault } from '../../ports/tool.ts';

interface FoundFile {
  /** From the folder the walk began in, with `/`. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

const walkLimits = { maxEntries: 20_000, maxDepth: 24 } as const;
const notEntered: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Calls `visit` with each entry until it returns `stop`. Returns whether all entries were visited. */
export async function walkFiles(
  files: ConfinedFiles,
  start: string,
  signal: Abort,
  visit: (found: FoundFile) => Promise<'stop' | void>,
): Promise<boolean> {
  const first = await files.list(start);
  if (first === null) throw new ToolFault(`${JSON.stringify(start)} is not a folder`);
  let seen = 0;
  let whole = true;
  const walk = async (entries: typeof first, prefix: string, depth: number): Promise<'stop' | void> => {
    for (const { name, kind } of entries) {
      if (signal.aborted) throw new Error('stopped');
      seen += 1;
      if (seen > walkLimits.maxEntries) {
        whole = false;
        return 'stop';
      }
      const path = `${prefix}${name}`;
      if ((await visit({ path, kind })) === 'stop') {
        whole = false;
        return 'stop';
      }
      if (kind !== 'folder' || notEntered.has(name)) continue;
      if (depth === walkLimits.maxDepth) {
        whole = false;
        continue;
      }
      const below = await files.list(start === '.' ? path : `${start}/${path}`);
      if (below !== null && (await walk(below, `${path}/`, depth + 1)) === 'stop') return 'stop';
    }
  };
  await walk(first, '', 1);
  return whole;
}
