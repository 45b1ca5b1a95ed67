// read_file: the text of a file, or some of its lines.
import { cutText } from '../../base/cut-text.ts';
import type { ConfinedFiles } from '../../node/confined/confined-files.ts';
import type { Tool } from '../../ports/tool.ts';
import { objectSchema, ToolFault } from '../../ports/tool.ts';

export function readFileTool(files: ConfinedFiles): Tool {
  return {
    name: 'read_file',
    description: 'Reads a text file. Long files are cut: ask for a range of lines then.',
    parameters: objectSchema(
      {
        path: { type: 'string', description: 'Relative to the working folder.' },
        first_line: { type: 'integer', minimum: 1, description: 'Default: 1.' },
        line_count: { type: 'integer', minimum: 1, description: 'Default: all of them.' },
      },
      ['path'],
    ),
    readOnly: true,
    async call({ path, first_line: first = 1, line_count: count = null }, { mayTouch } = {}) {
      const text = await files.readText(path as string, mayTouch);
      if (first === 1 && count === null) return { ok: true, text: cutForModel(text) };
      const lines = text.split('\n');
      const start = (first as number) - 1;
      if (start >= lines.length) throw new ToolFault(`${JSON.stringify(path)} has ${lines.length} lines`);
      const shown = lines.slice(start, count === null ? undefined : start + (count as number));
      return { ok: true, text: cutForModel(shown.join('\n')) };
    },
  };
}

const maxUnits = 60_000;

/** As much of a text as a model is given in one call, with a note of what is left out. */
function cutForModel(text: string): string {
  const { text: kept, truncated } = cutText(text, maxUnits);
  return truncated
    ? `${kept}\n[cut here: ${text.length - kept.length} of ${text.length} characters are left out]`
    : kept;
}
