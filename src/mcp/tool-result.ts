// Text for a model and data for programs -> the result of a tool.
//
// The state of a run is given as text and as structured content, both complete: some hosts give a model only the one, some only the
// other. What is text only (the body of a skill, a page of a question) has no structured content: hosts would give it to the model
// twice, or instead of the text, as JSON with escapes. What programs want to know of it is in `_meta`, which no model sees.
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { JsonObject } from '../base/json.ts';
import type { ToolDescription, ToolResult } from '../ports/tool.ts';
import { ToolFault } from '../ports/tool.ts';
import type { OnBug } from './translate-error.ts';
import { errorFields, toldError } from './translate-error.ts';

/** `facts` also include the text. */
export function toolResult(text: string, facts: JsonObject, isError = false): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...facts },
    ...(isError ? { isError: true } : {}),
  };
}

export function skillToolResult({
  ok,
  text,
  metadata,
}: Pick<ToolResult, 'ok' | 'text' | 'metadata'>): CallToolResult {
  return {
    ...textResult(text),
    ...(ok ? {} : { isError: true }),
    ...(metadata === undefined ? {} : { _meta: { [metadataKey]: metadata } }),
  };
}

/** Where a result has the metadata of a skill tool. */
const metadataKey = 'techne/metadata';

export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

/** A tool as MCP lists it. */
export function toMcpTool(tool: ToolDescription): Tool {
  const {
    name,
    title = name,
    description,
    parameters,
    readOnly,
    repeatable = readOnly,
    openWorld = false,
  } = tool;
  return {
    name,
    title,
    description,
    inputSchema: parameters as Tool['inputSchema'],
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: !readOnly,
      idempotentHint: repeatable,
      openWorldHint: openWorld,
    },
  };
}

/** Begins like the failures of runs. */
export function failedTool(error: unknown, onBug: OnBug): CallToolResult {
  if (error instanceof ToolFault)
    return skillToolResult({ ok: false, text: error.text, metadata: error.metadata });
  const told = toldError(error, onBug);
  return toolResult(
    `error: ${told.message}${told.hint === null ? '' : `\n${told.hint}`}`,
    errorFields(told),
    true,
  );
}
