// allowed-tools and disallowed-tools of the active skills -> the decision about a tool call in a conversation.
//
// A call that a trusted skill allows needs no approval while the skill is active. A skill can never allow more than the
// host: what its policy denies stays denied. A list that is absent or empty allows nothing extra and restricts nothing.
// disallowed-tools denies, also for untrusted skills: narrowing needs no trust.
import {
  agentToolNames,
  allowsCommand,
  allowsHostTool,
  allowsPath,
  allowsTool,
  parseFence,
} from './tool-fence.ts';

export interface ToolDeclaration {
  /** `null`: not declared. */
  readonly allowedTools: readonly string[] | null;
  readonly disallowedTools: readonly string[] | null;
  /** Only a trusted skill can allow something. */
  readonly trusted: boolean;
}

/** A call as it is about to be made. */
export interface ScopedCall {
  /** One of ours, or `server__tool` of an MCP server. */
  readonly tool: string;
  /** Of a command. */
  readonly argv?: readonly string[];
  /** Of a file tool: relative to the working folder, links resolved. */
  readonly path?: string;
}

/** The decision of the host's own policy about a call. */
type HostDecision = 'allow' | 'ask' | 'deny';

/** In a conversation: what becomes of the host's decision while these skills are active. */
export function decideInChat(
  call: ScopedCall,
  active: readonly ToolDeclaration[],
  host: HostDecision,
): HostDecision {
  if (
    host === 'deny' ||
    active.some(({ disallowedTools }) => disallowedTools !== null && names(disallowedTools, call))
  )
    return 'deny';
  const granted = active.some(
    ({ allowedTools, trusted }) => trusted && allowedTools !== null && names(allowedTools, call),
  );
  return granted ? 'allow' : host;
}

/** Whether a list names this call, with its limits on commands and paths. */
function names(tools: readonly string[], { tool, argv, path }: ScopedCall): boolean {
  const own = agentToolNames.find((name) => name === tool);
  if (own === undefined) return allowsHostTool(tools, tool.replace(/^mcp__/, ''));
  const fence = parseFence(tools);
  if (!allowsTool(fence, own)) return false;
  return (
    (argv === undefined || own !== 'command' || allowsCommand(fence, argv)) &&
    (path === undefined || allowsPath(fence, own, path))
  );
}
