// The part of a session's prompt that is the same in every turn: the index, and the preloaded bodies.
//
//   SessionState + budget -> SessionPrefix
//
// Except for preloaded bodies it depends on heads alone. If the index is full, the block of a turn has a budget of its
// own; otherwise both share one.
import { charactersPerToken, turnShare } from './index-layout.ts';
import type { Skill } from '../registry/types.ts';
import { describedSkill } from './describe-skill.ts';
import type { Preloading } from './preload.ts';
import { preloadSkills } from './preload.ts';
import type { IndexEntry, RenderedIndex } from './render-index.ts';
import { indexEntries, renderIndex } from './render-index.ts';
import type { SessionState } from './session-state.ts';
import { skillsOn } from './session-state.ts';

interface PrefixOptions {
  /** The budget in characters. */
  readonly limit: number;
  /** Whether skills can be run here, so that the index shows which. */
  readonly runs: boolean;
}

/** The part of the prompt that stays the same for a whole session: the index and preloaded bodies. */
export interface SessionPrefix {
  readonly text: string;
  readonly index: RenderedIndex;
  /** By name, in the order of names. */
  readonly entries: ReadonlyMap<string, IndexEntry>;
  readonly preloading: Preloading;
  /** The budget in characters: all of it for a full index, else these state of it. A note that is longer than its part takes from the other. */
  readonly room: { readonly limit: number; readonly index: number; readonly turn: number };
  /** What the block of a turn may take. */
  readonly turnRoom: number;
  /** How many skills the block of a turn lists: few if the index is full, more otherwise. */
  readonly toldSkills: number;
  /** The index holds every description. */
  readonly isWhole: boolean;
  /** The line of a skill that is not in the index. */
  entryFor(skill: Skill): IndexEntry | null;
}

const toldSkills = { full: 5, degraded: 20 };

/** Reads what is preloaded. */
export async function renderPrefix(
  state: SessionState,
  { limit, runs }: PrefixOptions,
): Promise<SessionPrefix> {
  const preloading = await preloadSkills(state);
  const entriesOf = (skills: readonly Skill[]): readonly IndexEntry[] =>
    indexEntries(
      skills.map((skill) => describedSkill(state, skill)),
      { preloaded: preloading.names, marks: runs },
    );
  const entries = entriesOf(skillsOn(state, 'index'));
  const turn = state.settings.turnTokens * charactersPerToken;
  const index = renderIndex(entries, { limit, turn });
  const isWhole = index.tier === 'full';
  const left = isWhole ? Infinity : limit - index.characters;
  const share = Math.min(turnShare({ limit, turn }), left);
  return {
    text: [index.text, ...preloading.sections].filter((part) => part !== '').join('\n\n'),
    index,
    entries: new Map(entries.map((entry) => [entry.name, entry])),
    preloading,
    room: { limit, index: limit - share, turn: share },
    turnRoom: Math.min(turn, left),
    toldSkills: isWhole ? toldSkills.full : toldSkills.degraded,
    isWhole,
    entryFor: (skill) => entriesOf([skill])[0] ?? null,
  };
}
