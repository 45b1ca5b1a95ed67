// skill_load, and use_skill, which is the same.
//
// A body is given once: while the model has it, the answer is a pointer, which is neither counted nor reported. Nothing
// is awaited between the check and the count, so two calls at the same time count once.
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Tool, ToolResult } from '../../ports/tool.ts';
import { objectSchema } from '../../ports/tool.ts';
import { loadedPointer, preloadedPointer, renderLoaded } from '../read-skill.ts';
import type { ReadSkill } from '../read-skill.ts';
import { overBudget, toolFaultOf, unknownSkill } from './refuse.ts';
import type { SessionState } from '../session-state.ts';
import { activate, skillOn, tryRead } from '../session-state.ts';
import { skillPlaceOf } from '../skill-loaded.ts';

/** `longestName`: of the names that it takes. */
export function skillLoadTool(state: () => SessionState, longestName: number): Tool {
  return {
    name: 'skill_load',
    title: 'Load a skill',
    description:
      'Gives the instructions of a skill by name. Read them before you act on the skill, and follow them as far as they serve what you were asked for. Other files of the skill can be read with `skill_read(name, path)`.',
    parameters: objectSchema({ name: { type: 'string', minLength: 1, maxLength: longestName } }, ['name']),
    readOnly: true,
    call: async ({ name }, { id = null } = {}) => loadSkill(state(), name as string, id),
  };
}

export async function loadSkill(
  state: SessionState,
  name: string,
  toolUseId: string | null,
): Promise<ToolResult> {
  const { ledger, snapshot } = state;
  const skill = skillOn(state, 'load', name);
  if (skill === null) throw unknownSkill(state, 'load', name);
  const read = await tryRead(state, skill);
  if (read instanceof TechneError) throw toolFaultOf(read);
  if (ledger.isPreloaded(name)) return given(preloadedPointer(skill), read, { already_preloaded: true });
  if (ledger.isLoaded(name, read.version)) return given(loadedPointer(skill), read, { already_loaded: true });
  const text = await renderLoaded(snapshot, read);
  if (ledger.isLoaded(name, read.version)) return given(loadedPointer(skill), read, { already_loaded: true });
  const against = ledger.refusal(name, read.givenTokens, 'explicit');
  if (against !== null) throw overBudget(against);
  activate(state, read, text, { kind: 'explicit', reason: 'on_demand', toolUseId });
  return given(text, read, {});
}

function given(
  text: string,
  { skill: { name, source }, version, tokens, note }: ReadSkill,
  more: JsonObject,
): ToolResult {
  const metadata = {
    skill_id: name,
    skill_version: version,
    source: skillPlaceOf(source),
    load_size_tokens: tokens,
    source_kind: source,
    ...(note === null ? {} : { guard: note }),
    ...more,
  };
  return { ok: true, text, metadata };
}
