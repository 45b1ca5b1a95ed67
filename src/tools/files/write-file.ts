// write_file: a whole file, new or in place of the old one.
import { carryOutChange, planChange } from './change-file.ts';
import type { ConfinedFiles } from '../../node/confined/confined-files.ts';
import type { Tool } from '../../ports/tool.ts';
import { objectSchema } from '../../ports/tool.ts';

export function writeFileTool(files: ConfinedFiles): Tool {
  return {
    name: 'write_file',
    description: 'Writes a text file, replacing an existing one. Creates missing folders.',
    parameters: objectSchema(
      {
        path: { type: 'string', description: 'Relative to the working folder.' },
        content: { type: 'string', description: 'The whole text of the file.' },
      },
      ['path', 'content'],
    ),
    readOnly: false,
    // Writing a whole file again gives the same file.
    repeatable: true,
    prepare: ({ path, content }, use) => planChange(files, path as string, () => content as string, use),
    async call({ path, content }, use = {}) {
      const done = await carryOutChange(files, path as string, () => content as string, use);
      const text =
        done === 'changed'
          ? `wrote ${(content as string).length} characters to ${path as string}`
          : `${path as string} had this content already`;
      return { ok: true, text };
    },
  };
}
