// A skill of a snapshot as the data that `--json` and the API give. These shapes are stable: fields are added, never renamed.
import type { Facts, Shadowed, Skill } from '../registry/types.ts';

export interface SkillJson {
  readonly name: string;
  readonly description: string;
  readonly form: string;
  readonly source: string;
  readonly host: string;
  readonly path: string;
  readonly ready: boolean;
  readonly visible: { readonly user: boolean; readonly model: boolean };
  readonly listed: boolean;
  /** It has a form that can be executed, with nothing in the way but trust. */
  readonly executable: boolean;
  /** Paths of skills of the same name that this one was chosen over. */
  readonly shadows: readonly string[];
}

export function describeSkill(skill: Skill, facts: Facts, shadows: readonly string[]): SkillJson {
  return {
    name: skill.name,
    description: skill.description,
    form: skill.card.form,
    source: skill.source,
    host: skill.root.host,
    path: skill.file,
    ready: facts.ready.ok,
    visible: { user: facts.visibleToUser.ok, model: facts.visibleToModel.ok },
    listed: facts.listed.ok,
    executable: skill.card.form !== 'instructions' && facts.sound.ok,
    shadows,
  };
}

/** Winner's name -> the files it was chosen over. */
export function shadowsByName(shadowed: readonly Shadowed[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { skill, winner } of shadowed) {
    const list = found.get(winner.name);
    if (list === undefined) found.set(winner.name, [skill.file]);
    else list.push(skill.file);
  }
  return found;
}
