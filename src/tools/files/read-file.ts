// read_file: the text of a file, or some of its lines.
import type { ConfinedFiles } from '../../node/confined/confined-files.ts';
import type { AgentTool } from '../agent-tool.ts';
import { cutForModel, objectSchema } from '../agent-tool.ts';
import { ToolFault } from '../../ports/tool-fault.ts';

export function readFileTool(files: ConfinedFiles): AgentTool {
  return {
    name: 'read_file',
    description: 'Reads a text file. Long files are cut: ask for a range of lines then.',
    parameters: objectSchema(
      {
        path: { type: 'string', description: 'From the working folder.' },
        first_line: { type: 'integer', minimum: 1, description: 'Default: 1.' },
        line_count: { type: 'integer', minimum: 1, description: 'Default: all of them.' },
      },
      ['path'],
    ),
    async run({ path, first_line: first = 1, line_count: count = null }, { mayTouch }) {
      const text = await files.readText(path as string, mayTouch);
      if (first === 1 && count === null) return cutForModel(text);
      const lines = text.split('\n');
      const start = (first as number) - 1;
      if (start >= lines.length) throw new ToolFault(`${JSON.stringify(path)} has ${lines.length} lines`);
      return cutForModel(
        lines.slice(start, count === null ? undefined : start + (count as number)).join('\n'),
      );
    },
  };
}
