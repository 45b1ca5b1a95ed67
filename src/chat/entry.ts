// The entries of a conversation's log: one JSON object per line, in order, only ever appended.
//
// A message is written before it is answered, and a call before it is made. Texts are those that the model was given,
// so that a resumed conversation is the same one. An entry of an unknown type is kept and ignored: a newer version may
// have written it.
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { Usage } from '../ports/answerer.ts';
import type { Turn } from '../ports/model.ts';
import type { RunSpent } from '../ports/tool.ts';
import type { SkillLoaded } from '../prompt/skill-loaded.ts';

export const logVersion = 1;

/** A body that the model got; `section` if it differs from the skill's file, since arguments are in it. */
export interface GivenBody {
  readonly event: SkillLoaded;
  readonly section: string | null;
}

export interface MatchedSkill {
  readonly skill: string;
  readonly mode: string;
  readonly reason: string;
}

export interface LeftSkill {
  readonly skill: string;
  readonly reason: string;
}

/** By an agent that worked for the conversation and is not part of it. */
export interface Spent {
  readonly turns: number;
  readonly usage: Usage;
}

export type AnswerOutcome = 'done' | 'stopped' | 'failed' | 'exhausted';

export type ChatEntry =
  | {
      readonly type: 'chat.started';
      readonly at: number;
      readonly chat: string;
      readonly version: number;
      readonly workspace: string;
      readonly model: string;
    }
  /** `text` as typed, `content` as the model gets it: with the block of the turn, or the body of a skill. */
  | {
      readonly type: 'user.said';
      readonly at: number;
      readonly text: string;
      readonly content: string;
      readonly given: readonly GivenBody[];
      /** Which skills it asked for, and why; bodies that were wanted and did not come. Missing in older logs. */
      readonly matched?: readonly MatchedSkill[];
      readonly left?: readonly LeftSkill[];
      /** Who wrote it, where the surface knows a name. */
      readonly by?: string;
    }
  /** What people see as its title; the last one counts. */
  | { readonly type: 'chat.renamed'; readonly at: number; readonly title: string; readonly by?: string }
  /** A person answered whether a call may be made. `call`: that of the model. */
  | {
      readonly type: 'approval.answered';
      readonly at: number;
      readonly call: string | null;
      readonly question: JsonObject;
      readonly approval: string;
      readonly by?: string;
    }
  /** Text of a skill that is not trusted may have come before the model. It holds to the end of the conversation. */
  | { readonly type: 'skill.doubted'; readonly at: number; readonly skill: string }
  /** For the model to know without answering: the result of a run that the person started. */
  | { readonly type: 'note.added'; readonly at: number; readonly text: string; readonly spent?: Spent }
  | { readonly type: 'turn.taken'; readonly at: number; readonly turn: Turn; readonly usage: Usage }
  /** Of a turn that was stopped or failed: what was on the screen by then. */
  | { readonly type: 'turn.stopped'; readonly at: number; readonly text: string }
  /** From here on its outcome may be unknown. */
  | { readonly type: 'call.started'; readonly at: number; readonly id: string; readonly tool: string }
  | {
      readonly type: 'call.ended';
      readonly at: number;
      readonly id: string;
      readonly ok: boolean;
      readonly text: string;
      readonly given: readonly GivenBody[];
    }
  /** `call`: that of the model; null when the person started it. */
  | {
      readonly type: 'run.begun';
      readonly at: number;
      readonly run: string;
      readonly skill: string;
      readonly call: string | null;
    }
  | {
      readonly type: 'run.detached';
      readonly at: number;
      readonly run: string;
      readonly status: string;
      readonly usage?: RunSpent;
    }
  /** `from`: the first entry that is still given unchanged. `attached`: reattached bodies of skills. */
  | {
      readonly type: 'history.compacted';
      readonly at: number;
      readonly summary: string;
      readonly from: number;
      readonly attached: string;
      readonly kept: readonly string[];
      readonly usage: Usage;
    }
  | {
      readonly type: 'answer.ended';
      readonly at: number;
      readonly outcome: AnswerOutcome;
      readonly message: string | null;
    };

/** `null` for a line that is none. What its fields are is not looked at (check-entry.ts). */
export function parseChatEntry(value: Json): JsonObject | null {
  return isJsonObject(value) && typeof value['type'] === 'string' && typeof value['at'] === 'number'
    ? value
    : null;
}
