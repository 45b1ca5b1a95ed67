// skill_load, and use_skill, which is the same.
//
// D1. A body is given once: while it is before the model, the answer is a pointer, and neither counted nor told.
// D2. What is counted has been given whole. Calls at the same time are told apart, since nothing waits between the
//     question and the count.
import { TechneError } from '../base/error.ts';
import type { JsonObject } from '../base/json.ts';
import { loadedPointer, preloadedPointer, renderLoaded } from './read-skill.ts';
import type { ReadSkill } from './read-skill.ts';
import { refuse, refuseFault, refuseUnknown } from './refuse.ts';
import type { SessionParts } from './session-parts.ts';
import { activate, skillOn, tryRead } from './session-parts.ts';
import { placeOf } from './skill-loaded.ts';
import type { SkillToolResult, ToolWork } from './skill-tools.ts';

export const loadTool: ToolWork = {
  title: 'Load a skill',
  description:
    'Gives the instructions of a skill by name. Read them before you act on the skill, and follow them as far as they serve what you were asked for. Other files of the skill can be read with `skill_read(name, path)`.',
  parameters: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, maxLength: 64 } },
    required: ['name'],
    additionalProperties: false,
  },
  work: (parts, { name }, toolUseId) => loadSkill(parts, name as string, toolUseId),
};

export async function loadSkill(
  parts: SessionParts,
  name: string,
  toolUseId: string | null,
): Promise<SkillToolResult> {
  const { ledger, snapshot } = parts;
  const skill = skillOn(parts, 'load', name);
  if (skill === null) return refuseUnknown(parts, 'load', name);
  const read = await tryRead(parts, skill);
  if (read instanceof TechneError) return refuseFault(read);
  if (ledger.isPreloaded(name)) return given(preloadedPointer(skill), read, { already_preloaded: true });
  if (ledger.isLoaded(name, read.version)) return given(loadedPointer(skill), read, { already_loaded: true });
  const text = await renderLoaded(snapshot, read);
  if (ledger.isLoaded(name, read.version)) return given(loadedPointer(skill), read, { already_loaded: true });
  const against = ledger.refusal(name, read.tokens, 'explicit');
  if (against !== null) return refuse(against);
  activate(parts, read, text, { kind: 'explicit', reason: 'on_demand', toolUseId });
  return given(text, read, {});
}

function given(
  text: string,
  { skill: { name, source }, version, tokens }: ReadSkill,
  more: JsonObject,
): SkillToolResult {
  const metadata = {
    skill_id: name,
    skill_version: version,
    source: placeOf(source),
    load_size_tokens: tokens,
    source_kind: source,
    ...more,
  };
  return { ok: true, text, hint: null, metadata };
}
