// Every tool that techne brings along, but for exec_command, which is a command.
import type { ConfinedFiles } from '../../node/confined/confined-files.ts';
import { fileTools } from '../files/file-tools.ts';
import type { AgentTool } from '../agent-tool.ts';
import { artifactTool } from './artifact-tool.ts';
import type { BuiltInTool } from './built-in-tool.ts';
import { textTool } from './built-in-tool.ts';
import { emitTextTool } from './emit-text-tool.ts';
import { memorySaveTool, memorySearchTool } from './memory-tools.ts';

const readOnly: ReadonlySet<string> = new Set(['read_file', 'list_files', 'search_files']);
/** Besides: writing a whole file again gives the same file. */
const repeatable: ReadonlySet<string> = new Set([...readOnly, 'write_file']);

export function builtInTools(files: ConfinedFiles): readonly BuiltInTool[] {
  return [
    ...fileTools(files).map(ofAgentTool),
    memorySaveTool(files),
    memorySearchTool(files),
    emitTextTool,
    artifactTool(files),
  ];
}

function ofAgentTool({ name, description, parameters, prepare, run }: AgentTool): BuiltInTool {
  return textTool(
    { name, description, schema: parameters, readOnly: readOnly.has(name), repeatable: repeatable.has(name) },
    async (args, signal) => {
      const use = { signal, mayTouch: () => true };
      return run(args, use, prepare === undefined ? null : await prepare(args, use));
    },
  );
}
