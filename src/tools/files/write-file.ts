// write_file: a whole file, new or in place of the old one.
import { carryOutChange, planChange } from './change-file.ts';
import type { ConfinedFiles } from '../../node/confined/confined-files.ts';
import type { AgentTool } from '../agent-tool.ts';
import { objectSchema } from '../agent-tool.ts';

export function writeFileTool(files: ConfinedFiles): AgentTool {
  return {
    name: 'write_file',
    description: 'Writes a text file, in place of the one that is there. Missing folders are made.',
    parameters: objectSchema(
      {
        path: { type: 'string', description: 'From the working folder.' },
        content: { type: 'string', description: 'The whole text of the file.' },
      },
      ['path', 'content'],
    ),
    prepare: ({ path, content }, use) => planChange(files, path as string, () => content as string, use),
    async run({ path, content }, use, plan) {
      const done = await carryOutChange(files, path as string, () => content as string, plan, use);
      return done === 'changed'
        ? `wrote ${(content as string).length} characters to ${path as string}`
        : `${path as string} had this content already`;
    },
  };
}
