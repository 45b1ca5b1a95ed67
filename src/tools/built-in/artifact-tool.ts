// publish_artifact: says that a file of the workspace is a result. Nothing is sent anywhere: whoever shows the run does that.
import type { ConfinedFiles } from '../../node/confined/confined-files.ts';
import { objectSchema } from '../agent-tool.ts';
import { ToolFault } from '../../ports/tool-fault.ts';
import type { BuiltInTool } from './built-in-tool.ts';
import { orFault } from './built-in-tool.ts';

export function artifactTool(files: ConfinedFiles): BuiltInTool {
  return {
    fact: {
      name: 'publish_artifact',
      description:
        'Names a file of the workspace as a result of the run. The file must be there and must not be empty; it is not copied or sent.',
      schema: objectSchema(
        {
          path: { type: 'string', description: 'From the working folder.' },
          name: { type: 'string' },
          mime: { type: 'string' },
        },
        ['path'],
      ),
      readOnly: true,
      repeatable: true,
      from: 'built-in',
    },
    call: ({ args: { path, name = null, mime = null } }) =>
      orFault(async () => {
        const bytes = await files.sizeOf(path as string, () => true);
        if (bytes === 0) throw new ToolFault(`${JSON.stringify(path)} is empty`);
        const shown = (name as string | null) ?? (path as string).split(/[\\/]/).at(-1) ?? '';
        return {
          ok: true,
          text: `${shown} (${bytes} bytes): ${path as string}`,
          value: { path: path as string, name: shown, mime, bytes },
        };
      }),
  };
}
