// The skills of a conversation -> what `generateText`, `streamText` and agents of the AI SDK take: `system`, `tools`, messages.
//
// Nothing of the package `ai` is imported: the shapes fit the types of its versions 5 to 7. A tool gives its whole result
// (`ok`, `text`, `metadata`) to the program, and the text alone to the model. The tools check their arguments themselves,
// so that a model reads what to correct; the SDK only sees the schema.
import type { Abort } from '../base/abort.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { AgentSession } from '../techne/agent-session.ts';
import type { Tool, ToolResult } from '../ports/tool.ts';
import { skillNote, unmarked } from '../prompt/marks.ts';
import type { Enrichment } from '../prompt/skill-provider.ts';

/** A JSON Schema as the SDK takes it: by the interface of standardschema.dev, which needs no import. */
export interface AiSdkSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'techne';
    readonly validate: (value: unknown) => { readonly value: Json };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** What the SDK sends to the model. */
export type AiSdkToolOutput =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'error-text'; readonly value: string };

/** A tool in the shape that the SDK takes. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: AiSdkSchema;
  readonly execute: (input: Json, options: AiSdkCall) => Promise<ToolResult>;
  /** The SDK gives `{ output }` since version 6, and the output itself before. */
  readonly toModelOutput: (given: { readonly output: ToolResult } | ToolResult) => AiSdkToolOutput;
}

/** What the SDK says of a call. */
export interface AiSdkCall {
  readonly toolCallId: string;
  readonly abortSignal?: Abort | undefined;
}

/** A message of a person in the shape that the SDK takes. */
export interface AiSdkUserMessage {
  readonly role: 'user';
  readonly content: { readonly type: 'text'; readonly text: string }[];
}

/** The tools of a conversation, by name: `tools: { ...aiSdkTools(session), ...yours }`. After `session.moveOn()`, ask again. */
export function aiSdkTools(session: Pick<AgentSession, 'tools'>): { [name: string]: AiSdkTool } {
  return Object.fromEntries(session.tools.map((tool) => [tool.name, toAiSdkTool(tool)]));
}

/** Your system prompt with the section about skills behind it, the same text every turn: `system: aiSdkSystem(session, …)`. */
export function aiSdkSystem(session: Pick<AgentSession, 'prompt'>, system = ''): string {
  return [system, session.prompt].filter((part) => part !== '').join('\n\n');
}

/** A message, and in a part of its own what the skills of this turn add to it. Keep it in the history as it is. */
export async function aiSdkMessage(
  session: Pick<AgentSession, 'enrich'>,
  message: string,
): Promise<{ readonly message: AiSdkUserMessage; readonly enrichment: Enrichment }> {
  const enrichment = await session.enrich({ message });
  const texts = [unmarked(message), ...(enrichment.block === '' ? [] : [skillNote(enrichment.block)])];
  return {
    message: { role: 'user', content: texts.map((text) => ({ type: 'text' as const, text })) },
    enrichment,
  };
}

function toAiSdkTool(tool: Tool): AiSdkTool {
  return {
    description: tool.description,
    inputSchema: schemaOf(tool.parameters),
    execute: (input, { toolCallId, abortSignal }) =>
      // Checked by the tool itself.
      tool.call(input as JsonObject, {
        id: toolCallId,
        ...(abortSignal === undefined ? {} : { signal: abortSignal }),
      }),
    toModelOutput(given) {
      const { ok, text } = 'output' in given ? given.output : given;
      return { type: ok ? 'text' : 'error-text', value: text };
    },
  };
}

/** Version 5 knows its own schemas by a registered symbol, and no standard ones. */
const schemaMark = Symbol.for('vercel.ai.schema');

function schemaOf(parameters: JsonObject): AiSdkSchema {
  const schema = (): Record<string, unknown> => ({ ...parameters });
  const own = {
    [schemaMark]: true,
    jsonSchema: parameters,
    validate: (value: unknown) => ({ success: true, value }),
  };
  return {
    ...own,
    '~standard': {
      version: 1,
      vendor: 'techne',
      validate: (value) => ({ value: value as Json }),
      jsonSchema: { input: schema, output: schema },
    },
  };
}
