// allowed-tools and disallowed-tools of a skill -> what becomes of a call.
//
//   grant  in a conversation: what a trusted skill names needs no question while the skill is active
//   fence  in execution: what a skill does not name is refused
//
// Q1. Never beyond the host: what its policy denies stays denied, whoever names it.
// Q2. A grant is given by trusted skills only, and restricts nothing. Not declared, or an empty list: no grant.
// Q3. A fence: not declared means the host's usual tools, an empty list means none. Inside it the host's policy decides.
// Q4. disallowed-tools takes away in both, also from untrusted skills: to narrow needs no trust.
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
  /** Whether somebody vouches for the skill; counts for grants only. */
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

/** What the host's own policy says of a call. */
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
