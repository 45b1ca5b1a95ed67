// The skills of a snapshot -> which of them a call may have brought before the model (chat/trace-skills.ts).
//
// Texts are read with the first call that gives something: many conversations have none.
import { resolve } from 'node:path';
import type { SkillPlace, TracedCall } from '../../chat/trace-skills.ts';
import { traceSkills } from '../../chat/trace-skills.ts';
import type { TextTrace } from '../../chat/trace-texts.ts';
import { createTextTrace } from '../../chat/trace-texts.ts';
import { readSkillTexts } from '../../host/chat/read-skill-texts.ts';
import type { SkillLibrary } from '../../host/open-skills.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { realOf } from './real-path.ts';

export type TraceCall = (call: TracedCall) => Promise<readonly string[]>;

export async function openTrace(library: Pick<SkillLibrary, 'findTrusted'>, snapshot: Snapshot, workspace: string): Promise<TraceCall> {
  const { places, strangers } = await findPlaces(library, snapshot);
  let texts: Promise<TextTrace> | null = null;
  return async (call) => {
    texts ??= readSkillTexts(strangers).then((read) => createTextTrace(read));
    return traceSkills(call, { places, texts: await texts, resolve: (path, from) => realOf(resolve(workspace, from ?? '.', path)) });
  };
}

interface Places {
  readonly places: readonly SkillPlace[];
  /** Those that nobody vouches for. */
  readonly strangers: readonly { readonly skill: string; readonly folder: string }[];
}

/** Also of those that another one hides: a file can be read all the same. `vouches` knows nothing of their names. */
async function findPlaces(library: Pick<SkillLibrary, 'findTrusted'>, snapshot: Snapshot): Promise<Places> {
  const trusted = await library.findTrusted(snapshot, [...snapshot.skills, ...snapshot.shadowed.map(({ skill }) => skill)]);
  const places: SkillPlace[] = [];
  const strangers: { readonly skill: string; readonly folder: string }[] = [];
  for (const skill of snapshot.skills) {
    if (skill.origin.kind === 'builtin') continue;
    places.push({ skill: skill.name, folders: [skill.folder, skill.realFolder] });
    if (!trusted.has(skill)) strangers.push({ skill: skill.name, folder: skill.realFolder });
  }
  for (const { skill } of snapshot.shadowed) {
    if (trusted.has(skill)) continue;
    const name = `${skill.name} in ${skill.folder}`;
    places.push({ skill: name, folders: [skill.folder, skill.realFolder] });
    strangers.push({ skill: name, folder: skill.realFolder });
  }
  return { places, strangers };
}
