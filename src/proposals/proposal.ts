// A proposal: a change of one skill that an agent or a person wants, held outside every root until somebody accepts it.
//
//   candidate tree + base digest + who and why -> checks -> accept | reject | auto-enable -> installed, or not
//
// A proposal is bound to bytes: its id is the digest of what it changes, from what, into what. What is accepted is exactly what was
// checked and shown. Nothing that an agent wrote acts before it is accepted.
import type { JsonObject } from '../base/json.ts';
import { canonicalJson } from '../base/json.ts';
import type { Verdict } from '../guard/report.ts';
import type { Sha256 } from '../ports/environment.ts';
import type { Risk } from '../skill/types.ts';

/** What is done to a skill. `rename` moves a skill with its content. */
export type ProposalKind = 'create' | 'edit' | 'delete' | 'rename';

/** Who made a proposal, as far as the surface that took it knows. */
export interface ProposalOrigin {
  readonly by: 'agent' | 'person' | 'learn' | 'curator';
  readonly surface: 'chat' | 'mcp' | 'library' | 'cli' | 'http';
  readonly run: string | null;
  readonly conversation: string | null;
  readonly model: string | null;
  /** The agent program, as it names itself: `claude-code 2.1`. Older records have none. */
  readonly client?: string | null;
  /** The digest of the routine that it was learned from (learn/generalise.ts). */
  readonly learned?: string | null;
}

/** The states of a proposal; `stale`: what it was based on has changed since. */
export type ProposalState = 'pending' | 'accepted' | 'rejected' | 'stale' | 'rolled-back';

export interface Proposal {
  /** The first 16 hex digits of the digest over kind, skill, new name, folder, base and candidate. */
  readonly id: string;
  readonly kind: ProposalKind;
  readonly skill: string;
  /** The new name of a `rename`; else `null`. */
  readonly newName: string | null;
  /** The digest of the manifest of the skill that is changed; `null` for `create`. */
  readonly base: string | null;
  /** The digest of the manifest of the candidate; `null` for `delete`. */
  readonly candidate: string | null;
  /** Where it would be installed: the folder of the skill. */
  readonly folder: string;
  readonly why: string;
  readonly origin: ProposalOrigin;
  /** ISO 8601. */
  readonly madeAt: string;
  readonly state: ProposalState;
}

export type CheckName =
  | 'fresh'
  | 'parse'
  | 'strict'
  | 'plan'
  | 'risk'
  | 'guard'
  | 'guard-difference'
  | 'names'
  | 'triggers'
  | 'other-triggers'
  | 'dry-run'
  | 'tests';

/** One check of a proposal on the production path. A check that could not be made is `skipped`, never `passed`. */
export interface CheckResult {
  readonly name: CheckName;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** One sentence. */
  readonly reason: string;
  /** File, line and text of what was found. */
  readonly details: readonly string[];
}

/** What was found out about a candidate, for people and for the rule that enables it by itself. */
export interface ProposalReport {
  readonly proposal: string;
  readonly checks: readonly CheckResult[];
  /** Computed from what it does; what it cannot know counts as high. */
  readonly risk: Risk;
  readonly declaredRisk: Risk | null;
  /** Used, as far as can be seen: declared or not. */
  readonly capabilities: readonly string[];
  readonly verdict: Verdict;
  /** Sub-skills whose risk is not declared. */
  readonly unknownSkills: readonly string[];
}

/** One line of the audit log: what happened to a proposal, and why. It is only ever appended to. */
export interface AuditEntry {
  /** ISO 8601. */
  readonly at: string;
  /** `null` for what concerns all of them: freeze and unfreeze. */
  readonly proposal: string | null;
  readonly act:
    | 'proposed'
    | 'refused'
    | 'checked'
    | 'accepted'
    | 'auto-enabled'
    | 'auto-skipped'
    | 'rejected'
    | 'went-stale'
    | 'rolled-back'
    | 'frozen'
    | 'unfrozen';
  /** `person`, `agent`, `policy` … */
  readonly by: string;
  readonly reason: string;
  /** What was decided on: conditions, checks, digests. */
  readonly details: JsonObject;
}

/** Two proposals of the same bytes are one. */
export function proposalId(
  {
    kind,
    skill,
    newName,
    folder,
    base,
    candidate,
  }: Pick<Proposal, 'kind' | 'skill' | 'newName' | 'folder' | 'base' | 'candidate'>,
  sha256: Sha256,
): string {
  return sha256(canonicalJson(['techne-proposal 1', kind, skill, newName, folder, base, candidate])).slice(
    0,
    16,
  );
}
