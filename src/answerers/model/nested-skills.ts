// The skill tools of a nested agent: those of a session, over the skills that it may see and follow.
//
// Each agent gets a fork: the skills of its run, and a ledger of its own. It is given only trusted skills. Its prompt has no
// index, so the description of skill_load lists the skills.
import type { SkillReads } from '../../prompt/read-skill.ts';
import type { SkillSession } from '../../prompt/skill-session.ts';
import { createSkillSession } from '../../prompt/skill-session.ts';
import type { Skill } from '../../registry/types.ts';
import type { LoadedBody } from '../../ports/answerer.ts';
import type { Tool } from '../../ports/tool.ts';

const budget = { characters: 12_000 };

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

/** For one agent: a fork of `skills`. `onLoaded` gets every body that it is given. */
export async function nestedSkillTools(
  skills: SkillSession | null,
  onLoaded: (loaded: LoadedBody) => void,
): Promise<readonly Tool[]> {
  if (skills === null) return [];
  const own = await skills.fork({ onLoaded });
  return own.tools
    .filter(({ name }) => name !== 'use_skill')
    .map((tool) =>
      tool.name === 'skill_load'
        ? { ...tool, description: `${tool.description}\n\n${own.index.text}` }
        : tool,
    );
}
