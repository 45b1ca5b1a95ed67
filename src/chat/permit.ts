// Whether a call may be made: the policy of the host, the skills before the model, and the person.
//
//   verdict of the host -> grants and refusals of active skills -> the person, where approval is needed -> go, or why not
//
// What the policy of the host denies stays denied, whatever names it (skill/tools/tool-scope.ts). `allowed-tools` of a
// trusted skill is a grant while the skill is active: no approval is needed. A grant for commands covers the working
// folder without input: elsewhere, or with other input, the same words do something else. Without a person to ask, a
// call that needs approval is refused with that reason.
//
// Once text of an untrusted skill may have been before the model, every change needs an approval to the end of the
// conversation, whatever the configuration allows: the text may have led to the call. It makes no difference how the
// text came (loaded, read, preloaded, mentioned, printed by a program or returned by a run, as far as trace-skills.ts
// sees) or whether it is still there. Text is a body or a file; a description is short and does not count
// (prompt/describe-skill.ts).
import type { Abort } from '../base/abort.ts';
import type { JsonObject } from '../base/json.ts';
import type { Approval, CommandVerdict } from '../ports/command-host.ts';
import type { ScopedCall } from '../ports/tool.ts';
import type { ToolDeclaration } from '../skill/tools/tool-scope.ts';
import { decideInChat } from '../skill/tools/tool-scope.ts';

/** What a person decided, and who it was, where the surface knows a name. */
export interface GivenApproval {
  readonly approval: Approval;
  readonly by?: string;
}

/** A question to the person; `null` when they do not decide. `call`: the call of the model that it is about. */
export type AskApproval = (
  question: JsonObject,
  signal: Abort,
  call: string | null,
) => Promise<GivenApproval | null>;

interface PermitWishes {
  readonly scoped: ScopedCall;
  /** Whether `allowed-tools` can speak for it. */
  readonly grantable: boolean;
  readonly readOnly: boolean;
  /** What is approved, as it is shown. */
  readonly question: JsonObject;
  readonly judge: (approval: Approval | null, by?: string) => Promise<CommandVerdict>;
  readonly signal: Abort;
  /** Of the model. Default: not known. */
  readonly call?: string;
}

export interface Permits {
  /** Of skills before the model. */
  readonly declarations: () => Promise<readonly ToolDeclaration[]>;
  /** Untrusted skills whose text may have been before the model, by name; of one that could not be read whole also why. */
  readonly doubted: () => readonly string[] | Promise<readonly string[]>;
  /** Default: none. */
  readonly ask: AskApproval | null;
}

/** `terms`: what was approved, where that was shown. */
export type Permit =
  | { readonly ok: true; readonly terms: string | null }
  | { readonly ok: false; readonly reason: string };

export async function permit(
  { declarations, doubted, ask }: Permits,
  { scoped, grantable, readOnly, question, judge, signal, call }: PermitWishes,
): Promise<Permit> {
  const verdict = await judge(null);
  if (verdict.kind === 'deny') return { ok: false, reason: verdict.reason };
  const active = await declarations();
  const doubts = readOnly ? [] : await doubted();
  const isDoubtful = doubts.length > 0 || (!readOnly && active.some(({ trusted }) => !trusted));
  const decision = decideInChat(
    scoped,
    grantable ? active : active.map((each) => ({ ...each, allowedTools: null })),
    verdict.kind === 'allow' ? 'allow' : 'ask',
  );
  if (decision === 'deny')
    return { ok: false, reason: 'a skill of this conversation does not allow this tool (disallowed-tools)' };
  const terms = verdict.kind === 'approve' ? (verdict.terms ?? null) : null;
  if (decision === 'allow' && !isDoubtful)
    return verdict.kind === 'allow' ? { ok: true, terms: null } : after(await judge('once'), terms);
  const reason =
    verdict.kind === 'approve'
      ? verdict.reason
      : `text of an untrusted skill may be part of this conversation${doubts.length === 0 ? '' : `: ${doubts.join(', ')}`}`;
  if (ask === null) return { ok: false, reason: `no person can approve it (${reason})` };
  const given = await ask(
    { ...question, type: 'approval', reason, ...(terms === null ? {} : { terms }) },
    signal,
    call ?? null,
  );
  if (given === null) return { ok: false, reason: 'the person did not approve it' };
  const { approval: said, by } = given;
  // What the configuration allows is not approved for good: the doubt is about this conversation.
  if (verdict.kind === 'allow')
    return said === 'once' || said === 'always'
      ? { ok: true, terms: null }
      : { ok: false, reason: 'the person refused it' };
  return after(await judge(said, by), terms);
}

/** The result of the call for the model. */
export function permitRefusalText({ reason }: Extract<Permit, { ok: false }>): string {
  return `error: not done: ${reason}`;
}

function after(verdict: CommandVerdict, terms: string | null): Permit {
  return verdict.kind === 'allow' ? { ok: true, terms } : { ok: false, reason: verdict.reason };
}
