// A tool that techne brings along, as the host of tools offers it.
import type { Abort } from '../../base/abort.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ConfinedFiles } from '../agent-tools/confined-files.ts';
import { fileTools } from '../agent-tools/file-tools.ts';
import type { AgentTool } from '../agent-tools/tool.ts';
import { ToolFault } from '../agent-tools/tool.ts';
import type { ToolCall, ToolFact, ToolOutcome } from '../ports/tool-host.ts';
import { artifactTool } from './artifact-tool.ts';
import { emitTextTool } from './emit-text-tool.ts';
import { memorySaveTool, memorySearchTool } from './memory-tools.ts';

export interface BuiltInTool {
  readonly fact: ToolFact;
  readonly call: (call: ToolCall, signal: Abort) => Promise<ToolOutcome>;
}

const readOnly: ReadonlySet<string> = new Set(['read_file', 'list_files', 'search_files']);
/** Besides: writing a whole file again gives the same file. */
const repeatable: ReadonlySet<string> = new Set([...readOnly, 'write_file']);

export function builtInTools(files: ConfinedFiles): readonly BuiltInTool[] {
  return [...fileTools(files).map(ofAgentTool), memorySaveTool(files), memorySearchTool(files), emitTextTool, artifactTool(files)];
}

function ofAgentTool({ name, description, parameters, prepare, run }: AgentTool): BuiltInTool {
  return textTool({ name, description, schema: parameters, readOnly: readOnly.has(name), repeatable: repeatable.has(name) }, async (args, signal) => {
    const use = { signal, mayTouch: () => true };
    return run(args, use, prepare === undefined ? null : await prepare(args, use));
  });
}

/** A tool that gives text; a ToolFault is what it fails with. */
export function textTool(fact: Omit<ToolFact, 'from'>, run: (args: JsonObject, signal: Abort) => Promise<string>): BuiltInTool {
  return { fact: { ...fact, from: 'built-in' }, call: ({ args }, signal) => orFault(async () => ({ ok: true, text: await run(args, signal), value: null })) };
}

export async function orFault(work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolFault) return { ok: false, message: error.message, timedOut: false };
    throw error;
  }
}
