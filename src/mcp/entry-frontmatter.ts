// The frontmatter of a skill -> as an entry of the Skills extension may have it.
//
// F1. What the extension takes is given as it reads it, so that a client which compares the entry with the file finds the same.
// F2. All else is put in other words: values of `metadata` that are no text as JSON text, texts that are too long cut, and
//     where the extension cannot read the YAML, techne's own reading of it.
// F3. Of a stranger's skill it is the name and the one short line that is shown of it everywhere: all else in a frontmatter is
//     text of its author, too.
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

/** F3. `description`: as it is listed. */
export function untrustedFrontmatter({
  name,
  description,
}: {
  readonly name: string;
  readonly description: string;
}): EntryFrontmatter {
  return { name, description: description || name };
}

/** F2. */
export function reworded({
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
