// What a run keeps in its journal: limits and settings <-> `run.started`, and values <-> Stored.
//
// A start writes limits and settings once and passes them on. A resume reads them once (`readFacts`) and passes them on as well.
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { RunStarted, Stored } from '../journal/entry.ts';
import type { RunLimits } from './budget/limits.ts';
import { defaultLimits, limitNames } from './budget/limits.ts';
import type { Ceilings } from './effect/capability-ceiling.ts';
import type { NoteDeclaration } from '../ports/note-host.ts';
import type { ToolScope } from '../ports/tool.ts';
import type { BlobDigest, Blobs } from '../ports/blobs.ts';
import type { RunTravel } from '../ports/shared-files.ts';
import { loadValue, maxInlineBytes, storeValue } from '../journal/stored-value.ts';

/** How a run was started: its first entry, and what that says about limits and settings. */
export interface RunFacts {
  readonly meta: RunStarted;
  readonly limits: RunLimits;
  readonly settings: RunSettings;
}

/** The settings that a run was started with, and keeps. */
export interface RunSettings {
  readonly answerer: string;
  /** 0 for a run that is not nested. */
  readonly depth: number;
  readonly program: string | null;
  readonly folder: string | null;
  readonly trusted: boolean;
  /** The TRUSTED_ reason of its start; null when there was none. */
  readonly trustedBy: string | null;
  /** The tools that everything it does is held to (skill/tools/tool-scope.ts), with those of its outer runs. */
  readonly scopes: readonly ToolScope[];
  readonly model: string | null;
  readonly clamped: readonly string[];
  readonly forkedFrom: { readonly run: string; readonly from: string | null } | null;
  /** It is a composition, or was started inside one: then it cannot start another. */
  readonly inComposition: boolean;
  /** Capabilities that it is held to (capability-ceiling.ts). */
  readonly ceilings: Ceilings;
  /** The folder it works in, and whose configuration counts; empty where the host has none. A plan's templates see it. */
  readonly workspace: string;
  /** Of a fork: the run that it began with, and when that was started; what effects of a plan are named by. */
  readonly origin: { readonly run: string; readonly at: number } | null;
  /** How far the local time was ahead of UTC when it began, in minutes: the day of "now" in templates. */
  readonly utcOffsetMinutes: number;
  /** What started it, where that was not a caller who waits: `schedule nightly, for 2026-11-18T03:00:00.000Z`. */
  readonly startedBy: string | null;
  /** The note that it makes of its result; null: none. */
  readonly note: NoteDeclaration | null;
  /** What travels with it to workers; null: nothing, it is driven where its skills and its workspace are. */
  readonly travel: RunTravel | null;
}

/** Makes the first entry of a run. */
export function writeFacts(
  meta: Omit<RunStarted, 'type' | 'limits' | 'settings'>,
  limits: RunLimits,
  settings: RunSettings,
): RunFacts {
  const { at, run, skill, files, profile, input, parent } = meta;
  const entry: RunStarted = {
    type: 'run.started',
    at,
    run,
    skill,
    files,
    profile,
    input,
    limits: { ...limits },
    settings: settingsToJson(settings),
    parent,
  };
  return { meta: entry, limits, settings };
}

export function readFacts(meta: RunStarted): RunFacts {
  return { meta, limits: limitsFromJson(meta.limits), settings: settingsFromJson(meta.settings) };
}

/** A limit that an older run did not know gets its default. */
function limitsFromJson(json: JsonObject): RunLimits {
  const limits: { -readonly [name in keyof RunLimits]: number } = { ...defaultLimits };
  for (const key of limitNames) if (typeof json[key] === 'number') limits[key] = json[key];
  return limits;
}

function settingsToJson(settings: RunSettings): JsonObject {
  const {
    forkedFrom,
    inComposition,
    ceilings,
    scopes,
    workspace,
    origin,
    trustedBy,
    note,
    travel,
    ...others
  } = settings;
  const { utcOffsetMinutes, startedBy, ...rest } = others;
  return {
    ...rest,
    ...(trustedBy === null ? {} : { trustedBy }),
    ...(forkedFrom === null ? {} : { forkedFrom }),
    ...(inComposition ? { inComposition } : {}),
    ...(ceilings.length === 0 ? {} : { ceilings }),
    ...(scopes.length === 0 ? {} : { scopes: scopes.map((scope) => ({ ...scope })) }),
    ...(workspace === '' ? {} : { workspace }),
    ...(origin === null ? {} : { origin }),
    ...(utcOffsetMinutes === 0 ? {} : { utcOffsetMinutes }),
    ...(startedBy === null ? {} : { startedBy }),
    ...(note === null ? {} : { note: { ...note } }),
    ...(travel === null ? {} : { travel: { ...travel } }),
  };
}

function settingsFromJson(settings: JsonObject): RunSettings {
  const text = (name: string): string | null => (typeof settings[name] === 'string' ? settings[name] : null);
  const texts = (value: Json | undefined): readonly string[] | null =>
    Array.isArray(value) ? (value as readonly string[]) : null;
  const { forkedFrom, ceilings, origin, note } = settings;
  return {
    answerer: text('answerer') ?? '',
    depth: typeof settings['depth'] === 'number' ? settings['depth'] : 0,
    program: text('program'),
    folder: text('folder'),
    trusted: settings['trusted'] === true,
    trustedBy: text('trustedBy'),
    scopes: scopesFromJson(settings),
    inComposition: settings['inComposition'] === true,
    model: text('model'),
    clamped: texts(settings['clamped']) ?? [],
    forkedFrom:
      isJsonObject(forkedFrom) && typeof forkedFrom['run'] === 'string'
        ? { run: forkedFrom['run'], from: typeof forkedFrom['from'] === 'string' ? forkedFrom['from'] : null }
        : null,
    ceilings: Array.isArray(ceilings) ? (ceilings as readonly Json[]).map((one) => texts(one) ?? []) : [],
    workspace: text('workspace') ?? '',
    origin:
      isJsonObject(origin) && typeof origin['run'] === 'string' && typeof origin['at'] === 'number'
        ? { run: origin['run'], at: origin['at'] }
        : null,
    utcOffsetMinutes: typeof settings['utcOffsetMinutes'] === 'number' ? settings['utcOffsetMinutes'] : 0,
    startedBy: text('startedBy'),
    note: isJsonObject(note) ? (note as unknown as NoteDeclaration) : null,
    travel: travelFromJson(settings),
  };
}

function travelFromJson({ travel }: JsonObject): RunTravel | null {
  if (!isJsonObject(travel) || typeof travel['skills'] !== 'string') return null;
  const { skills, files, name } = travel;
  return {
    skills: skills as BlobDigest,
    files: typeof files === 'string' ? (files as BlobDigest) : null,
    name: typeof name === 'string' ? name : null,
  };
}

/** A run that was started by an older version had one list. */
export function scopesFromJson({ scopes, allowedTools }: JsonObject): readonly ToolScope[] {
  const texts = (value: Json | undefined): readonly string[] | null =>
    Array.isArray(value) ? (value as readonly string[]) : null;
  if (Array.isArray(scopes))
    return (scopes as readonly Json[])
      .filter(isJsonObject)
      .map(({ allowed, disallowed }) => ({ allowed: texts(allowed), disallowed: texts(disallowed) ?? [] }));
  return Array.isArray(allowedTools) ? [{ allowed: texts(allowedTools), disallowed: [] }] : [];
}

// Json <-> Stored, synchronous where no blob has to be read or written.

export class StoredValues {
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /** A promise only for what is large: then it is durable when that resolves. */
  store(value: Json): Stored | Promise<Stored> {
    return leastRoom(value, maxInlineBytes) >= 0 ? { value } : storeValue(value, this.#blobs);
  }

  load(stored: Stored): Json | Promise<Json> {
    return 'value' in stored ? stored.value : loadValue(stored, this.#blobs);
  }

  async loadObject(stored: Stored): Promise<JsonObject> {
    return (await this.load(stored)) as JsonObject;
  }
}

/** The rest of `room` bytes if every unit takes its maximum in JSON; below zero: it has to be counted. */
function leastRoom(value: Json, room: number): number {
  if (typeof value === 'string') return room - 2 - value.length * 6;
  if (value === null || typeof value !== 'object') return room - 25;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) if ((left = leastRoom(item, left - 1)) < 0) return left;
    return left;
  }
  // Not Object.keys, which makes an array.
  for (const key in value as JsonObject)
    if ((left = leastRoom((value as JsonObject)[key] as Json, left - 4 - key.length * 6)) < 0) return left;
  return left;
}
