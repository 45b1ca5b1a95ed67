// list_files: names below a folder, all or those that fit a pattern.
import { neverAborted } from '../../base/abort.ts';
import { pathFits } from '../../skill/tools/tool-fence.ts';
import type { ConfinedFiles } from '../../node/confined/confined-files.ts';
import type { Tool } from '../../ports/tool.ts';
import { objectSchema } from '../../ports/tool.ts';
import { walkFiles } from '../../node/confined/walk-files.ts';

const maxShown = 1000;

export function listFilesTool(files: ConfinedFiles): Tool {
  return {
    name: 'list_files',
    description:
      'Lists the files below a folder, with those of its folders. Folders end in "/", links in "@".',
    parameters: objectSchema(
      {
        path: { type: 'string', description: 'Relative to the working folder. Default: the working folder.' },
        pattern: {
          type: 'string',
          description:
            'Only paths that fit: "*" within a folder, "**" through folders, such as "src/**/*.ts".',
        },
      },
      [],
    ),
    readOnly: true,
    async call({ path = '.', pattern = null }, { signal = neverAborted } = {}) {
      const lines: string[] = [];
      const whole = await walkFiles(files, path as string, signal, async ({ path: found, kind }) => {
        if (pattern !== null && (kind === 'folder' || !pathFits(pattern as string, found))) return;
        if (lines.length === maxShown) return 'stop';
        lines.push(`${found}${kind === 'folder' ? '/' : kind === 'link' ? '@' : ''}`);
      });
      if (!whole) lines.push(`[cut here: there are more; give a path or a pattern]`);
      return { ok: true, text: lines.length === 0 ? 'no files' : lines.join('\n') };
    },
  };
}
