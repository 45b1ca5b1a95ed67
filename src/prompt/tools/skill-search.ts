// skill_search.
//
// The hits of S2 come first, by its score and then by name. What has the query only in another form, and what only the ranker
// finds, follows under a heading of its own, best first. An empty query lists by name. Descriptions are given in full, but for untrusted skills, whose descriptions stay short. A query is echoed
// in short.
import { emptyObject } from '../../base/json.ts';
import type { Tool, ToolResult } from '../../ports/tool.ts';
import { objectSchema } from '../../ports/tool.ts';
import { isSearchHit, searchLimits, searchSkills } from '../../match/search.ts';
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
      return resultOf(state(), query as string, await findSkills(state(), query as string, limit as number));
    },
  };
}

interface FoundSkills {
  /** Those that S2 gives points. */
  readonly hits: readonly Skill[];
  readonly related: readonly Skill[];
}

async function findSkills(state: SessionState, query: string, limit: number): Promise<FoundSkills> {
  const found = await rankedSkills(state, query, limit);
  return {
    hits: found.filter((skill) => isSearchHit(skill, query)),
    related: found.filter((skill) => !isSearchHit(skill, query)),
  };
}

/** The hits of S2, then what has the words in another form, then what only the ranker finds. */
async function rankedSkills(state: SessionState, query: string, limit: number): Promise<readonly Skill[]> {
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

function resultOf(state: SessionState, query: string, { hits, related }: FoundSkills): ToolResult {
  const sources = emptyObject();
  for (const { name, source } of [...hits, ...related]) sources[name] = source;
  const metadata = {
    query,
    result_count: hits.length,
    result_names: hits.map(({ name }) => name),
    ...(related.length === 0 ? {} : { related_names: related.map(({ name }) => name) }),
    result_sources: sources,
  };
  const echo = quoted(isLongerThan(query, maxEcho) ? shortened(query, maxEcho) : query);
  const lineOf = (skill: Skill): string => {
    const { description, card } = describedSkill(state, skill);
    return `- ${onOneLine(skill.name)} [${skillPlaceOf(skill.source)}] — ${onOneLine(description)}${formMark(card)}`;
  };
  const lines = [
    hits.length === 0 ? `No skills matched ${echo}.` : `Skills matching ${echo} (${hits.length}):`,
    ...hits.map(lineOf),
    ...(related.length === 0 ? [] : [`Related skills, without these words (${related.length}):`]),
    ...related.map(lineOf),
  ];
  return { ok: true, text: lines.join('\n'), metadata };
}
