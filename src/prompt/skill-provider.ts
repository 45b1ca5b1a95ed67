// The skills of a conversation, asked every turn.
//
//   list    the skills                           for the stable part of the prompt, and for completion
//   match   which of them a message asks for     every turn: a conversation can move to another skill
//   enrich  what this turn adds to the prompt    behind the cached prefix
//
// A provider suggests skills and gives texts; it executes nothing. An agent loop needs only these three calls, so
// another provider can replace this one.
import type { MatchResult } from '../match/match.ts';
import type { Source } from '../registry/types.ts';
import type { Form } from '../skill/types.ts';
import type { SkillLoaded, SkillPlace } from './skill-loaded.ts';

/** A skill that a model may see. */
export interface ListedSkill {
  readonly name: string;
  readonly description: string;
  readonly form: Form;
  readonly source: SkillPlace;
  readonly sourceKind: Source;
  /** Its body is in the prompt. */
  readonly preloaded: boolean;
}

/** A message that a model is about to answer. */
export interface Turn {
  /** What the person wrote. */
  readonly message: string;
  /** Whether naming a skill in it gives its body. Default: true. False for texts that no person wrote. */
  readonly mentions?: boolean;
}

/** What a turn adds to the prompt. */
export interface Enrichment {
  /** Goes behind the cached prefix, with the message of the turn; '' if there is nothing to add. */
  readonly block: string;
  /** By S2's measure. */
  readonly tokens: number;
  readonly match: MatchResult;
  /** Skills that the block lists, best first, and those of them whose body it holds. */
  readonly told: readonly string[];
  readonly given: readonly string[];
  /** Why a body that was wanted is not in the block. */
  readonly left: readonly { readonly skill: string; readonly reason: string }[];
  readonly loaded: readonly SkillLoaded[];
  /** What the skills before the model declare about tools: for the host to judge (skill/tools/tool-scope.ts). */
  readonly tools: readonly ToolWish[];
}

/** `allowed-tools` and `disallowed-tools` of a skill whose body is before the model. */
export interface ToolWish {
  readonly skill: string;
  readonly allowedTools: readonly string[] | null;
  readonly disallowedTools: readonly string[] | null;
}

/** The skills of a conversation, asked every turn. */
export interface SkillProvider {
  list(): readonly ListedSkill[];
  match(message: string, options?: { readonly limit?: number }): Promise<MatchResult>;
  enrich(turn: Turn): Promise<Enrichment>;
}
