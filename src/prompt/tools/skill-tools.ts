// skill_search, skill_load, use_skill, skill_read: how a model finds and reads skills.
//
//   arguments -> text for the model, and metadata for programs
//
// Schemas, texts, metadata and errors are those of S2; metadata may have further keys. All of these tools only read: none
// needs an approval, and nothing that a skill mentions is executed.
import type { Tool } from '../../ports/tool.ts';
import { ToolFault } from '../../ports/tool.ts';
import type { SessionState } from '../session-state.ts';
import { skillLoadTool } from './skill-load.ts';
import { skillReadTool } from './skill-read.ts';
import { skillSearchTool } from './skill-search.ts';

export const skillToolNames = ['skill_search', 'skill_load', 'use_skill', 'skill_read'] as const;
/** One of `skillToolNames`. */
export type SkillToolName = (typeof skillToolNames)[number];

/** `state` is `null` where a session has no skills: every call reports that. */
export function createSkillTools(state: SessionState | null): readonly Tool[] {
  const present = (): SessionState => {
    if (state === null) throw new ToolFault('skills are not configured for this session');
    return state;
  };
  const load = skillLoadTool(present);
  return [
    skillSearchTool(present),
    load,
    { ...load, name: 'use_skill', title: 'Use a skill', description: 'The same as skill_load.' },
    skillReadTool(present),
  ];
}
