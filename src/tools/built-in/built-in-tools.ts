// Every tool that techne ships for plans, but for exec_command, which is a command.
import { ConfinedFiles } from '../../node/confined/confined-files.ts';
import type { Tool } from '../../ports/tool.ts';
import type { HostTool } from '../../ports/tool-host.ts';
import { fileTools } from '../files/file-tools.ts';
import { artifactTool } from './artifact-tool.ts';
import { emitTextTool } from './emit-text-tool.ts';
import { execCommandTool } from './exec-command-tool.ts';
import { memorySaveTool, memorySearchTool } from './memory-tools.ts';

export function builtInTools(files: ConfinedFiles): readonly Tool[] {
  return [
    ...fileTools(files),
    memorySaveTool(files),
    memorySearchTool(files),
    emitTextTool,
    artifactTool(files),
  ];
}

export function describeBuiltIn({ name, description, parameters, readOnly, repeatable }: Tool): HostTool {
  return { name, description, parameters, readOnly, repeatable: repeatable ?? readOnly, from: 'built-in' };
}

/** For checks of plans, which call nothing. */
export function describeBuiltIns(): readonly HostTool[] {
  const nothing = new ConfinedFiles({ roots: { read: [], write: [], refusal: 'nothing is called here' } });
  return [...builtInTools(nothing).map(describeBuiltIn), execCommandTool];
}
