// Whether a call may be made: the policy of the host, the skills before the model, and the person.
//
//   verdict of the host -> grants and refusals of active skills -> the person, where it must be asked -> go, or why not
//
// P1. Never beyond the host: what its policy denies stays denied, whoever names it (skill/tool-scope.ts).
// P2. `allowed-tools` of a trusted skill is a grant while the skill is active: nobody is asked.
// P3. While a skill that nobody vouches for is before the model, what changes something is never done unasked, whatever the
//     configuration allows: its text may have led to the call.
// P4. Where nobody can be asked, what needs asking is refused, and says so.
import type { Abort } from '../base/abort.ts';
import type { JsonObject } from '../base/json.ts';
import type { Approval, CommandVerdict } from '../host/ports/command-host.ts';
import type { ScopedCall, ToolDeclaration } from '../skill/tool-scope.ts';
import { decideInChat } from '../skill/tool-scope.ts';

/** A question to the person; `null` when they do not decide. */
export type AskApproval = (question: JsonObject, signal: Abort) => Promise<Approval | null>;

export interface PermitWishes {
  readonly scoped: ScopedCall;
  readonly readOnly: boolean;
  /** What is approved, as it is shown. */
  readonly question: JsonObject;
  readonly judge: (approval: Approval | null) => Promise<CommandVerdict>;
  readonly signal: Abort;
}

export interface Permits {
  /** Of skills before the model. */
  readonly declarations: () => Promise<readonly ToolDeclaration[]>;
  /** Default: nobody can be asked. */
  readonly ask: AskApproval | null;
}

/** `terms`: what was approved, where that was shown. */
export type Permit = { readonly ok: true; readonly terms: string | null } | { readonly ok: false; readonly reason: string };

export async function permit({ declarations, ask }: Permits, { scoped, readOnly, question, judge, signal }: PermitWishes): Promise<Permit> {
  const verdict = await judge(null);
  if (verdict.kind === 'deny') return { ok: false, reason: verdict.reason };
  const active = await declarations();
  const isDoubtful = !readOnly && active.some(({ trusted }) => !trusted);
  const decision = decideInChat(scoped, active, verdict.kind === 'allow' ? 'allow' : 'ask');
  if (decision === 'deny') return { ok: false, reason: 'a skill of this conversation does not allow this tool (disallowed-tools)' };
  const terms = verdict.kind === 'approve' ? (verdict.terms ?? null) : null;
  if (decision === 'allow' && !isDoubtful) return verdict.kind === 'allow' ? { ok: true, terms: null } : after(await judge('once'), terms);
  if (ask === null) return { ok: false, reason: `nobody is here to approve it${verdict.kind === 'approve' ? ` (${verdict.reason})` : ''}` };
  const reason = verdict.kind === 'approve' ? verdict.reason : 'a skill that nobody vouches for is part of this conversation';
  const said = await ask({ ...question, type: 'approval', reason }, signal);
  if (said === null) return { ok: false, reason: 'the person did not approve it' };
  // What the configuration allows is not approved for good: the doubt is about this conversation.
  if (verdict.kind === 'allow') return said === 'once' || said === 'always' ? { ok: true, terms: null } : { ok: false, reason: 'the person said no' };
  return after(await judge(said), terms);
}

function after(verdict: CommandVerdict, terms: string | null): Permit {
  return verdict.kind === 'allow' ? { ok: true, terms } : { ok: false, reason: verdict.reason };
}
