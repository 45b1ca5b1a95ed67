// `techne/ai-sdk`: skills as tools and prompts of the AI SDK (the package `ai`). Re-exports only.
export { aiSdkMessage, aiSdkSystem, aiSdkTools } from './adapters/ai-sdk.ts';
export type {
  AiSdkCall,
  AiSdkSchema,
  AiSdkTool,
  AiSdkToolOutput,
  AiSdkUserMessage,
} from './adapters/ai-sdk.ts';
export type { AgentSession } from './techne/agent-session.ts';
export type { Tool, ToolResult, ToolUse } from './ports/tool.ts';
