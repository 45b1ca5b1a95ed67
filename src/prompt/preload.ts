// Bodies that are in the prompt from the start: skills that `prompt.preload` names and, where it says "always", skills
// with `always: true`; by name.
//
// Whole bodies are given in that order within the budget. One that does not fit or cannot be read is left out with a
// reason and stays loadable like any other, and so does an untrusted skill with `always: true` that the configuration
// does not name. A body is marked as a skill's (marks.ts), so that it cannot speak for techne. Each is reported once in
// a session, as `always`, and counts in no budget of activations.
import { TechneError } from '../base/error.ts';
import { estimateTokens } from '../skill/code-points.ts';
import { skillText } from './marks.ts';
import { loadedEvent, skillSection } from './read-skill.ts';
import type { SessionState } from './session-state.ts';
import { skillsOn, tryRead } from './session-state.ts';

export interface Preloading {
  readonly sections: readonly string[];
  readonly names: ReadonlySet<string>;
  readonly left: readonly { readonly skill: string; readonly reason: string }[];
}

export async function preloadSkills(state: SessionState): Promise<Preloading> {
  const { ledger, settings, snapshot, untrusted, onLoaded } = state;
  const sections: string[] = [];
  const names = new Set<string>();
  const left: { skill: string; reason: string }[] = [];
  let room = settings.preloadTokens;
  const wanted = skillsOn(state, 'preload');
  for (const name of settings.preload) {
    if (name !== 'always' && !wanted.some((skill) => skill.name === name))
      left.push({
        skill: name,
        reason: snapshot.has(name)
          ? 'it is not ready, switched off, or for people alone'
          : 'there is no such skill',
      });
  }
  for (const skill of wanted) {
    if (untrusted.has(skill.name) && !settings.preload.includes(skill.name)) {
      left.push({
        skill: skill.name,
        reason: `it is untrusted; run "techne trust ${skill.name}", or name it in prompt.preload`,
      });
      continue;
    }
    const read = await tryRead(state, skill);
    if (read instanceof TechneError) {
      left.push({ skill: skill.name, reason: read.message });
      continue;
    }
    const section = skillText(skill.name, skillSection(skill.name, read.text).trimEnd());
    const tokens = estimateTokens(section);
    if (tokens > room) {
      left.push({
        skill: skill.name,
        reason: `it has about ${tokens} tokens, and ${room} of ${settings.preloadTokens} are left`,
      });
      continue;
    }
    room -= tokens;
    sections.push(section);
    names.add(skill.name);
    if (ledger.preload(skill.name, read.version)) onLoaded(loadedEvent(read, 'always', null));
  }
  ledger.keepPreloaded(names);
  return { sections, names, left };
}
