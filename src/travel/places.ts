// Paths that are the same on every worker.
//
//   /techne/skills/NAME, /techne/workspace <-> the folders of this machine
//
// A run that travels records these paths only: in its first entry, in what it asks of commands and tools, and in what it
// was answered. So its journal is the same whoever wrote it, and another worker replays it. What is performed here is
// translated on its way out, and the answer on its way back.
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';

export const skillsPlace = '/techne/skills';
export const workspacePlace = '/techne/workspace';

export interface Places {
  readonly toHere: (text: string) => string;
  readonly toRecord: (text: string) => string;
}

const recorded = /(?<![\w.~-])\/techne\/(skills|workspace)(?![\w.-])/g;

/** Both are real, absolute paths, and neither lies in the other. */
export function createPlaces(here: { readonly skills: string; readonly workspace: string }): Places {
  const local = new RegExp(
    `(${escaped(here.skills)})(?![\\w.-])|(${escaped(here.workspace)})(?![\\w.-])`,
    'g',
  );
  return {
    toHere: (text) =>
      text.includes('/techne/')
        ? text.replaceAll(recorded, (_, which: 'skills' | 'workspace') => here[which])
        : text,
    toRecord: (text) =>
      text.replaceAll(local, (_, skills: string | undefined) =>
        skills === undefined ? workspacePlace : skillsPlace,
      ),
  };
}

/** The same value with every text in it changed, names of keys as well. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => mapTexts(each, change));
  return isJsonObject(value) ? mapObject(value, change) : value;
}

export function mapObject(value: JsonObject, change: (text: string) => string): JsonObject {
  const changed: { [key: string]: Json } = Object.create(null) as { [key: string]: Json };
  for (const [key, each] of Object.entries(value)) changed[change(key)] = mapTexts(each, change);
  return changed;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
