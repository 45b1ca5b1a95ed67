// A tool of a conversation.
//
// T1. `begin` comes before anything is changed and after whoever had to approve it has: from then on the outcome may be
//     unknown. Tools that only look never call it.
// T2. What the model can mend, and what a person refused, is a result. Soon after `signal` aborts, the call is over.
import type { Abort } from '../base/abort.ts';
import type { JsonObject } from '../base/json.ts';
import type { ModelTool } from '../ports/model.ts';
import type { RunSpent } from './entry.ts';

export interface CallUse {
  readonly id: string;
  readonly signal: Abort;
  readonly begin: () => Promise<void>;
  /** A run was begun for the call; and how it was left. */
  readonly onRun: (run: string, skill: string) => Promise<void>;
  readonly onRunDetached: (run: string, status: string, usage: RunSpent | null) => Promise<void>;
  /** Text of this skill may be in the result. */
  readonly onSkill: (skill: string) => Promise<void>;
}

export interface CallResult {
  readonly ok: boolean;
  readonly text: string;
}

export interface ChatTool extends ModelTool {
  /** `args` fit the schema. */
  readonly call: (args: JsonObject, use: CallUse) => Promise<CallResult>;
}
