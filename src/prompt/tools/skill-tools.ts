// skill_search, skill_load, use_skill, skill_read: how a model finds and reads skills.
//
//   arguments -> text for the model, and metadata for programs
//
// Schemas, texts, metadata and errors are those of S2; metadata may have further keys. All of these tools only read: none
// needs an approval, and nothing that a skill mentions is executed.
import type { Tool } from '../../ports/tool.ts';
import { ToolFault } from '../../ports/tool.ts';
import type { SessionState } from '../session-state.ts';
import type { SkillToolFailed } from '../skill-loaded.ts';
import { skillLoadTool } from './skill-load.ts';
import { skillReadTool } from './skill-read.ts';
import { skillSearchTool } from './skill-search.ts';

export const skillToolNames = ['skill_search', 'skill_load', 'use_skill', 'skill_read'] as const;
/** One of `skillToolNames`. */
export type SkillToolName = (typeof skillToolNames)[number];

/** `state` is `null` where a session has no skills: every call reports that. */
export function createSkillTools(
  state: SessionState | null,
  onFailed: (event: SkillToolFailed) => void = () => {},
  more: readonly Tool[] = [],
): readonly Tool[] {
  const present = (): SessionState => {
    if (state === null) throw new ToolFault('skills are not configured for this session');
    return state;
  };
  // S2 says 64; a folder may have a longer name.
  const longestName = Math.max(64, ...(state?.snapshot.skills.map(({ name }) => name.length) ?? []));
  const load = skillLoadTool(present, longestName);
  return [
    skillSearchTool(present),
    load,
    { ...load, name: 'use_skill', title: 'Use a skill', description: 'The same as skill_load.' },
    skillReadTool(present, longestName),
    ...more,
  ].map((tool) => reportingTool(tool, onFailed));
}

/** The tool, with each call that it refuses reported. */
function reportingTool(tool: Tool, onFailed: (event: SkillToolFailed) => void): Tool {
  return {
    ...tool,
    async call(args, use = {}) {
      try {
        return await tool.call(args, use);
      } catch (error) {
        if (error instanceof ToolFault)
          onFailed({
            type: 'tool.failed',
            tool: tool.name,
            code: typeof error.metadata['code'] === 'string' ? error.metadata['code'] : 'TOOL_FAILED',
            triggered_by_tool_use_id: use.id ?? null,
          });
        throw error;
      }
    },
  };
}
