// The event of S2: a body was given to the model.
//
// There is one event for each body, and none for a pointer to a body that the model has. Sensitivity: pseudonymous. It
// holds names, sizes and hashes, never text of a body.
import type { Source } from '../registry/types.ts';

/** `always`: preloaded. `on_demand`: the model or a person asked for it. `auto_suggested`: the host gave it with a message. */
export type LoadReason = 'always' | 'on_demand' | 'auto_suggested';

/** S2's two places: where a skill is used, and everywhere else. */
export type SkillPlace = 'global' | 'workspace';

/** A body has come before the model. */
export interface SkillLoaded {
  readonly type: 'skill.loaded';
  readonly skill_id: string;
  /** The first 16 hex digits of the body's SHA-256. */
  readonly skill_version: string;
  readonly load_reason: LoadReason;
  readonly load_size_tokens: number;
  readonly source: SkillPlace;
  /** The call that asked for it; `null` when no call did. */
  readonly triggered_by_tool_use_id: string | null;
}

export const skillLoadedSensitivity = 'pseudonymous';

/** Must not throw. */
export type OnSkillLoaded = (event: SkillLoaded) => void;

export function skillPlaceOf(source: Source): SkillPlace {
  return source === 'workspace' ? 'workspace' : 'global';
}
