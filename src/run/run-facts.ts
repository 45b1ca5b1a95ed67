// What `run.started` pins of a skill besides its bytes, and how it is read back.
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { RunStarted } from '../journal/entry.ts';
import type { Ceilings } from './effect/capability-ceiling.ts';

export interface RunSettings {
  readonly answerer: string;
  /** 0 for a run that nobody nested. */
  readonly depth: number;
  readonly program: string | null;
  readonly folder: string | null;
  readonly trusted: boolean;
  /** The TRUSTED_ reason of its start; null when there was none. */
  readonly trustedBy: string | null;
  readonly allowedTools: readonly string[] | null;
  readonly model: string | null;
  readonly clamped: readonly string[];
  readonly forkedFrom: { readonly run: string; readonly from: string | null } | null;
  /** Capabilities that it is held to (capability-ceiling.ts). */
  readonly ceilings: Ceilings;
  /** The folder it works in, and whose configuration counts; empty where the host has none. A plan's templates see it. */
  readonly workspace: string;
  /** Of a fork: the run that it began with, and when that was started; what effects of a plan are named by. */
  readonly origin: { readonly run: string; readonly at: number } | null;
}

export function settingsToJson(settings: RunSettings): JsonObject {
  const { forkedFrom, ceilings, workspace, origin, trustedBy, ...rest } = settings;
  return {
    ...rest,
    ...(trustedBy === null ? {} : { trustedBy }),
    ...(forkedFrom === null ? {} : { forkedFrom }),
    ...(ceilings.length === 0 ? {} : { ceilings }),
    ...(workspace === '' ? {} : { workspace }),
    ...(origin === null ? {} : { origin }),
  };
}

export function settingsOf({ settings }: Pick<RunStarted, 'settings'>): RunSettings {
  const text = (name: string): string | null => (typeof settings[name] === 'string' ? settings[name] : null);
  const texts = (value: Json | undefined): readonly string[] | null =>
    Array.isArray(value) ? (value as readonly string[]) : null;
  const { forkedFrom, ceilings, origin } = settings;
  return {
    answerer: text('answerer') ?? '',
    depth: typeof settings['depth'] === 'number' ? settings['depth'] : 0,
    program: text('program'),
    folder: text('folder'),
    trusted: settings['trusted'] === true,
    trustedBy: text('trustedBy'),
    allowedTools: texts(settings['allowedTools']),
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
  };
}
