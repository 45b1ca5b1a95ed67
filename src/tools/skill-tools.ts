// The skill tools of a nested agent: those of a session (src/prompt), over the skills that it may see and follow.
//
// S1. Each agent is a fork: the skills of its run, as they were, and what it has loaded counts for itself.
// S2. None of them is a stranger's: it is given only those that somebody vouches for.
// S3. It has no index in its prompt, so skill_load says which skills there are.
import type { SkillReads } from '../prompt/read-skill.ts';
import type { SkillSession } from '../prompt/skill-session.ts';
import { createSkillSession } from '../prompt/skill-session.ts';
import { renderToolResult } from '../prompt/skill-tools.ts';
import type { SkillTool } from '../prompt/skill-tools.ts';
import type { Skill } from '../registry/types.ts';
import type { AgentTool } from './agent-tool.ts';
import { ToolFault } from '../ports/tool-fault.ts';

const budget = { characters: 12_000 };
const offered = ['skill_search', 'skill_load', 'skill_read'] as const;

/** `skills`: those that the model may see and follow. `null` when there is none. */
export async function openNestedSkills(
  snapshot: SkillReads,
  skills: readonly Skill[],
): Promise<SkillSession | null> {
  if (skills.length === 0) return null;
  const names = new Set(skills.map(({ name }) => name));
  return createSkillSession({
    snapshot,
    budget,
    offers: ({ name }) => names.has(name),
    settings: { preload: [] },
    isUntrusted: async () => false,
  });
}

/** For one agent (S1). */
export async function skillTools(skills: SkillSession | null): Promise<readonly AgentTool[]> {
  if (skills === null) return [];
  const own = await skills.fork();
  return offered.map((name) => {
    const tool = own.tools.find((each) => each.name === name) as SkillTool;
    return {
      name,
      description: name === 'skill_load' ? `${tool.description}\n\n${own.index.text}` : tool.description,
      parameters: tool.parameters,
      run: async (args) => {
        const result = await tool.call(args);
        if (!result.ok) throw new ToolFault(renderToolResult(result));
        return result.text;
      },
    };
  });
}
