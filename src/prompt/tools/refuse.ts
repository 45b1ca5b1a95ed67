// Why a skill tool refuses a call, in S2's words, and what to try instead.
import type { TechneError } from '../../base/error.ts';
import { nearest } from '../../base/nearest.ts';
import { ToolFault } from '../../ports/tool.ts';
import { quoted } from '../quoted.ts';
import type { Surface } from '../invocation.ts';
import type { SessionState } from '../session-state.ts';
import { skillsOn } from '../session-state.ts';

export function unknownSkill(state: SessionState, surface: Surface, name: string): ToolFault {
  const meant = nearest(
    name,
    skillsOn(state, surface).map((skill) => skill.name),
  );
  return new ToolFault(`no skill registered with name ${quoted(name)}`, {
    hint: meant === null ? 'Find skills with skill_search(query).' : `Did you mean ${quoted(meant)}?`,
    metadata: { code: 'SKILL_UNKNOWN' },
  });
}

/** `against`: why the ledger does not let the body in. */
export function overBudget(against: string): ToolFault {
  return new ToolFault(against, { metadata: { code: 'ACTIVATION_BUDGET' } });
}

/** What is STALE cannot be had in this conversation, so the model is not sent to load anything again. */
export function toolFaultOf({ message, hint, code }: TechneError): ToolFault {
  return new ToolFault(message, { hint: code === 'STALE' ? staleHint : hint, metadata: { code } });
}

const staleHint = 'Continue without it, and say so: a new conversation has its new version.';
