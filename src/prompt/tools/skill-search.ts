// skill_search.
//
// The hits of S2 come first, by its score and then by name; what only the ranker finds follows, best first. An empty query
// lists by name. Descriptions are given in full, but for untrusted skills, whose descriptions stay short. A query is echoed
// in short.
import { emptyObject } from '../../base/json.ts';
import type { Tool, ToolResult } from '../../ports/tool.ts';
import { objectSchema } from '../../ports/tool.ts';
import { searchLimits, searchSkills } from '../../match/search.ts';
import { formMark, onOneLine } from '../index-layout.ts';
import type { Skill } from '../../registry/types.ts';
import { isLongerThan } from '../../skill/code-points.ts';
import { describedSkill } from '../describe-skill.ts';
import { quoted } from '../quoted.ts';
import { shortened } from '../render-index.ts';
import type { SessionState } from '../session-state.ts';
import { matchMessage, skillsOn } from '../session-state.ts';
import { skillPlaceOf } from '../skill-loaded.ts';

/** In code units. */
const maxQuery = 4000;
const maxEcho = 200;

export function skillSearchTool(state: () => SessionState): Tool {
  return {
    name: 'skill_search',
    title: 'Search skills',
    description:
      'Finds skills by words in their name or description, and by what they are about. Gives names and descriptions; `skill_load(name)` gives the body of one. An empty query lists all by name.',
    parameters: objectSchema(
      {
        query: { type: 'string', maxLength: maxQuery },
        limit: {
          type: 'integer',
          minimum: searchLimits.least,
          maximum: searchLimits.most,
          default: searchLimits.usual,
        },
      },
      ['query'],
    ),
    readOnly: true,
    async call({ query, limit = searchLimits.usual }) {
      const found = await findSkills(state(), query as string, limit as number);
      return resultOf(state(), query as string, found);
    },
  };
}

/** The hits of S2, then what only the ranker finds. */
export async function findSkills(
  state: SessionState,
  query: string,
  limit: number,
): Promise<readonly Skill[]> {
  const skills = skillsOn(state, 'search');
  const found = searchSkills(skills, query, limit);
  if (found.length >= limit || query.trim() === '' || state.matcher === null) return found;
  const known = new Set(found.map(({ name }) => name));
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const { matches, candidates } = await matchMessage(state, query, limit);
  const ranked: Skill[] = [];
  for (const { skill: name } of [...matches, ...candidates]) {
    const skill = byName.get(name);
    if (skill === undefined || known.has(name)) continue;
    known.add(name);
    ranked.push(skill);
  }
  return [...found, ...ranked].slice(0, limit);
}

function resultOf(state: SessionState, query: string, found: readonly Skill[]): ToolResult {
  const sources = emptyObject();
  for (const { name, source } of found) sources[name] = source;
  const metadata = {
    query,
    result_count: found.length,
    result_names: found.map(({ name }) => name),
    result_sources: sources,
  };
  const echo = quoted(isLongerThan(query, maxEcho) ? shortened(query, maxEcho) : query);
  if (found.length === 0) return { ok: true, text: `No skills matched ${echo}.`, metadata };
  const lines = found.map(
    (skill) =>
      `- ${onOneLine(skill.name)} [${skillPlaceOf(skill.source)}] — ${onOneLine(describedSkill(state, skill).description)}${formMark(describedSkill(state, skill).card)}`,
  );
  return {
    ok: true,
    text: [`Skills matching ${echo} (${found.length}):`, ...lines].join('\n'),
    metadata,
  };
}
