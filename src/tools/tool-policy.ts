// Decides whether a tool may be called, by the configuration, the operator and the caller.
//
// The order: tools.deny; an untrusted skill gets only tools that read, and those of servers only after an approval;
// `never`; tools that only read, and skill_propose; tools.allow; the operator's answer; `always`; else it asks. `always` covers exactly
// this call (tool, arguments, server) of exactly this content of the skill; `never` covers this call of any skill of
// this name. A denial matches a tool with and without its server, so no other spelling avoids it.
import { TechneError } from '../base/error.ts';
import { canonicalJson } from '../base/json.ts';
import type { Config } from '../config/types.ts';
import { wildcardFits } from '../base/match-words.ts';
import type { ApprovedCommand, Approvals } from '../node/commands/approvals.ts';
import type { Approval, CommandCaller, CommandVerdict } from '../ports/command-host.ts';
import type { ToolCall, HostTool } from '../ports/tool-host.ts';

interface ToolPolicyOptions {
  readonly config: Pick<Config, 'tools'>;
  readonly approvals: Approvals;
  readonly workspace: string;
}

/** Why the configuration forbids the tool, or `null`. */
export function denialOf(fact: Pick<HostTool, 'name'>, { tools }: Pick<Config, 'tools'>): string | null {
  const found = tools.deny.find((pattern) => namesOf(fact.name).some((name) => wildcardFits(pattern, name)));
  return found === undefined ? null : `tools.deny has "${found}"`;
}

function namesOf(name: string): readonly string[] {
  const at = name.indexOf('__');
  return at < 0 ? [name] : [name, name.slice(at + 2), `mcp__${name}`];
}

/** `server` tells one server of a name from another; empty for what is built in. */
export async function judgeTool(
  options: ToolPolicyOptions,
  fact: HostTool,
  call: ToolCall,
  caller: CommandCaller,
  approval: Approval | null,
  server: string,
): Promise<CommandVerdict> {
  const { config, approvals, workspace } = options;
  const deny = (reason: string): CommandVerdict => ({ kind: 'deny', reason });
  const denial = denialOf(fact, config);
  if (denial !== null) return deny(denial);
  const isOurs = fact.from === 'built-in';
  if (!caller.trusted && !fact.readOnly)
    return deny(`"${caller.skill}" is not trusted, so it gets no tool that changes something`);
  const known: ApprovedCommand = {
    skill: caller.skill,
    digest: caller.digest,
    argv: ['tool', fact.name, canonicalJson(call.args), server],
    cwd: workspace,
    stdin: null,
    sandboxed: false,
  };
  const recalled = await guarded(() => approvals.recall(known));
  if (recalled.value === 'never')
    return deny(`the operator said "never" to this call of "${caller.skill}" (see "${approvals.file}")`);
  if (fact.readOnly && (isOurs || caller.trusted)) return { kind: 'allow' };
  // It only adds to the queue of proposals, and a person decides about each of them.
  if (isOurs && fact.name === 'skill_propose') return { kind: 'allow' };
  if (
    caller.trusted &&
    config.tools.allow.some(
      (pattern) =>
        wildcardFits(pattern, fact.name) || (isOurs ? false : wildcardFits(pattern, `mcp__${fact.name}`)),
    )
  )
    return { kind: 'allow' };
  switch (approval) {
    case 'once':
      return { kind: 'allow' };
    case 'always':
      await guarded(() => approvals.remember(known, 'always', caller.approvedBy));
      return { kind: 'allow' };
    case 'deny':
      return deny('the operator said no to this call');
    case 'never': {
      const { fault } = await guarded(() => approvals.remember(known, 'never', caller.approvedBy));
      return deny(
        `the operator said "never" to this call${fault === null ? '' : `, which could not be remembered: ${fault}`}`,
      );
    }
    case null:
      if (recalled.value === 'always') return { kind: 'allow' };
      return {
        kind: 'approve',
        reason: `${reasonToAsk(fact, caller)}${recalled.fault === null ? '' : `. The approval cannot be saved: ${recalled.fault}`}`,
      };
  }
}

function reasonToAsk({ readOnly, from }: HostTool, { skill, trusted }: CommandCaller): string {
  if (readOnly && !trusted) return `"${skill}" is not trusted, and the tool is that of the server "${from}"`;
  return `it can change something${from === 'built-in' ? ' in the workspace' : `, by the server "${from}"`}, and no pattern of tools.allow covers it`;
}

async function guarded<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T | null; readonly fault: string | null }> {
  try {
    return { value: await work(), fault: null };
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return { value: null, fault: error.message };
  }
}
