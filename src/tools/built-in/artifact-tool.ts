// publish_artifact: declares a file of the workspace to be a result. Nothing is sent: the surface that shows the run does that.
import type { ConfinedFiles } from '../../node/confined/confined-files.ts';
import type { Tool } from '../../ports/tool.ts';
import { objectSchema, ToolFault } from '../../ports/tool.ts';

export function artifactTool(files: ConfinedFiles): Tool {
  return {
    name: 'publish_artifact',
    description:
      'Names a file of the workspace as a result of the run. The file must be there and must not be empty; it is not copied or sent.',
    parameters: objectSchema(
      {
        path: { type: 'string', description: 'Relative to the working folder.' },
        name: { type: 'string' },
        mime: { type: 'string' },
      },
      ['path'],
    ),
    readOnly: true,
    async call({ path, name = null, mime = null }) {
      const bytes = await files.sizeOf(path as string);
      if (bytes === 0) throw new ToolFault(`${JSON.stringify(path)} is empty`);
      const shown = (name as string | null) ?? (path as string).split(/[\\/]/).at(-1) ?? '';
      return {
        ok: true,
        text: `${shown} (${bytes} bytes): ${path as string}`,
        value: { path: path as string, name: shown, mime, bytes },
      };
    },
  };
}
