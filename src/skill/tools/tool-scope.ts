// allowed-tools, disallowed-tools and tools of skills -> the decision about a call: in a conversation, and in execution.
//
// A call that a trusted skill allows needs no approval while the skill is active. A skill can never allow more than the
// host: what its policy denies stays denied. A list that is absent or empty allows nothing extra and restricts nothing.
// disallowed-tools denies, also for untrusted skills: narrowing needs no trust.
import { spellingsOf } from '../../base/match-words.ts';
import { ownToolName } from '../../base/own-tool-name.ts';
import type { ScopedCall, ToolScope } from '../../ports/tool.ts';
import type { AgentToolName, ToolFence } from './tool-fence.ts';
import {
  agentToolNames,
  allowsCommand,
  allowsHostTool,
  allowsPath,
  allowsTool,
  isInWorkFolder,
  narrowTools,
  parseFence,
  toolWord,
} from './tool-fence.ts';

export type { ScopedCall, ToolScope };

export interface ToolDeclaration {
  /** `null`: not declared. */
  readonly allowedTools: readonly string[] | null;
  readonly disallowedTools: readonly string[] | null;
  /** Only a trusted skill can allow something. */
  readonly trusted: boolean;
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
    active.some(({ disallowedTools }) => disallowedTools !== null && disallows(disallowedTools, call, true))
  )
    return 'deny';
  const granted = active.some(
    ({ allowedTools, trusted }) => trusted && allowedTools !== null && allows(allowedTools, call, true),
  );
  return granted ? 'allow' : host;
}

// In execution the lists are a boundary for everything that a skill does: steps of plans, commands of programs, entry
// points, nested agents, and nested runs, which are held to the boundary of the outer run as well. `allowed-tools` and
// `tools` each allow only what they name, an empty list nothing; `disallowed-tools` takes away. A limit (`Bash(git *)`,
// `Write(out/**)`) is decided when the command or the path is known; before that its tool counts as allowed.

interface ToolLists {
  readonly allowedTools: readonly string[] | null;
  readonly disallowedTools: readonly string[] | null;
  readonly tools: readonly string[] | null;
}

/** The boundary that a skill declares; each of these counts. */
export function scopesOf({ allowedTools, disallowedTools, tools }: ToolLists): readonly ToolScope[] {
  const disallowed = disallowedTools ?? [];
  return [
    ...(allowedTools === null && disallowed.length === 0 ? [] : [{ allowed: allowedTools, disallowed }]),
    ...(tools === null ? [] : [{ allowed: tools, disallowed: [] }]),
  ];
}

/** Why a call is outside of the boundary; `null` when it is inside. */
export function scopeFault(scopes: readonly ToolScope[], call: ScopedCall): string | null {
  if (call.tool === 'emit_text') return null; // does nothing
  for (const { allowed, disallowed } of scopes) {
    if (allowed !== null && !allows(allowed, call, true))
      return `${describeCall(call)} is not among the tools that the skill allows (${allowed.join(', ') || 'none'})`;
    if (disallows(disallowed, call, false))
      return `${describeCall(call)} is one of the tools that the skill disallows`;
  }
  return null;
}

/** The call that writes a file, before it is known where its path leads: one that may leave the folder is decided then. */
export function fileCall(path: string): ScopedCall {
  const plain = path.replace(/^(?:\.\/+)+/, '');
  return isInWorkFolder(plain) && !/(?:^|\/)\.?(?:\/|$)/.test(plain)
    ? { tool: 'write_file', path: plain }
    : { tool: 'write_file' };
}

/** The tools of an agent: what is asked for, within each boundary. `null`: those of the host. */
export function toolsWithin(
  asked: readonly string[] | null,
  scopes: readonly ToolScope[],
): readonly string[] | null {
  let tools = asked;
  for (const { allowed } of scopes)
    if (allowed !== null) tools = tools === null ? allowed : narrowTools(tools, allowed);
  return tools;
}

function describeCall({ tool, argv, path }: ScopedCall): string {
  const what = argv?.slice(0, 3).join(' ') ?? path ?? null;
  return `"${tool}${what === null ? '' : `(${what})`}"`;
}

/** Whether a list allows this call, with its limits on commands and paths. `open`: the answer while the command or path is not known. */
function allows(tools: readonly string[], call: ScopedCall, open: boolean): boolean {
  const own = ownToolOf(call);
  return own === undefined ? allowsOther(tools, call) : isWithin(parseFence(tools), own, call, open);
}

/** Whether a list disallows this call. A program is the same wherever it lies. */
function disallows(tools: readonly string[], call: ScopedCall, open: boolean): boolean {
  const own = ownToolOf(call);
  if (own === undefined) return allowsOther(tools.map(toolWord), call);
  const fence = parseFence(tools, 'disallow');
  return call.argv === undefined
    ? isWithin(fence, own, call, open)
    : spellingsOf(call.argv).some((argv) => isWithin(fence, own, { ...call, argv }, open));
}

function ownToolOf({ tool }: ScopedCall): AgentToolName | undefined {
  const own = tool === 'exec_command' ? 'command' : ownToolName(tool);
  return agentToolNames.find((name) => name === own);
}

function allowsOther(tools: readonly string[], { tool }: ScopedCall): boolean {
  return tools.includes(tool) || allowsHostTool(tools, tool.replace(/^mcp__/, ''));
}

function isWithin(fence: ToolFence, own: AgentToolName, { argv, path }: ScopedCall, open: boolean): boolean {
  if (!allowsTool(fence, own)) return false;
  if (own === 'command') return argv === undefined ? open || isWhole(fence, own) : allowsCommand(fence, argv);
  return path === undefined ? open || isWhole(fence, own) : allowsPath(fence, own, path);
}

/** Named without a limit. */
function isWhole(fence: ToolFence, tool: AgentToolName): boolean {
  return fence.get(tool) === null;
}
