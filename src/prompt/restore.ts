// Restores a resumed conversation: bodies that had been loaded in it count as loaded.
//
// The bodies are in the history, so nothing is reported or judged again. A body that has changed or cannot be read does
// not count: it can be loaded again, and grants nothing.
import { TechneError } from '../base/error.ts';
import { skillSection } from './read-skill.ts';
import type { SessionState } from './session-state.ts';
import { tryRead } from './session-state.ts';
import type { SkillLoaded } from './skill-loaded.ts';

/** A body that an earlier process gave to this conversation. */
export interface RestoredBody {
  readonly event: SkillLoaded;
  /** The text as given, if arguments are in it; `null`: the text of the skill's file. */
  readonly section: string | null;
}

/** In the order in which they were given. */
export async function restoreSkills(state: SessionState, bodies: readonly RestoredBody[]): Promise<void> {
  for (const {
    event: { skill_id: name, skill_version: version, load_reason: reason, triggered_by_tool_use_id: call },
    section,
  } of bodies) {
    if (reason === 'always' || !state.snapshot.has(name)) continue;
    const skill = state.snapshot.get(name);
    const read = await tryRead(state, skill);
    if (read instanceof TechneError || read.version !== version) continue;
    const { allowedTools, disallowedTools } = skill.head;
    state.ledger.record(
      name,
      version,
      read.tokens,
      reason === 'auto_suggested' ? 'suggested' : call === null ? 'person' : 'explicit',
    );
    state.active.delete(name);
    state.active.set(name, {
      name,
      section: skillSection(name, section ?? read.text),
      tokens: read.tokens,
      allowedTools,
      disallowedTools,
    });
  }
}
