// edit_file: one piece of text in place of another.
import { carryOutChange, planChange } from './change-file.ts';
import type { Change } from './change-file.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ConfinedFiles } from '../../node/confined/confined-files.ts';
import type { Tool } from '../../ports/tool.ts';
import { objectSchema, ToolFault } from '../../ports/tool.ts';

export function editFileTool(files: ConfinedFiles): Tool {
  return {
    name: 'edit_file',
    description:
      'Replaces a piece of text in a file. old_text must be there exactly once, unless replace_all is true.',
    parameters: objectSchema(
      {
        path: { type: 'string', description: 'Relative to the working folder.' },
        old_text: {
          type: 'string',
          minLength: 1,
          description: 'As it stands in the file, with its spaces and line ends.',
        },
        new_text: { type: 'string' },
        replace_all: { type: 'boolean', description: 'Default: false.' },
      },
      ['path', 'old_text', 'new_text'],
    ),
    readOnly: false,
    prepare: (args, use) => planChange(files, args['path'] as string, changeOf(args), use),
    async call(args, use = {}) {
      await carryOutChange(files, args['path'] as string, changeOf(args), use);
      return { ok: true, text: `edited ${args['path'] as string}` };
    },
  };
}

function changeOf({ path, old_text: old, new_text: text, replace_all: all = false }: JsonObject): Change {
  return (before) => {
    if (before === null) throw new ToolFault(`there is no file ${JSON.stringify(path)}`);
    const pieces = before.split(old as string);
    if (pieces.length === 1)
      throw new ToolFault(`old_text is not in ${JSON.stringify(path)}; read the file and copy it exactly`);
    if (pieces.length > 2 && all !== true)
      throw new ToolFault(
        `old_text is ${pieces.length - 1} times in ${JSON.stringify(path)}; give more of the text around it, or set replace_all`,
      );
    return pieces.join(text as string);
  };
}
