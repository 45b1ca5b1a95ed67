// search_files: the lines of files that hold a text.
//
// Plain text and no regular expression: a pattern that a model was talked into could keep this process busy for ever.
import { neverAborted } from '../../base/abort.ts';
import { pathFits } from '../../skill/tools/tool-fence.ts';
import { cutText } from '../../base/cut-text.ts';
import type { ConfinedFiles } from '../../node/confined/confined-files.ts';
import type { Tool } from '../../ports/tool.ts';
import { objectSchema, ToolFault } from '../../ports/tool.ts';
import { walkFiles } from '../../node/confined/walk-files.ts';

const maxShown = 200;
const maxLineUnits = 300;
const maxUnitsRead = 128 * 1024 * 1024;

export function searchFilesTool(files: ConfinedFiles): Tool {
  return {
    name: 'search_files',
    description:
      'Finds the lines that hold a text, as "path:line: text". The text is taken literally, not as a regular expression.',
    parameters: objectSchema(
      {
        text: { type: 'string', minLength: 1 },
        path: { type: 'string', description: 'The folder to search. Default: the working folder.' },
        pattern: {
          type: 'string',
          description: 'Only files that fit: "*" within a folder, "**" through folders.',
        },
        ignore_case: { type: 'boolean', description: 'Default: false.' },
      },
      ['text'],
    ),
    readOnly: true,
    async call(
      { text, path = '.', pattern = null, ignore_case: ignoreCase = false },
      { signal = neverAborted } = {},
    ) {
      const fold = (line: string): string => (ignoreCase === true ? line.toLowerCase() : line);
      const sought = fold(text as string);
      const lines: string[] = [];
      let units = 0;
      const whole = await walkFiles(files, path as string, signal, async ({ path: found, kind }) => {
        if (kind !== 'file' || (pattern !== null && !pathFits(pattern as string, found))) return;
        const content = await contentOf(files, path === '.' ? found : `${path as string}/${found}`);
        units += content.length;
        if (units > maxUnitsRead) return 'stop';
        if (!fold(content).includes(sought)) return;
        for (const [at, line] of content.split('\n').entries()) {
          if (!fold(line).includes(sought)) continue;
          if (lines.length === maxShown) return 'stop';
          lines.push(`${found}:${at + 1}: ${cutText(line, maxLineUnits).text}`);
        }
      });
      if (!whole) lines.push('[cut here: there may be more; give a path or a pattern]');
      return { ok: true, text: lines.length === 0 ? 'nothing found' : lines.join('\n') };
    },
  };
}

/** Empty if it is too large, not text, or gone. */
async function contentOf(files: ConfinedFiles, path: string): Promise<string> {
  try {
    return await files.readText(path);
  } catch (error) {
    if (error instanceof ToolFault) return '';
    throw error;
  }
}
