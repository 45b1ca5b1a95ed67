// The frontmatter of a skill -> an entry of the Skills extension.
//
// Valid fields are unchanged, so that a client can compare the entry with the file. Other fields are converted: `metadata` values
// that are not text become JSON text, long texts are cut, and YAML that the extension cannot read is read by techne. An untrusted
// skill has only its name and one short line, because everything else is text of an untrusted author.
import { skillEntry } from '@modelcontextprotocol/server/ext/skills';
import type { Skill as SkillEntry } from '@modelcontextprotocol/server/ext/skills';
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { Skill } from '../registry/types.ts';
import { cutCodePoints } from '../skill/code-points.ts';

type EntryFrontmatter = SkillEntry['frontmatter'];

const nameRule = /^[\da-z]+(?:-[\da-z]+)*$/;
const longest = { name: 64, description: 1_024, compatibility: 500 };

/** Whether a skill of this name can have an entry at all. */
export function isEntryName(name: string): boolean {
  return nameRule.test(name) && name.length <= longest.name;
}

export async function entryFrontmatter(
  skill: Pick<Skill, 'name' | 'description' | 'head'>,
  file: Uint8Array,
): Promise<EntryFrontmatter> {
  try {
    return (await skillEntry(skill.name, { 'SKILL.md': file })).frontmatter;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return reworded(skill);
  }
}

/** For an untrusted skill. `description`: its line in the list. */
export function untrustedFrontmatter({
  name,
  description,
}: {
  readonly name: string;
  readonly description: string;
}): EntryFrontmatter {
  return { name, description: description || name };
}

/** Converts the fields that the extension does not accept. */
function reworded({
  name,
  description: usual,
  head: { frontmatter },
}: Pick<Skill, 'name' | 'description' | 'head'>): EntryFrontmatter {
  const { description, compatibility, metadata, ...rest } = frontmatter;
  return {
    ...rest,
    name,
    description:
      cutCodePoints(
        typeof description === 'string' && description !== '' ? description : usual,
        longest.description,
      ) || name,
    ...(compatibility === undefined || compatibility === null || compatibility === ''
      ? {}
      : { compatibility: cutCodePoints(textOf(compatibility), longest.compatibility) }),
    ...(metadata === undefined || metadata === null ? {} : { metadata: textsOf(metadata) }),
  };
}

function textsOf(metadata: Json): JsonObject {
  const members = isJsonObject(metadata) ? Object.entries(metadata) : [['value', metadata] as const];
  return Object.fromEntries(members.map(([key, value]) => [key, textOf(value)]));
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
