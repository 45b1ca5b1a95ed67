// The events of S2 outside of runs: a body was given to the model, a skill tool refused a call, a skill was changed.
//
// There is one `skill.loaded` for each body, and none for a pointer to a body that the model has. Sensitivity:
// pseudonymous. They hold names, sizes, hashes and codes, never text. Those of an agent inside a run are events of that
// run (run/events.ts).
import type { LoadedBody, SkillPlace } from '../ports/answerer.ts';
import type { Source } from '../registry/types.ts';

export type { LoadReason, SkillPlace } from '../ports/answerer.ts';

/** A body has come before the model. */
export interface SkillLoaded extends LoadedBody {
  readonly type: 'skill.loaded';
}

/** A skill tool of a conversation refused a call: an unknown name, a spent budget, a file that cannot be had. */
export interface SkillToolFailed {
  readonly type: 'tool.failed';
  readonly tool: string;
  /** `SKILL_UNKNOWN`, `ACTIVATION_BUDGET`, the code of the error, or `TOOL_FAILED`. */
  readonly code: string;
  readonly triggered_by_tool_use_id: string | null;
}

/** A skill was created, changed or removed by an accepted proposal, or by taking one back. */
export interface SkillChanged {
  readonly type: 'skill.created' | 'skill.changed' | 'skill.removed';
  readonly skill: string;
  readonly proposal: string;
  /** `person`, or `policy`. */
  readonly by: string;
  /** Of the whole skill; `null` where it was removed. */
  readonly digest: string | null;
}

/** What is reported about skills outside of runs. */
export type SkillEvent = SkillLoaded | SkillToolFailed | SkillChanged;

/** Must not throw. */
export type OnSkillLoaded = (event: SkillLoaded) => void;

export function skillPlaceOf(source: Source): SkillPlace {
  return source === 'workspace' ? 'workspace' : 'global';
}
