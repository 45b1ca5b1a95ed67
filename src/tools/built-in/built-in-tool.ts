// A tool that techne brings along, as the host of tools offers it.
import type { Abort } from '../../base/abort.ts';
import type { JsonObject } from '../../base/json.ts';
import { ToolFault } from '../../ports/tool-fault.ts';
import type { ToolCall, ToolFact, ToolOutcome } from '../../ports/tool-host.ts';

export interface BuiltInTool {
  readonly fact: ToolFact;
  readonly call: (call: ToolCall, signal: Abort) => Promise<ToolOutcome>;
}

/** A tool that gives text; a ToolFault is what it fails with. */
export function textTool(
  fact: Omit<ToolFact, 'from'>,
  run: (args: JsonObject, signal: Abort) => Promise<string>,
): BuiltInTool {
  return {
    fact: { ...fact, from: 'built-in' },
    call: ({ args }, signal) =>
      orFault(async () => ({ ok: true, text: await run(args, signal), value: null })),
  };
}

export async function orFault(work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolFault) return { ok: false, message: error.message, timedOut: false };
    throw error;
  }
}
