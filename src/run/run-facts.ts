// What `run.started` pins of a skill besides its bytes, and how it is read back.
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { RunStarted } from '../journal/entry.ts';

export interface RunSettings {
  readonly answerer: string;
  /** 0 for a run that nobody nested. */
  readonly depth: number;
  readonly program: string | null;
  readonly folder: string | null;
  readonly trusted: boolean;
  readonly allowedTools: readonly string[] | null;
  readonly model: string | null;
  readonly clamped: readonly string[];
  readonly forkedFrom: { readonly run: string; readonly from: string | null } | null;
}

export function settingsToJson(settings: RunSettings): JsonObject {
  const { forkedFrom, ...rest } = settings;
  return { ...rest, ...(forkedFrom === null ? {} : { forkedFrom }) };
}

export function settingsOf({ settings }: Pick<RunStarted, 'settings'>): RunSettings {
  const text = (name: string): string | null => (typeof settings[name] === 'string' ? settings[name] : null);
  const texts = (value: Json | undefined): readonly string[] | null => (Array.isArray(value) ? (value as readonly string[]) : null);
  const { forkedFrom } = settings;
  return {
    answerer: text('answerer') ?? '',
    depth: typeof settings['depth'] === 'number' ? settings['depth'] : 0,
    program: text('program'),
    folder: text('folder'),
    trusted: settings['trusted'] === true,
    allowedTools: texts(settings['allowedTools']),
    model: text('model'),
    clamped: texts(settings['clamped']) ?? [],
    forkedFrom: isJsonObject(forkedFrom) && typeof forkedFrom['run'] === 'string' ? { run: forkedFrom['run'], from: typeof forkedFrom['from'] === 'string' ? forkedFrom['from'] : null } : null,
  };
}
