// Text for a model and facts for programs -> the result of a tool.
//
// R1. Each of the two parts says everything. Some hosts give a model the content alone, others the structured content
//     alone; with either of them it must read all that was said.
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { JsonObject } from '../base/json.ts';
import type { SkillToolResult } from '../prompt/skill-tools.ts';
import { renderToolResult } from '../prompt/skill-tools.ts';
import type { OnBug } from './translate-error.ts';
import { errorFields, toldError } from './translate-error.ts';

/** `facts` hold what the text says (R1). */
export function toolResult(text: string, facts: JsonObject, isError = false): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...facts },
    ...(isError ? { isError: true } : {}),
  };
}

export function skillToolResult(result: SkillToolResult): CallToolResult {
  const text = renderToolResult(result);
  return toolResult(text, { ...result.metadata, text }, !result.ok);
}

/** As the failures of runs begin, so that a model knows it by its first word. */
export function failedTool(error: unknown, onBug: OnBug): CallToolResult {
  const told = toldError(error, onBug);
  return toolResult(
    `error: ${told.message}${told.hint === null ? '' : `\n${told.hint}`}`,
    errorFields(told),
    true,
  );
}
