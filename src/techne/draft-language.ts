// A draft of a file of a skill and an offset -> what could stand there, and what it means, among the skills and tools that are here.
import { TechneError } from '../base/error.ts';
import type { JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { Completions, Hover, LanguageFile, LanguageWorld } from '../language/language.ts';
import { complete } from '../language/complete.ts';
import { hover } from '../language/hover.ts';
import { capabilities } from '../plan/capabilities.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { describeBuiltIns } from '../tools/built-in/built-in-tools.ts';
import type { Draft } from './draft-skill.ts';
import { mustBeInside } from './draft-skill.ts';

/** Throws PATH_UNSAFE for a path that leaves the skill. */
export async function completeDraft(snapshot: Snapshot, draft: Draft, offset: number): Promise<Completions> {
  return complete(await fileOf(snapshot, draft), offset, worldOf(snapshot));
}

/** `null`: nothing is known about it. Throws as `completeDraft` does. */
export async function hoverDraft(snapshot: Snapshot, draft: Draft, offset: number): Promise<Hover | null> {
  return hover(await fileOf(snapshot, draft), offset, worldOf(snapshot));
}

async function fileOf(snapshot: Snapshot, { skill, path, text, files = [] }: Draft): Promise<LanguageFile> {
  mustBeInside(path);
  if (path === 'SKILL.md') return { path, text, main: text, folder: skill };
  const drafted = files.find((one) => one.path === 'SKILL.md');
  return { path, text, main: drafted?.text ?? (await mainText(snapshot, skill)), folder: skill };
}

/** Empty for a skill that is not there yet, or cannot be read: its inputs and steps are not known then. */
async function mainText(snapshot: Snapshot, skill: string): Promise<string> {
  if (!snapshot.has(skill)) return '';
  try {
    return (await snapshot.readText(skill)).text;
  } catch (error) {
    if (error instanceof TechneError) return '';
    throw error;
  }
}

const describedCapabilities = Object.entries(capabilities).map(([name, { meaning }]) => ({
  name,
  description: meaning,
}));

const worlds = new WeakMap<Snapshot, LanguageWorld>();

export function worldOf(snapshot: Snapshot): LanguageWorld {
  const kept = worlds.get(snapshot);
  if (kept !== undefined) return kept;
  const world: LanguageWorld = {
    skills: snapshot.skills.map(({ name, head }) => ({
      name,
      description: head.description,
      inputs: (head.inputs ?? []).map(({ key, description }) => ({
        name: key,
        description: description ?? '',
      })),
    })),
    tools: describeBuiltIns().map(({ name, description, parameters }) => ({
      name,
      description,
      inputs: describedProperties(parameters),
    })),
    capabilities: describedCapabilities,
  };
  worlds.set(snapshot, world);
  return world;
}

function describedProperties({ properties }: JsonObject): LanguageWorld['tools'][number]['inputs'] {
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => {
    const description = isJsonObject(schema) ? schema['description'] : undefined;
    return { name, description: typeof description === 'string' ? description : '' };
  });
}
